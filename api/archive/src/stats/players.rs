//! The players of public matches, people by the name that they gave and bots by what they are, and how strong they seem.

use std::collections::{BTreeMap, BTreeSet};

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use skillratings::MultiTeamOutcome;
use skillratings::weng_lin::{WengLinConfig, WengLinRating, weng_lin_multi_team};
use utoipa::ToSchema;

use super::asked::Population;
use super::numbers::{Mean, Rate, Share, Values};
use super::record::{Identity, Record, Records};
use super::shared::Shared;

/// Millionths.
const MICRO: f64 = 1e6;

/// How strong one player seems in one game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Rating {
    rated: u64,
    /// In millionths, rounded after each match: so the last bits of a machine's mathematics do not add up.
    rating: i64,
    uncertainty: i64,
}

/// The ratings of a game, by the number of the identity: each has one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ratings(Shared<Rating>);

impl Ratings {
    fn get(&self, who: u32) -> Option<&Rating> {
        self.0.get(usize::try_from(who).ok()?)
    }

    fn put(&mut self, who: u32, rating: Rating) {
        match self.0.get_mut(who as usize) {
            Some(known) => *known = rating,
            // Numbers are given one after the other.
            None => self.0.push(rating),
        }
    }

    fn iter(&self) -> impl Iterator<Item = (u32, &Rating)> {
        (0..).zip(self.0.iter())
    }
}

impl Serialize for Ratings {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl<'de> Deserialize<'de> for Ratings {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let ratings = BTreeMap::<u32, Rating>::deserialize(deserializer)?;
        if (0_u32..).zip(ratings.keys()).any(|(number, who)| number != *who) {
            return Err(D::Error::custom("a player has no rating"));
        }
        Ok(Ratings(ratings.into_values().collect()))
    }
}

/// A player's results in one game. A bot is a player of its own, with each version of its play, and never a person of the same name.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct PlayerStats {
    /// The name of the player; for a bot, the kind of bot. Anybody may use any name except those of bots.
    pub name: String,
    /// `player` for a person, `bot` for a bot.
    #[schema(value_type = String, pattern = "^(player|bot)$")]
    pub played_by: &'static str,
    /// The version of a bot's play; null for a person.
    pub bot_version: Option<u32>,
    /// The game.
    pub game: String,
    /// The number of finished public matches from the game's own setup, and how often the player won.
    pub first: Rate,
    /// The final points.
    pub points: Mean,
    /// The number of matches that count for the rating: those that began with the game's own setup and in which at least two players with a name,
    /// including this one, had one seat each.
    pub rated: u64,
    /// The rating by Weng and Lin (Bradley-Terry, full pairing), with the constants of docs/statistics.md; 25 for a new player.
    pub rating: f64,
    /// The uncertainty of the rating, a standard deviation; 25/3 for a new player.
    pub uncertainty: f64,
    /// The rating minus three times its uncertainty. The list is ordered by it.
    pub least: f64,
}

impl Default for Rating {
    fn default() -> Self {
        let WengLinRating { rating, uncertainty } = WengLinRating::new();
        Rating { rated: 0, rating: micro(rating), uncertainty: micro(uncertainty) }
    }
}

impl Rating {
    fn least(&self) -> i64 {
        self.rating - 3 * self.uncertainty
    }

    fn skill(&self) -> WengLinRating {
        WengLinRating {
            rating: self.rating as f64 / MICRO,
            uncertainty: self.uncertainty as f64 / MICRO,
        }
    }
}

/// Counts a match for the ratings of those who played it from its own setup.
pub(crate) fn count(ratings: &mut Ratings, record: &Record) {
    if record.loaded {
        // It has no figure of this match, but is known.
        for who in record.seats.iter().filter_map(|seat| seat.2) {
            if ratings.get(who).is_none() {
                ratings.put(who, Rating::default());
            }
        }
        return;
    }
    let mut seated: BTreeMap<u32, (Rating, u64, u64)> = BTreeMap::new();
    for seat in &record.seats {
        let Some(who) = seat.2 else { continue };
        let player = seated
            .entry(who)
            .or_insert_with(|| (ratings.get(who).cloned().unwrap_or_default(), seat.1, 0));
        player.2 += 1;
    }
    // Who sits at two seats plays against nobody.
    let mut rated: Vec<(&mut Rating, u64)> = seated
        .values_mut()
        .filter(|(_, _, seats)| *seats == 1)
        .map(|(player, rank, _)| (player, *rank))
        .collect();
    rate(&mut rated);
    seated.into_iter().for_each(|(who, (player, _, _))| ratings.put(who, player));
}

/// Rates the players of one match anew; each comes with the rank.
fn rate(players: &mut [(&mut Rating, u64)]) {
    if players.len() < 2 {
        return;
    }
    let skills: Vec<[WengLinRating; 1]> =
        players.iter().map(|(player, _)| [player.skill()]).collect();
    let teams: Vec<(&[WengLinRating], MultiTeamOutcome)> = skills
        .iter()
        .zip(players.iter())
        .map(|(skill, (_, rank))| {
            let rank = usize::try_from(*rank).unwrap_or(usize::MAX);
            (skill.as_slice(), MultiTeamOutcome::new(rank))
        })
        .collect();
    let rated = weng_lin_multi_team(&teams, &WengLinConfig::new());
    for ((player, _), skill) in players.iter_mut().zip(rated.iter().flatten()) {
        player.rated += 1;
        player.rating = micro(skill.rating);
        player.uncertainty = micro(skill.uncertainty);
    }
}

