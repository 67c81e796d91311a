//! What was simulated, in sums that do not depend on the order in which matches end.

use std::time::Duration;

use engine::{Simulated, Simulation};
use serde::Serialize;
use serde_json::value::RawValue;

/// A whole win, in parts: it can be shared evenly by up to eight.
const WIN: u64 = 840;

/// Sums over matches.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    matches: u64,
    deals: u64,
    commands: u64,
    events: u64,
    seats: Vec<Sums>,
    players: Vec<Sums>,
}

/// The sums of a seat or of a player.
#[derive(Clone, Debug, Default)]
struct Sums {
    /// In how many matches rank 1, alone or with others.
    first: u64,
    /// Wins, in parts.
    wins: u64,
    points: i64,
    /// Of the sums of each deal.
    squared_wins: i128,
    squared_points: i128,
}

impl Sums {
    fn add(&mut self, other: &Sums) {
        let Sums { first, wins, points, squared_wins, squared_points } = other;
        self.first += first;
        self.wins += wins;
        self.points += points;
        self.squared_wins += squared_wins;
        self.squared_points += squared_points;
    }
}

fn add(all: &mut Vec<Sums>, others: &[Sums]) {
    all.resize(all.len().max(others.len()), Sums::default());
    all.iter_mut().zip(others).for_each(|(sums, other)| sums.add(other));
}

impl Tally {
    /// The matches of one deal.
    pub(crate) fn of(deal: &[Simulated]) -> Self {
        let seats = deal.first().map_or(0, |played| played.players.len());
        let mut tally = Tally {
            matches: deal.len() as u64,
            deals: 1,
            commands: deal.iter().map(|played| played.commands).sum(),
            events: deal.iter().map(|played| played.events).sum(),
            seats: vec![Sums::default(); seats],
            players: vec![Sums::default(); seats],
        };
        for played in deal {
            let winners = played.ranks.iter().filter(|rank| **rank == 1).count() as u64;
            for (seat, player) in played.players.iter().enumerate() {
                let is_first = u64::from(played.ranks[seat] == 1);
                for sums in [&mut tally.seats[seat], &mut tally.players[*player]] {
                    sums.first += is_first;
                    sums.wins += is_first * WIN / winners.max(1);
                    sums.points += played.points[seat];
                }
            }
        }
        for sums in tally.seats.iter_mut().chain(&mut tally.players) {
            sums.squared_wins = i128::from(sums.wins).pow(2);
            sums.squared_points = i128::from(sums.points).pow(2);
        }
        tally
    }

    /// Adds another one.
    pub(crate) fn add(&mut self, other: &Tally) {
        let Tally { matches, deals, commands, events, seats, players } = other;
        self.matches += matches;
        self.deals += deals;
        self.commands += commands;
        self.events += events;
        add(&mut self.seats, seats);
        add(&mut self.players, players);
    }

    /// What it says of matches that took so long.
    pub(crate) fn summary(
        &self,
        simulation: &Simulation,
        begins: Begins,
        time: Duration,
    ) -> Summary {
        let each = simulation.matches_of_deal();
        let result = |sums: &Sums| {
            let Sums { first, wins, points, squared_wins, squared_points } = sums;
            let (win_share, win_share_error) =
                mean(i128::from(*wins), *squared_wins, self.deals, each * WIN);
            let (points, points_error) =
                mean(i128::from(*points), *squared_points, self.deals, each);
            Outcome { first: *first, win_share, win_share_error, points, points_error }
        };
        let players = self.players.iter().enumerate();
        let players = players.map(|(player, sums)| Player {
            player,
            bot: simulation.bot(player).name(),
            bot_version: simulation.bot(player).version(),
            outcome: result(sums),
        });
        let seats = self.seats.iter().enumerate();
        let seats = seats.map(|(seat, sums)| SeatSummary { seat, outcome: result(sums) });
        Summary {
            r#type: "summary",
            game: simulation.game.clone(),
            begins,
            matches: self.matches,
            deals: self.deals,
            deal_seed: simulation.deal_seed,
            bot_seed: simulation.bot_seed,
            mirror: simulation.mirror,
            commands: self.commands,
            events: self.events,
            seats: seats.collect(),
            players: players.collect(),
            seconds: time.as_secs_f64(),
        }
    }
}

