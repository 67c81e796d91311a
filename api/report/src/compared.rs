//! What is compared row by row: the values of an option, bots, and the groups that are asked for.

use std::collections::BTreeMap;

use archive::{GameStats, GroupStats, Mean, OptionStats, Rate};
use kernel::Words;
use serde_json::Value;

use crate::chart::{self, Broken, Interval};
use crate::html::{Cell, Html, one, percent, said, whole, with_interval};
use crate::matches::Report;

/// How many rows of a chart are still to be read.
const ROWS: usize = 40;

/// What matches are compared by: a label, their lengths, points and wins.
type Compared<'a> = (String, &'a Mean, &'a Mean, &'a Rate);

/// Whose wins these are.
#[derive(Clone, Copy)]
enum Winner {
    /// Those of the seat that has the first turn: all seats together win each match once, which says nothing.
    FirstTurn,
    /// Those of whom each row names.
    Named,
    /// Those of the player or the bot that the report is of.
    Asked,
}

/// A rate as a row of a chart, in percent.
pub(crate) fn of_rate(label: String, rate: &Rate) -> Option<Interval> {
    let (low, at, high) = (rate.low? * 100.0, rate.rate? * 100.0, rate.high? * 100.0);
    Some(Interval { label, low, at, high })
}

/// A mean as a row of a chart.
fn of_mean(label: String, mean: &Mean) -> Option<Interval> {
    let at = mean.mean?;
    Some(Interval { label, low: mean.low.unwrap_or(at), at, high: mean.high.unwrap_or(at) })
}

