//! Which of the kept matches are asked about, which of their seats, and into which groups they fall.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use super::asked::{Asked, DIMENSIONS, Dimension, Population};
use super::record::{Identity, Record, Records, SeatRecord};

/// A value of a grouping: numbers in their order, before texts; what has no value comes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Key<'a> {
    #[default]
    None,
    Number(u64),
    Text(&'a str),
}

impl Key<'_> {
    pub(crate) fn shown(self) -> Option<String> {
        match self {
            Key::None => None,
            Key::Number(number) => Some(number.to_string()),
            Key::Text(text) => Some(text.to_owned()),
        }
    }
}

/// What the matches of a group have in common: a value for each name of `group_by`, and nothing behind them.
pub(crate) type Keys<'a> = [Key<'a>; DIMENSIONS];

/// Some seats of a match, each a bit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Seats(u32);

impl Seats {
    /// Those of `seats` seats of which `fits` says so.
    fn of(seats: usize, fits: impl Fn(usize) -> bool) -> Self {
        (0..seats).filter(|seat| fits(*seat)).fold(Seats::default(), Seats::with)
    }

    /// These and one more.
    fn with(self, seat: usize) -> Self {
        let bit = u32::try_from(seat).ok().and_then(|seat| 1_u32.checked_shl(seat));
        Seats(self.0 | bit.unwrap_or_default())
    }

    /// The numbers of these seats.
    pub(crate) fn iter(self) -> impl Iterator<Item = usize> {
        (0..u32::BITS as usize).filter(move |seat| self.0 >> seat & 1 == 1)
    }

    /// How many they are.
    pub(crate) fn count(self) -> u32 {
        self.0.count_ones()
    }
}

/// How a match fits what is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fit {
    /// It is counted.
    Counted,
    /// It would be, but for how it began.
    ByStart,
    /// Not at all.
    Not,
}

/// A request with its words looked up.
pub(crate) struct Chosen<'a> {
    pub(crate) asked: &'a Asked,
    records: &'a Records,
    /// The options that are asked for, each with its value, where they are known.
    options: Vec<(Option<u32>, Option<u32>)>,
    player: Option<u32>,
    /// Each bot with its version, by its number, once a group needs one.
    bots: OnceCell<BTreeMap<u32, String>>,
}

impl<'a> Chosen<'a> {
    pub(crate) fn new(asked: &'a Asked, records: &'a Records) -> Self {
        let options = asked
            .options
            .iter()
            .map(|(option, value)| (records.options.find(option), records.values.find(value)));
        let options = options.collect();
        let player = asked.player.clone().map(Identity::Player);
        let player = player.and_then(|player| records.identities.find(&player));
        Chosen { asked, records, options, player, bots: OnceCell::new() }
    }

    fn bots(&self) -> &BTreeMap<u32, String> {
        self.bots.get_or_init(|| {
            let bots = self.records.identities.all().filter_map(|(who, number)| match who {
                Identity::Bot(bot, version) => Some((number, format!("{bot}@{version}"))),
                Identity::Player(_) => None,
            });
            bots.collect()
        })
    }

    pub(crate) fn fit(&self, record: &Record) -> Fit {
        let Asked { players, seats, edition, bot, player, from, until, loaded, branched, .. } =
            self.asked;
        let option = |(option, wanted): &(Option<u32>, Option<u32>)| {
            let of_option = record.options.iter().find(|(known, _)| Some(*known) == *option);
            of_option.is_some_and(|(_, value)| Some(*value) == *wanted)
        };
        let fits = (*players == Population::All || population(self.records, record) == *players)
            && seats.is_none_or(|seats| record.seats.len() == seats)
            && edition.is_none_or(|edition| record.edition == edition)
            && (bot.is_none() || self.of_bot(record) != Seats::default())
            && (player.is_none() || self.of_player(record) != Seats::default())
            && from.as_ref().is_none_or(|from| record.finished_at >= *from)
            && until.as_ref().is_none_or(|until| record.finished_at < *until)
            && self.options.iter().all(option);
        let starts = loaded.is_none_or(|loaded| record.loaded == loaded)
            && branched.is_none_or(|branched| record.branched == branched);
        match (fits, starts) {
            (true, true) => Fit::Counted,
            (true, false) => Fit::ByStart,
            (false, _) => Fit::Not,
        }
    }

