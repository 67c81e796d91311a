//! The page: section by section.

use std::collections::{BTreeMap, BTreeSet};

use archive::{GameStats, Mean, Rate, Reach};
use kernel::Words;
use serde_json::{Map, Value};

use crate::chance::EXPECTED;
use crate::chart::{self, Broken, Interval, PARTS_SHOWN};
use crate::compared::{POINTS_OF_ONE, bots, groups, of_rate, options};
use crate::drawn::draws;
use crate::html::{Cell, Html, one, percent, said, spaced, whole, with_interval};
use crate::matches::{PARTS, Report};

/// How many first moves are shown,
const MOVES: usize = 12;
/// and in how many matches each of them began at least.
const MOVE_MATCHES: u64 = 5;

const STYLE: &str = include_str!("page.css");

impl Report {
    /// The report as a page. `reach` says how far in the feed the matches were read, `damaged` how many in the store cannot be, and `note` what
    /// else the reader has to know.
    ///
    /// # Errors
    /// If a chart cannot be drawn, which would be a mistake of this program.
    pub fn html(&self, reach: Reach, damaged: u64, note: Option<&str>) -> Result<String, Broken> {
        page(self, reach, damaged, note)
    }
}

fn page(report: &Report, reach: Reach, damaged: u64, note: Option<&str>) -> Result<String, Broken> {
    let stats = report.counting.stats(&report.asked, reach, damaged);
    let title = title(&report.words);
    let mut html = Html::default();
    html.raw("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    html.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    html.of("title", &format!("{title}: report"));
    html.raw("<style>\n").raw(STYLE).raw("</style>\n</head>\n<body>\n<main>\n");
    html.of("h1", title);
    head(&mut html, report, &stats, reach);
    if let Some(note) = note {
        html.raw("<p class=\"note\">").text(note).raw("</p>\n");
    }
    if stats.matches > 0 {
        short(&mut html, &stats);
        lengths(&mut html, report, &stats)?;
        scores(&mut html, report, &stats)?;
        seats(&mut html, &stats, report.of_one)?;
        awards(&mut html, report, &stats)?;
        options(&mut html, &report.words, &stats, report.of_one)?;
        let by_bot = report.counting.stats(&report.by_bot, reach, damaged).groups;
        // Those of one alone would stand beside the names of all.
        if !report.of_one {
            bots(&mut html, &by_bot)?;
        }
        groups(&mut html, report, &stats)?;
        moves(&mut html, report)?;
        draws(&mut html, report)?;
        method(&mut html);
    }
    html.raw("</main>\n</body>\n</html>\n");
    Ok(html.done())
}

fn title(words: &Words) -> &str {
    words.entry(&["title"]).and_then(Value::as_str).unwrap_or_default()
}

fn counted(n: u64, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// Of which matches the report is, and of which it is not.
fn head(html: &mut Html, report: &Report, stats: &GameStats, reach: Reach) {
    let matches = stats.matches;
    html.raw("<p class=\"asked\">");
    html.text(&format!("{} (", counted(matches, "finished match", "finished matches")));
    let asked: Vec<String> =
        stats.asked.iter().map(|(name, value)| format!("{name}: {value}")).collect();
    html.text(&asked.join("; ")).text("), ");
    html.text(&format!("up to position {} of the feed.", stats.position));
    if !reach.complete {
        html.text(&format!(" The feed continues to {}.", reach.feed_end));
    }
    if stats.deals < matches {
        let deals = counted(stats.deals, "seed", "seeds");
        html.text(&format!(" They were dealt from {deals}: matches with the same deal depend on each other, so the intervals do not hold."));
    }
    if stats.left_out > 0 {
        html.text(&format!(
            " Left out for how they began, though they fit otherwise: {}.",
            counted(stats.left_out, "match", "matches")
        ));
    }
    if stats.damaged > 0 {
        html.text(&format!(" {}.", journal::left_out(stats.damaged)));
    }
    html.raw("</p>\n");
    let everybody = report.counting.stats(&report.everybody, reach, 0).groups;
    if matches == 0 {
        html.raw("<p class=\"note\">").text("No match fits, so there is nothing to show.");
        for group in &everybody {
            let who = group.by.first().and_then(|value| value.value.as_deref());
            let who = who.unwrap_or_default();
            let line = format!(" There are {} matches with players: {who}.", group.matches);
            html.text(&line);
        }
        html.raw("</p>\n");
    }
}

/// The most important things in sentences.
fn short(html: &mut Html, stats: &GameStats) {
    let Mean { median, lower_quartile, upper_quartile, .. } = stats.commands;
    html.of("h2", "In short");
    html.of(
        "p",
        &format!(
            "Half of the matches take between {} and {} commands; the median is {}.",
            one(lower_quartile),
            one(upper_quartile),
            one(median)
        ),
    );
    html.of("p", &start_seat(&stats.start_seat, stats.deals == stats.matches));
    let most = stats.awards.iter().filter(|award| award.points > 0);
    let given: i64 = most.clone().map(|award| award.points).sum();
    if let Some(most) = most.max_by_key(|award| award.points) {
        let part = most.points as f64 / given as f64;
        let reason = spaced(&most.reason);
        let rule = &most.rule;
        html.of(
            "p",
            &format!("Most points come from {reason} ({rule}): {} of all.", percent(Some(part))),
        );
    }
}

/// What the seat that has the first turn has of it. If `are_independent` is false, or with few matches, the interval does not hold.
fn start_seat(rate: &Rate, are_independent: bool) -> String {
    if rate.rate.is_none() {
        return "No seat is known to have had the first turn in these matches.".to_owned();
    }
    let said = with_interval([rate.rate, rate.low, rate.high], percent);
    let told = format!("The seat that has the first turn wins {said} of the matches");
    let Some(even) = rate.even else { return format!("{told}.") };
    // `even` has ten decimals: a third of 15 is a little less than 5 there.
    let least = EXPECTED as f64 - 1e-6;
    let holds = [even, 1.0 - even].iter().all(|part| rate.n as f64 * part >= least);
    let verdict = match (rate.low, rate.high) {
        (_, _) if !are_independent => {
            "some were dealt alike, so the interval does not tell whether acting first matters"
        }
        (Some(low), Some(_)) if holds && low > even => "acting first helps",
        (Some(_), Some(high)) if holds && high < even => "acting first hurts",
        (_, _) => "these matches do not show that acting first matters",
    };
    let even = percent(Some(even));
    format!("{told}. If seats did not matter, it would be {even}: {verdict}.")
}

/// The row of a mean: of what, of how many matches, and its figures.
fn mean_row(of: String, mean: &Mean) -> Vec<Cell> {
    let Mean { n, low, high, least, lower_quartile, median, upper_quartile, most, .. } = mean;
    let whole_or_none = |number: &Option<i64>| one(number.map(|number| number as f64));
    vec![
        said(of),
        whole(*n),
        Cell::Figure(with_interval([mean.mean, *low, *high], one)),
        Cell::Figure(whole_or_none(least)),
        Cell::Figure(one(*lower_quartile)),
        Cell::Figure(one(*median)),
        Cell::Figure(one(*upper_quartile)),
        Cell::Figure(whole_or_none(most)),
    ]
}

const MEAN: [&str; 8] = [
    "",
    "matches",
    "mean (95 % interval)",
    "least",
    "quarter below",
    "median",
    "quarter above",
    "most",
];

fn lengths(html: &mut Html, report: &Report, stats: &GameStats) -> Result<(), Broken> {
    html.of("h2", "How long matches take");
    let values: Vec<(i64, bool)> = report.lengths.iter().map(|length| (*length, false)).collect();
    let chart = chart::histogram(&chart::bars_of(&values), None, ["commands", "matches"])?;
    html.figure(&chart, "Number of matches by number of commands.");
    let mut rows = vec![mean_row("commands".to_owned(), &stats.commands)];
    rows.push(mean_row("events".to_owned(), &stats.events));
    if stats.tables.len() > 1 {
        rows.extend(stats.tables.iter().map(|table| {
            mean_row(format!("commands with {} seats", table.seats), &table.commands)
        }));
    }
    html.table(&MEAN, rows);
    Ok(())
}

fn scores(html: &mut Html, report: &Report, stats: &GameStats) -> Result<(), Broken> {
    html.of("h2", "Points at the end");
    if report.of_one {
        html.of("p", POINTS_OF_ONE);
    }
    let chart = chart::histogram(&chart::bars_of(&report.points), None, ["points", "seats"])?;
    html.figure(&chart, "Number of seats by final points; winners are dark.");
    html.table(&MEAN, vec![mean_row("points of a seat".to_owned(), &stats.points)]);
    Ok(())
}

/// How each seat fares; if the report is `of_one`, how that one fares there.
fn seats(html: &mut Html, stats: &GameStats, of_one: bool) -> Result<(), Broken> {
    let (who, equal) = if of_one {
        ("How often those who are asked for won, by their seat.", "everybody won equally often")
    } else {
        ("How often each seat won.", "all seats were equal")
    };
    html.of("h2", "Does the seat matter?");
    for table in &stats.tables {
        html.of("h3", &format!("With {} seats: {} matches", table.seats, table.commands.n));
        let first = of_rate("the seat that has the first turn".to_owned(), &table.start_seat);
        // That is of everybody, and has no place beside the seats of one.
        let first = first.filter(|_| !of_one);
        let by_seat = table
            .by_seat
            .iter()
            .filter_map(|seat| of_rate(format!("seat {}", seat.seat), &seat.first));
        let rows: Vec<Interval> = first.into_iter().chain(by_seat).collect();
        let even = 100.0 / table.seats as f64;
        let chart = chart::intervals(&rows, Some(even), "wins in percent, with 95 % intervals", 0)?;
        let caption = format!("{who} The line, {even:.1} %, is the rate if {equal}.");
        html.figure(&chart, &caption);
        let rows = table.by_seat.iter().map(|seat| {
            let rate = &seat.first;
            vec![
                said(format!("seat {}", seat.seat)),
                whole(seat.started),
                Cell::Figure(with_interval([rate.rate, rate.low, rate.high], percent)),
                Cell::Figure(with_interval(
                    [seat.points.mean, seat.points.low, seat.points.high],
                    one,
                )),
            ]
        });
        html.table(&["", "began", "wins (95 % interval)", "points"], rows.collect());
    }
    Ok(())
}

fn awards(html: &mut Html, report: &Report, stats: &GameStats) -> Result<(), Broken> {
    if stats.awards.is_empty() {
        return Ok(());
    }
    html.of("h2", "Where points come from");
    layers(html, report, |(reason, _)| spaced(reason), "reason")?;
    layers(html, report, |(_, rule)| rule.clone(), "rule")?;
    let matches = report.matches().max(1) as f64;
    let given: i64 = stats.awards.iter().map(|award| award.points.max(0)).sum();
    let mut awards: Vec<_> = stats.awards.iter().collect();
    awards.sort_by_key(|award| (std::cmp::Reverse(award.points), &award.reason, &award.rule));
    let rows = awards.into_iter().map(|award| {
        let part = (award.points > 0).then(|| award.points as f64 / given as f64);
        vec![
            said(spaced(&award.reason)),
            said(award.rule.clone()),
            Cell::Figure(format!("{:.2}", award.awards as f64 / matches)),
            Cell::Figure(format!("{:.2}", award.points as f64 / matches)),
            Cell::Figure(percent(part)),
        ]
    });
    let head = ["reason", "rule", "times in a match", "points in a match", "of all that is given"];
    html.table(&head, rows.collect());
    Ok(())
}

/// The points in each part of a match, by what `of` says of their reason and rule.
fn layers(
    html: &mut Html,
    report: &Report,
    of: fn(&(String, String)) -> String,
    by: &str,
) -> Result<(), Broken> {
    let matches = report.matches().max(1) as f64;
    let weight = |parts: &[i64; PARTS]| parts.iter().map(|points| points.abs()).sum::<i64>();
    let mut sums: BTreeMap<String, [i64; PARTS]> = BTreeMap::new();
    for (given, parts) in &report.awards {
        let sum = sums.entry(of(given)).or_default();
        sum.iter_mut().zip(parts).for_each(|(sum, points)| *sum += points);
    }
    let mut sums: Vec<_> = sums.into_iter().collect();
    sums.sort_by_key(|(name, parts)| (std::cmp::Reverse(weight(parts)), name.clone()));
    let each = |parts: &[i64; PARTS]| parts.map(|points| points as f64 / matches).to_vec();
    let shown = if sums.len() > PARTS_SHOWN { PARTS_SHOWN - 1 } else { sums.len() };
    let mut layers: Vec<(String, Vec<f64>)> =
        sums[..shown].iter().map(|(name, parts)| (name.clone(), each(parts))).collect();
    if shown < sums.len() {
        let mut others = [0; PARTS];
        for (_, parts) in &sums[shown..] {
            others.iter_mut().zip(parts).for_each(|(sum, points)| *sum += points);
        }
        layers.push(("all others".to_owned(), each(&others)));
    }
    let axes = ["part of the match that has been played", "points of all seats"];
    let chart = chart::layers(&layers, axes)?;
    let caption = format!(
        "Points by {by} in each tenth of a match, all seats together, mean of all matches."
    );
    html.figure(&chart, &caption);
    Ok(())
}

fn moves(html: &mut Html, report: &Report) -> Result<(), Broken> {
    let mut moves: Vec<((usize, &str), Rate)> = report
        .moves
        .iter()
        .map(|((seats, command), share)| ((*seats, command.as_str()), share.rate()))
        .filter(|(_, rate)| rate.n >= MOVE_MATCHES)
        .collect();
    html.of("h2", "First moves");
    // A move is the same at tables of all sizes, but its wins are not.
    let different: BTreeSet<&str> =
        report.moves.keys().map(|(_, command)| command.as_str()).collect();
    let often: BTreeSet<&str> = moves.iter().map(|((_, command), _)| *command).collect();
    html.of(
        "p",
        &format!(
            "{} different first moves were played, {} of them in at least {MOVE_MATCHES} matches with the same number of seats.",
            different.len(),
            often.len()
        ),
    );
    // At a large table nobody wins often: what counts is how far it is above the part of a seat.
    let above = |rate: &Rate| rate.low.unwrap_or(0.0) - rate.even.unwrap_or(0.0);
    moves
        .sort_by(|(one, a), (other, b)| above(b).total_cmp(&above(a)).then_with(|| one.cmp(other)));
    moves.truncate(MOVES);
    if moves.is_empty() {
        return Ok(());
    }
    let are_alike = moves.iter().all(|((seats, _), _)| *seats == moves[0].0.0);
    let label = |(seats, command): (usize, &str)| {
        let label = label(&report.words, command);
        if are_alike { label } else { format!("{label}, {seats} seats") }
    };
    let labels: Vec<String> = moves.iter().map(|(played, _)| label(*played)).collect();
    let is_one = |at: usize| labels.iter().filter(|label| **label == labels[at]).count() == 1;
    let named = |at: usize| {
        if is_one(at) { labels[at].clone() } else { format!("{} {}", labels[at], moves[at].0.1) }
    };
    let rows: Vec<Interval> =
        (0..moves.len()).filter_map(|at| of_rate(named(at), &moves[at].1)).collect();
    let even = moves.first().filter(|_| are_alike).and_then(|(_, rate)| rate.even);
    let even = even.map(|even| even * 100.0);
    let chart = chart::intervals(
        &rows,
        even,
        "wins of the seat that played it, in percent, with 95 % intervals",
        0,
    )?;
    html.figure(&chart, "The strongest first moves, by how far the lower end of the interval is above the part of a seat. With many moves, the best one looks better than it is.");
    let rows = moves.iter().enumerate().map(|(at, ((seats, command), rate))| {
        vec![
            said(labels[at].clone()),
            whole(*seats as u64),
            whole(rate.n),
            Cell::Figure(with_interval([rate.rate, rate.low, rate.high], percent)),
            said(*command),
        ]
    });
    html.table(&["move", "seats", "matches", "wins (95 % interval)", "command"], rows.collect());
    Ok(())
}

/// A command in words.
fn label(words: &Words, command: &str) -> String {
    let fields: Map<String, Value> = serde_json::from_str(command).unwrap_or_default();
    words.command(fields)
}

/// How to read it.
fn method(html: &mut Html) {
    html.of("h2", "How to read this");
    html.of("p", "A 95 % interval contains the true figure in 95 of 100 such reports. If two intervals overlap widely, the difference may be chance. The unit is the match: its seats depend on \
        each other and are never treated as independent. If a win is shared, each winner has a part of it.");
    html.of("p", "Means have Student's interval over matches, rates Wilson's, draws are compared by Pearson's chi-squared test with equal chances for all candidates; matches with the same deal \
        count once there. docs/statistics.md of Muninn has each formula, and GET /v1/stats/{game} the same figures as JSON.");
}

#[cfg(test)]
mod tests {
    use archive::Share;

    use super::start_seat;

    /// What is said where the seat won so many matches.
    fn said(won: u64, of: u64, seats: usize, are_independent: bool) -> String {
        let mut share = Share::default();
        (0..of).for_each(|at| share.add(f64::from(u8::from(at < won)), seats));
        start_seat(&share.rate(), are_independent)
    }

    #[test]
    fn few_matches_do_not_show_that_acting_first_matters() {
        let open = "these matches do not show that acting first matters.";
        // Of five seats, 25 matches have five such wins to be expected; of three, 15.
        for (won, of, seats) in [(1, 1, 5), (24, 24, 5), (14, 14, 3), (9, 9, 2), (13, 25, 2)] {
            let said = said(won, of, seats, true);
            assert!(said.ends_with(open), "{said}");
        }
        for (won, of, seats) in [(25, 25, 5), (15, 15, 3), (10, 10, 2)] {
            let of_all = said(won, of, seats, true);
            assert!(of_all.ends_with("acting first helps."), "{of_all}");
            let of_none = said(0, of, seats, true);
            assert!(of_none.ends_with("acting first hurts."), "{of_none}");
            // Dealt alike.
            let alike = said(won, of, seats, false);
            assert!(alike.contains("some were dealt alike"), "{alike}");
        }
    }
}
