//! What is drawn of a view.

use kernel::Seat;
use serde::Deserialize;

use canvas::{Scene, Unreadable, known};

use crate::card::Equipment;
use crate::hex::Hex;
use crate::piece::{Color, Companion, God, Letter, Paint, PlayerColor, Ship, TaskKind, Told};

#[derive(Deserialize)]
pub(crate) struct View {
    pub(crate) stage: Stage,
    pub(crate) round: u32,
    pub(crate) start_seat: Seat,
    pub(crate) active_seat: Option<Seat>,
    pub(crate) map: Map,
    pub(crate) temples: Vec<Colored>,
    pub(crate) offerings: Vec<Stock>,
    pub(crate) monsters: Vec<Stock>,
    pub(crate) cities: Vec<City>,
    pub(crate) sites: Vec<Site>,
    pub(crate) islands: Vec<Island>,
    pub(crate) oracle_deck: Vec<Color>,
    pub(crate) oracle_discard: Vec<Color>,
    pub(crate) injury_deck: Vec<Color>,
    pub(crate) injury_discard: Vec<Color>,
    pub(crate) equipment_deck: Vec<Equipment>,
    pub(crate) equipment_display: Vec<Equipment>,
    pub(crate) companions: Vec<Companion>,
    pub(crate) ship_offer: Vec<Ship>,
    pub(crate) players: Vec<Player>,
    pub(crate) turn: Turn,
    pub(crate) pending: Vec<Decision>,
    pub(crate) standing: Option<Vec<Place>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Stage {
    Ships,
    Start,
    Upkeep,
    Main,
    Over,
}

#[derive(Deserialize)]
pub(crate) struct Map {
    pub(crate) hexes: Vec<MapHex>,
}

#[derive(Clone, Copy, Deserialize)]
pub(crate) struct MapHex {
    q: i32,
    r: i32,
    pub(crate) kind: HexKind,
    pub(crate) color: Option<Color>,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum HexKind {
    Water,
    Shallow,
    Zeus,
    Offering,
    Temple,
    Monster,
    Statue,
    Island,
    City,
}

/// A temple.
#[derive(Clone, Copy, Deserialize)]
pub(crate) struct Colored {
    pub(crate) at: Hex,
    pub(crate) color: Color,
}

/// Offerings or monsters on an island.
#[derive(Deserialize)]
pub(crate) struct Stock {
    pub(crate) at: Hex,
    pub(crate) colors: Vec<Color>,
}

#[derive(Clone, Copy, Deserialize)]
pub(crate) struct City {
    pub(crate) at: Hex,
    pub(crate) color: Color,
    pub(crate) statues: u8,
}

#[derive(Clone, Copy, Deserialize)]
pub(crate) struct Site {
    pub(crate) at: Hex,
    pub(crate) color: Color,
    pub(crate) seat: Option<Seat>,
}

#[derive(Deserialize)]
pub(crate) struct Island {
    pub(crate) at: Hex,
    pub(crate) color: Color,
    pub(crate) face: Option<Face>,
    pub(crate) revealed: bool,
    pub(crate) seen_by: Vec<Seat>,
    pub(crate) shrine: Option<Seat>,
}

#[derive(Clone, Copy, Deserialize)]
pub(crate) struct Face {
    pub(crate) color: PlayerColor,
    pub(crate) letter: Letter,
}

#[derive(Deserialize)]
pub(crate) struct Player {
    pub(crate) color: PlayerColor,
    pub(crate) ship: Option<Ship>,
    pub(crate) at: Hex,
    pub(crate) home: bool,
    pub(crate) dice: Vec<Color>,
    pub(crate) cards: Vec<Color>,
    pub(crate) injuries: Vec<Color>,
    pub(crate) favor: u16,
    pub(crate) shield: u8,
    gods: GodRows,
    pub(crate) god_choices: Vec<Vec<God>>,
    pub(crate) tasks: Tasks,
    pub(crate) fulfilled: Tasks,
    pub(crate) cargo: Cargo,
    pub(crate) companions: Vec<Companion>,
    pub(crate) equipment: Vec<Equipment>,
}

#[derive(Deserialize)]
struct GodRows {
    aphrodite: u8,
    ares: u8,
    hermes: u8,
    poseidon: u8,
    apollon: u8,
    artemis: u8,
}

/// Tasks left, or fulfilled.
#[derive(Deserialize)]
pub(crate) struct Tasks {
    pub(crate) shrine: u8,
    pub(crate) statue: Vec<Color>,
    pub(crate) offering: Vec<Color>,
    pub(crate) monster: Vec<Color>,
}

#[derive(Deserialize)]
pub(crate) struct Cargo {
    pub(crate) statue: Vec<Color>,
    pub(crate) offering: Vec<Color>,
}

#[derive(Deserialize)]
pub(crate) struct Turn {
    pub(crate) source: Option<Source>,
    pub(crate) card_played: Option<Color>,
    pub(crate) wild: bool,
    pub(crate) acting_god: Option<God>,
}

#[derive(Deserialize)]
pub(crate) struct Source {
    pub(crate) kind: SourceKind,
    pub(crate) r#as: Color,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SourceKind {
    Die,
    Card,
    Bonus,
}

#[derive(Clone, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Decision {
    AdvanceGod { steps: u8 },
    ReturnTask {},
    TakeEquipment {},
    Recover { count: u8 },
    InjuryReward {},
    Battle { color: Color, strength: u8 },
    HealColor {},
    TakeCompanion { color: Color },
    LoadAny {},
    GodToTop {},
    Look { left: u8 },
    RevealOne {},
}

#[derive(Deserialize)]
pub(crate) struct Place {
    seat: Seat,
    rank: u8,
}

/// The most hexes of a map, and the most in a row or column of the picture.
const HEXES: usize = 255;
const EXTENT: i64 = 96;

impl View {
    pub(crate) fn read(scene: &Scene<'_>) -> Result<Self, Unreadable> {
        let view: View = scene.view()?;
        let seats = view.players.len();
        if !(2..=4).contains(&seats) {
            return Err(Unreadable("there are two to four players".to_owned()));
        }
        known(view.active_seat, seats)?;
        known(Some(view.start_seat), seats)?;
        for seat in view.sites.iter().map(|site| site.seat) {
            known(seat, seats)?;
        }
        for island in &view.islands {
            known(island.shrine, seats)?;
            for seat in &island.seen_by {
                known(Some(*seat), seats)?;
            }
        }
        let hexes = &view.map.hexes;
        if hexes.is_empty() || hexes.len() > HEXES {
            return Err(Unreadable(format!("a map has 1 to {HEXES} hexes")));
        }
        let spread = |along: &dyn Fn(&MapHex) -> i64| {
            let (low, high) = hexes
                .iter()
                .map(along)
                .fold((i64::MAX, i64::MIN), |(low, high), at| (low.min(at), high.max(at)));
            high - low
        };
        let rows = spread(&|hex| i64::from(hex.r));
        if rows > EXTENT || spread(&|hex| hex.at().column()) > 2 * EXTENT {
            return Err(Unreadable("the map is too wide for a picture".to_owned()));
        }
        view.check_counts()?;
        Ok(view)
    }

