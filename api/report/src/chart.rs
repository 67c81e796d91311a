//! Charts, drawn as SVG.

use std::fmt::Debug;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// A chart cannot be drawn.
#[derive(Debug, thiserror::Error)]
#[error("a chart cannot be drawn: {0}")]
pub struct Broken(String);

impl<E: std::error::Error + Send + Sync> From<DrawingAreaErrorKind<E>> for Broken {
    fn from(error: DrawingAreaErrorKind<E>) -> Self {
        Broken(error.to_string())
    }
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

const WIDTH: u32 = 760;
const FONT: &str = "sans-serif";
/// Colours that people with any colour vision tell apart (Okabe and Ito).
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(230, 159, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(213, 94, 0),
    RGBColor(150, 150, 150),
];
const INK: RGBColor = RGBColor(40, 40, 40);
const FAINT: RGBColor = RGBColor(222, 222, 222);

/// How many parts a chart of several has at most; what is above goes into the last one.
pub(crate) const PARTS_SHOWN: usize = COLOURS.len();

/// Draws on an image of this height, with room for labels in words.
fn drawn(
    height: u32,
    draw: impl FnOnce(&Area<'_>) -> Result<(), Broken>,
) -> Result<String, Broken> {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (WIDTH, height)).into_drawing_area();
        draw(&area)?;
        area.present()?;
    }
    // In a page it is an image that may become smaller.
    let sized = format!("<svg width=\"{WIDTH}\" height=\"{height}\" ");
    Ok(svg.replacen(&sized, "<svg ", 1))
}

/// A bar: where it begins and ends, and how high it is.
pub(crate) struct Bar {
    pub(crate) from: f64,
    pub(crate) to: f64,
    pub(crate) count: f64,
    /// How much of it is drawn in the second colour.
    pub(crate) marked: f64,
}

/// How often values come: counts in steps of whole numbers. `marked` values are shown apart.
pub(crate) fn bars_of(values: &[(i64, bool)]) -> Vec<Bar> {
    const BARS: i64 = 36;
    let least = values.iter().map(|(value, _)| *value).min();
    let most = values.iter().map(|(value, _)| *value).max();
    let Some((least, most)) = least.zip(most) else { return Vec::new() };
    let step = ((most - least) / BARS + 1).max(1);
    let first = least.div_euclid(step);
    let count = usize::try_from(most.div_euclid(step) - first + 1).unwrap_or(1);
    let bar = |at: i64| {
        let from = ((first + at) * step) as f64 - 0.5;
        Bar { from, to: from + step as f64, count: 0.0, marked: 0.0 }
    };
    let mut bars: Vec<Bar> = (0..).take(count).map(bar).collect();
    for (value, marked) in values {
        let at = usize::try_from(value.div_euclid(step) - first).unwrap_or(0);
        bars[at].count += 1.0;
        bars[at].marked += f64::from(u8::from(*marked));
    }
    bars
}

/// The label of a place between two whole numbers is empty.
fn whole(at: f64) -> String {
    if (at - at.round()).abs() < 1e-6 { format!("{at:.0}") } else { String::new() }
}

/// Bars side by side, with a line where each was to be expected.
pub(crate) fn histogram(
    bars: &[Bar],
    expected: Option<f64>,
    [across, up]: [&str; 2],
) -> Result<String, Broken> {
    let from = bars.first().map_or(0.0, |bar| bar.from);
    let to = bars.last().map_or(1.0, |bar| bar.to);
    let most = bars.iter().map(|bar| bar.count).fold(expected.unwrap_or(1.0), f64::max);
    drawn(260, |area| {
        let mut chart = ChartBuilder::on(area)
            .margin(8)
            .x_label_area_size(40)
            .y_label_area_size(60)
            .build_cartesian_2d(from..to, 0.0..most * 1.05)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(FAINT)
            .axis_style(INK)
            .label_style((FONT, 13))
            .x_desc(across)
            .y_desc(up)
            .x_label_formatter(&|at| whole(*at))
            .y_label_formatter(&|at| whole(*at))
            .draw()?;
        let gap = (bars.first().map_or(1.0, |bar| bar.to - bar.from)) * 0.06;
        let block = |bar: &Bar, low: f64, high: f64, colour: RGBColor| {
            Rectangle::new([(bar.from + gap, low), (bar.to - gap, high)], colour.filled())
        };
        chart.draw_series(bars.iter().map(|bar| block(bar, bar.marked, bar.count, COLOURS[4])))?;
        let marked = bars.iter().filter(|bar| bar.marked > 0.0);
        chart.draw_series(marked.map(|bar| block(bar, 0.0, bar.marked, COLOURS[0])))?;
        let line = expected.map(|at| PathElement::new([(from, at), (to, at)], INK.stroke_width(2)));
        chart.draw_series(line)?;
        Ok(())
    })
}

