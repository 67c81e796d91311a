//! The colours, each for light and for dark, and the style sheet made of them.
//!
//! An element takes its colours by class: `f-ink` fills, `s-ink` strokes. The sheet holds plain values instead of variables, so that
//! image viewers which know no CSS variables show the same. Colours differ in lightness as well as in hue, and never carry a meaning
//! alone: a shape, a letter or a pattern says the same.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::LazyLock;

/// The colours of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// What the viewer's system prefers.
    #[default]
    Auto,
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

/// Name, light, dark.
const COLORS: &[(&str, &str, &str)] = &[
    // The sheet.
    ("paper", "#f4f1ea", "#15171b"),
    ("panel", "#fdfcf9", "#202329"),
    ("board", "#e6dfcf", "#2a2e36"),
    ("field", "#f8f4ea", "#353a44"),
    ("line", "#cdc4b0", "#474d59"),
    ("ink", "#24211c", "#f0ece3"),
    ("faint", "#665f52", "#b1ab9f"),
    // What was done last: gold between two lines of ink, so that it stands out on every colour.
    ("gold", "#e9a800", "#ffc933"),
    // Cards, tiles and tokens.
    ("card", "#fffdf6", "#f1ecdf"),
    ("back", "#5a6b85", "#45546c"),
    ("backline", "#8fa0ba", "#71829e"),
    ("onback", "#ffffff", "#ffffff"),
    ("print", "#24211c", "#24211c"),
    ("printfaint", "#6d665a", "#6d665a"),
    // Seats: the colours of Okabe and Ito, which the colour-blind tell apart. `on` is the ink on them.
    ("seat0", "#0072b2", "#3d9bd4"),
    ("seat1", "#c24e00", "#f0803c"),
    ("seat2", "#007a5a", "#2db992"),
    ("seat3", "#a24b82", "#d98bbb"),
    ("seat4", "#7a6a00", "#cdb839"),
    ("onseat", "#ffffff", "#15171b"),
    // Things of the games.
    ("red", "#b3202c", "#c93540"),
    ("redlight", "#ffd9d3", "#ffe3de"),
    ("white", "#fffdf6", "#f4efe2"),
    ("whiteline", "#8a7a52", "#8a7a52"),
    ("blue", "#1f66a8", "#3878b8"),
    ("green", "#1f7a4d", "#2c8056"),
    ("yellow", "#f2c230", "#f2c94a"),
    ("purple", "#6b4796", "#8c68b8"),
    ("orange", "#d9731a", "#e38735"),
    ("black", "#33343a", "#4b4d55"),
    ("pink", "#d98cae", "#e0a0bd"),
    ("grey", "#a7a298", "#8d8980"),
    ("sea", "#c8e0eb", "#23404f"),
    ("ice", "#3b7f94", "#4a91a7"),
    ("moss", "#5c6f2a", "#6f8336"),
    ("earth", "#7d5333", "#91633f"),
    ("rose", "#b0486f", "#c25a80"),
    ("land", "#e9d8ae", "#6d5f40"),
    // Water in the colours of the oracle.
    ("wred", "#e2988f", "#7b3139"),
    ("wblack", "#9aa0a8", "#33363d"),
    ("wpink", "#f2cede", "#86587a"),
    ("wblue", "#85b3dd", "#265384"),
    ("wyellow", "#f4df8c", "#796621"),
    ("wgreen", "#96c9a6", "#28593f"),
    ("onblack", "#ffffff", "#ffffff"),
];

/// Rules beside the colours. All of them stand below `.muninn`: an inlined picture leaves its page alone.
const RULES: &str = ".muninn{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif;font-variant-numeric:tabular-nums}\
.muninn text{pointer-events:none}\
.muninn .b{font-weight:700}\
.muninn .m{text-anchor:middle}\
.muninn .r{text-anchor:end}\
.muninn .f0{fill:none}\
.muninn .w1{stroke-width:1}\
.muninn .w2{stroke-width:2}\
.muninn .w3{stroke-width:3}\
.muninn .w4{stroke-width:4}\
.muninn .w6{stroke-width:6}\
.muninn .w7{stroke-width:7}\
.muninn .c{stroke-linecap:round;stroke-linejoin:round}\
.muninn .p{stroke:#24211c;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}\
.muninn .dash{stroke-dasharray:5 4}\
.muninn .hidden{opacity:0}\
.muninn .dim{opacity:.45}";

