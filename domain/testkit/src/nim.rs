//! Nim: the smallest complete game. It shows the shape of a game crate, and that a new game needs nothing but itself.
//!
//! Heaps of stones; a turn takes one or more stones from one heap (N-10, N-11); who takes the last stone wins (N-20). The
//! heaps are drawn (N-02). Each seat has a secret lucky number, drawn at the start, that only it sees (N-03): it decides nothing,
//! but gives the toy something to hide.
//!
//! Its rules have two editions, to show what that means. Since edition 2 a turn takes at most five stones (N-10), and who empties a heap
//! while stones are left acts again (N-14).
//!
//! Two of its events have changed their form, to show what that means: see `form.rs`.

mod form;
mod picture;

pub use picture::NIM_PICTURE;

use kernel::{
    Award, Chance, Draft, Edition, EditionText, Fact, FormNumber, FormRules, Game, Given, Info,
    Open, Placed, Pointed, Refusal, Rule, Seat, Secret, Sizes, Viewer, present, require,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The toy game. See the module's documentation for its rules.
pub struct Nim;

/// Options as asked for.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// How many heaps, 1 to 5. Default 3.
    #[serde(default)]
    #[schema(value_type = Option<u8>, minimum = 1, maximum = 5)]
    heaps: Given<u8>,
}

/// The options of a match.
#[derive(Serialize)]
struct Played {
    heaps: usize,
}

/// The secret number of each seat, 0 to 9.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
pub struct Lucky(Vec<u8>);

/// A position, also as JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Position {
    /// The edition of the rules. Default: the newest.
    #[serde(default, deserialize_with = "kernel::edition::<Nim, _>")]
    #[schema(value_type = Edition, required = false)]
    edition: Option<Edition>,
    /// Stones in each heap, 0 to 20.
    heaps: Vec<u8>,
    /// The secret number of each seat, 0 to 9.
    lucky: Lucky,
    /// Who acts; null when the match is finished.
    #[serde(deserialize_with = "present")]
    active_seat: Option<Seat>,
    /// Who took the last stone.
    #[serde(deserialize_with = "present")]
    winner: Option<Seat>,
}

/// What a seat may ask for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(tag = "type", deny_unknown_fields)]
pub enum Command {
    /// Take `count` stones from a heap.
    #[open(heap, count)]
    Take {
        /// The heap's number, from 0.
        heap: u8,
        /// How many stones.
        count: u8,
    },
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Fact)]
#[secret(position = Position)]
#[serde(tag = "type", deny_unknown_fields)]
pub enum Event {
    /// The start position.
    #[open(form, first)]
    MatchStarted {
        /// The form of the event.
        form: FormNumber<3>,
        /// Who begins: seat 0.
        first: Seat,
        /// Stones in each heap.
        #[news(all)]
        stones: Vec<u8>,
        /// The secret numbers by seat.
        #[hidden(as = Vec<Option<u8>>, doc = "Own secret number; null for the others.")]
        #[news(all)]
        lucky: Lucky,
    },
    /// Stones were taken.
    #[open(form, seat, heap, stones)]
    StonesTaken {
        /// The form of the event.
        form: FormNumber<3>,
        /// Who took them.
        seat: Seat,
        /// From which heap.
        heap: u8,
        /// How many.
        stones: u8,
    },
    /// A turn began.
    #[open(seat)]
    TurnStarted {
        /// Whose turn.
        seat: Seat,
    },
    /// The last stone is gone.
    #[open(winner)]
    MatchFinished {
        /// Who took it.
        winner: Seat,
    },
}

/// A position as one viewer sees it.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct View {
    /// The edition of the rules by which the match is played.
    edition: Edition,
    viewer: Viewer,
    heaps: Vec<u8>,
    /// Own secret number; null for the others.
    lucky: Vec<Option<u8>>,
    active_seat: Option<Seat>,
    winner: Option<Seat>,
}

/// A place in the standing.
#[derive(Debug, Serialize, ToSchema)]
pub struct Place {
    rank: u8,
    seat: Seat,
}

/// What the one point of Nim is for: nothing more needs to be said.
#[derive(Serialize)]
struct LastStone {}

impl Position {
    fn seats(&self) -> impl Iterator<Item = Seat> {
        (0..).map(Seat).take(self.lucky.0.len())
    }

    fn next(&self, seat: Seat) -> Seat {
        let seats = u8::try_from(self.lucky.0.len()).expect("Nim has at most four seats");
        Seat((seat.0 + 1) % seats)
    }

    fn stones(&self, heap: u8) -> u8 {
        self.heaps.get(usize::from(heap)).copied().unwrap_or(0)
    }

    fn edition(&self) -> Edition {
        self.edition.unwrap_or_else(kernel::newest::<Nim>)
    }

