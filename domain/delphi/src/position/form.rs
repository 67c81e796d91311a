//! The JSON of a position. Read strictly: what is not of the shape is refused by D-131, nothing is repaired, and nothing is judged
//! beyond the types and the number of pieces (`bounds`).

use std::sync::Arc;

use kernel::{Edition, Fixed, Open, Seat, Secret, Viewer, present};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::board::random::SEEDS;
use crate::board::{Chart, Hex, HexKind, MapForm, Spot};
use crate::options::Terms;
use crate::pieces::{Color, Colors, Companion, Equipment, Face, Letter, PlayerColor, Set, Ship};
use crate::position::{
    Decision, Island, MOST_SEATS, Place, Player, Position, SeatSet, Stage, Turn, number,
};
use crate::printed::FACTS;
use crate::printed::map::{SITES, spaces};

/// The name of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(rename_all = "snake_case")]
pub enum GameName {
    /// The Oracle of Delphi.
    Delphi,
}

/// Offerings or monsters on an island.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(deny_unknown_fields)]
#[open(at, colors)]
pub struct Stock {
    /// The island.
    pub at: Hex,
    /// The colours of the pieces there.
    #[schema(value_type = Vec<Color>, max_items = 24)]
    pub colors: Colors,
}

/// A city.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(deny_unknown_fields)]
#[open(at, color, statues)]
pub struct City {
    /// The hex.
    pub at: Hex,
    /// The colour of its statues.
    pub color: Color,
    /// The number of statues left.
    #[serde(deserialize_with = "number::<_, 0, { FACTS.statues }>")]
    #[schema(minimum = 0, maximum = 3)]
    pub statues: u8,
}

/// A building site of a statue island.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(deny_unknown_fields)]
#[open(at, color, seat)]
pub struct Site {
    /// The island.
    pub at: Hex,
    /// The colour of the statue for this site.
    pub color: Color,
    /// The seat that raised it; null if the site is free.
    #[serde(deserialize_with = "present")]
    #[schema(required = true)]
    pub seat: Option<Seat>,
}

/// An island.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Secret)]
#[secret(position = Position, view = IslandView, doc = "An island as a viewer sees it.")]
#[open(at, color, revealed, seen_by, shrine)]
#[serde(deny_unknown_fields)]
pub struct IslandForm {
    /// The hex.
    pub at: Hex,
    /// The colour of its frame.
    pub color: Color,
    /// The hidden side.
    #[hidden(unless = IslandForm::shows_face, doc = "The hidden side; null if the viewer may not see it.")]
    pub face: Face,
    /// Whether it lies face up.
    pub revealed: bool,
    /// The seats that have looked at it, ascending.
    #[schema(max_items = 4)]
    pub seen_by: Vec<Seat>,
    /// The seat whose shrine stands there; null without one.
    #[serde(deserialize_with = "present")]
    #[schema(required = true)]
    pub shrine: Option<Seat>,
}

impl IslandForm {
    fn shows_face(&self, viewer: Viewer) -> bool {
        self.revealed || self.seen_by.iter().any(|seat| viewer.is(*seat))
    }
}

fn played(edition: Option<Edition>) -> Edition {
    edition.unwrap_or_else(kernel::newest::<crate::Delphi>)
}

