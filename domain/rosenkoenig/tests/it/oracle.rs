//! Rosenkönig once more, written from `RULES.md` alone: a grid of characters, vectors of card names, no cleverness and
//! nothing of the crate. Slow on purpose; it says what the fast one must do.

use serde_json::{Value, json};

const DIRECTIONS: [(&str, i32, i32); 8] = [
    ("n", 0, -1),
    ("ne", 1, -1),
    ("e", 1, 0),
    ("se", 1, 1),
    ("s", 0, 1),
    ("sw", -1, 1),
    ("w", -1, 0),
    ("nw", -1, -1),
];

/// All cards in card order.
pub(crate) fn cards() -> Vec<String> {
    let names = DIRECTIONS.iter().flat_map(|(id, ..)| (1..=3).map(move |n| format!("{id}{n}")));
    names.collect()
}

fn step(card: &str) -> (i32, i32) {
    let (id, distance) = card.split_at(card.len() - 1);
    let distance: i32 = distance.parse().unwrap();
    let (_, dx, dy) = DIRECTIONS.iter().find(|(name, ..)| *name == id).unwrap();
    (dx * distance, dy * distance)
}

fn in_card_order(mut hand: Vec<String>) -> Vec<String> {
    let order = cards();
    hand.sort_by_key(|card| order.iter().position(|name| name == card));
    hand
}

/// A match as one would write it on paper.
#[derive(Clone, Debug)]
pub(crate) struct Oracle {
    options: Value,
    grid: Vec<Vec<char>>,
    crown: (i32, i32),
    hands: Vec<Vec<String>>,
    heroes: Vec<i32>,
    stones_left: i32,
    draw_pile: Vec<String>,
    discard_pile: Vec<String>,
    start_seat: usize,
    active: Option<usize>,
    end_reason: Option<&'static str>,
}

fn names(value: &Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(|card| card.as_str().unwrap().to_owned()).collect()
}

impl Oracle {
    /// The start position of a `MatchStarted` event.
    pub(crate) fn new(started: &Value) -> Oracle {
        let start_seat = started["start_seat"].as_u64().unwrap() as usize;
        Oracle {
            options: started["options"].clone(),
            grid: vec![vec!['.'; 9]; 9],
            crown: (4, 4),
            hands: vec![names(&started["hands"][0]), names(&started["hands"][1])],
            heroes: vec![4, 4],
            stones_left: 52,
            draw_pile: names(&started["draw_pile"]),
            discard_pile: Vec::new(),
            start_seat,
            active: Some(start_seat),
            end_reason: None,
        }
    }

    /// The seat to act.
    pub(crate) fn active(&self) -> Option<usize> {
        self.active
    }

    fn color(&self, seat: usize) -> &str {
        self.options["colors"][seat].as_str().unwrap()
    }

    fn letter(&self, seat: usize) -> char {
        self.color(seat).chars().next().unwrap()
    }

    fn target(&self, card: &str) -> (i32, i32) {
        let (dx, dy) = step(card);
        (self.crown.0 + dx, self.crown.1 + dy)
    }

