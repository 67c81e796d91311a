//! Moving pictures: many pictures of one match become one SVG that plays them, without script.
//!
//! What pictures have in common is written once. The trees of all frames are merged into one: each element knows in which frames it is
//! shown, and where; style rules with keyframes do the rest. So a whole match is hardly larger than a few of its pictures. Anything
//! that draws can be replayed: this module knows elements, not games.

mod merge;
mod tree;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::Range;

use merge::{Merged, merge};
use tree::Node;

use crate::palette::sheet;
use crate::svg::escaped;
use crate::{Says, Theme, Unreadable, say};

/// How long a replay is at most, in frames.
pub const FRAMES_MOST: usize = 1000;

/// The part of a frame's time in which things glide to their new places.
const GLIDE: f64 = 0.4;

/// How fast a replay goes.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// Seconds for each frame.
    pub each: f64,
    /// Seconds more for the last one, before it begins again.
    pub last: f64,
}

impl Default for Pace {
    fn default() -> Self {
        Pace { each: 0.8, last: 4.0 }
    }
}

/// Puts pictures of one match, in order, into one that plays them again and again.
///
/// The frames are pictures as [`Picture::svg`](crate::Picture::svg) makes them, all in one style and of this theme; with
/// [`Scene::room`](crate::Scene::room) their boards lie at the same place. The title is that of the game, in the language of the frames. People who
/// have asked their system for reduced motion see the last frame.
///
/// # Errors
/// If there is no frame, or more than [`FRAMES_MOST`], or one is not a picture.
pub fn replay(
    frames: &[String],
    theme: Theme,
    pace: Pace,
    says: Says<'_>,
    title: &str,
) -> Result<String, Unreadable> {
    if frames.is_empty() || frames.len() > FRAMES_MOST {
        let count = frames.len();
        let detail = format!("a replay has 1 to {FRAMES_MOST} frames, not {count}");
        return Err(Unreadable(detail));
    }
    let roots: Option<Vec<Node<'_>>> = frames.iter().map(|frame| tree::read(frame)).collect();
    let roots = roots.ok_or_else(|| Unreadable("a frame is no picture of ours".to_owned()))?;
    let mut merged: Vec<Merged<'_>> = Vec::new();
    let (mut width, mut height) = (0.0_f64, 0.0_f64);
    for (number, root) in roots.iter().enumerate() {
        width = width.max(root.number("width"));
        height = height.max(root.number("height"));
        // The ground of the sheet comes first: one that holds all frames is drawn instead.
        let drawn: Vec<&Node<'_>> = root.drawn().skip(1).collect();
        merge(&mut merged, &drawn, number);
    }
    let mut film = Film { frames: roots.len(), pace, says, title, rules: BTreeMap::new() };
    let mut body = String::new();
    let whole = 0..roots.len();
    film.write(&mut body, &merged, std::slice::from_ref(&whole));
    let last = roots.last().expect("there is a frame");
    Ok(film.sheet(theme, last, &body, (width, height)))
}

/// The frames on the line of time, and the rules so far.
struct Film<'a> {
    frames: usize,
    pace: Pace,
    says: Says<'a>,
    title: &'a str,
    /// Keyframes with their timing, and the number of their class.
    rules: BTreeMap<(&'static str, String), usize>,
}

const JUMPS: &str = "step-end";
const GLIDES: &str = "ease-in-out";