/// A position as JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Secret)]
#[secret(
    position = Position,
    view = View,
    doc = "A position as a viewer sees it: the fields of the position, hidden faces null."
)]
#[open(game, seats, options, stage, round, start_seat, active_seat, map, temples, offerings)]
#[open(monsters, cities, sites, oracle_deck, oracle_discard, injury_deck, injury_discard)]
#[open(equipment_deck, equipment_display, companions, ship_offer, start_queue, turn, standing)]
#[serde(deny_unknown_fields)]
pub struct PositionForm {
    /// `delphi`.
    pub game: GameName,
    /// The edition of the rules. Default: the newest.
    #[serde(default, deserialize_with = "kernel::edition::<crate::Delphi, _>")]
    #[schema(value_type = Edition, required = false)]
    #[open(as = Edition, by = played, doc = "The edition of the rules by which the match is played.")]
    pub edition: Option<Edition>,
    /// The number of seats.
    #[serde(deserialize_with = "number::<_, { FACTS.seats[0] }, { FACTS.seats[1] }>")]
    #[schema(minimum = 2, maximum = 4)]
    pub seats: u8,
    /// The options, complete.
    pub options: Terms,
    /// The stage of the match.
    pub stage: Stage,
    /// The round, counted from 1.
    #[schema(minimum = 1)]
    pub round: u32,
    /// The seat that begins every round.
    pub start_seat: Seat,
    /// The seat to act; null exactly in stage `over`.
    #[serde(deserialize_with = "present")]
    #[schema(required = true)]
    pub active_seat: Option<Seat>,
    /// The map.
    #[schema(value_type = MapForm)]
    pub map: Fixed<MapForm>,
    /// Temples in map order.
    #[schema(max_items = 6)]
    pub temples: Vec<Spot>,
    /// Offering islands in map order.
    #[schema(max_items = 6)]
    pub offerings: Vec<Stock>,
    /// Monster islands in map order.
    #[schema(max_items = 9)]
    pub monsters: Vec<Stock>,
    /// Cities in map order.
    #[schema(max_items = 6)]
    pub cities: Vec<City>,
    /// Building sites by island in map order, then by colour.
    #[schema(max_items = 18)]
    pub sites: Vec<Site>,
    /// Islands in map order.
    #[schema(max_items = 12)]
    #[hidden(as = Vec<IslandView>)]
    pub islands: Vec<IslandForm>,
    /// Oracle cards to draw.
    #[schema(value_type = Vec<Color>, max_items = 30)]
    pub oracle_deck: Colors,
    /// Oracle cards discarded.
    #[schema(value_type = Vec<Color>, max_items = 30)]
    pub oracle_discard: Colors,
    /// Injury cards to draw.
    #[schema(value_type = Vec<Color>, max_items = 42)]
    pub injury_deck: Colors,
    /// Injury cards discarded.
    #[schema(value_type = Vec<Color>, max_items = 42)]
    pub injury_discard: Colors,
    /// Equipment to draw.
    #[schema(value_type = Vec<Equipment>, max_items = 22)]
    pub equipment_deck: Set<Equipment>,
    /// Equipment to take.
    #[schema(value_type = Vec<Equipment>, max_items = 22)]
    pub equipment_display: Set<Equipment>,
    /// The companions that are left.
    #[schema(value_type = Vec<Companion>, max_items = 18)]
    pub companions: Set<Companion>,
    /// The ship tiles to choose from.
    #[schema(value_type = Vec<Ship>, max_items = 8)]
    pub ship_offer: Set<Ship>,
    /// The seats that still make a choice of D-144, in order.
    #[schema(max_items = 4)]
    pub start_queue: Vec<Seat>,
    /// By seat.
    #[schema(min_items = 2, max_items = 4)]
    #[open(doc = "By seat: everything of a player is open.")]
    pub players: Vec<Player>,
    /// The turn so far.
    pub turn: Turn,
    /// The decisions; the first one is due. When a position is loaded, at most twelve.
    #[open(doc = "The decisions; the first one is due.")]
    pub pending: Vec<Decision>,
    /// The ranking, after the end.
    #[serde(deserialize_with = "present")]
    #[schema(required = true, max_items = 4)]
    pub standing: Option<Vec<Place>>,
}

/// An island of a map that has fewer than twelve.
const NO_ISLAND: Island = Island {
    face: Face { color: PlayerColor::Red, letter: Letter::Sigma },
    revealed: false,
    seen_by: SeatSet(0),
    shrine: None,
};

/// A list is not longer than what the box has for it.
fn fits(list: &str, length: usize, most: usize) -> Result<(), String> {
    if length <= most {
        Ok(())
    } else {
        Err(format!("{list} has {length} entries; the box has no more than {most}"))
    }
}

fn ascending<T: Ord>(list: &str, items: impl Iterator<Item = T>) -> Result<(), String> {
    if items.is_sorted_by(|a, b| a < b) {
        Ok(())
    } else {
        Err(format!("{list} is not in map order, each place once"))
    }
}

impl PositionForm {
    /// No list is longer than what the box has for it.
    pub(crate) fn check_lengths(&self) -> Result<(), String> {
        fits("map.hexes", self.map.hexes.len(), Chart::MOST_HEXES)?;
        fits("temples", self.temples.len(), spaces(HexKind::Temple))?;
        fits("offerings", self.offerings.len(), spaces(HexKind::Offering))?;
        fits("monsters", self.monsters.len(), spaces(HexKind::Monster))?;
        fits("cities", self.cities.len(), spaces(HexKind::City))?;
        fits("sites", self.sites.len(), SITES)?;
        fits("islands", self.islands.len(), spaces(HexKind::Island))?;
        fits("start_queue", self.start_queue.len(), MOST_SEATS)
    }

