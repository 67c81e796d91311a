//! What is printed on tiles, cards and boards, read from `data/delphi.toml`, and in [`map`] from `data/delphi_map.toml`, when the program is compiled: the
//! text that the catalogue serves is what plays.

pub(crate) mod map;

use kernel::printed::{Printed, Table, Value};

use crate::pieces::{Color, Face, God, Letter, PlayerColor};

/// The printed data, as the catalogue serves them.
pub(crate) const DATA: &str =
    concat!(include_str!("../data/delphi.toml"), include_str!("../data/delphi_map.toml"));

const BOX: &str = include_str!("../data/delphi.toml");

/// What play reads from the printed data but the map.
pub(crate) const FACTS: Facts = Facts::read(Printed::of(BOX));

/// What play reads from the printed data but the map.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Facts {
    /// The least and the most seats.
    pub(crate) seats: [u8; 2],
    /// The topmost row of the gods.
    pub(crate) top_row: u8,
    /// The row to which a god rises from the lowest one, by number of seats from two on.
    pub(crate) first_rows: [u8; 3],
    /// The shield at the start.
    pub(crate) first_shield: u8,
    /// The highest shield (F8).
    pub(crate) most_shield: u8,
    /// Favor of the start seat; each next seat has one more.
    pub(crate) first_favor: u16,
    /// Favor of the action.
    pub(crate) action_favor: u16,
    /// Oracle cards of each colour.
    pub(crate) oracle_cards: u8,
    /// Injury cards of each colour.
    pub(crate) injury_cards: u8,
    /// Injury cards of one colour, and in all, that a seat has to recover from (D-221); then the same with `toughness`.
    pub(crate) recover: [(u8, usize); 2],
    /// Injury cards discarded in a recovery.
    pub(crate) recovery: u8,
    /// Favor for no injuries (D-223).
    pub(crate) no_injuries_favor: u16,
    /// Oracle dice of each seat.
    pub(crate) dice: u8,
    /// The faces of an oracle die.
    pub(crate) oracle_die: [Color; 6],
    /// The strength of a monster against no shield (D-432).
    pub(crate) strength: u8,
    /// The faces of the battle die.
    pub(crate) battle_die: [u8; 10],
    /// The faces of the titan's die.
    pub(crate) titan_die: [u8; 6],
    /// Statues of each colour.
    pub(crate) statues: u8,
    /// Equipment cards of the display.
    pub(crate) display: usize,
    /// How far a ship sails without favor.
    pub(crate) range: u8,
    /// Tasks of each kind, which are the Zeus tiles of a seat; also its shrines.
    pub(crate) tasks: u8,
    /// White tiles of statues, of offerings, of monsters.
    pub(crate) white: [u8; 3],
    /// How many two-sided Zeus tiles show their monster.
    pub(crate) turned: usize,
    /// The two-sided Zeus tiles: offering, monster.
    pub(crate) two_sided: [(Color, Color); 4],
    /// The value of `fewer_tasks` from which on the short game is without one statue, shrine, monster, offering.
    pub(crate) removed_from: [u8; 4],
    /// Favor for an offering.
    pub(crate) offering_favor: u16,
    /// Rows for the letter sigma.
    pub(crate) sigma_steps: u8,
    /// Oracle cards for the letter phi.
    pub(crate) phi_cards: usize,
    /// Favor for the letter psi.
    pub(crate) psi_favor: u16,
    /// Shield for the letter omega.
    pub(crate) omega_shield: u8,
    /// The island tiles.
    pub(crate) island_tiles: [Face; 12],
    /// Places of storage on each ship tile.
    pub(crate) storage: [u8; 8],
    /// Shield of `shield_2`.
    pub(crate) ship_shield: u8,
    /// Range of `range_2`, and of the card `range_1`.
    pub(crate) more_range: [u8; 2],
    /// Favor of `favor_1` for each receipt.
    pub(crate) ship_favor: u16,
    /// Favor that `recolor_1` saves.
    pub(crate) recolor_favor: u8,
    /// The colours of the cards `statue_warm`, `statue_cool`, `offering_warm`, `offering_cool`.
    pub(crate) cargo_colors: [[Color; 3]; 4],
    /// The gods of `god_to_top`.
    pub(crate) to_top: [God; 4],
    /// Favor, oracle cards and steps of `windfall`.
    pub(crate) windfall: (u16, u8, u8),
    /// The colours of the three charms and of the three amulets.
    pub(crate) charms: [Color; 3],
    /// The colours of the three amulets.
    pub(crate) amulets: [Color; 3],
    /// Favor of a charm, and of an amulet.
    pub(crate) charm_favor: u16,
    /// Favor of an amulet.
    pub(crate) amulet_favor: u16,
    /// Places of storage of `hold`.
    pub(crate) hold_storage: u8,
    /// Shield of `hold`.
    pub(crate) hold_shield: u8,
    /// Favor for the bonus action (D-306).
    pub(crate) bonus_cost: u16,
    /// Shield of a hero.
    pub(crate) hero_shield: u8,
    /// Range of a creature.
    pub(crate) creature_range: u8,
}

