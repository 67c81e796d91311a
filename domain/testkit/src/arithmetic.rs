//! What an award's arithmetic comes to, read as a person reads it: `5² − 3² − 1² = 15`, `(7 + 4) ÷ 2 = 5, rounded down`.

use std::iter::Peekable;
use std::str::Chars;
use std::vec::IntoIter;

/// A sign of the arithmetic; words only name what is counted.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Sign {
    Number(i64),
    Square,
    Plus,
    Minus,
    Times,
    Over,
    Open,
    Close,
}

fn signs(text: &str) -> Vec<Sign> {
    let mut signs = Vec::new();
    let mut letters = text.chars().peekable();
    loop {
        if let Some(number) = number(&mut letters) {
            signs.push(Sign::Number(number));
        }
        let Some(letter) = letters.next() else { return signs };
        signs.push(match letter {
            '²' => Sign::Square,
            '+' => Sign::Plus,
            // Directly before its number it is a sign; between two terms it stands apart.
            '−' => match number(&mut letters) {
                Some(number) => Sign::Number(-number),
                None => Sign::Minus,
            },
            '×' => Sign::Times,
            '÷' => Sign::Over,
            '(' => Sign::Open,
            ')' => Sign::Close,
            _ => continue,
        });
    }
}

/// The number that is written here, if there is one.
fn number(letters: &mut Peekable<Chars<'_>>) -> Option<i64> {
    let mut number = None;
    while let Some(digit) = letters.peek().and_then(|letter| letter.to_digit(10)) {
        number = Some(10 * number.unwrap_or(0) + i64::from(digit));
        letters.next();
    }
    number
}

/// The value of what stands before the last `=`, and the number behind it; where a place is named first (`row y = 3: ...`), of what
/// follows it. `None` if it cannot be read.
pub(crate) fn read(text: &str) -> Option<(i64, i64)> {
    let named = text.split_once(": ").filter(|(place, _)| place.contains('='));
    let text = named.map_or(text, |(_, rest)| rest);
    let (left, right) = text.rsplit_once(" = ").unwrap_or((text, text));
    Some((value(left)?, value(right)?))
}

fn value(text: &str) -> Option<i64> {
    let mut rest = signs(text).into_iter().peekable();
    let value = sum(&mut rest)?;
    rest.next().is_none().then_some(value)
}

fn sum(rest: &mut Peekable<IntoIter<Sign>>) -> Option<i64> {
    let mut total = product(rest)?;
    loop {
        if rest.next_if_eq(&Sign::Plus).is_some() {
            total += product(rest)?;
        } else if rest.next_if_eq(&Sign::Minus).is_some() {
            total -= product(rest)?;
        } else {
            return Some(total);
        }
    }
}

fn product(rest: &mut Peekable<IntoIter<Sign>>) -> Option<i64> {
    let mut total = factor(rest)?;
    loop {
        if rest.next_if_eq(&Sign::Times).is_some() {
            total *= factor(rest)?;
        } else if rest.next_if_eq(&Sign::Over).is_some() {
            total = total.checked_div_euclid(factor(rest)?)?;
        } else {
            return Some(total);
        }
    }
}

fn factor(rest: &mut Peekable<IntoIter<Sign>>) -> Option<i64> {
    let value = match rest.next()? {
        Sign::Number(value) => value,
        Sign::Open => {
            let value = sum(rest)?;
            rest.next_if_eq(&Sign::Close)?;
            value
        }
        Sign::Square | Sign::Plus | Sign::Minus | Sign::Times | Sign::Over | Sign::Close => {
            return None;
        }
    };
    Some(if rest.next_if_eq(&Sign::Square).is_some() { value * value } else { value })
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn arithmetic_is_read_as_a_person_reads_it() {
        for (text, value) in [
            ("5² − 3² − 1² = 15", (15, 15)),
            ("0 − 1² = −1", (-1, -1)),
            ("4 tiles × 1 = 4", (4, 4)),
            ("2 Niohoggr × 3 = 6", (6, 6)),
            ("(7 + 4) ÷ 2 = 5, rounded down", (5, 5)),
            ("row y = 3: 2", (2, 2)),
            ("column x = 1: 4 × 2 for windows only = 8", (8, 8)),
            ("1 task fulfilled: shrine, red = 1", (1, 1)),
            ("5² − 3² = 15", (16, 15)),
        ] {
            assert_eq!(read(text), Some(value), "{text}");
        }
        for text in ["", "nothing", "3 + = 3", "(3 = 3", "3 4 = 7", " − 1² = −1"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