    /// Checks what the types of section 4 say about several fields together.
    fn check(&self) -> Result<(), String> {
        self.check_lengths()?;
        ascending("map.hexes", self.map.hexes.iter().map(|hex| hex.at()))?;
        ascending("temples", self.temples.iter().map(|temple| temple.at))?;
        ascending("offerings", self.offerings.iter().map(|stock| stock.at))?;
        ascending("monsters", self.monsters.iter().map(|stock| stock.at))?;
        ascending("cities", self.cities.iter().map(|city| city.at))?;
        ascending("sites", self.sites.iter().map(|site| (site.at, site.color)))?;
        ascending("islands", self.islands.iter().map(|island| island.at))?;
        for island in &self.islands {
            ascending("seen_by", island.seen_by.iter())?;
        }
        if self.options.map_seed.is_some_and(|seed| seed >= SEEDS) {
            return Err(format!("options.map_seed is less than {SEEDS}"));
        }
        self.check_seats()
    }

    fn check_seats(&self) -> Result<(), String> {
        if self.players.len() != usize::from(self.seats) {
            return Err(format!(
                "there are {} players for {} seats",
                self.players.len(),
                self.seats
            ));
        }
        if self.active_seat.is_none() != (self.stage == Stage::Over) {
            return Err("active_seat is null in stage over, and only there".to_owned());
        }
        if self.stage != Stage::Ships && self.players.iter().any(|player| player.ship.is_none()) {
            return Err("a ship is null in stage ships only".to_owned());
        }
        let named = [Some(self.start_seat), self.active_seat].into_iter().flatten();
        let queued = self.start_queue.iter().copied();
        let on_map = self.sites.iter().filter_map(|site| site.seat);
        let shrines = self.islands.iter().filter_map(|island| island.shrine);
        let lookers = self.islands.iter().flat_map(|island| island.seen_by.iter().copied());
        let ranked = self.standing.iter().flatten().map(|place| place.seat);
        let mut all = named.chain(queued).chain(on_map).chain(shrines).chain(lookers).chain(ranked);
        if let Some(seat) = all.find(|seat| seat.0 >= self.seats) {
            return Err(format!("there is no seat {seat} among {}", self.seats));
        }
        self.check_offer()
    }

    /// In stage `ships` there is a ship for each seat that still chooses: from the active one anticlockwise to the start seat.
    fn check_offer(&self) -> Result<(), String> {
        let Some(active) = self.active_seat.filter(|_| self.stage == Stage::Ships) else {
            return Ok(());
        };
        let choosers = usize::from((active.0 + self.seats - self.start_seat.0) % self.seats) + 1;
        let offered = self.ship_offer.len();
        if offered >= choosers {
            return Ok(());
        }
        Err(format!("{offered} ships are on offer, and {choosers} seats still choose"))
    }

    fn chart(&mut self) -> Chart {
        let mut chart = Chart::new(self.map.clone());
        chart.temples = std::mem::take(&mut self.temples);
        chart.offerings = self.offerings.iter().map(|stock| stock.at).collect();
        chart.monsters = self.monsters.iter().map(|stock| stock.at).collect();
        chart.cities =
            self.cities.iter().map(|city| Spot { at: city.at, color: city.color }).collect();
        chart.sites =
            self.sites.iter().map(|site| Spot { at: site.at, color: site.color }).collect();
        chart.islands =
            self.islands.iter().map(|island| Spot { at: island.at, color: island.color }).collect();
        chart
    }
}

/// The first items of a list, the rest filled up.
fn filled<T: Clone, const N: usize>(items: impl Iterator<Item = T>, rest: T) -> [T; N] {
    let mut items = items;
    std::array::from_fn(|_| items.next().unwrap_or_else(|| rest.clone()))
}

impl TryFrom<PositionForm> for Position {
    /// Why the form is not of the shape of a position.
    type Error = String;

