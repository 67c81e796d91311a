//! The names of players.

use precis_profiles::Nickname;
use precis_profiles::precis_core::profile::Profile;
use unicode_properties::UnicodeEmoji;

use crate::bot::Bot;

/// How many characters a name may have.
const MOST: usize = 64;

/// What a spreadsheet takes for the beginning of a formula.
const FORMULA: [char; 4] = ['=', '+', '-', '@'];

/// Whether a spreadsheet takes the text for a formula.
#[must_use]
pub fn is_formula(text: &str) -> bool {
    text.starts_with(FORMULA)
}

/// The name of a person as it is kept and shown: none that a bot has, with or without a version, however it is written.
///
/// # Errors
/// As those of [`nickname`], and if it is the name of a bot.
pub fn name_of_person(name: &str) -> Result<String, String> {
    let kept = nickname(name)?;
    let folded = kept.to_lowercase();
    let of_bot = |bot: &Bot| {
        let behind = folded.strip_prefix(bot.name());
        behind.is_some_and(|rest| rest.chars().all(|c| c.is_numeric() || !c.is_alphanumeric()))
    };
    match Bot::ALL.iter().find(|bot| of_bot(bot)) {
        None => Ok(kept),
        Some(bot) => Err(format!("{kept} is a name of the bot {bot}: a person needs another one")),
    }
}

/// A name as it is kept and shown: by the nickname profile of RFC 8266, so without outer and repeated spaces, in the normal form NFKC, and
/// without control, bidirectional or invisible characters. Emoji that are younger than the tables of the profile are the symbols that they are;
/// what says how one is drawn is left out.
///
/// # Errors
/// If the profile forbids it, or it is too long, or begins as a formula does.
pub fn nickname(name: &str) -> Result<String, String> {
    let forbidden = "a name must have a visible character, and no control or invisible character (the nickname profile of RFC 8266)";
    let long = || format!("a name must have at most {MOST} characters");
    // The profile may shorten a name, but not this much, and takes its time for a long one.
    if name.chars().nth(8 * MOST).is_some() {
        return Err(long());
    }
    let (text, young) = without_young(name);
    let kept = Nickname::new().enforce(text).map_err(|_| forbidden.to_owned())?;
    let kept = with_young(&kept, young);
    if kept.contains(BLANK) {
        return Err(forbidden.to_owned());
    }
    if kept.chars().count() > MOST {
        return Err(long());
    }
    if is_formula(&kept) {
        return Err("a name must not begin with =, +, - or @".to_owned());
    }
    Ok(kept)
}

/// A name that somebody looks for, in the form in which names are kept; one that would be refused as it is.
#[must_use]
pub fn looked_for(name: &str) -> String {
    nickname(name).unwrap_or_else(|_| name.to_owned())
}

/// What shows nothing, though the profile takes it for a symbol: the Braille pattern without dots, and the note without a head.
const BLANK: [char; 2] = ['\u{2800}', '\u{1d159}'];
/// Stands for an emoji that the profile does not know: a symbol that it keeps as it is.
const STANDIN: char = '\u{1d300}';
/// It says that what is before it is drawn as an emoji.
const AS_EMOJI: char = '\u{fe0f}';

/// The name with a stand-in for each emoji that the profile does not know, and these emoji in order.
fn without_young(name: &str) -> (String, Vec<char>) {
    let mut young = Vec::new();
    let mut last = None;
    let stood = name.chars().filter(|c| {
        let drawn = last.replace(*c).is_some_and(|c: char| c.is_emoji_char());
        *c != AS_EMOJI || !drawn
    });
    let text = stood.collect::<String>();
    let stand_in = |c: char| {
        let is_young = c == STANDIN || c.is_emoji_char() && !is_known(c);
        if is_young {
            young.push(c);
        }
        if is_young { STANDIN } else { c }
    };
    (text.chars().map(stand_in).collect(), young)
}

/// The name with the emoji where they were.
fn with_young(name: &str, young: Vec<char>) -> String {
    let mut young = young.into_iter();
    name.chars().map(|c| if c == STANDIN { young.next().unwrap_or(c) } else { c }).collect()
}

fn is_known(c: char) -> bool {
    Nickname::new().enforce(c.to_string()).is_ok()
}
