//! Reads pictures of our own back into trees: elements with either text or other elements inside.

use std::fmt::Write;

/// An element of a picture.
#[derive(Debug)]
pub(super) struct Node<'a> {
    pub(super) name: &'a str,
    attributes: Vec<(&'a str, &'a str)>,
    /// Escaped, as it stands in the picture.
    pub(super) text: &'a str,
    pub(super) children: Vec<Node<'a>>,
}

/// Attributes that are written otherwise, or not at all.
const LEFT_OUT: &[&str] = &["transform", "class"];

/// Reads a picture; `None` if it is none that [`Svg`](crate::svg::Svg) wrote.
pub(super) fn read(text: &str) -> Option<Node<'_>> {
    let mut rest = text;
    let root = element(&mut rest, 0)?;
    (root.name == "svg").then_some(root)
}

fn element<'a>(rest: &mut &'a str, depth: usize) -> Option<Node<'a>> {
    const DEPTH_MOST: usize = 64;
    let (tag, after) = rest.strip_prefix('<')?.split_once('>')?;
    *rest = after;
    let (tag, empty) = match tag.strip_suffix('/') {
        Some(tag) => (tag, true),
        None => (tag, false),
    };
    let (name, mut written) = tag.split_once(' ').unwrap_or((tag, ""));
    let mut attributes = Vec::new();
    while let Some((attribute, after)) = written.split_once("=\"") {
        let (value, after) = after.split_once('"')?;
        attributes.push((attribute.trim_start(), value));
        written = after;
    }
    let mut node = Node { name, attributes, text: "", children: Vec::new() };
    if empty {
        return Some(node);
    }
    if depth > DEPTH_MOST {
        return None;
    }
    loop {
        let start = rest.find('<')?;
        if let Some(text) = rest.get(..start)
            && !text.trim().is_empty()
        {
            node.text = text;
        }
        *rest = &rest[start..];
        if let Some(after) = rest.strip_prefix("</") {
            let (closed, after) = after.split_once('>')?;
            *rest = after;
            return (closed == name).then_some(node);
        }
        node.children.push(element(rest, depth + 1)?);
    }
}

impl<'a> Node<'a> {
    pub(super) fn attribute(&self, name: &str) -> Option<&'a str> {
        let found = self.attributes.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| *value)
    }

    pub(super) fn number(&self, name: &str) -> f64 {
        let value = self.attribute(name).and_then(|value| value.parse().ok());
        value.unwrap_or_default()
    }

    pub(super) fn child(&self, name: &str) -> Option<&Node<'a>> {
        self.children.iter().find(|child| child.name == name)
    }

    /// The elements inside that are seen.
    pub(super) fn drawn(&self) -> impl Iterator<Item = &Node<'a>> {
        let unseen = ["title", "desc", "style"];
        self.children.iter().filter(move |child| !unseen.contains(&child.name))
    }

    /// Where a group stands.
    pub(super) fn place(&self) -> &'a str {
        self.attribute("transform").unwrap_or_default()
    }

    /// Could this be the same thing, at another place or with other things inside? Groups may move and change; the rest may not.
    pub(super) fn alike(&self, other: &Node<'_>) -> bool {
        let group = self.name == "g";
        let told = |(name, _): &&(&str, &str)| !group || *name != "transform";
        let (own, others) = (self.attributes.iter(), other.attributes.iter());
        self.name == other.name
            && self.text == other.text
            && own.filter(told).eq(others.filter(told))
    }

    /// Writes the tag that opens it, with one more class, at another place; then its text.
    pub(super) fn open(&self, out: &mut String, class: &str, place: &str) {
        out.push('<');
        out.push_str(self.name);
        let mut attribute = |name: &str, value: &str| {
            write!(out, " {name}=\"{value}\"").expect("a string takes all text");
        };
        for (name, value) in &self.attributes {
            // Nobody clicks in a replay, and ids must be unique: only those of shapes that are used by name are needed.
            let needless = name.starts_with("data-") || *name == "id" && !value.starts_with("mn-");
            if !LEFT_OUT.contains(name) && !needless {
                attribute(name, value);
            }
        }
        let place = if self.name == "g" { place } else { self.place() };
        if !place.is_empty() {
            attribute("transform", place);
        }
        // Only what the style sheet knows: a replay has no use for other names.
        let styled = |class: &&str| {
            let color = class.starts_with("f-") || class.starts_with("s-");
            color || class.len() <= 2 || ["dash", "hidden", "dim"].contains(class)
        };
        let own = self.attribute("class").unwrap_or_default().split(' ');
        let mut classes: Vec<&str> = own.filter(styled).collect();
        classes.push(class);
        classes.retain(|class| !class.is_empty());
        if !classes.is_empty() {
            attribute("class", &classes.join(" "));
        }
        out.push('>');
        out.push_str(self.text);
    }

    /// Writes the tag that closes it; what has nothing inside is closed where it was opened.
    pub(super) fn close(&self, out: &mut String, inside: bool) {
        if !inside && self.text.is_empty() && out.pop().is_some() {
            out.push_str("/>");
            return;
        }
        out.push_str("</");
        out.push_str(self.name);
        out.push('>');
    }
}

/// A place as CSS writes it: `translate(1 2) rotate(45)` becomes `translate(1px,2px) rotate(45deg)`.
pub(super) fn css(place: &str) -> String {
    let mut text = String::new();
    for function in place.split_inclusive(')') {
        let function = function.trim();
        let Some((name, values)) = function.split_once('(') else { continue };
        let unit = match name {
            "translate" => "px",
            "rotate" => "deg",
            _ => "",
        };
        let values: Vec<String> =
            values.trim_end_matches(')').split(' ').map(|value| format!("{value}{unit}")).collect();
        let space = if text.is_empty() { "" } else { " " };
        write!(text, "{space}{name}({})", values.join(",")).expect("a string takes all text");
    }
    if text.is_empty() {
        text.push_str("none");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_written_as_css() {
        assert_eq!(
            css("translate(1 -2.5) rotate(45) scale(0.6)"),
            "translate(1px,-2.5px) rotate(45deg) scale(0.6)"
        );
        assert_eq!(css(""), "none");
    }

    #[test]
    fn what_is_no_picture_is_not_read() {
        for text in ["", "<svg>", "<svg></g>", "<g></g>", "svg", "<svg a=\"></svg>"] {
            assert!(read(text).is_none(), "{text}");
        }
        let root = read("<svg width=\"3\"><g class=\"a\"><text>x</text></g></svg>\n").unwrap();
        assert_eq!(root.number("width"), 3.0);
        assert_eq!(root.children[0].children[0].text, "x");
    }
}
