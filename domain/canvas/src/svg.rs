//! Writes SVG: every value is escaped, every number has at most two decimals, so the bytes depend on the scene alone.

use std::collections::BTreeMap;
use std::fmt::{self, Write};

use kernel::Tracked;

/// Stands around the kind and the place of a piece until it gets its id. No text has it: it is escaped there.
const MARK: char = '\u{1}';

/// A fragment of SVG that grows. Elements are written in order; [`Svg::group`] nests.
#[derive(Clone, Debug, Default)]
pub struct Svg {
    text: String,
}

/// An element whose attributes are being written. It ends with [`end`](Element::end), [`text`](Element::text) or
/// [`with`](Element::with).
#[must_use]
pub struct Element<'a> {
    svg: &'a mut Svg,
    name: &'static str,
}

impl Svg {
    /// Nothing yet.
    pub fn new() -> Self {
        Svg::default()
    }

    /// Begins any element.
    pub fn element(&mut self, name: &'static str) -> Element<'_> {
        self.text.push('<');
        self.text.push_str(name);
        Element { svg: self, name }
    }

    /// A rectangle with round corners.
    pub fn rect(&mut self, x: f64, y: f64, w: f64, h: f64, r: f64) -> Element<'_> {
        let rect = self.element("rect").at(x, y).n("width", w).n("height", h);
        if r > 0.0 { rect.n("rx", r) } else { rect }
    }

    /// A circle around (x, y).
    pub fn circle(&mut self, x: f64, y: f64, r: f64) -> Element<'_> {
        self.element("circle").n("cx", x).n("cy", y).n("r", r)
    }

    /// A line from (x1, y1) to (x2, y2).
    pub fn line(&mut self, x1: f64, y1: f64, x2: f64, y2: f64) -> Element<'_> {
        let from = self.element("line").n("x1", x1).n("y1", y1);
        from.n("x2", x2).n("y2", y2)
    }

    /// A path of the given data: our own constant text.
    pub fn path(&mut self, d: &str) -> Element<'_> {
        self.element("path").a("d", d)
    }

    /// Text with its left end at (x, y); `size` in units. The text itself is given to [`Element::text`].
    pub fn label(&mut self, x: f64, y: f64, size: f64) -> Element<'_> {
        self.element("text").at(x, y).n("font-size", size)
    }

    /// A group that is moved to (x, y).
    pub fn moved(&mut self, x: f64, y: f64) -> Element<'_> {
        self.element("g").moved(x, y)
    }

    /// A group.
    pub fn group(&mut self) -> Element<'_> {
        self.element("g")
    }

    /// Adds a finished fragment.
    pub fn add(&mut self, svg: &Svg) {
        self.text.push_str(&svg.text);
    }

    /// Adds a finished fragment, moved to (x, y).
    pub fn add_at(&mut self, x: f64, y: f64, svg: &Svg) {
        if (x, y) == (0.0, 0.0) {
            self.add(svg);
        } else {
            self.moved(x, y).with(|inner| inner.add(svg));
        }
    }

    /// The markup so far.
    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    /// Adds text that is no markup of ours: a style sheet without `<` and `&`.
    pub(crate) fn style(&mut self, sheet: &str) {
        self.text.push_str("<style>");
        self.text.push_str(sheet);
        self.text.push_str("</style>");
    }

    /// A line ends here: only between elements of the sheet, for those who read the source.
    pub(crate) fn newline(&mut self) {
        self.text.push('\n');
    }

    pub(crate) fn into_string(self) -> String {
        self.text
    }

    /// The same with the ids of pieces where [`Element::piece`] was. Of several pieces at one place the first ones have the smallest numbers.
    pub(crate) fn with_ids(self, pieces: &[Tracked]) -> Svg {
        let mut ids: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
        for Tracked { id, kind, place } in pieces.iter().rev() {
            ids.entry((kind, place)).or_default().push(id);
        }
        let mut named = Svg::new();
        let mut parts = self.text.split(MARK);
        while let Some(text) = parts.next() {
            named.text.push_str(text);
            let (Some(kind), Some(place)) = (parts.next(), parts.next()) else { break };
            if let Some(id) = ids.get_mut(&(kind, place)).and_then(Vec::pop) {
                named.attribute("data-piece", id);
            }
        }
        named
    }

    fn attribute(&mut self, name: &str, value: impl fmt::Display) {
        self.text.push(' ');
        self.text.push_str(name);
        self.text.push_str("=\"");
        write!(Escape(&mut self.text), "{value}").expect("a string takes all text");
        self.text.push('"');
    }

    fn number(&mut self, value: f64) {
        // Hundredths: enough for any screen, and the shortest text. `as` saturates: no coordinate of ours comes near the limits.
        let hundredths = (value * 100.0).round() as i64;
        let (whole, part) = (hundredths / 100, (hundredths % 100).abs());
        let sign = if hundredths < 0 && whole == 0 { "-" } else { "" };
        let written = match (part, part % 10) {
            (0, _) => write!(self.text, "{whole}"),
            (part, 0) => write!(self.text, "{sign}{whole}.{}", part / 10),
            (part, _) => write!(self.text, "{sign}{whole}.{part:02}"),
        };
        written.expect("a string takes all text");
    }
}