    /// The most stones that a turn takes from a heap (N-10).
    fn most(&self) -> u8 {
        if self.edition().since(2) { 5 } else { u8::MAX }
    }
}

impl Secret for Lucky {
    type Position = Position;
    type Seen = Vec<Option<u8>>;

    fn seen(&self, _: &Position, viewer: Viewer) -> Vec<Option<u8>> {
        let seats = (0..).map(Seat);
        seats.zip(&self.0).map(|(seat, number)| viewer.is(seat).then_some(*number)).collect()
    }
}

impl Game for Nim {
    const INFO: Info = Info {
        id: "nim",
        title: "Nim",
        text: "Take stones from heaps; who takes the last stone wins.",
        seats: 2..=4,
        editions: &[
            EditionText { date: "2026-11-01", changes: &[] },
            EditionText {
                date: "2026-11-22",
                changes: &[
                    (Rule("N-10"), "A turn takes at most five stones, no longer any number."),
                    (Rule("N-14"), "Who empties a heap while stones are left acts again."),
                ],
            },
        ],
        fixed: &["edition"],
        forms: FormRules {
            seats: Rule("N-01"),
            options: Rule("N-02"),
            position: Rule("N-30"),
            command: Rule("N-12"),
            finished: Rule("N-13"),
            form_first: false,
            not_active: None,
        },
        rules: r#"
            N-01 = "Nim is played with two to four seats."
            N-02 = "One to five heaps, three by default; each heap's 1 to 20 stones are drawn."
            N-03 = "Each seat draws a secret lucky number, 0 to 9."
            N-10 = "A turn takes one or more stones from one heap, since edition 2 at most five."
            N-11 = "No more stones are taken than lie in the heap."
            N-12 = "A command has exactly the fields of its shape."
            N-13 = "A finished match takes no command."
            N-14 = "Since edition 2: who empties a heap while stones are left acts again."
            N-20 = "Who takes the last stone wins; the others share the second rank."
            N-30 = "A position has one to five heaps of at most 20 stones, and a seat to act exactly while stones are left."
        "#,
        data: "heap_max = 20\n",
        moments: &["turn", "finished"],
        fixtures: include_str!("nim/fixtures.json"),
        words: &[("en", include_str!("nim/words/en.toml"))],
    };

    type Options = Options;
    type PositionForm = Position;
    type Position = Position;
    type Command = Command;
    type Event = Event;
    type View = View;
    type EventView = EventView;
    type Place = Place;

    fn setup(
        options: Options,
        seats: u8,
        _: Edition,
        chance: &mut dyn Chance,
    ) -> Result<Vec<Event>, Refusal> {
        let range = "the option heaps is a number from 1 to 5";
        let heaps = options.heaps.or(3, Rule("N-02"), range)?;
        require((1..=5).contains(&heaps), || Refusal::new(Rule("N-02"), range))?;
        let sizes: Vec<u8> = (1..=20).collect();
        let heaps = (0..heaps).map(|_| chance.pick("heap", &sizes)).collect();
        let lucky =
            (0..seats).map(|_| chance.pick("lucky", &[0u8, 1, 2, 3, 4, 5, 6, 7, 8, 9])).collect();
        let (first, lucky) = (Seat(0), Lucky(lucky));
        Ok(vec![Event::MatchStarted { form: FormNumber, first, stones: heaps, lucky }])
    }

    fn start(first: &Event, edition: Edition) -> Option<Position> {
        let Event::MatchStarted { form: FormNumber, first, stones, lucky } = first else {
            return None;
        };
        Some(Position {
            edition: Some(edition),
            heaps: stones.clone(),
            lucky: lucky.clone(),
            active_seat: Some(*first),
            winner: None,
        })
    }

    fn told(form: &mut Position) -> &mut Option<Edition> {
        &mut form.edition
    }

    fn admit(form: Position) -> Result<Position, Refusal> {
        let refuse = |reason: &str| Err(Refusal::new(Rule("N-30"), reason));
        let stones = form.heaps.iter().any(|stones| *stones > 0);
        if !(1..=5).contains(&form.heaps.len()) || form.heaps.iter().any(|stones| *stones > 20) {
            return refuse("a position has one to five heaps of at most 20 stones");
        }
        if !(2..=4).contains(&form.lucky.0.len()) || form.lucky.0.iter().any(|number| *number > 9) {
            return refuse(
                "a position has a lucky number from 0 to 9 for each of two to four seats",
            );
        }
        if form.active_seat.is_some() != stones || form.winner.is_some() == stones {
            return refuse(
                "a seat is to act exactly while stones are left, and otherwise a seat has won",
            );
        }
        if form.active_seat.or(form.winner).is_some_and(|seat| seat.index() >= form.lucky.0.len()) {
            return refuse("there is no such seat");
        }
        Ok(Position { edition: Some(form.edition()), ..form })
    }