impl Facts {
    #[expect(clippy::too_many_lines, reason = "one value after the other")]
    const fn read(printed: Printed<'static>) -> Facts {
        let data = Box {
            printed,
            wheel: printed.table("[colors]").value("wheel"),
            ships: rows(printed, "[[ship]]"),
            cards: rows(printed, "[[equipment]]"),
        };
        let seats = printed.root().value("seats").table();
        let rows = printed.table("[god_track]").value("first_row").table();
        Facts {
            seats: [seats.value("min").count(), seats.value("max").count()],
            top_row: data.count("[god_track]", "top"),
            first_rows: [rows.value("2").count(), rows.value("3").count(), rows.value("4").count()],
            first_shield: data.count("[shield]", "start"),
            most_shield: data.count("[shield]", "max"),
            first_favor: data.count("[favor]", "first_seat") as u16,
            action_favor: data.count("[favor]", "per_action") as u16,
            oracle_cards: data.count("[oracle_cards]", "per_color"),
            injury_cards: data.count("[injury_cards]", "per_color"),
            recover: [
                (
                    data.count("[injury_cards]", "recover_same"),
                    data.count("[injury_cards]", "recover_total") as usize,
                ),
                (data.on_card("toughness", "same"), data.on_card("toughness", "total") as usize),
            ],
            recovery: data.count("[injury_cards]", "recover_discard"),
            no_injuries_favor: data.count("[injury_cards]", "reward_favor") as u16,
            dice: data.count("[oracle_die]", "count"),
            oracle_die: data.colors(printed.table("[oracle_die]").value("faces")),
            strength: data.count("[battle]", "strength"),
            battle_die: printed.table("[battle]").value("die").counts(),
            titan_die: printed.table("[titan]").value("die").counts(),
            statues: data.count("[statues]", "per_color"),
            display: data.count("[equipment_display]", "size") as usize,
            range: data.count("[movement]", "range"),
            tasks: data.tasks(),
            white: [data.white("statue"), data.white("offering"), data.white("monster")],
            turned: data.count("[zeus_tiles]", "turned") as usize,
            two_sided: data.two_sided(),
            removed_from: data.removed_from(),
            offering_favor: data.count("[reward]", "offering_favor") as u16,
            sigma_steps: data.count("[letters]", "sigma_steps"),
            phi_cards: data.count("[letters]", "phi_cards") as usize,
            psi_favor: data.count("[letters]", "psi_favor") as u16,
            omega_shield: data.count("[letters]", "omega_shield"),
            island_tiles: data.island_tiles(),
            storage: data.storage(),
            ship_shield: data.on_ship("shield_2", "shield"),
            more_range: [data.on_ship("range_2", "range"), data.on_card("range_1", "range")],
            ship_favor: data.on_ship("favor_1", "favor") as u16,
            recolor_favor: data.on_ship("recolor_1", "favor"),
            cargo_colors: [
                data.colors(data.card("statue_warm").value("colors")),
                data.colors(data.card("statue_cool").value("colors")),
                data.colors(data.card("offering_warm").value("colors")),
                data.colors(data.card("offering_cool").value("colors")),
            ],
            to_top: data.to_top(),
            windfall: (
                data.on_card("windfall", "favor") as u16,
                data.on_card("windfall", "cards"),
                data.on_card("windfall", "steps"),
            ),
            charms: [
                data.color(data.card("charm_red").value("color")),
                data.color(data.card("charm_black").value("color")),
                data.color(data.card("charm_yellow").value("color")),
            ],
            amulets: [
                data.color(data.card("amulet_pink").value("color")),
                data.color(data.card("amulet_blue").value("color")),
                data.color(data.card("amulet_green").value("color")),
            ],
            charm_favor: data.alike("charm_red", "charm_black", "charm_yellow"),
            amulet_favor: data.alike("amulet_pink", "amulet_blue", "amulet_green"),
            hold_storage: data.on_card("hold", "storage"),
            hold_shield: data.on_card("hold", "shield"),
            bonus_cost: data.on_card("extra_action", "favor") as u16,
            hero_shield: data.count("[companions]", "hero_shield"),
            creature_range: data.count("[companions]", "creature_range"),
        }
    }
}