    /// Far more of anything than the box has makes no picture.
    fn check_counts(&self) -> Result<(), Unreadable> {
        let on_map = self.offerings.iter().chain(&self.monsters);
        let mut most = on_map.map(|stock| stock.colors.len()).max().unwrap_or(0);
        for player in &self.players {
            let Tasks { statue, offering, monster, .. } = &player.tasks;
            let done = &player.fulfilled;
            let lists = [
                &player.dice,
                &player.cards,
                &player.injuries,
                statue,
                offering,
                monster,
                &done.statue,
                &done.offering,
                &done.monster,
                &player.cargo.statue,
                &player.cargo.offering,
            ];
            most = lists.iter().map(|list| list.len()).fold(most, usize::max);
            most = most.max(player.companions.len()).max(player.equipment.len());
        }
        let lists =
            [&self.oracle_deck, &self.oracle_discard, &self.injury_deck, &self.injury_discard];
        let piles = lists.iter().map(|list| list.len()).max().unwrap_or(0);
        let lists = [
            self.temples.len(),
            self.sites.len(),
            self.islands.len(),
            self.cities.len(),
            self.companions.len(),
        ];
        let places = lists.into_iter().max().unwrap_or(0);
        if most > 42 || piles > 42 || places > HEXES || self.equipment_display.len() > 22 {
            return Err(Unreadable("there is more than the box has".to_owned()));
        }
        Ok(())
    }