impl Film<'_> {
    fn seconds(&self) -> f64 {
        self.frames as f64 * self.pace.each + self.pace.last
    }

    /// When a frame begins, in percent of the whole.
    fn percent(&self, frame: f64) -> f64 {
        (frame * self.pace.each / self.seconds() * 100.0).min(100.0)
    }

    /// The class that plays these keyframes.
    fn class(&mut self, timing: &'static str, keyframes: String) -> String {
        let next = self.rules.len();
        let number = self.rules.entry((timing, keyframes)).or_insert(next);
        format!("k{number}")
    }

    /// Writes elements that stand in one that is shown in the frames `around`.
    fn write(&mut self, out: &mut String, elements: &[Merged<'_>], around: &[Range<usize>]) {
        for element in elements {
            if element.node.name == "defs" {
                // What is used by name must be there in every frame: nothing of it shows by itself.
                fixed(out, element);
                continue;
            }
            let jumps = (element.shown != around).then(|| self.class(JUMPS, self.shown(element)));
            let glides =
                (element.places.len() > 1).then(|| self.class(GLIDES, self.moved(element)));
            let place = match element.places[..] {
                [(_, place)] => place,
                _ => "",
            };
            let wrap = match (jumps, glides) {
                (Some(jumps), Some(glides)) => {
                    // One element has one animation: the jumps get an element of their own around it.
                    write!(out, "<g class=\"{jumps}\">").expect("a string takes all text");
                    element.node.open(out, &glides, place);
                    true
                }
                (jumps, glides) => {
                    let class = jumps.or(glides).unwrap_or_default();
                    element.node.open(out, &class, place);
                    false
                }
            };
            self.write(out, &element.children, &element.shown);
            element.node.close(out, !element.children.is_empty());
            if wrap {
                out.push_str("</g>");
            }
        }
    }

    /// Keyframes for what is shown in some frames alone.
    fn shown(&self, element: &Merged<'_>) -> String {
        let mut keys = String::new();
        let mut key = |frame: usize, value: &str| {
            let at = self.percent(frame as f64);
            write!(keys, "{at:.2}%{{visibility:{value}}}").expect("a string takes all text");
        };
        if element.shown.first().is_some_and(|first| first.start > 0) {
            key(0, "hidden");
        }
        for range in &element.shown {
            key(range.start, "visible");
            if range.end < self.frames {
                key(range.end, "hidden");
            }
        }
        keys
    }

    /// Keyframes for what moves: it stays at its place, then glides to the next one when that frame begins.
    fn moved(&self, element: &Merged<'_>) -> String {
        let mut keys = String::new();
        let mut before = String::new();
        for (number, (frame, place)) in element.places.iter().enumerate() {
            let place = tree::css(place);
            if number == 0 {
                write!(keys, "0%{{transform:{place}}}").expect("a string takes all text");
            } else {
                let (start, end) = (*frame as f64, *frame as f64 + GLIDE);
                let (start, end) = (self.percent(start), self.percent(end));
                write!(keys, "{start:.2}%{{transform:{before}}}{end:.2}%{{transform:{place}}}")
                    .expect("a string takes all text");
            }
            before = place;
        }
        write!(keys, "to{{transform:{before}}}").expect("a string takes all text");
        keys
    }

    fn sheet(
        &self,
        theme: Theme,
        last: &Node<'_>,
        body: &str,
        (width, height): (f64, f64),
    ) -> String {
        let seconds = self.seconds();
        let text_of = |name: &str| last.child(name).map_or("", |node| node.text);
        let title = escaped(&say!(self.says, "{title}, a replay", title = self.title));
        // That of the frame is escaped already.
        let told = "A replay of {n} moments. At its end: {description}";
        let told = self.says.text(told, &[("n", &self.frames), ("description", &"{}")]);
        let description = escaped(&told).replacen("{}", text_of("desc"), 1);
        let ground = format!(
            "<rect x=\"0\" y=\"0\" width=\"{width}\" height=\"{height}\" rx=\"18\" class=\"f-paper\"/>"
        );
        let time = format!(
            "<rect x=\"0\" y=\"{}\" width=\"{width}\" height=\"5\" class=\"f-gold time\"/>",
            height - 5.0
        );
        let drawn = format!("{ground}{body}{time}");
        let style = sheet(theme, &drawn);
        let class = last.attribute("class").unwrap_or("muninn");
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\" class=\"{class}\" role=\"img\" aria-labelledby=\"muninn-title muninn-desc\">\n\
             <title id=\"muninn-title\">{title}</title>\n\
             <desc id=\"muninn-desc\">{description}</desc>\n\
             <style>{style}"
        );
        let mut write_rule = |class: &str, timing: &str, keys: &str| {
            write!(
                text,
                "@keyframes {class}{{{keys}}}.muninn .{class}{{animation:{class} {seconds:.2}s {timing} infinite}}"
            )
            .expect("a string takes all text");
        };
        for ((timing, keys), number) in &self.rules {
            write_rule(&format!("k{number}"), timing, keys);
        }
        write_rule("time", "linear", "0%{transform:scaleX(0)}to{transform:none}");
        let end = seconds - 0.01;
        write!(
            text,
            "@media (prefers-reduced-motion:reduce){{.muninn *{{animation-play-state:paused!important;\
             animation-delay:-{end:.2}s!important}}}}</style>\n{drawn}\n</svg>\n"
        )
        .expect("a string takes all text");
        text
    }
}

/// Writes an element with all that any frame has inside.
fn fixed(out: &mut String, element: &Merged<'_>) {
    let place = element.places.first().map_or("", |(_, place)| place);
    element.node.open(out, "", place);
    for child in &element.children {
        fixed(out, child);
    }
    element.node.close(out, !element.children.is_empty());
}
