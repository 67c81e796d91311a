//! What chance drew, beside what was to be expected.

use crate::chance::Fit;
use crate::chart::{self, Broken};
use crate::html::{Cell, Html, percent, said, spaced, whole};
use crate::matches::Report;

/// Chance alone is farther from what is to be expected so rarely that it is worth a look.
const UNUSUAL: f64 = 0.01;

pub(crate) fn draws(html: &mut Html, report: &Report) -> Result<(), Broken> {
    let fits: Vec<_> = report.draws.fits().collect();
    if fits.is_empty() {
        return Ok(());
    }
    html.of("h2", "What chance drew, and what was to be expected");
    let tested = fits.iter().filter(|(_, _, fit)| fit.is_some()).count().max(1);
    let rows = fits.iter().map(|(kind, draws, fit)| {
        let figure = |of: fn(&Fit) -> String| Cell::Figure(fit.as_ref().map_or("–".to_owned(), of));
        let verdict = match fit {
            None => "too few draws to tell",
            // So many kinds are looked at that one of them differs by chance.
            Some(fit) if fit.probability < UNUSUAL / tested as f64 => "differs: look into it",
            Some(_) => "as expected",
        };
        vec![
            said(spaced(kind)),
            whole(*draws),
            figure(|fit| format!("{:.1}", fit.squares)),
            figure(|fit| fit.freedom.to_string()),
            figure(|fit| percent(Some(fit.probability))),
            said(verdict),
        ]
    });
    let head = ["draw", "draws", "chi-squared", "degrees", "by chance as far off or more", ""];
    html.table(&head, rows.collect());
    for (kind, faces, draws) in report.draws.dice() {
        html.of("h3", &spaced(kind));
        let expected = draws as f64 / faces.len() as f64;
        let bars: Vec<chart::Bar> = (0..)
            .zip(&faces)
            .map(|(at, (_, count))| {
                let from = f64::from(at) + 0.5;
                chart::Bar { from, to: from + 1.0, count: *count as f64, marked: 0.0 }
            })
            .collect();
        let chart = chart::histogram(
            &bars,
            Some(expected),
            ["outcome, in the order of the table below", "draws"],
        )?;
        html.figure(
            &chart,
            &format!(
                "How often each outcome came up; the line is the expected number, {expected:.1}."
            ),
        );
        let rows = faces.iter().map(|(face, count)| {
            vec![
                said(spaced(face)),
                whole(*count),
                Cell::Figure(percent(Some(*count as f64 / draws as f64))),
            ]
        });
        html.table(&["outcome", "draws", "of all"], rows.collect());
    }
    Ok(())
}