    fn try_from(form: PositionForm) -> Result<Self, String> {
        form.check()?;
        let mut form = form;
        let chart = Arc::new(form.chart());
        let island = |island: IslandForm| Island {
            face: island.face,
            revealed: island.revealed,
            seen_by: island.seen_by.into_iter().fold(SeatSet::default(), SeatSet::with),
            shrine: island.shrine,
        };
        Ok(Position {
            edition: played(form.edition),
            chart,
            terms: Arc::new(form.options),
            seats: form.seats,
            stage: form.stage,
            round: form.round,
            start_seat: form.start_seat,
            active_seat: form.active_seat,
            offerings: filled(form.offerings.into_iter().map(|stock| stock.colors), Colors::EMPTY),
            monsters: filled(form.monsters.into_iter().map(|stock| stock.colors), Colors::EMPTY),
            statues: filled(form.cities.into_iter().map(|city| city.statues), 0),
            sites: filled(form.sites.into_iter().map(|site| site.seat), None),
            islands: filled(form.islands.into_iter().map(island), NO_ISLAND),
            oracle_deck: form.oracle_deck,
            oracle_discard: form.oracle_discard,
            injury_deck: form.injury_deck,
            injury_discard: form.injury_discard,
            equipment_deck: form.equipment_deck,
            equipment_display: form.equipment_display,
            companions: form.companions,
            ship_offer: form.ship_offer,
            start_queue: form.start_queue,
            players: players(form.players),
            turn: form.turn,
            pending: form.pending,
            standing: form.standing,
        })
    }
}

/// Players by seat; beyond the seats somebody with nothing.
pub(crate) fn players(players: Vec<Player>) -> [Player; MOST_SEATS] {
    filled(players.into_iter(), Player::new(PlayerColor::Red))
}

/// The islands of a start position: face down, looked at by nobody.
pub(crate) fn islands(faces: impl Iterator<Item = Face>) -> [Island; spaces(HexKind::Island)] {
    filled(faces.map(|face| Island { face, ..NO_ISLAND }), NO_ISLAND)
}

/// The JSON of a position.
pub(crate) fn form(position: &Position) -> PositionForm {
    let Position {
        edition,
        chart,
        terms,
        seats,
        stage,
        round,
        start_seat,
        active_seat,
        offerings,
        monsters,
        statues,
        sites,
        islands,
        oracle_deck,
        oracle_discard,
        injury_deck,
        injury_discard,
        equipment_deck,
        equipment_display,
        companions,
        ship_offer,
        start_queue,
        players,
        turn,
        pending,
        standing,
    } = position;
    let stocks = |places: &[Hex], stocks: &[Colors]| -> Vec<Stock> {
        places.iter().zip(stocks).map(|(at, colors)| Stock { at: *at, colors: *colors }).collect()
    };
    let city =
        |(city, statues): (&Spot, &u8)| City { at: city.at, color: city.color, statues: *statues };
    let site =
        |(site, seat): (&Spot, &Option<Seat>)| Site { at: site.at, color: site.color, seat: *seat };
    let island = |(spot, island): (&Spot, &Island)| IslandForm {
        at: spot.at,
        color: spot.color,
        face: island.face,
        revealed: island.revealed,
        seen_by: island.seen_by.iter().collect(),
        shrine: island.shrine,
    };
    PositionForm {
        game: GameName::Delphi,
        edition: Some(*edition),
        seats: *seats,
        options: Terms::clone(terms),
        stage: *stage,
        round: *round,
        start_seat: *start_seat,
        active_seat: *active_seat,
        map: chart.map().clone(),
        temples: chart.temples.clone(),
        offerings: stocks(&chart.offerings, offerings),
        monsters: stocks(&chart.monsters, monsters),
        cities: chart.cities.iter().zip(statues).map(city).collect(),
        sites: chart.sites.iter().zip(sites).map(site).collect(),
        islands: chart.islands.iter().zip(islands).map(island).collect(),
        oracle_deck: *oracle_deck,
        oracle_discard: *oracle_discard,
        injury_deck: *injury_deck,
        injury_discard: *injury_discard,
        equipment_deck: *equipment_deck,
        equipment_display: *equipment_display,
        companions: *companions,
        ship_offer: *ship_offer,
        start_queue: start_queue.clone(),
        players: players[..usize::from(*seats)].to_vec(),
        turn: *turn,
        pending: pending.clone(),
        standing: standing.clone(),
    }
}

impl From<Position> for PositionForm {
    fn from(position: Position) -> Self {
        form(&position)
    }
}
