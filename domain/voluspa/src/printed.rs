//! What is printed on tiles and tokens, read from `data/voluspa.toml` when the program is compiled: the text that the catalogue serves
//! is what plays.

use kernel::printed::{Printed, Table, Value};

use crate::pieces::{Tile, TileSet};

/// The printed data, as the catalogue serves them.
pub(crate) const DATA: &str = include_str!("../data/voluspa.toml");

const FACTS: Facts = Facts::read(Printed::of(DATA));

/// How many seats a match may have (V-101).
pub(crate) const SEATS: std::ops::RangeInclusive<u8> = FACTS.seats[0]..=FACTS.seats[1];

/// How many tiles a hand is refilled to, Hel not counted (V-208).
pub(crate) const HAND_LIMIT: u32 = FACTS.hand_limit;

/// The most tiles of a line (V-305).
pub(crate) const LINE_LIMIT: u32 = FACTS.line_limit;

/// Kinds that are no start tile (V-106).
pub(crate) const NOT_AT_START: TileSet = FACTS.not_at_start;

/// The value of each kind of tile; 0 for Hel, which has none.
pub(crate) const VALUES: [u8; KINDS] = FACTS.values;

/// How many tiles of each kind the box has.
pub(crate) const COPIES: [u32; KINDS] = FACTS.copies;

/// The names of the kinds in JSON, in order.
pub(crate) const NAMES: [&str; KINDS] = FACTS.names;

/// The modules by name: `base`, the two expansions, `lightning_bolt`.
pub(crate) const MODULES: [TileSet; 4] = FACTS.modules;

/// The expansion types of the recommended sets, `base` first.
pub(crate) const SETS: [TileSet; 6] = FACTS.sets;

/// How many booster tokens of each value the box has.
pub(crate) const TOKENS: [u32; TOKEN_MAX + 1] = FACTS.tokens;

/// Hel tiles dealt to each seat (V-104).
pub(crate) const fn hel_per_seat(seats: u8) -> u32 {
    FACTS.hel_per_seat[seats as usize - 2]
}

/// The value of the lowest booster token.
pub(crate) const TOKEN_MIN: usize = TOKEN_VALUES.item(0).count() as usize;

/// The value of the highest booster token; no tile has a higher one.
pub(crate) const TOKEN_MAX: usize = TOKEN_VALUES.item(TOKEN_VALUES.len() - 1).count() as usize;

const TOKEN_VALUES: Value<'static> = Printed::of(DATA).table("[boosters]").value("tokens");

const KINDS: usize = Tile::ALL.len();

/// What play reads from the printed data.
#[derive(Debug, PartialEq, Eq)]
struct Facts {
    seats: [u8; 2],
    hand_limit: u32,
    line_limit: u32,
    not_at_start: TileSet,
    values: [u8; KINDS],
    copies: [u32; KINDS],
    names: [&'static str; KINDS],
    modules: [TileSet; 4],
    sets: [TileSet; 6],
    tokens: [u32; TOKEN_MAX + 1],
    hel_per_seat: [u32; 4],
}

impl Facts {
    const fn read(printed: Printed<'static>) -> Facts {
        let (root, hels) = (printed.root(), printed.table("[hel_per_seat]"));
        let seats = root.value("seats").table();
        let mut facts = Facts {
            seats: [seats.value("min").count(), seats.value("max").count()],
            hand_limit: root.value("hand_limit").count() as u32,
            line_limit: root.value("line_limit").count() as u32,
            not_at_start: kinds(root.value("start_tile_excluded")),
            values: [0; KINDS],
            copies: [0; KINDS],
            names: [""; KINDS],
            modules: [TileSet::of(&[]); 4],
            sets: [
                set(printed, "[sets.base]"),
                set(printed, "[sets.saga_of_edda]"),
                set(printed, "[sets.in_the_order_of_the_gods]"),
                set(printed, "[sets.king_of_giants]"),
                set(printed, "[sets.awakening_of_the_serpents]"),
                set(printed, "[sets.master_of_ravens]"),
            ],
            tokens: tokens(printed.table("[boosters]").value("tokens")),
            hel_per_seat: [
                hels.value("2").count() as u32,
                hels.value("3").count() as u32,
                hels.value("4").count() as u32,
                hels.value("5").count() as u32,
            ],
        };
        let (mut rest, mut place) = (printed, 0);
        while let Some((tile, behind)) = rest.find("[[tiles]]") {
            facts.take(tile, place);
            (rest, place) = (behind, place + 1);
        }
        assert!(place == KINDS, "the tiles are not all kinds");
        facts
    }

