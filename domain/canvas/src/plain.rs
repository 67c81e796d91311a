//! Text pictures: lines for a terminal of any width from 60 characters on. No colours, no control characters.

use std::fmt::Display;

use kernel::Seat;

use crate::scene::Scene;
use crate::svg::is_unfit;

/// What stands around a name that is written from right to left, so that it turns nothing around that stands beside it.
const ISOLATES: [char; 2] = ['\u{2068}', '\u{2069}'];

/// A name as it stands in a line of text: isolated if any of it is written from right to left.
pub fn isolated(name: &str) -> String {
    let name: String = name.chars().map(|c| if is_unfit(c) { '\u{fffd}' } else { c }).collect();
    let [first, last] = ISOLATES;
    if name.chars().any(is_right_to_left) { format!("{first}{name}{last}") } else { name }
}

/// How many characters of a line are seen.
pub fn seen(line: &str) -> usize {
    line.chars().filter(|c| !ISOLATES.contains(c)).count()
}

/// Letters that are written from right to left: Hebrew, Arabic and their like.
fn is_right_to_left(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{feff}' | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
}

/// Lines that grow.
#[derive(Debug, Default)]
pub struct Plain {
    text: String,
}

impl Plain {
    /// Begins with the head: title, moment, who looks, who is to act.
    pub fn new(scene: &Scene<'_>, active: Option<Seat>, phase: &str) -> Self {
        let mut plain = Plain::default();
        let seats = 0..scene.names.len();
        let names: Vec<_> = seats.map(|seat| Some(isolated(&scene.name(seat)))).collect();
        let scene = Scene { names: &names, ..*scene };
        let mut head = vec![scene.title.to_owned(), scene.moment(), scene.seen_by()];
        head.retain(|part| !part.is_empty());
        plain.named(&head.join(", "));
        plain.named(&scene.status(active, phase));
        plain.line("");
        plain
    }

    /// One more line. Trailing spaces are dropped; what a terminal might obey becomes U+FFFD.
    pub fn line(&mut self, line: impl Display) {
        let line = line.to_string();
        let clean = line.trim_end().chars().map(|c| if is_unfit(c) { '\u{fffd}' } else { c });
        self.text.extend(clean);
        self.text.push('\n');
    }

    /// A line with names that are [`isolated`]: the same, but what isolates them stays.
    pub fn named(&mut self, line: &str) {
        let odd = |c: char| is_unfit(c) && !ISOLATES.contains(&c);
        let clean = line.trim_end().chars().map(|c| if odd(c) { '\u{fffd}' } else { c });
        self.text.extend(clean);
        self.text.push('\n');
    }

    /// A label and what follows it, in as many lines as that needs.
    pub fn items(&mut self, label: &str, items: &[String]) {
        const WIDTH: usize = 96;
        let mut line = label.to_owned();
        for (number, item) in items.iter().enumerate() {
            let comma = if number + 1 < items.len() { "," } else { "" };
            if line.chars().count() + item.chars().count() + 2 > WIDTH {
                self.line(&line);
                line = " ".repeat(10);
            }
            line.push_str(&format!(" {item}{comma}"));
        }
        self.line(line);
    }

    /// One line for a seat: an arrow if it is to act, its number and name, then the rest.
    pub fn seat(
        &mut self,
        scene: &Scene<'_>,
        seat: usize,
        active: Option<Seat>,
        rest: impl Display,
    ) {
        let arrow = if active.is_some_and(|active| active.index() == seat) { '>' } else { ' ' };
        self.named(&format!("{arrow} {seat} {}: {rest}", isolated(&scene.name(seat))));
    }

    /// All lines, each ended by a line feed.
    pub fn into_string(self) -> String {
        self.text
    }
}
