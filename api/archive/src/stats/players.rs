//! What is counted of the players of public matches, by the name that they gave, and how strong they seem.

use serde::{Deserialize, Serialize};
use skillratings::MultiTeamOutcome;
use skillratings::weng_lin::{WengLinConfig, WengLinRating, weng_lin_multi_team};
use utoipa::ToSchema;

use super::numbers::{Mean, Moments, Rate, Share};

/// Millionths.
const MICRO: f64 = 1e6;

/// One player in one game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PlayerCounts {
    first: Share,
    points: Moments,
    rated: u64,
    /// In millionths, rounded after each match: so the last bits of a machine's mathematics do not add up.
    rating: i64,
    uncertainty: i64,
}

/// A player's results in one game.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct PlayerStats {
    /// The name of the player. Anybody may use any name.
    pub name: String,
    /// The game.
    pub game: String,
    /// The number of finished public matches, and how often the player ended on rank 1.
    pub first: Rate,
    /// The final points.
    pub points: Mean,
    /// The number of matches that count for the rating: those with another name at the table.
    pub rated: u64,
    /// The rating by Weng and Lin (Bradley-Terry, full pairing), as in OpenSkill; 25 for a new player.
    pub rating: f64,
    /// The uncertainty of the rating, a standard deviation; 25/3 for a new player.
    pub uncertainty: f64,
    /// The rating less three times its uncertainty. The list is ordered by it.
    pub least: f64,
}

impl Default for PlayerCounts {
    fn default() -> Self {
        let WengLinRating { rating, uncertainty } = WengLinRating::new();
        PlayerCounts {
            first: Share::default(),
            points: Moments::default(),
            rated: 0,
            rating: micro(rating),
            uncertainty: micro(uncertainty),
        }
    }
}

impl PlayerCounts {
    pub(crate) fn add(&mut self, points: i64, rank: u64) {
        self.points.add(points);
        self.first.add(rank == 1);
    }

    pub(crate) fn shown(&self, name: &str, game: &str) -> PlayerStats {
        let thousandths = |micro: i64| (micro / 1_000) as f64 / 1_000.0;
        PlayerStats {
            name: name.to_owned(),
            game: game.to_owned(),
            first: self.first.rate(),
            points: self.points.mean(),
            rated: self.rated,
            rating: thousandths(self.rating),
            uncertainty: thousandths(self.uncertainty),
            least: thousandths(self.least()),
        }
    }

    pub(crate) fn least(&self) -> i64 {
        self.rating - 3 * self.uncertainty
    }

    fn skill(&self) -> WengLinRating {
        WengLinRating {
            rating: self.rating as f64 / MICRO,
            uncertainty: self.uncertainty as f64 / MICRO,
        }
    }
}

/// Rates the players of one match anew; each comes with the rank.
pub(crate) fn rate(players: &mut [(&mut PlayerCounts, u64)]) {
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

fn micro(number: f64) -> i64 {
    (number * MICRO).round() as i64
}