    pub(crate) fn is_active(&self, seat: usize) -> bool {
        self.active_seat.is_some_and(|active| active.index() == seat)
    }

    pub(crate) fn rank(&self, seat: usize) -> Option<u32> {
        let standing = self.standing.as_ref()?;
        let place = standing.iter().find(|place| place.seat.index() == seat)?;
        Some(u32::from(place.rank))
    }

    /// The seat with these player pieces.
    pub(crate) fn seat_of(&self, color: PlayerColor) -> Option<usize> {
        self.players.iter().position(|player| player.color == color)
    }

    /// What is to be done.
    pub(crate) fn words(&self) -> String {
        match self.stage {
            Stage::Ships => return "choose a ship".to_owned(),
            Stage::Over => return String::new(),
            Stage::Start | Stage::Upkeep | Stage::Main => {}
        }
        if let Some(decision) = self.pending.first() {
            return decision.words();
        }
        if let Some(source) = &self.turn.source {
            let kind = match source.kind {
                SourceKind::Die => "die",
                SourceKind::Card => "card",
                SourceKind::Bonus => "bonus action",
            };
            return format!("an action with the {kind}, used as {}", source.r#as.name());
        }
        if let Some(god) = self.turn.acting_god {
            return format!("with {}", god.name());
        }
        let dice = self.active_seat.map_or(0, |seat| self.players[seat.index()].dice.len());
        match dice {
            0 => "end the turn, or more".to_owned(),
            _ => "use a die, a card or a god".to_owned(),
        }
    }
}

impl Decision {
    pub(crate) fn words(&self) -> String {
        match self {
            Decision::AdvanceGod { steps: 1 } => "advance a god".to_owned(),
            Decision::AdvanceGod { steps } => format!("advance gods by {steps} rows"),
            Decision::ReturnTask {} => "return a task".to_owned(),
            Decision::TakeEquipment {} => "take an equipment card".to_owned(),
            Decision::Recover { count } => format!("recover: discard {count} injuries"),
            Decision::InjuryReward {} => "no injuries: take favor or advance a god".to_owned(),
            Decision::Battle { color, strength } => {
                format!("the {} monster of strength {strength} won: go on?", color.name())
            }
            Decision::HealColor {} => "heal the injuries of one colour".to_owned(),
            Decision::TakeCompanion { color } => format!("take a {} companion", color.name()),
            Decision::LoadAny {} => "load a piece from anywhere".to_owned(),
            Decision::GodToTop {} => "raise a god to the top".to_owned(),
            Decision::Look { left } => format!("look at an island, {left} to go"),
            Decision::RevealOne {} => "explore one of the two islands".to_owned(),
        }
    }
}

impl MapHex {
    pub(crate) fn at(&self) -> Hex {
        Hex { q: self.q, r: self.r }
    }
}

impl Player {
    /// The row of a god, 0 to 6.
    pub(crate) fn row(&self, god: God) -> u8 {
        let row = match god {
            God::Aphrodite => self.gods.aphrodite,
            God::Ares => self.gods.ares,
            God::Hermes => self.gods.hermes,
            God::Poseidon => self.gods.poseidon,
            God::Apollon => self.gods.apollon,
            God::Artemis => self.gods.artemis,
        };
        row.min(6)
    }

    /// Places in the storage (D-704).
    pub(crate) fn storage(&self) -> usize {
        let ship = if self.ship == Some(Ship::Reverse4) { 4 } else { 2 };
        ship + usize::from(self.equipment.iter().any(|card| card.id() == "hold"))
    }
}

impl Tasks {
    pub(crate) fn count(&self) -> usize {
        usize::from(self.shrine) + self.statue.len() + self.offering.len() + self.monster.len()
    }

    /// The colours of a kind; shrines are white.
    pub(crate) fn of(&self, kind: TaskKind) -> Vec<Color> {
        match kind {
            TaskKind::Shrine => vec![Color::White; usize::from(self.shrine.min(6))],
            TaskKind::Statue => self.statue.clone(),
            TaskKind::Offering => self.offering.clone(),
            TaskKind::Monster => self.monster.clone(),
        }
    }
}