/// A row of a chart of intervals.
pub(crate) struct Interval {
    pub(crate) label: String,
    pub(crate) low: f64,
    pub(crate) at: f64,
    pub(crate) high: f64,
}

/// Figures with their intervals, one below the other, and a line at what they are compared with.
pub(crate) fn intervals(
    rows: &[Interval],
    line: Option<f64>,
    across: &str,
    decimals: usize,
) -> Result<String, Broken> {
    const ROW: i32 = 24;
    const LABELS: i32 = 300;
    const BELOW: i32 = 44;
    if rows.is_empty() {
        return Ok(String::new());
    }
    let ends = rows.iter().flat_map(|row| [row.low, row.high]).chain(line);
    let least = ends.clone().fold(f64::INFINITY, f64::min);
    let most = ends.fold(f64::NEG_INFINITY, f64::max);
    let room = ((most - least) * 0.06).max(1e-9);
    let height = ROW * i32::try_from(rows.len()).unwrap_or(1);
    drawn(u32::try_from(height + BELOW + 8).unwrap_or(100), |area| {
        let (left, right) = area.split_horizontally(LABELS);
        let style = (FONT, 14).into_font().color(&INK).pos(Pos::new(HPos::Right, VPos::Center));
        for (row, at) in rows.iter().zip(0..) {
            let place = (LABELS - 10, 8 + at * ROW + ROW / 2);
            left.draw(&Text::new(short(&row.label), place, style.clone()))?;
        }
        let mut chart = ChartBuilder::on(&right)
            .margin_top(8)
            .margin_right(16)
            .x_label_area_size(BELOW)
            .build_cartesian_2d(least - room..most + room, f64::from(height)..0.0)?;
        chart
            .configure_mesh()
            .disable_y_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(FAINT)
            .axis_style(INK)
            .label_style((FONT, 13))
            .x_desc(across)
            .x_labels(8)
            .x_label_formatter(&|at| format!("{at:.decimals$}"))
            .draw()?;
        let end = f64::from(height);
        let line = line.map(|at| PathElement::new([(at, 0.0), (at, end)], INK.stroke_width(1)));
        chart.draw_series(line)?;
        let middle = |at: i32| f64::from(at * ROW + ROW / 2);
        chart.draw_series(rows.iter().zip(0..).map(|(row, at)| {
            let ends = [(row.low, middle(at)), (row.high, middle(at))];
            PathElement::new(ends, COLOURS[0].stroke_width(3))
        }))?;
        chart.draw_series(
            rows.iter()
                .zip(0..)
                .map(|(row, at)| Circle::new((row.at, middle(at)), 5, COLOURS[0].filled())),
        )?;
        Ok(())
    })
}