    /// The seats of the bot that is asked for.
    fn of_bot(&self, record: &Record) -> Seats {
        let Some((bot, version)) = &self.asked.bot else { return Seats::default() };
        Seats::of(record.seats.len(), |seat| match self.records.who(&record.seats[seat]) {
            Some(Identity::Bot(known, of)) => {
                known == bot && version.is_none_or(|version| version == *of)
            }
            Some(Identity::Player(_)) | None => false,
        })
    }

    /// The seats of the player who is asked for.
    fn of_player(&self, record: &Record) -> Seats {
        let Some(player) = self.player else { return Seats::default() };
        Seats::of(record.seats.len(), |seat| record.seats[seat].2 == Some(player))
    }

    /// The seats whose points and wins are asked for: those of the player, else of the bot, else all.
    pub(crate) fn selected(&self, record: &Record) -> Seats {
        if self.asked.player.is_some() {
            self.of_player(record)
        } else if self.asked.bot.is_some() {
            self.of_bot(record)
        } else {
            Seats::of(record.seats.len(), |_| true)
        }
    }

    /// Puts the groups of a match in place of those that are in `groups`, each with the seats whose points and wins it counts.
    ///
    /// A match is in the group of each player and each bot that sits there. There it counts their seats, unless a player or a bot is asked for.
    pub(crate) fn groups<'b>(&'b self, record: &'b Record, groups: &mut Vec<(Keys<'b>, Seats)>) {
        groups.clear();
        let plain = self.asked.player.is_some() || self.asked.bot.is_some();
        let by_seat =
            |dimension: &Dimension| matches!(dimension, Dimension::Player | Dimension::Bot);
        if !self.asked.group_by.iter().any(by_seat) {
            groups.push((self.keys(record, 0), self.selected(record)));
            return;
        }
        for seat in 0..record.seats.len() {
            let keys = self.keys(record, seat);
            match groups.iter_mut().find(|(known, _)| *known == keys) {
                Some((_, seats)) => *seats = seats.with(seat),
                None => groups.push((keys, Seats::default().with(seat))),
            }
        }
        if plain {
            let selected = self.selected(record);
            groups.iter_mut().for_each(|(_, seats)| *seats = selected);
        }
    }

    fn keys<'b>(&'b self, record: &'b Record, seat: usize) -> Keys<'b> {
        let mut keys = Keys::default();
        for (key, dimension) in keys.iter_mut().zip(&self.asked.group_by) {
            *key = self.value(record, seat, dimension);
        }
        keys
    }

    fn value<'b>(&'b self, record: &'b Record, seat: usize, dimension: &Dimension) -> Key<'b> {
        let truth = |is_so: bool| Key::Text(if is_so { "true" } else { "false" });
        let time = |digits: usize| Key::Text(record.finished_at.get(..digits).unwrap_or_default());
        let seat = record.seats.get(seat);
        match dimension {
            Dimension::Players => Key::Text(population(self.records, record).name()),
            Dimension::Seats => Key::Number(record.seats.len() as u64),
            Dimension::Edition => Key::Number(u64::from(record.edition)),
            Dimension::Loaded => truth(record.loaded),
            Dimension::Branched => truth(record.branched),
            Dimension::Day => time("2026-11-23".len()),
            Dimension::Month => time("2026-11".len()),
            Dimension::Year => time("2026".len()),
            Dimension::Player => match seat.and_then(|seat| self.records.who(seat)) {
                Some(Identity::Player(name)) => Key::Text(name),
                Some(Identity::Bot(_, _)) | None => Key::None,
            },
            Dimension::Bot => {
                let bot = seat.and_then(|SeatRecord(_, _, who)| self.bots().get(&(*who)?));
                bot.map_or(Key::None, |bot| Key::Text(bot.as_str()))
            }
            Dimension::Option(option) => {
                let option = self.records.options.find(option);
                let value = option.and_then(|option| self.records.value(record, option));
                match value.map(|value| (value, value.parse())) {
                    None => Key::None,
                    Some((_, Ok(number))) => Key::Number(number),
                    Some((value, Err(_))) => Key::Text(value),
                }
            }
        }
    }
}

/// Who plays a match: people, bots, or both.
fn population(records: &Records, record: &Record) -> Population {
    let bots =
        record.seats.iter().filter(|seat| matches!(records.who(seat), Some(Identity::Bot(_, _))));
    match bots.count() {
        0 => Population::People,
        bots if bots == record.seats.len() => Population::Bots,
        _ => Population::Mixed,
    }
}
