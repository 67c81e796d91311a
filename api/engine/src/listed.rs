//! A match as the list shows it, and as the file of the list keeps it.

use journal::{Bot, Bytes32, Folded, MatchId, Name, Origin, Status, Table, TableSeat, Visibility};
use kernel::{AnyGame, Seat};
use serde::Serialize;
use utoipa::ToSchema;

use crate::live::Slot;

/// A match in the list of matches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct MatchSummary {
    /// The id of the match.
    #[schema(value_type = String, format = "uuid")]
    pub r#match: MatchId,
    /// The game that is played.
    pub game: &'static str,
    /// The status of the match.
    pub status: Status,
    /// The seats, in order.
    pub seats: Vec<SeatInfo>,
    /// The number of events so far.
    pub version: u64,
    /// The seat to act; null when the match is finished or closed.
    pub active_seat: Option<Seat>,
    /// When it was opened.
    #[schema(format = "date-time")]
    pub created_at: String,
    /// When its latest commit was recorded.
    #[schema(format = "date-time")]
    pub updated_at: String,
    /// Where the match comes from; null for one that was played on this server.
    pub origin: Option<Origin>,
    /// Whether it began from a given position, as a branch does too, and not with the game's own setup.
    pub loaded: bool,
    /// Whether it is a sandbox.
    pub sandbox: bool,
    /// Whether `active_seat` is known: it is not where nobody has folded the match.
    #[serde(skip)]
    pub(crate) is_told: bool,
    #[serde(skip)]
    pub(crate) visibility: Visibility,
    /// The number of its last commit.
    #[serde(skip)]
    pub(crate) commit: u64,
}

/// What everybody may know about a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct SeatInfo {
    /// The number of the seat.
    pub seat: Seat,
    /// The player's name, if one was given.
    pub name: Option<String>,
    /// Whether the seat is taken.
    pub taken: bool,
    /// The bot that has the seat; null for a person.
    pub bot: Option<Bot>,
    /// SHA-256(salt || name), as in the chain of the match; null for a seat without a name. The name itself is null if it was forgotten.
    #[schema(value_type = Option<String>, pattern = "^[0-9a-f]{64}$")]
    pub name_commitment: Option<Bytes32>,
    /// The salt of the name.
    #[schema(value_type = Option<String>, pattern = "^[0-9a-f]{64}$")]
    pub name_salt: Option<Bytes32>,
}

/// Which matches to list.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Only of this game.
    pub game: Option<String>,
    /// Only matches with this status.
    pub status: Option<Status>,
    /// Only matches with a player of exactly this name.
    pub player: Option<String>,
}

impl Filter {
    /// Is this match to be listed?
    pub(crate) fn fits(&self, summary: &MatchSummary) -> bool {
        let Filter { game, status, player } = self;
        summary.visibility == Visibility::Public
            && game.as_ref().is_none_or(|game| game == summary.game)
            && status.is_none_or(|status| status == summary.status)
            && player.as_ref().is_none_or(|name| summary.names().any(|seat| seat == name))
    }
}

/// What the feed needs to know of a match to show its commits.
#[derive(Clone, Copy)]
pub(crate) struct Shown {
    pub(crate) game: &'static str,
    pub(crate) visibility: Visibility,
    pub(crate) finished: bool,
}

impl Shown {
    pub(crate) fn of(summary: &MatchSummary) -> Self {
        let MatchSummary { game, visibility, status, .. } = *summary;
        Shown { game, visibility, finished: status == Status::Finished }
    }
}

pub(crate) fn seats(table: &Table, names: &[Option<Name>]) -> Vec<SeatInfo> {
    let seats = (0..).map(Seat).zip(&table.seats).zip(names);
    let seat = |((seat, at), name): ((Seat, &TableSeat), &Option<Name>)| SeatInfo {
        seat,
        name: name.as_ref().map(|name| name.name.clone()),
        taken: at.taken,
        bot: at.bot,
        name_commitment: at.name_commitment,
        name_salt: name.as_ref().map(|name| name.salt),
    };
    seats.map(seat).collect()
}

/// A seat in a row: it is taken,
const TAKEN: u8 = 1;
/// it has a name and its salt; the commitment follows from both,
const NAMED: u8 = 2;
/// it has the commitment to a name that was forgotten.
const COMMITTED: u8 = 4;
/// The bot's place in [`Bot::ALL`], from 1; 0 for a person.
const BOT: u32 = 3;

/// The byte of the status has the seat to act above it: that is not known, as in rows of older programs,
const ACTIVE: u32 = 4;
const UNTOLD: u8 = 0;
/// it is nobody, or one more than this and the seat.
const NOBODY: u8 = 1;

impl MatchSummary {
    /// A match in memory.
    pub(crate) fn of(slot: &Slot) -> Self {
        let head = slot.head();
        let Folded { version, commit, ref table, ref state, .. } = head.folded;
        MatchSummary {
            r#match: slot.id,
            game: slot.game.info().id,
            status: head.folded.status(),
            seats: seats(table, &head.people.names),
            version,
            active_seat: state.active_seat().filter(|_| head.folded.end().is_none()),
            is_told: true,
            created_at: slot.created_at.clone(),
            updated_at: head.updated_at.clone(),
            origin: slot.origin.clone(),
            loaded: table.loaded,
            sandbox: table.is_sandbox(),
            visibility: table.opened.visibility,
            commit,
        }
    }

