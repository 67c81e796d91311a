//! How wide text is, without a font: widths of a wide sans-serif, so that what fits here fits in any font a viewer has.

use crate::svg::is_unfit;

/// Widths of the printable ASCII characters in hundredths of the font size, from space on: those of DejaVu Sans, one of the widest
/// fonts that browsers take for `sans-serif`.
#[rustfmt::skip]
const ASCII: [u8; 95] = [
    32, 40, 46, 84, 64, 95, 78, 28, 39, 39, 50, 84, 32, 36, 32, 34,
    64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 34, 34, 84, 84, 84, 53,
    100, 69, 69, 70, 77, 63, 58, 78, 75, 30, 30, 66, 56, 86, 75, 79, 60, 79, 70, 64, 61, 73, 69, 99, 69, 61, 69, 39, 34, 39, 84, 50,
    50, 61, 64, 55, 64, 62, 35, 64, 63, 28, 28, 58, 28, 97, 63, 61, 64, 64, 41, 52, 39, 63, 59, 82, 59, 59, 53, 64, 34, 64, 84,
];

fn width_of(c: char) -> f64 {
    let index = (c as usize).wrapping_sub(' ' as usize);
    let hundredths = match ASCII.get(index) {
        Some(width) => *width,
        // Latin, Greek and Cyrillic letters are about as wide as ours; all others may fill the square.
        None if c < '\u{0530}' => 78,
        // Emoji, which many systems draw wider than the square.
        None if matches!(c, '\u{2300}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}') => 140,
        None => 105,
    };
    f64::from(hundredths) / 100.0
}

/// The width of text at a font size, at most.
pub fn width(text: &str, size: f64) -> f64 {
    text.chars().map(width_of).sum::<f64>() * size
}

/// The width of bold text.
pub fn bold_width(text: &str, size: f64) -> f64 {
    width(text, size) * 1.12
}

/// The text, cut with an ellipsis where it is wider than `room` in bold.
pub fn fit(text: &str, size: f64, room: f64) -> String {
    let text: String = text.chars().map(|c| if is_unfit(c) { '\u{fffd}' } else { c }).collect();
    let text = text.trim();
    if bold_width(text, size) <= room {
        return text.to_owned();
    }
    let room = room - bold_width("…", size);
    let mut wide = 0.0;
    let mut cut = String::new();
    for c in text.chars() {
        wide += width_of(c) * size * 1.12;
        if wide > room {
            break;
        }
        cut.push(c);
    }
    cut.truncate(cut.trim_end().len());
    cut.push('…');
    cut
}

/// The least font size of a panel: a phone shows pictures a little smaller.
pub const READABLE: f64 = 11.5;

/// Room for a text that should not be cut.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// How wide it is.
    pub width: f64,
    /// The font size of what fits into it.
    pub size: f64,
    /// The least size of one line.
    pub least: f64,
    /// The size of two lines, which may be a little smaller; `None` where there is no room for a second one.
    pub two: Option<f64>,
}

/// A text in its room.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted {
    /// The font size.
    pub size: f64,
    /// One line or two.
    pub lines: Vec<String>,
    /// Is it all of the text?
    pub whole: bool,
}

impl Room {
    /// Fits a text in: in one line that is smaller if need be, else in two. Only what is too long for these is cut.
    pub fn set(self, text: &str) -> Fitted {
        let text = text.trim();
        let smaller = |size: f64| (0..10_u8).map(move |step| size - 0.5 * f64::from(step));
        let fits = |text: &str, size: f64| width(text, size) <= self.width;
        let mut one = smaller(self.size).take_while(|size| *size >= self.least);
        if let Some(size) = one.find(|size| fits(text, *size)) {
            return Fitted { size, lines: vec![text.to_owned()], whole: true };
        }
        let Some(two) = self.two else {
            let size = self.least;
            return Fitted { size, lines: vec![fit(text, size, self.width)], whole: false };
        };
        let halves = |size: f64| {
            let spaces = text.rmatch_indices(' ').map(|(at, _)| text.split_at(at));
            let mut halves = spaces.map(|(first, second)| (first.trim_end(), second.trim_start()));
            halves.find(|(first, _)| fits(first, size))
        };
        for size in smaller(two).take(3).take_while(|size| *size >= READABLE) {
            if let Some((first, second)) = halves(size).filter(|(_, second)| fits(second, size)) {
                let lines = vec![first.to_owned(), second.to_owned()];
                return Fitted { size, lines, whole: true };
            }
        }
        let cut = |text: &str| fit(text, two, self.width);
        let lines = match halves(two) {
            Some((first, second)) => vec![first.to_owned(), cut(second)],
            None => vec![cut(text)],
        };
        Fitted { size: two, lines, whole: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_made_smaller_then_broken_then_cut() {
        let room = |width: f64| Room { width, size: 12.0, least: 11.5, two: Some(11.5) };
        let text = "5 cards, 23 spaces empty, a coat of arms to use";
        let wide = width(text, 12.0);
        for (part, size, lines, whole) in [
            (1.0, 12.0, 1, true),
            (0.97, 11.5, 1, true),
            (0.55, 11.5, 2, true),
            (0.2, 11.5, 2, false),
        ] {
            let set = room(wide * part + 0.01).set(text);
            assert_eq!((set.size, set.lines.len(), set.whole), (size, lines, whole), "{set:?}");
            assert_eq!(set.lines.join(" ") == text, whole, "{set:?}");
            assert!(
                set.lines.iter().all(|line| width(line, size) <= wide * part + 0.02),
                "{set:?}"
            );
        }
        let one = Room { two: None, ..room(60.0) }.set(text);
        assert!(!one.whole && one.lines.len() == 1 && one.lines[0].ends_with('…'), "{one:?}");
        assert_eq!(room(20.0).set("").lines, [""]);
    }

    #[test]
    fn emoji_are_wider_than_the_square() {
        // So wide they are in `Noto Color Emoji`, which browsers take on Linux.
        for emoji in ["😀", "⭐", "☀", "⌛", "🪐"] {
            assert!(width(emoji, 1.0) >= 1.37, "{emoji}");
        }
        assert!(width("汉", 1.0) < 1.1);
    }

    #[test]
    fn long_names_are_cut_to_their_room() {
        assert_eq!(fit("Ada", 16.0, 100.0), "Ada");
        for name in ["A name that goes on and on", "汉字汉字汉字汉字汉字汉字", "WWWWWWWWWWWWWW"]
        {
            let cut = fit(name, 16.0, 100.0);
            assert!(cut.ends_with('…') && cut.len() > 3, "{cut}");
            assert!(bold_width(&cut, 16.0) <= 100.0, "{cut}");
        }
    }
}