/// The rate if seats did not matter, where it is the same for all rows: matches with more seats have a lower one.
fn even(rows: &[Compared<'_>]) -> Option<f64> {
    let mut evens = rows.iter().filter_map(|(_, _, _, rate)| rate.even);
    let even = evens.next()?;
    evens.all(|other| other == even).then_some(even)
}

fn compared(html: &mut Html, rows: &[Compared<'_>], winner: Winner) -> Result<(), Broken> {
    let (note, won, even) = match winner {
        Winner::FirstTurn => (
            Some("Wins are those of the seat that has the first turn."),
            "How often the seat that has the first turn won.",
            even(rows),
        ),
        Winner::Named => (None, "How often they won.", None),
        Winner::Asked => (
            Some("Points and wins are those of who is asked for, and of nobody else."),
            "How often those who are asked for won in these matches.",
            None,
        ),
    };
    if let Some(note) = note {
        html.of("p", note);
    }
    let first = &rows[..rows.len().min(ROWS)];
    let all = rows.len();
    let part = format!(" The first {ROWS} of {all} rows of the table below.");
    let part = if all > ROWS { part.as_str() } else { "" };
    let points: Vec<Interval> =
        first.iter().filter_map(|(label, _, points, _)| of_mean(label.clone(), points)).collect();
    html.figure(
        &chart::intervals(&points, None, "points of a seat, with 95 % intervals", 1)?,
        &format!("Points at the end.{part}"),
    );
    let rates: Vec<Interval> =
        first.iter().filter_map(|(label, _, _, rate)| of_rate(label.clone(), rate)).collect();
    let line = even.map_or_else(String::new, |even| {
        format!(" The line, {}, is the rate if seats did not matter.", percent(Some(even)))
    });
    let even = even.map(|even| even * 100.0);
    html.figure(
        &chart::intervals(&rates, even, "wins in percent, with 95 % intervals", 0)?,
        &format!("{won}{line}{part}"),
    );
    let rows = rows.iter().map(|(label, commands, points, rate)| {
        vec![
            said(label.clone()),
            whole(commands.n),
            Cell::Figure(with_interval([commands.mean, commands.low, commands.high], one)),
            Cell::Figure(with_interval([points.mean, points.low, points.high], one)),
            Cell::Figure(with_interval([rate.rate, rate.low, rate.high], percent)),
        ]
    });
    html.table(&["", "matches", "commands", "points of a seat", "wins"], rows.collect());
    Ok(())
}

/// Said of points where wins, or nothing else, are of everybody.
pub(crate) const POINTS_OF_ONE: &str = "Points are those of who is asked for.";

/// What each option changes; if the report is `of_one`, to the points of that one.
pub(crate) fn options(
    html: &mut Html,
    words: &Words,
    stats: &GameStats,
    of_one: bool,
) -> Result<(), Broken> {
    let mut by_option: BTreeMap<&str, Vec<&OptionStats>> = BTreeMap::new();
    for option in &stats.options {
        by_option.entry(&option.option).or_default().push(option);
    }
    by_option.retain(|_, values| values.len() > 1);
    if by_option.is_empty() {
        return Ok(());
    }
    html.of("h2", "What options change");
    html.of(
        "p",
        "Matches with different values may differ in other ways too: who played, and how many.",
    );
    if of_one {
        html.of("p", POINTS_OF_ONE);
    }
    for (option, values) in by_option {
        let name = words.entry(&["options", option, "name"]).and_then(Value::as_str);
        html.of("h3", &format!("{} ({option})", name.unwrap_or(option)));
        let rows: Vec<Compared<'_>> = values
            .iter()
            .map(|value| (value.value.clone(), &value.commands, &value.points, &value.start_seat))
            .collect();
        compared(html, &rows, Winner::FirstTurn)?;
    }
    Ok(())
}

pub(crate) fn bots(html: &mut Html, groups: &[GroupStats]) -> Result<(), Broken> {
    let played_by = |group: &GroupStats| group.by.first().and_then(|by| by.value.clone());
    if groups.iter().all(|group| played_by(group).is_none()) {
        return Ok(());
    }
    html.of("h2", "How bots fare");
    let rows: Vec<Compared<'_>> = groups
        .iter()
        .map(|group| {
            let who = played_by(group).unwrap_or_else(|| "people".to_owned());
            (who, &group.commands, &group.points, &group.wins)
        })
        .collect();
    compared(html, &rows, Winner::Named)
}

pub(crate) fn groups(html: &mut Html, report: &Report, stats: &GameStats) -> Result<(), Broken> {
    if stats.groups.is_empty() {
        return Ok(());
    }
    let by = report.asked.grouped_by();
    html.of("h2", &format!("By {}", by.join(", ")));
    let names_seats = by.iter().any(|name| ["player", "bot"].contains(&name.as_str()));
    let winner = match (report.of_one, names_seats) {
        (true, _) => Winner::Asked,
        (false, true) => Winner::Named,
        (false, false) => Winner::FirstTurn,
    };
    let rows: Vec<Compared<'_>> = stats
        .groups
        .iter()
        .map(|group| {
            let values = group.by.iter().map(|by| by.value.as_deref().unwrap_or("–"));
            let label = values.collect::<Vec<_>>().join(", ");
            let wins = match winner {
                Winner::FirstTurn => &group.start_seat,
                Winner::Named | Winner::Asked => &group.wins,
            };
            (label, &group.commands, &group.points, wins)
        })
        .collect();
    compared(html, &rows, winner)?;
    if stats.groups_left_out > 0 {
        html.of("p", &format!("{} groups with fewer matches are left out.", stats.groups_left_out));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use archive::Share;

    use super::*;

    /// How often the first of two matches with so many seats was won, and the other one not.
    fn rate(seats: [usize; 2]) -> Rate {
        let mut share = Share::default();
        share.add(1.0, seats[0]);
        share.add(0.0, seats[1]);
        share.rate()
    }

    /// Rows with these rates.
    fn page(rates: &[Rate], winner: Winner) -> String {
        let mean = Mean {
            n: 2,
            values: 2,
            sum: Some(6),
            mean: Some(3.0),
            standard_error: Some(1.0),
            low: Some(-9.7),
            high: Some(15.7),
            method: "student_t",
            deviation: Some(1.4),
            least: Some(2),
            lower_quartile: Some(2.5),
            median: Some(3.0),
            upper_quartile: Some(3.5),
            most: Some(4),
        };
        let rows: Vec<Compared<'_>> = rates
            .iter()
            .enumerate()
            .map(|(at, rate)| (format!("row {at}"), &mean, &mean, rate))
            .collect();
        let mut html = Html::default();
        compared(&mut html, &rows, winner).expect("it can be drawn");
        html.done()
    }

    #[test]
    fn a_line_is_said_and_is_right_for_every_row() {
        let said = |percent: &str| format!("The line, {percent} %, is the rate if seats");
        let (two, four, none) = (rate([2, 2]), rate([4, 4]), Share::default().rate());
        let alike = page(&[two, none, two], Winner::FirstTurn);
        assert!(alike.contains(&said("50.0")), "{alike}");
        let both = page(&[rate([2, 4]), rate([4, 2])], Winner::FirstTurn);
        assert!(both.contains(&said("37.5")), "{both}");
        for (rates, winner) in [
            ([two, four], Winner::FirstTurn),
            ([none, none], Winner::FirstTurn),
            ([two, two], Winner::Named),
            ([two, two], Winner::Asked),
        ] {
            let page = page(&rates, winner);
            assert!(!page.contains("The line"), "{page}");
        }
    }

    #[test]
    fn a_chart_of_the_first_rows_says_so() {
        let said = |page: &str| page.matches("The first 40 of 41 rows of the table below.").count();
        // Of both charts, each for those who see it and for those who hear it.
        let many = page(&[rate([2, 2]); ROWS + 1], Winner::Named);
        assert_eq!(said(&many), 4, "{many}");
        assert!(many.contains("<td>row 40</td>"), "{many}");
        let all = page(&[rate([2, 2]); ROWS], Winner::Named);
        assert!(!all.contains("The first"), "{all}");
    }
}