    /// The names of its players.
    pub(crate) fn names(&self) -> impl Iterator<Item = &String> {
        self.seats.iter().filter_map(|seat| seat.name.as_ref())
    }

    /// May a bot have to act in it? Then: do people wait there?
    pub(crate) fn bots(&self) -> Option<bool> {
        let bots = self.seats.iter().any(|seat| seat.bot.is_some());
        let people = self.seats.iter().any(|seat| seat.bot.is_none());
        (bots && self.status == Status::Running).then_some(people)
    }

    /// What the file keeps of it beside its id and its game: with a checksum over all of it.
    pub(crate) fn row(&self) -> Vec<u8> {
        let MatchSummary { r#match, game, status, seats, active_seat, .. } = self;
        let active = active_seat.map_or(NOBODY, |seat| NOBODY + 1 + seat.0);
        let active = if self.is_told { active } else { UNTOLD };
        let (loaded, sandbox) = (u8::from(self.loaded), u8::from(self.sandbox));
        let mut row =
            vec![*status as u8 | active << ACTIVE, self.visibility as u8, loaded, sandbox];
        row.extend(self.version.to_le_bytes());
        row.extend(self.commit.to_le_bytes());
        let text = |text: &str, row: &mut Vec<u8>| {
            row.extend(u32::try_from(text.len()).unwrap_or(u32::MAX).to_le_bytes());
            row.extend(text.as_bytes());
        };
        text(&self.created_at, &mut row);
        text(&self.updated_at, &mut row);
        row.push(u8::from(self.origin.is_some()));
        if let Some(Origin { from, imported_at }) = &self.origin {
            text(from, &mut row);
            text(imported_at, &mut row);
        }
        for SeatInfo { seat: _, name, taken, bot, name_commitment, name_salt } in seats {
            let bot = bot.and_then(|bot| Bot::ALL.iter().position(|known| *known == bot));
            let bot = bot.map_or(0, |at| (at as u8 + 1) << BOT);
            let taken = if *taken { TAKEN } else { 0 };
            match (name, name_salt, name_commitment) {
                (Some(name), Some(salt), _) => {
                    row.push(bot | taken | NAMED);
                    row.extend(salt.0);
                    text(name, &mut row);
                }
                (_, _, Some(commitment)) => {
                    row.push(bot | taken | COMMITTED);
                    row.extend(commitment.0);
                }
                (_, _, None) => row.push(bot | taken),
            }
        }
        row.extend(sum(*r#match, game, &row).to_le_bytes());
        row
    }

    /// Takes what the file kept; `None` if that is damaged.
    pub(crate) fn of_row(r#match: MatchId, game: &dyn AnyGame, row: &[u8]) -> Option<Self> {
        let game = game.info().id;
        let (row, found) = row.split_last_chunk::<4>()?;
        (sum(r#match, game, row) == u32::from_le_bytes(*found)).then_some(())?;
        let mut left = Left(row);
        let [status, visibility, loaded, sandbox] = left.take()?;
        let active = status >> ACTIVE;
        let mut summary = MatchSummary {
            r#match,
            game,
            status: *Status::ALL.get(usize::from(status & ((1 << ACTIVE) - 1)))?,
            visibility: if visibility == Visibility::Public as u8 {
                Visibility::Public
            } else {
                Visibility::Private
            },
            version: u64::from_le_bytes(left.take()?),
            active_seat: active.checked_sub(NOBODY + 1).map(Seat),
            is_told: active != UNTOLD,
            commit: u64::from_le_bytes(left.take()?),
            created_at: left.text()?,
            updated_at: left.text()?,
            origin: match left.take()? {
                [0] => None,
                [_] => Some(Origin { from: left.text()?, imported_at: left.text()? }),
            },
            loaded: loaded > 0,
            sandbox: sandbox > 0,
            seats: Vec::new(),
        };
        while let Some([flags]) = left.take() {
            let mut seat = SeatInfo {
                seat: Seat(u8::try_from(summary.seats.len()).ok()?),
                name: None,
                taken: flags & TAKEN > 0,
                bot: usize::from(flags >> BOT)
                    .checked_sub(1)
                    .and_then(|at| Bot::ALL.get(at).copied()),
                name_commitment: None,
                name_salt: None,
            };
            if flags & NAMED > 0 {
                let name = Name { salt: Bytes32(left.take()?), name: left.text()? };
                seat.name_commitment = Some(name.commitment());
                (seat.name, seat.name_salt) = (Some(name.name), Some(name.salt));
            } else if flags & COMMITTED > 0 {
                seat.name_commitment = Some(Bytes32(left.take()?));
            }
            summary.seats.push(seat);
        }
        Some(summary)
    }
}

fn sum(id: MatchId, game: &str, row: &[u8]) -> u32 {
    let mut sum = crc32fast::Hasher::new();
    [id.as_bytes(), game.as_bytes(), row].into_iter().for_each(|part| sum.update(part));
    sum.finalize()
}

/// What is left of a row.
struct Left<'a>(&'a [u8]);

impl Left<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, left) = self.0.split_first_chunk::<N>()?;
        self.0 = left;
        Some(*taken)
    }

    fn text(&mut self) -> Option<String> {
        let length = usize::try_from(u32::from_le_bytes(self.take()?)).ok()?;
        let (text, left) = self.0.split_at_checked(length)?;
        self.0 = left;
        String::from_utf8(text.to_vec()).ok()
    }
}