/// The mean over deals of a deal's sum divided by `each`, and its standard error, if it can be told; from the sum and the sum of the squares
/// of the sums of deals.
fn mean(sum: i128, squares: i128, deals: u64, each: u64) -> (Option<f64>, Option<f64>) {
    if deals == 0 {
        return (None, None);
    }
    // In whole numbers: of two large squares that are nearly the same a difference of fractions keeps nothing.
    let spread = i128::from(deals).saturating_mul(squares).saturating_sub(sum.saturating_mul(sum));
    let (n, each) = (deals as f64, each as f64);
    let error = (deals > 1).then(|| (spread as f64 / (n - 1.0)).sqrt() / (n * each));
    (Some(sum as f64 / (n * each)), error)
}

/// The last line of `--format ndjson`.
#[derive(Debug, Serialize)]
pub(crate) struct Summary {
    r#type: &'static str,
    game: String,
    #[serde(flatten)]
    begins: Begins,
    matches: u64,
    deals: u64,
    deal_seed: u64,
    bot_seed: u64,
    mirror: bool,
    commands: u64,
    events: u64,
    seats: Vec<SeatSummary>,
    players: Vec<Player>,
    seconds: f64,
}

/// What every match begins with.
#[derive(Debug, Serialize)]
pub(crate) struct Begins {
    /// The edition of the rules.
    pub(crate) edition: u32,
    /// All options, also those that nobody named.
    pub(crate) options: Box<RawValue>,
    /// The version of a match, as `--from` names it.
    pub(crate) from: Option<String>,
    /// Is it a position of a file?
    pub(crate) loaded: bool,
}

#[derive(Debug, Serialize)]
struct SeatSummary {
    seat: usize,
    #[serde(flatten)]
    outcome: Outcome,
}

#[derive(Debug, Serialize)]
struct Player {
    player: usize,
    bot: &'static str,
    bot_version: u32,
    #[serde(flatten)]
    outcome: Outcome,
}

/// How somebody did. Errors are standard errors over deals: null where there is one deal alone.
#[derive(Debug, Serialize)]
struct Outcome {
    first: u64,
    win_share: Option<f64>,
    win_share_error: Option<f64>,
    points: Option<f64>,
    points_error: Option<f64>,
}

impl Outcome {
    fn told(&self) -> String {
        let Outcome { first: _, win_share, win_share_error, points, points_error } = self;
        let error = |error: &Option<f64>, scale: f64, digits: usize| {
            error.map_or_else(String::new, |error| format!(" ± {:.digits$}", error * scale))
        };
        format!(
            "{:.1}{} % of the wins, {:.2}{} points on average",
            100.0 * win_share.unwrap_or_default(),
            error(win_share_error, 100.0, 1),
            points.unwrap_or_default(),
            error(points_error, 1.0, 2),
        )
    }
}

impl Summary {
    /// For people: the rates, and how seats and players did.
    pub(crate) fn told(&self) -> String {
        let Summary { matches, deals, commands, events, mirror, seats, players, seconds, .. } =
            self;
        let seconds = seconds.max(f64::MIN_POSITIVE);
        let rate = |count: u64| count as f64 / seconds;
        let mut text = format!(
            "{matches} matches, {commands} commands, {events} events in {seconds:.2} s: {:.0} matches/s, {:.0} commands/s\n",
            rate(*matches),
            rate(*commands),
        );
        for SeatSummary { seat, outcome } in seats {
            let who = if *mirror { "all players" } else { players[*seat].bot };
            text.push_str(&format!("seat {seat}, {who}: {}\n", outcome.told()));
        }
        for Player { player, bot, bot_version: _, outcome } in players.iter().filter(|_| *mirror) {
            let told = outcome.told();
            text.push_str(&format!("player {player}, {bot}: {told}, over {deals} deals\n"));
        }
        if !seats.is_empty() {
            text.push_str("± is the standard error of a mean over deals\n");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::mean;

    #[test]
    fn the_error_of_high_scores_is_exact() {
        let (one, other) = (1_000_000_000_000_i128, 1_000_000_000_002);
        let told = mean(one + other, one * one + other * other, 2, 1);
        assert_eq!(told, (Some(1_000_000_000_001.0), Some(1.0)));
        // Two matches a deal: half of the mean, and of its error.
        let told = mean(one + other, one * one + other * other, 2, 2);
        assert_eq!(told, (Some(500_000_000_000.5), Some(0.5)));
        assert_eq!(mean(7, 49, 1, 1), (Some(7.0), None));
        assert_eq!(mean(0, 0, 0, 1), (None, None));
    }
}
