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

#[cfg(test)]
mod tests {
    use super::*;

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