impl Element<'_> {
    /// An attribute; its value is escaped.
    pub fn a(self, name: &str, value: impl fmt::Display) -> Self {
        self.svg.attribute(name, value);
        self
    }

    /// An attribute that is a number.
    pub fn n(self, name: &str, value: f64) -> Self {
        self.svg.text.push(' ');
        self.svg.text.push_str(name);
        self.svg.text.push_str("=\"");
        self.svg.number(value);
        self.svg.text.push('"');
        self
    }

    fn at(self, x: f64, y: f64) -> Self {
        self.n("x", x).n("y", y)
    }

    /// Classes, separated by spaces: see [`palette`](crate::palette).
    pub fn class(self, classes: &str) -> Self {
        self.a("class", classes)
    }

    /// Something that a command can name: `data-spot="kind:value"`.
    pub fn spot(self, kind: &str, value: impl fmt::Display) -> Self {
        self.a("data-spot", format_args!("{kind}:{value}"))
    }

    /// A piece that everybody sees, as [`Game::pieces`](kernel::Game::pieces) names it: where the scene has its id, this is `data-piece`.
    pub fn piece(self, kind: impl fmt::Display, place: impl fmt::Display) -> Self {
        let text = &mut self.svg.text;
        write!(text, "{MARK}{kind}{MARK}{place}{MARK}").expect("a string takes all text");
        self
    }

    /// Moves what is inside to (x, y).
    pub fn moved(self, x: f64, y: f64) -> Self {
        self.svg.text.push_str(" transform=\"translate(");
        self.svg.number(x);
        self.svg.text.push(' ');
        self.svg.number(y);
        self.svg.text.push_str(")\"");
        self
    }

    /// Moves what is inside to (x, y), then turns it clockwise by `degrees` and scales it.
    pub fn placed(self, x: f64, y: f64, degrees: f64, scale: f64) -> Self {
        self.svg.text.push_str(" transform=\"translate(");
        self.svg.number(x);
        self.svg.text.push(' ');
        self.svg.number(y);
        if degrees != 0.0 {
            self.svg.text.push_str(") rotate(");
            self.svg.number(degrees);
        }
        if scale != 1.0 {
            // A board is as wide as its sheet says only if its scale is exact.
            let scale = (scale * 10_000.0).round() / 10_000.0;
            write!(self.svg.text, ") scale({scale}").expect("a string takes all text");
        }
        self.svg.text.push_str(")\"");
        self
    }

    /// Ends the element, which has nothing inside.
    pub fn end(self) {
        self.svg.text.push_str("/>");
    }

    /// Ends the element with text inside, escaped.
    pub fn text(self, text: impl fmt::Display) {
        self.svg.text.push('>');
        write!(Escape(&mut self.svg.text), "{text}").expect("a string takes all text");
        self.close();
    }

    /// Ends the element with other elements inside.
    pub fn with(self, inside: impl FnOnce(&mut Svg)) {
        self.svg.text.push('>');
        inside(self.svg);
        self.close();
    }

    fn close(self) {
        self.svg.text.push_str("</");
        self.svg.text.push_str(self.name);
        self.svg.text.push('>');
    }
}

/// Escapes for text and for attributes in double quotes. What XML 1.0 cannot hold becomes U+FFFD, and so do the controls of writing
/// direction, which would turn around what stands beside a name.
struct Escape<'a>(&'a mut String);

impl fmt::Write for Escape<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        // Nearly all text is ours, and plain.
        let plain = |b: u8| matches!(b, b' '..=b'~') && !matches!(b, b'<' | b'>' | b'&' | b'"');
        if text.bytes().all(plain) {
            self.0.push_str(text);
            return Ok(());
        }
        for c in text.chars() {
            match c {
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '&' => self.0.push_str("&amp;"),
                '"' => self.0.push_str("&quot;"),
                c if is_unfit(c) => self.0.push('\u{fffd}'),
                c => self.0.push(c),
            }
        }
        Ok(())
    }
}

/// Text as it stands in a picture.
pub(crate) fn escaped(text: &str) -> String {
    let mut safe = String::new();
    fmt::Write::write_str(&mut Escape(&mut safe), text).expect("a string takes all text");
    safe
}

/// Characters that have no place in a picture's text.
pub(crate) fn is_unfit(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{fffe}' | '\u{ffff}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_in_values_is_text() {
        let mut svg = Svg::new();
        svg.label(0.0, 0.5, 12.0).a("data-name", "\"><script>").text("<b>&\u{0}\u{202e}'\u{ffff}");
        assert_eq!(
            svg.into_string(),
            "<text x=\"0\" y=\"0.5\" font-size=\"12\" data-name=\"&quot;&gt;&lt;script&gt;\">&lt;b&gt;&amp;\u{fffd}\u{fffd}'\u{fffd}</text>"
        );
    }

    #[test]
    fn a_piece_has_the_id_that_the_scene_gives_it() {
        let tracked = |number: u32, place: &str| Tracked {
            id: format!("cube-{number}"),
            kind: "cube".to_owned(),
            place: place.to_owned(),
        };
        let mut svg = Svg::new();
        for place in ["a", "b", "a", "a"] {
            svg.group().piece("cube", place).a("name", "\u{1}").end();
        }
        let text = svg.clone().with_ids(&[]).into_string();
        assert_eq!(text, "<g name=\"\u{fffd}\"/>".repeat(4));
        let named = svg.with_ids(&[tracked(2, "a"), tracked(3, "c"), tracked(10, "a")]);
        let ids = ["2", "", "10", ""].map(|id| match id {
            "" => "<g name=\"\u{fffd}\"/>".to_owned(),
            id => format!("<g data-piece=\"cube-{id}\" name=\"\u{fffd}\"/>"),
        });
        assert_eq!(named.into_string(), ids.concat());
    }

    #[test]
    fn numbers_are_short() {
        for (value, text) in [
            (0.0, "0"),
            (-0.004, "0"),
            (1.5, "1.5"),
            (-0.25, "-0.25"),
            (-12.05, "-12.05"),
            (1.999, "2"),
            (640.0, "640"),
        ] {
            let mut svg = Svg::new();
            svg.number(value);
            assert_eq!(svg.into_string(), text);
        }
    }
}