    /// Reads one of the tables `[[tiles]]`.
    const fn take(&mut self, tile: Table<'static>, place: usize) {
        let name = tile.value("type").text().expect("a kind has a name");
        assert!(kind(name) == place, "the tiles are not in order");
        self.names[place] = name;
        self.copies[place] = tile.value("count").count() as u32;
        assert!(self.copies[place] > 0, "there are no tiles of a kind");
        let value = match tile.get("value") {
            Some(value) => value.count(),
            None => 0,
        };
        assert!((value == 0) == (place == Tile::Hel as usize), "all but Hel have a value");
        assert!(value as usize <= TOKEN_MAX, "a value has no token");
        self.values[place] = value;
        let module = module(tile.value("module"));
        self.modules[module] = self.modules[module].or(TileSet::of(&[Tile::ALL[place]]));
    }
}

const fn module(name: Value<'_>) -> usize {
    let names = ["base", "saga_of_edda", "order_of_the_gods", "lightning_bolt"];
    let mut module = 0;
    while !name.is(names[module]) {
        module += 1;
    }
    module
}

const fn set(printed: Printed<'_>, header: &str) -> TileSet {
    kinds(printed.table(header).value("types"))
}

const fn tokens(list: Value<'_>) -> [u32; TOKEN_MAX + 1] {
    let (mut counts, mut place) = ([0; TOKEN_MAX + 1], 0);
    while place < list.len() {
        counts[list.item(place).count() as usize] += 1;
        place += 1;
    }
    counts
}

const fn kinds(list: Value<'_>) -> TileSet {
    let (mut set, mut place) = (TileSet::of(&[]), 0);
    while place < list.len() {
        let name = list.item(place).text().expect("a kind is a string");
        set = set.or(TileSet::of(&[Tile::ALL[kind(name)]]));
        place += 1;
    }
    set
}

/// The kind that data call so, or [`KINDS`]: its name in small letters, words joined by `_`.
const fn kind(name: &str) -> usize {
    let (name, mut kind) = (name.as_bytes(), 0);
    while kind < KINDS {
        let spoken = Tile::ALL[kind].name().as_bytes();
        let mut at = 0;
        while at < name.len() && at < spoken.len() {
            let letter = if spoken[at] == b' ' { b'_' } else { spoken[at].to_ascii_lowercase() };
            if letter != name[at] {
                break;
            }
            at += 1;
        }
        if at == name.len() && at == spoken.len() {
            return kind;
        }
        kind += 1;
    }
    KINDS
}

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;

    use super::*;

    #[test]
    fn play_reads_every_value_of_the_served_data_but_these() {
        let unread = testkit::unread(DATA, |text| Facts::read(Printed::of(text)));
        let reasons = [
            ("[[tiles]] bounds", "tests/it/data.rs: the values keep them"),
            ("[[tiles]] sources", "is shown"),
            ("[sets.awakening_of_the_serpents] title", "is shown"),
            ("[sets.base] title", "is shown"),
            ("[sets.in_the_order_of_the_gods] title", "is shown"),
            ("[sets.king_of_giants] title", "is shown"),
            ("[sets.master_of_ravens] title", "is shown"),
            ("[sets.saga_of_edda] title", "is shown"),
            ("game", "is the name of the game"),
            ("source", "is shown"),
        ];
        assert_eq!(Vec::from_iter(unread), reasons.map(|(key, _)| key));
    }

    #[test]
    fn data_of_another_form_do_not_compile() {
        for (old, new) in [
            ("value = 8", ""),
            ("value = 8", "value = 0"),
            ("value = 8", "value = 13"),
            ("type = \"hel\"", "value = 3\ntype = \"hel\""),
            ("type = \"odin\"", "type = \"thor\""),
            ("type = \"odin\"", "type = \"garm\""),
            ("count = 5", "count = many"),
            ("count = 5", "count = 0"),
            ("12]", "13]"),
            ("[[tiles]]\ntype = \"odin\"", "[[stones]]\ntype = \"odin\""),
        ] {
            let changed: &'static str = DATA.replacen(old, new, 1).leak();
            assert_ne!(changed, DATA, "{old}");
            assert!(catch_unwind(|| Facts::read(Printed::of(changed))).is_err(), "{new}");
        }
    }
}