/// The data but the map.
#[derive(Clone, Copy)]
struct Box {
    printed: Printed<'static>,
    wheel: Value<'static>,
    ships: [Table<'static>; 8],
    cards: [Table<'static>; 22],
}

impl Box {
    const fn count(self, table: &str, key: &str) -> u8 {
        self.printed.table(table).value(key).count()
    }

    const fn card(self, id: &str) -> Table<'static> {
        one(&self.cards, id)
    }

    const fn on_card(self, id: &str, key: &str) -> u8 {
        self.card(id).value(key).count()
    }

    const fn on_ship(self, id: &str, key: &str) -> u8 {
        one(&self.ships, id).value(key).count()
    }

    /// Favor of three cards that are worth the same.
    const fn alike(self, one: &str, other: &str, third: &str) -> u16 {
        let favor = self.on_card(one, "favor");
        assert!(favor == self.on_card(other, "favor"), "all three are worth the same");
        assert!(favor == self.on_card(third, "favor"), "all three are worth the same");
        favor as u16
    }

    const fn color(self, printed: Value<'_>) -> Color {
        Color::ALL[printed.place_in(self.wheel)]
    }

    const fn colors<const N: usize>(self, printed: Value<'_>) -> [Color; N] {
        let (mut colors, mut place) = ([Color::Red; N], 0);
        assert!(printed.len() == N, "the list has another length");
        while place < N {
            colors[place] = self.color(printed.item(place));
            place += 1;
        }
        colors
    }

    /// How many white tiles of a kind of task each seat has.
    const fn white(self, kind: &str) -> u8 {
        let printed = self.printed.table("[zeus_tiles]").value(kind);
        let mut count = 0;
        while count < printed.len() {
            assert!(printed.item(count).is("white"), "tiles of one side and of a colour are none");
            count += 1;
        }
        count as u8
    }

    /// There are as many tasks of each kind.
    const fn tasks(self) -> u8 {
        let tasks = self.count("[zeus_tiles]", "shrine");
        let turned = self.count("[zeus_tiles]", "turned");
        assert!(self.white("statue") == tasks, "as many statues");
        assert!(self.white("offering") + 4 - turned == tasks, "as many offerings");
        assert!(self.white("monster") + turned == tasks, "as many monsters");
        tasks
    }

    const fn removed_from(self) -> [u8; 4] {
        let order = self.printed.table("[short_game]").value("order");
        let (kinds, mut from, mut kind) = (["statue", "shrine", "monster", "offering"], [0; 4], 0);
        assert!(order.len() == kinds.len(), "the short game is without one of each kind at most");
        while kind < kinds.len() {
            let mut place = 0;
            while !order.item(place).is(kinds[kind]) {
                place += 1;
            }
            from[kind] = place as u8 + 1;
            kind += 1;
        }
        from
    }

    const fn storage(self) -> [u8; 8] {
        let (mut storage, mut place) = ([0; 8], 0);
        while place < storage.len() {
            storage[place] = self.ships[place].value("storage").count();
            place += 1;
        }
        storage
    }

    /// The gods stand in the order of their colours, as [`Color::god`] and [`God::color`] have them.
    const fn to_top(self) -> [God; 4] {
        let printed_gods: [_; 6] = rows(self.printed, "[[god]]");
        let mut place = 0;
        while place < printed_gods.len() {
            let color = self.color(printed_gods[place].value("color"));
            assert!(color as usize == place, "a god is of another colour");
            place += 1;
        }
        let printed = self.card("god_to_top").value("gods");
        let (mut gods, mut place) = ([God::Ares; 4], 0);
        assert!(printed.len() == gods.len(), "the card has four gods");
        while place < gods.len() {
            let name = printed.item(place).text().expect("a god is a string");
            gods[place] = self.color(one(&printed_gods, name).value("color")).god();
            place += 1;
        }
        gods
    }

    const fn two_sided(self) -> [(Color, Color); 4] {
        let printed: [_; 4] = rows(self.printed, "[[two_sided_tile]]");
        let (mut tiles, mut place) = ([(Color::Red, Color::Red); 4], 0);
        while place < tiles.len() {
            let tile = printed[place];
            tiles[place] = (self.color(tile.value("offering")), self.color(tile.value("monster")));
            place += 1;
        }
        tiles
    }

    const fn island_tiles(self) -> [Face; 12] {
        let printed: [_; 12] = rows(self.printed, "[[island_tile]]");
        let players = self.printed.table("[colors]").value("players");
        let letters = self.printed.table("[letters]").value("order");
        let mut tiles = [Face { color: PlayerColor::Red, letter: Letter::Sigma }; 12];
        let mut place = 0;
        while place < tiles.len() {
            tiles[place] = Face {
                color: PlayerColor::ALL[printed[place].value("color").place_in(players)],
                letter: Letter::ALL[printed[place].value("letter").place_in(letters)],
            };
            place += 1;
        }
        tiles
    }
}

/// All tables with this header.
const fn rows<const N: usize>(printed: Printed<'static>, header: &str) -> [Table<'static>; N] {
    let (mut rows, mut rest, mut place) = ([printed.root(); N], printed, 0);
    while let Some((row, behind)) = rest.find(header) {
        rows[place] = row;
        (rest, place) = (behind, place + 1);
    }
    assert!(place == N, "there are not so many pieces");
    rows
}

/// The one with this `id`.
const fn one(rows: &[Table<'static>], id: &str) -> Table<'static> {
    let mut place = 0;
    while !rows[place].value("id").is(id) {
        place += 1;
    }
    rows[place]
}

/// A colour by its printed word.
const fn color(word: Value<'_>) -> Color {
    const WHEEL: Value<'static> = Printed::of(BOX).table("[colors]").value("wheel");
    Color::ALL[word.place_in(WHEEL)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn play_reads_every_value_of_the_served_data_but_these() {
        let unread = testkit::unread(BOX, |text| Facts::read(Printed::of(text)));
        let shown =
            ["sources", "text", "hero", "demigod", "creature", "names", "power", "once", "lasting"];
        let reasons = [
            ("[[equipment]] id", "the enum has the same words, tests/it/data.rs"),
            ("[[god]] id", "likewise"),
            ("[[ship]] id", "likewise"),
            ("[companions] kinds", "likewise"),
            ("[letters] omega", "says in words what the letter does"),
            ("[letters] phi", "likewise"),
            ("[letters] psi", "likewise"),
            ("[letters] sigma", "likewise"),
            ("[reward] monster", "is a word of JSON, tests/it/data.rs"),
            ("[reward] offering", "likewise"),
            ("[reward] shrine", "likewise"),
            ("[reward] statue", "likewise"),
            ("source", "is shown"),
        ];
        let of_play = |key: &&String| {
            let (table, name) = key.rsplit_once(' ').unwrap_or(("", key));
            !shown.contains(&name) && !["[sources]", "[monsters]"].contains(&table)
        };
        let unread: Vec<&String> = unread.iter().filter(of_play).collect();
        assert_eq!(unread, reasons.map(|(key, _)| key).to_vec());
    }
}
