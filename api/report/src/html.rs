//! Text of a page. What comes from outside is escaped here and nowhere else.

use std::fmt::Write;

/// A part of a page.
#[derive(Clone, Debug, Default)]
pub(crate) struct Html(String);

/// A cell of a table: text, or a figure, which stands on the right.
pub(crate) enum Cell {
    Text(String),
    Figure(String),
}

impl Html {
    /// What is written in this program, as it is.
    pub(crate) fn raw(&mut self, html: &str) -> &mut Self {
        self.0.push_str(html);
        self
    }

    /// Text from anywhere.
    pub(crate) fn text(&mut self, text: &str) -> &mut Self {
        for letter in text.chars() {
            match letter {
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '&' => self.0.push_str("&amp;"),
                '"' => self.0.push_str("&quot;"),
                '\'' => self.0.push_str("&#39;"),
                letter => self.0.push(letter),
            }
        }
        self
    }

    /// An element that holds text: `p`, `h2`, `figcaption`.
    pub(crate) fn of(&mut self, element: &str, text: &str) -> &mut Self {
        self.raw("<").raw(element).raw(">").text(text).raw("</").raw(element).raw(">\n")
    }

    /// A chart with what it shows.
    pub(crate) fn figure(&mut self, svg: &str, caption: &str) -> &mut Self {
        self.raw("<figure>\n<div role=\"img\" aria-label=\"").text(caption).raw("\">").raw(svg);
        self.raw("</div>\n").of("figcaption", caption).raw("</figure>\n")
    }

    /// A table; nothing without rows.
    pub(crate) fn table(&mut self, head: &[&str], rows: Vec<Vec<Cell>>) -> &mut Self {
        if rows.is_empty() {
            return self;
        }
        self.raw("<div class=\"wide\"><table><thead><tr>");
        for name in head {
            // What stands over the names of rows says nothing.
            match *name {
                "" => self.raw("<td></td>"),
                name => self.raw("<th scope=\"col\">").text(name).raw("</th>"),
            };
        }
        self.raw("</tr></thead><tbody>\n");
        for row in rows {
            self.raw("<tr>");
            for cell in row {
                match cell {
                    Cell::Text(text) => self.raw("<td>").text(&text),
                    Cell::Figure(text) => self.raw("<td class=\"figure\">").text(&text),
                };
                self.raw("</td>");
            }
            self.raw("</tr>\n");
        }
        self.raw("</tbody></table></div>\n")
    }

    pub(crate) fn done(self) -> String {
        self.0
    }
}

/// Text in a cell.
pub(crate) fn said(text: impl Into<String>) -> Cell {
    Cell::Text(text.into())
}

/// A whole number in a cell.
pub(crate) fn whole(number: u64) -> Cell {
    Cell::Figure(number.to_string())
}

/// A number with one decimal, or a dash where there is none.
pub(crate) fn one(number: Option<f64>) -> String {
    number.map_or_else(|| "–".to_owned(), |number| format!("{number:.1}"))
}

/// A part of one in percent with one decimal.
pub(crate) fn percent(part: Option<f64>) -> String {
    part.map_or_else(|| "–".to_owned(), |part| format!("{:.1} %", part * 100.0))
}

/// A figure with its interval: `52.0 % (48.1 % to 55.9 %)`.
pub(crate) fn with_interval(
    [figure, low, high]: [Option<f64>; 3],
    said: fn(Option<f64>) -> String,
) -> String {
    let mut text = said(figure);
    if low.is_some() && high.is_some() {
        let _ = write!(text, " ({} to {})", said(low), said(high));
    }
    text
}

/// A word of the game's own, with spaces.
pub(crate) fn spaced(word: &str) -> String {
    word.replace('_', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_from_outside_is_text() {
        let mut html = Html::default();
        html.of("p", "<script>\"'&").table(&["a<"], vec![vec![said("<b>"), whole(3)]]);
        html.figure("<svg></svg>", "\"quoted\"");
        let html = html.done();
        assert!(html.contains("<p>&lt;script&gt;&quot;&#39;&amp;</p>"), "{html}");
        assert!(html.contains("<td>&lt;b&gt;</td><td class=\"figure\">3</td>"), "{html}");
        assert!(html.contains("aria-label=\"&quot;quoted&quot;\"><svg>"), "{html}");
    }

    #[test]
    fn figures_that_are_none_are_dashes() {
        assert_eq!((one(None), percent(None)), ("–".to_owned(), "–".to_owned()));
        assert_eq!(
            with_interval([Some(0.5), Some(0.4), Some(0.6)], percent),
            "50.0 % (40.0 % to 60.0 %)"
        );
        assert_eq!(with_interval([Some(0.5), None, None], percent), "50.0 %");
    }
}
