//! What is kept of the matches while they are read.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use archive::{Asked, Counted, Counting, FinishedMatch, Share, Unasked};
use journal::Bytes32;
use kernel::{AnyGame, Seat, Words};

use crate::chance::Draws;

/// Into how many parts of the same number of commands a match is cut.
pub(crate) const PARTS: usize = 10;

/// The report on a game while it is made: matches are added one by one. Draws are counted of those that would not go otherwise, and of these of
/// the first one of each deal.
#[derive(Clone, Debug)]
pub struct Report {
    game: &'static str,
    pub(crate) words: Arc<Words>,
    pub(crate) asked: Asked,
    /// It is of the seats of one player or bot.
    pub(crate) of_one: bool,
    /// The same matches by bot, and by who played.
    pub(crate) by_bot: Asked,
    pub(crate) everybody: Asked,
    pub(crate) counting: Counting,
    /// The commands of each match.
    pub(crate) lengths: Vec<i64>,
    /// Final points of the seats that are asked for, and how many of these won.
    pub(crate) points: Vec<(i64, bool)>,
    /// Points for a reason by a rule, by part of the match.
    pub(crate) awards: BTreeMap<(String, String), [i64; PARTS]>,
    /// How often the first command of the seat with the first turn won, by the number of seats and its JSON. Only of matches from the game's own
    /// setup.
    pub(crate) moves: BTreeMap<(usize, String), Share>,
    pub(crate) draws: Draws,
    /// The deals whose draws were counted: matches that are dealt alike draw alike.
    seeds: BTreeSet<Bytes32>,
}

impl Report {
    /// A report on a game of matches that parameters ask for, named as in `GET /v1/stats/{game}`, in these words.
    ///
    /// # Errors
    /// The first parameter that cannot be understood.
    pub fn new(
        game: &'static dyn AnyGame,
        parameters: &[(String, String)],
        words: Arc<Words>,
    ) -> Result<Self, Unasked> {
        let asked = Asked::of(game, parameters.iter().cloned())?;
        Ok(Report {
            game: game.info().id,
            words,
            by_bot: asked.by_bot(),
            everybody: asked.of_everybody(),
            of_one: parameters.iter().any(|(name, _)| ["bot", "player"].contains(&name.as_str())),
            asked,
            counting: Counting::new(game.info().id),
            lengths: Vec::new(),
            points: Vec::new(),
            awards: BTreeMap::new(),
            moves: BTreeMap::new(),
            draws: Draws::default(),
            seeds: BTreeSet::new(),
        })
    }

    /// Takes a finished match of the game, and says whether the report is of it. Which matches that are, is as in `GET /v1/stats/{game}`.
    pub fn add(&mut self, finished: &FinishedMatch) -> bool {
        let Some(counted) = self.counting.add(finished, &self.asked) else { return false };
        let Counted { commands, points, won, selected } = counted;
        self.lengths.push(commands);
        let results = points.iter().zip(&won).enumerate();
        let results = results.filter(|(seat, _)| selected.contains(seat));
        self.points.extend(results.map(|(_, (points, won))| (*points, *won > 0.0)));
        let played = finished.commits.iter().filter(|commit| !commit.taken_back);
        let of_commands = played.filter(|commit| commit.command().is_some());
        let all = usize::try_from(commands).unwrap_or(0).max(1);
        for (at, commit) in of_commands.clone().enumerate() {
            let part = (at * PARTS / all).min(PARTS - 1);
            for (_, award) in &commit.awards {
                let reason = (award.reason.to_owned(), award.rule.0.to_owned());
                let parts = self.awards.entry(reason).or_default();
                parts[part] = parts[part].saturating_add(award.points);
            }
        }
        let start = finished.start_seat.filter(|_| !finished.loaded);
        let first = start.and_then(|start| of_commands.clone().find(|c| c.seat == Some(start)));
        if let (Some(first), Some(seat)) = (first, start.map(Seat::index))
            && let (Some(command), Some(won)) = (first.command(), won.get(seat))
            && selected.contains(&seat)
        {
            let played = (points.len(), command.to_owned());
            self.moves.entry(played).or_default().add(*won, points.len());
        }
        // Where a match would go otherwise some of its draws are not known, and the others would count too much.
        let drawn_in_full = finished.commits.iter().all(|commit| commit.otherwise.is_none());
        if drawn_in_full && self.seeds.insert(finished.seed) {
            let drawn = finished.commits.iter().flat_map(|commit| &commit.draws);
            drawn.for_each(|drawn| self.draws.add(drawn));
        }
        true
    }

    pub(crate) fn game(&self) -> &'static str {
        self.game
    }

    /// How many matches it is of.
    #[must_use]
    pub fn matches(&self) -> usize {
        self.lengths.len()
    }
}