    fn edition(position: &Position) -> Edition {
        position.edition()
    }

    fn options(position: &Position) -> impl Serialize {
        Played { heaps: position.heaps.len() }
    }

    fn active_seat(position: &Position) -> Option<Seat> {
        position.active_seat
    }

    fn moment(position: &Position) -> &'static str {
        if position.active_seat.is_some() { "turn" } else { "finished" }
    }

    fn sizes(position: &Position) -> Sizes {
        Sizes {
            left: position.heaps.iter().map(|stones| u64::from(*stones)).sum(),
            hands: vec![0; position.lucky.0.len()],
        }
    }

    fn turn_begun(_: &Position, event: &Event) -> Option<Seat> {
        let Event::TurnStarted { seat } = event else { return None };
        Some(*seat)
    }

    fn legal_commands(position: &Position, commands: &mut Vec<Command>) {
        for (heap, stones) in (0..).zip(&position.heaps) {
            let counts = 1..=position.most().min(*stones);
            commands.extend(counts.map(|count| Command::Take { heap, count }));
        }
    }

    fn decide(draft: &mut Draft<'_, Self>, command: &Command) -> Result<(), Refusal> {
        let Command::Take { heap, count } = *command;
        let Some(seat) = draft.position().active_seat else {
            return Err(Refusal::new(Rule("N-13"), "the match is finished"));
        };
        require(count > 0, || Refusal::new(Rule("N-10"), "at least one stone must be taken"))?;
        let stones = draft.position().stones(heap);
        require(count <= stones, || {
            Refusal::new(Rule("N-11"), format!("heap {heap} holds {stones} stones, not {count}"))
        })?;
        let most = draft.position().most();
        require(count <= most, || {
            Refusal::new(Rule("N-10"), format!("at most {most} stones may be taken"))
        })?;
        draft.emit(Event::StonesTaken { form: FormNumber, seat, heap, stones: count });
        let position = draft.position();
        if position.heaps.iter().all(|stones| *stones == 0) {
            draft.emit(Event::MatchFinished { winner: seat });
            return Ok(());
        }
        let again = position.edition().since(2) && count == stones;
        let seat = if again { seat } else { position.next(seat) };
        draft.emit(Event::TurnStarted { seat });
        Ok(())
    }

    fn apply(position: &mut Position, event: &Event) {
        match event {
            Event::MatchStarted { form: FormNumber, first, stones, lucky } => {
                position.active_seat = Some(*first);
                position.heaps.clone_from(stones);
                position.lucky.clone_from(lucky);
            }
            Event::StonesTaken { form: FormNumber, seat: _, heap, stones } => {
                position.heaps[usize::from(*heap)] -= stones
            }
            Event::TurnStarted { seat } => position.active_seat = Some(*seat),
            Event::MatchFinished { winner } => {
                position.active_seat = None;
                position.winner = Some(*winner);
            }
        }
    }

    fn view(position: &Position, viewer: Viewer) -> View {
        let Position { edition: _, heaps, lucky, active_seat, winner } = position;
        View {
            edition: position.edition(),
            viewer,
            heaps: heaps.clone(),
            lucky: lucky.seen(position, viewer),
            active_seat: *active_seat,
            winner: *winner,
        }
    }

    fn pointed(_: &Position, command: &Command) -> Pointed {
        let Command::Take { heap, count: _ } = command;
        Pointed::default().spot("heap", heap)
    }

    fn pieces(view: &View) -> Vec<Placed> {
        let heap = |(heap, stones): (usize, &u8)| {
            Placed::many((*stones).into(), "stone", format_args!("heap:{heap}"))
        };
        view.heaps.iter().enumerate().map(heap).collect()
    }

    fn allows_take_back(_: &Position) -> bool {
        false
    }

    fn points(position: &Position) -> Vec<i64> {
        position.seats().map(|seat| i64::from(position.winner == Some(seat))).collect()
    }

    fn awards(_: &Position, event: &Event) -> Vec<Award> {
        let Event::MatchFinished { winner } = *event else { return Vec::new() };
        let why = ("last_stone", Rule("N-20"));
        vec![Award::new(winner, 1, why, &LastStone {}, "1 last stone × 1 = 1".to_owned())]
    }

    fn standing(position: &Position) -> Option<Vec<Place>> {
        let winner = position.winner?;
        let others = position.seats().filter(|seat| *seat != winner);
        let others = others.map(|seat| Place { rank: 2, seat });
        Some(std::iter::once(Place { rank: 1, seat: winner }).chain(others).collect())
    }
}