/// What comes in over a match, one layer for each reason: what is given lies above the line, what is taken below it.
pub(crate) fn layers(
    layers: &[(String, Vec<f64>)],
    [across, up]: [&str; 2],
) -> Result<String, Broken> {
    const NAMES: i32 = 18;
    let parts = layers.first().map_or(1, |(_, values)| values.len());
    let sum = |part: usize, of: fn(f64) -> f64| -> f64 {
        layers.iter().map(|(_, values)| of(values[part])).sum()
    };
    let most = (0..parts).map(|part| sum(part, |value| value.max(0.0))).fold(0.0, f64::max);
    let least = (0..parts).map(|part| sum(part, |value| value.min(0.0))).fold(0.0, f64::min);
    let names = NAMES * i32::try_from(layers.len().div_ceil(3)).unwrap_or(1) + 8;
    drawn(280 + u32::try_from(names).unwrap_or(0), |area| {
        let (above, below) = area.split_vertically(280);
        let width = 100.0 / parts as f64;
        let room = (most - least).max(1e-9) * 0.05;
        let mut chart = ChartBuilder::on(&above)
            .margin(8)
            .x_label_area_size(40)
            .y_label_area_size(60)
            .build_cartesian_2d(
                0.0..100.0,
                least - if least < 0.0 { room } else { 0.0 }..most + room,
            )?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(FAINT)
            .axis_style(INK)
            .label_style((FONT, 13))
            .x_desc(across)
            .y_desc(up)
            .x_label_formatter(&|at| format!("{at:.0} %"))
            .y_label_formatter(&|at| format!("{at:.1}"))
            .draw()?;
        let (mut given, mut taken) = (vec![0.0; parts], vec![0.0; parts]);
        for ((_, values), colour) in layers.iter().zip(COLOURS.iter().cycle()) {
            let blocks: Vec<_> = values
                .iter()
                .enumerate()
                .map(|(part, value)| {
                    let ends = if *value < 0.0 { &mut taken } else { &mut given };
                    let low = ends[part];
                    ends[part] += value;
                    let from = part as f64 * width;
                    let corners = [(from + 0.5, low), (from + width - 0.5, ends[part])];
                    Rectangle::new(corners, colour.filled())
                })
                .collect();
            chart.draw_series(blocks)?;
        }
        let style = (FONT, 13).into_font().color(&INK).pos(Pos::new(HPos::Left, VPos::Center));
        for ((name, _), (at, colour)) in layers.iter().zip((0..).zip(COLOURS.iter().cycle())) {
            let (x, y) = (68 + at % 3 * 225, at / 3 * NAMES + NAMES / 2);
            below.draw(&Rectangle::new([(x, y - 5), (x + 11, y + 6)], colour.filled()))?;
            below.draw(&Text::new(name.clone(), (x + 18, y), style.clone()))?;
        }
        Ok(())
    })
}

/// As much of a label as there is room for.
fn short(label: &str) -> String {
    const LETTERS: usize = 42;
    if label.chars().count() <= LETTERS {
        return label.to_owned();
    }
    label.chars().take(LETTERS - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_is_in_a_bar() {
        let values: Vec<(i64, bool)> = (-7..200).map(|value| (value, value % 2 == 0)).collect();
        let bars = bars_of(&values);
        assert!(bars.len() <= 38, "{}", bars.len());
        let sum: f64 = bars.iter().map(|bar| bar.count).sum();
        let marked: f64 = bars.iter().map(|bar| bar.marked).sum();
        assert!((sum - 207.0).abs() < 1e-9 && (marked - 103.0).abs() < 1e-9, "{sum} {marked}");
        assert!(bars.windows(2).all(|two| (two[0].to - two[1].from).abs() < 1e-9));
        assert!(bars_of(&[]).is_empty());
        assert_eq!(bars_of(&[(5, true)]).len(), 1);
    }

    #[test]
    fn charts_are_images_that_load_nothing() {
        let row = |label: &str| Interval { label: label.to_owned(), low: 0.4, at: 0.5, high: 0.6 };
        let bars = bars_of(&[(1, true), (2, false), (2, true)]);
        for svg in [
            histogram(&bars, Some(1.0), ["points", "seats"]),
            intervals(&[row("<one>"), row(&"long ".repeat(30))], Some(0.5), "%", 1),
            layers(
                &[("a".to_owned(), vec![1.0, -2.0]), ("b".to_owned(), vec![0.0, 3.0])],
                ["", ""],
            ),
            histogram(&[], None, ["", ""]),
            layers(&[], ["", ""]),
        ] {
            let svg = svg.expect("it can be drawn");
            assert!(svg.starts_with("<svg viewBox=\"0 0 760 "), "{svg}");
            assert!(!svg.contains("href") && !svg.contains("<one>"), "{svg}");
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
    }
}