/// The players of a game that are people, bots, or either: the strongest first, at most `limit` after the first `skip`.
pub(crate) fn page(
    game: &str,
    records: &Records,
    ratings: &Ratings,
    which: Population,
    (skip, limit): (usize, usize),
) -> Vec<PlayerStats> {
    let known = ratings.iter().filter_map(|(who, rating)| {
        let identity = records.identities.word(who)?;
        let fits = match which {
            Population::People => matches!(identity, Identity::Player(_)),
            Population::Bots => matches!(identity, Identity::Bot(_, _)),
            Population::Mixed | Population::All => true,
        };
        fits.then_some((std::cmp::Reverse(rating.least()), identity, who))
    });
    let mut known: Vec<_> = known.collect();
    known.sort();
    let page: Vec<u32> = known.into_iter().skip(skip).take(limit).map(|(_, _, who)| who).collect();
    shown(game, records, ratings, &page)
}

/// Those with a name: a person, and a bot with each of its versions.
pub(crate) fn named(
    game: &str,
    records: &Records,
    ratings: &Ratings,
    name: &str,
) -> Vec<PlayerStats> {
    let is = |identity: &Identity| match identity {
        Identity::Player(known) => known == name,
        Identity::Bot(bot, _) => bot.name() == name,
    };
    let known = records
        .identities
        .all()
        .filter(|(identity, who)| is(identity) && ratings.get(*who).is_some());
    let mut known: Vec<(&Identity, u32)> = known.collect();
    known.sort();
    let known: Vec<u32> = known.into_iter().map(|(_, who)| who).collect();
    shown(game, records, ratings, &known)
}

/// The results of some players, in one pass over the matches.
fn shown(game: &str, records: &Records, ratings: &Ratings, players: &[u32]) -> Vec<PlayerStats> {
    if players.is_empty() {
        return Vec::new();
    }
    let mut results: BTreeMap<u32, (Values, Share)> =
        players.iter().map(|who| (*who, Default::default())).collect();
    for record in records.matches.iter().filter(|record| !record.loaded) {
        let seated = record.seats.iter().filter_map(|seat| seat.2);
        // Most matches are of others.
        let asked: BTreeSet<u32> = seated.filter(|who| results.contains_key(who)).collect();
        for who in asked {
            let Some((points, first)) = results.get_mut(&who) else { continue };
            let seats = record.seats.iter().enumerate().filter(|(_, seat)| seat.2 == Some(who));
            let seats: Vec<(usize, i64)> = seats.map(|(at, seat)| (at, seat.0)).collect();
            let won: f64 = seats.iter().map(|(at, _)| record.won(*at)).sum();
            first.add(won / seats.len() as f64, record.seats.len());
            points.add(seats.iter().map(|(_, points)| *points));
        }
    }
    let units = |micro: i64| micro as f64 / MICRO;
    let one = |who: &u32| {
        let (points, first) = results.get(who)?;
        let rating = ratings.get(*who)?;
        let (name, played_by, bot_version) = match records.identities.word(*who)? {
            Identity::Player(name) => (name.clone(), "player", None),
            Identity::Bot(bot, version) => (bot.to_string(), "bot", Some(*version)),
        };
        Some(PlayerStats {
            name,
            played_by,
            bot_version,
            game: game.to_owned(),
            first: first.rate(),
            points: points.mean(),
            rated: rating.rated,
            rating: units(rating.rating),
            uncertainty: units(rating.uncertainty),
            least: units(rating.least()),
        })
    };
    players.iter().filter_map(one).collect()
}

fn micro(number: f64) -> i64 {
    (number * MICRO).round() as i64
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::shared::PIECE;
    use super::{Rating, Ratings};

    #[test]
    fn a_copy_of_ratings_that_goes_on_copies_the_pieces_that_change_alone() {
        let second = PIECE as u32;
        let mut ratings = Ratings::default();
        (0..3 * second).for_each(|who| ratings.put(who, Rating::default()));
        let shown = ratings.clone();
        ratings.put(second, Rating { rated: 1, ..Rating::default() });
        let is_shared = |piece: usize| Arc::ptr_eq(&shown.0.0[piece], &ratings.0.0[piece]);
        assert_eq!([0, 1, 2].map(is_shared), [true, false, true]);
        let rated = |ratings: &Ratings| ratings.get(second).map(|rating| rating.rated);
        assert_eq!((rated(&shown), rated(&ratings)), (Some(0), Some(1)));
        let text = serde_json::to_string(&ratings).expect("JSON");
        assert_eq!(serde_json::from_str::<Ratings>(&text).expect("the same"), ratings);
        let edited = text.replacen("\"7\":", "\"9000000\":", 1);
        assert!(serde_json::from_str::<Ratings>(&edited).is_err());
    }
}