/// The style sheet of a theme for what is drawn: the colours that occur there.
pub(crate) fn sheet(theme: Theme, drawn: &str) -> String {
    let used = used(drawn);
    let mut sheet = RULES.to_owned();
    match theme {
        Theme::Light => colors(&mut sheet, &used, |light, _| Some(light)),
        Theme::Dark => colors(&mut sheet, &used, |_, dark| Some(dark)),
        Theme::Auto => {
            colors(&mut sheet, &used, |light, _| Some(light));
            sheet.push_str("@media (prefers-color-scheme:dark){");
            colors(&mut sheet, &used, |light, dark| (light != dark).then_some(dark));
            sheet.push('}');
        }
    }
    sheet
}

/// For each colour: does it fill something, does it stroke something?
fn used(drawn: &str) -> Vec<(bool, bool)> {
    static PLACES: LazyLock<BTreeMap<&str, usize>> =
        LazyLock::new(|| COLORS.iter().map(|(name, _, _)| *name).zip(0..).collect());
    let mut used = vec![(false, false); COLORS.len()];
    for rest in drawn.split(" class=\"").skip(1) {
        let classes = rest.split_once('"').map_or(rest, |(classes, _)| classes);
        for class in classes.split(' ') {
            let (fill, stroke) = (class.strip_prefix("f-"), class.strip_prefix("s-"));
            if let Some(place) = fill.or(stroke).and_then(|name| PLACES.get(name)) {
                used[*place].0 |= fill.is_some();
                used[*place].1 |= stroke.is_some();
            }
        }
    }
    used
}

/// Rules for the colours that occur, as far as `value` has one.
fn colors(
    sheet: &mut String,
    used: &[(bool, bool)],
    value: impl Fn(&'static str, &'static str) -> Option<&'static str>,
) {
    for ((name, light, dark), (fills, strokes)) in COLORS.iter().zip(used) {
        let Some(value) = value(light, dark) else { continue };
        for (prefix, property, occurs) in [("f", "fill", fills), ("s", "stroke", strokes)] {
            if *occurs {
                write!(sheet, ".muninn .{prefix}-{name}{{{property}:{value}}}")
                    .expect("a string takes all text");
            }
        }
    }
}

/// The value of a colour that is the same in light and dark, by its class: for what no style sheet reaches.
///
/// # Panics
/// If the themes differ.
pub fn fixed(class: &str) -> &'static str {
    let known = COLORS
        .iter()
        .find(|(name, light, dark)| class.strip_prefix("f-") == Some(name) && light == dark);
    known.expect("this colour is the same in both themes").1
}

/// Does the palette have this colour? For tests over finished pictures.
#[must_use]
pub fn has(name: &str) -> bool {
    COLORS.iter().any(|(known, _, _)| *known == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance as WCAG 2 defines it.
    fn luminance(hex: &str) -> f64 {
        let part = |at: usize| {
            let value = f64::from(u8::from_str_radix(&hex[at..at + 2], 16).unwrap()) / 255.0;
            if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
    }

    fn contrast(one: &str, other: &str) -> f64 {
        let (one, other) = (luminance(one), luminance(other));
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    #[test]
    fn text_has_contrast_on_its_ground() {
        let pairs = [
            ("ink", "paper"),
            ("ink", "panel"),
            ("ink", "board"),
            ("ink", "field"),
            ("faint", "paper"),
            ("faint", "panel"),
            ("faint", "board"),
            ("ink", "sea"),
            ("faint", "sea"),
            ("print", "card"),
            ("printfaint", "card"),
            ("onback", "back"),
            ("ink", "land"),
            ("ink", "wred"),
            ("ink", "wblack"),
            ("ink", "wpink"),
            ("ink", "wblue"),
            ("ink", "wyellow"),
            ("ink", "wgreen"),
            ("print", "pink"),
            ("print", "yellow"),
            ("print", "gold"),
            ("print", "grey"),
            ("onblack", "red"),
            ("onblack", "black"),
            ("onblack", "blue"),
            ("onblack", "green"),
            ("onseat", "seat0"),
            ("onseat", "seat1"),
            ("onseat", "seat2"),
            ("onseat", "seat3"),
            ("onseat", "seat4"),
        ];
        let find = |name: &str| COLORS.iter().find(|(known, _, _)| *known == name).unwrap();
        for (text, ground) in pairs {
            let ((_, light, dark), (_, on_light, on_dark)) = (find(text), find(ground));
            for (text_color, ground_color) in [(light, on_light), (dark, on_dark)] {
                let found = contrast(text_color, ground_color);
                assert!(found >= 4.5, "{text} on {ground}: {found:.2}");
            }
        }
    }
}