    /// The first rule of section 7 that a play breaks.
    fn broken_by_play(&self, seat: usize, card: &str, hero: bool) -> Option<&'static str> {
        if !self.hands[seat].iter().any(|own| own == card) {
            return Some("R-30");
        }
        let (x, y) = self.target(card);
        if !(0..9).contains(&x) || !(0..9).contains(&y) {
            return Some("R-32");
        }
        let there = self.grid[y as usize][x as usize];
        if there == self.letter(seat) {
            return Some("R-34");
        }
        if there == '.' {
            return if hero { Some("R-35") } else { None };
        }
        if !hero {
            return Some("R-36");
        }
        if self.heroes[seat] == 0 { Some("R-37") } else { None }
    }

    /// The first rule that a command of this seat breaks.
    pub(crate) fn broken(&self, seat: usize, command: &Value) -> Option<&'static str> {
        if self.end_reason.is_some() {
            return Some("R-23");
        }
        if command["type"] == "DrawCard" {
            return if self.hands[seat].len() < 5 { None } else { Some("R-45") };
        }
        let hero = command["hero"].as_bool().unwrap();
        self.broken_by_play(seat, command["card"].as_str().unwrap(), hero)
    }

    /// The legal commands of a seat: plays in card order, then `DrawCard`.
    pub(crate) fn legal(&self, seat: usize) -> Vec<Value> {
        every_command().into_iter().filter(|command| self.broken(seat, command).is_none()).collect()
    }

    /// Carries out a legal command and returns its events. `shuffled` is the new draw pile, if there is one.
    pub(crate) fn play(&mut self, command: &Value, shuffled: Option<Vec<String>>) -> Vec<Value> {
        let seat = self.active.unwrap();
        let mut events = Vec::new();
        if command["type"] == "DrawCard" {
            self.draw_card(seat, shuffled, &mut events);
        } else {
            self.play_card(seat, command, &mut events);
        }
        self.tail(seat, &mut events);
        events
    }

    fn draw_card(&mut self, seat: usize, shuffled: Option<Vec<String>>, events: &mut Vec<Value>) {
        assert_eq!(
            shuffled.is_some(),
            self.draw_pile.is_empty(),
            "shuffled exactly when it ran out"
        );
        if let Some(pile) = shuffled {
            let sorted = in_card_order(pile.clone());
            assert_eq!(sorted, in_card_order(self.discard_pile.clone()), "another set of cards");
            events.push(json!({"type": "DrawPileReshuffled", "draw_pile": pile}));
            self.draw_pile = pile;
            self.discard_pile.clear();
        }
        let card = self.draw_pile.remove(0);
        let left = self.draw_pile.len();
        events
            .push(json!({"type": "CardDrawn", "seat": seat, "card": card, "draw_pile_left": left}));
        self.hands[seat].push(card);
        self.hands[seat] = in_card_order(self.hands[seat].clone());
    }

    /// Lays or turns a stone by a card, and moves the crown.
    pub(crate) fn play_card(&mut self, seat: usize, command: &Value, events: &mut Vec<Value>) {
        let card = command["card"].as_str().unwrap();
        let (x, y) = self.target(card);
        let (at, color) = (json!({"x": x, "y": y}), self.color(seat).to_owned());
        self.hands[seat].retain(|own| own != card);
        self.discard_pile.insert(0, card.to_owned());
        events.push(json!({"type": "CardPlayed", "seat": seat, "card": card}));
        if command["hero"] == true {
            self.heroes[seat] -= 1;
            let left = self.heroes[seat];
            events.push(json!({"type": "HeroSpent", "seat": seat, "heroes_left": left}));
            events.push(json!({"type": "StoneFlipped", "seat": seat, "color": color, "at": at}));
        } else {
            self.stones_left -= 1;
            let left = self.stones_left;
            events.push(
                json!({"type": "StonePlaced", "seat": seat, "color": color, "at": at, "stones_left": left}),
            );
        }
        self.grid[y as usize][x as usize] = self.letter(seat);
        let from = json!({"x": self.crown.0, "y": self.crown.1});
        events.push(json!({"type": "CrownMoved", "from": from, "to": at}));
        self.crown = (x, y);
    }

    fn tail(&mut self, seat: usize, events: &mut Vec<Value>) {
        let other = 1 - seat;
        let next = if self.stones_left == 0 {
            Err("last_stone")
        } else if !self.legal(other).is_empty() {
            Ok(other)
        } else if !self.legal(seat).is_empty() {
            events.push(json!({"type": "TurnPassed", "seat": other}));
            Ok(seat)
        } else {
            Err("blocked")
        };
        match next {
            Ok(next) => {
                self.active = Some(next);
                events.push(json!({"type": "TurnStarted", "seat": next}));
            }
            Err(reason) => {
                self.active = None;
                self.end_reason = Some(reason);
                events.extend([self.award(0), self.award(1)]);
                let standing = self.standing();
                events
                    .push(json!({"type": "MatchFinished", "reason": reason, "standing": standing}));
            }
        }
    }

    /// The areas of a seat: fields (y, x) in reading order, areas in the reading order of their first fields.
    fn areas(&self, seat: usize) -> Vec<Vec<(i32, i32)>> {
        let own = self.letter(seat);
        let mut grid = self.grid.clone();
        let mut areas = Vec::new();
        for y in 0..9 {
            for x in 0..9 {
                let mut area = Vec::new();
                let mut waiting = vec![(y, x)];
                while let Some((y, x)) = waiting.pop() {
                    if !(0..9).contains(&x)
                        || !(0..9).contains(&y)
                        || grid[y as usize][x as usize] != own
                    {
                        continue;
                    }
                    grid[y as usize][x as usize] = '.';
                    area.push((y, x));
                    waiting.extend([(y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)]);
                }
                area.sort();
                if !area.is_empty() {
                    areas.push(area);
                }
            }
        }
        areas
    }

    /// Points, largest area, stones.
    pub(crate) fn score(&self, seat: usize) -> (usize, usize, usize) {
        let sizes: Vec<usize> = self.areas(seat).iter().map(Vec::len).collect();
        let points = sizes.iter().map(|size| size * size).sum();
        (points, sizes.iter().copied().max().unwrap_or(0), sizes.iter().sum())
    }

    fn award(&self, seat: usize) -> Value {
        let mut areas = self.areas(seat);
        areas.sort_by_key(|area| (100 - area.len(), area[0]));
        let breakdown: Vec<Value> = areas
            .iter()
            .map(|area| {
                let fields: Vec<Value> =
                    area.iter().map(|(y, x)| json!({"x": x, "y": y})).collect();
                json!({"size": area.len(), "points": area.len() * area.len(), "fields": fields})
            })
            .collect();
        let points = self.score(seat).0;
        json!({"type": "ScoreAwarded", "seat": seat, "reason": "areas", "points": points, "breakdown": breakdown})
    }

    fn standing(&self) -> Value {
        let (zero, one) = (self.score(0), self.score(1));
        let places = if zero == one {
            [(1, 0), (1, 1)]
        } else if zero > one {
            [(1, 0), (2, 1)]
        } else {
            [(1, 1), (2, 0)]
        };
        let entry = |(rank, seat): (u8, usize)| {
            let (points, largest_area, stones) = self.score(seat);
            json!({"rank": rank, "seat": seat, "color": self.color(seat), "points": points,
                   "largest_area": largest_area, "stones": stones})
        };
        json!(places.map(entry))
    }

    /// The position as JSON (section 3).
    pub(crate) fn position(&self) -> Value {
        let board: Vec<String> = self.grid.iter().map(|row| row.iter().collect()).collect();
        json!({
            "game": "rosenkoenig",
            "edition": 1,
            "options": self.options,
            "phase": if self.end_reason.is_none() { "turn" } else { "finished" },
            "active_seat": self.active,
            "start_seat": self.start_seat,
            "board": board,
            "crown": {"x": self.crown.0, "y": self.crown.1},
            "hands": self.hands,
            "heroes": self.heroes,
            "stones_left": self.stones_left,
            "draw_pile": self.draw_pile,
            "discard_pile": self.discard_pile,
            "end_reason": self.end_reason,
        })
    }

    /// What every viewer sees (sections 3 and 4), without `viewer`.
    pub(crate) fn view(&self) -> Value {
        let mut view = self.position();
        let shown = self.options["show_draw_pile"] == true;
        let cards = if shown { json!(in_card_order(self.draw_pile.clone())) } else { Value::Null };
        view["draw_pile"] = json!({"count": self.draw_pile.len(), "cards": cards});
        let score = |seat| {
            let (points, largest_area, stones) = self.score(seat);
            json!({"points": points, "largest_area": largest_area, "stones": stones})
        };
        view["scores"] = json!([score(0), score(1)]);
        view
    }
}

/// Each command that has the right form: 24 cards with and without a hero, then `DrawCard`.
pub(crate) fn every_command() -> Vec<Value> {
    let plays = cards().into_iter().flat_map(|card| {
        [false, true].map(|hero| json!({"type": "PlayCard", "card": card, "hero": hero}))
    });
    plays.chain([json!({"type": "DrawCard"})]).collect()
}
