//! The names of players.

use journal::Bot;
use precis_profiles::Nickname;
use precis_profiles::precis_core::profile::Profile;

use crate::error::Error;

/// How many characters a name may have.
const MOST: usize = 64;

/// What a spreadsheet takes for the beginning of a formula.
const FORMULA: [char; 4] = ['=', '+', '-', '@'];

/// The name of a person as it is kept and shown: none that a bot has, with or without a version, however it is written.
///
/// # Errors
/// As those of [`nickname`], and if it is the name of a bot.
pub(crate) fn name_of_person(name: &str, pointer: &str) -> Result<String, Error> {
    let kept = nickname(name, pointer)?;
    let folded = kept.to_lowercase();
    let of_bot = |bot: &Bot| {
        let version = folded.strip_prefix(bot.name());
        version
            .is_some_and(|rest| rest.trim_start_matches([' ', '@']).chars().all(|c| c.is_numeric()))
    };
    match Bot::ALL.iter().find(|bot| of_bot(bot)) {
        None => Ok(kept),
        Some(bot) => {
            let detail = format!("{kept} is a name of the bot {bot}: a person needs another one");
            Err(Error::Malformed { detail, pointer: pointer.to_owned() })
        }
    }
}

/// A name as it is kept and shown: by the nickname profile of RFC 8266, so without outer and repeated spaces, in the normal form NFKC, and
/// without control, bidirectional or invisible characters.
///
/// # Errors
/// If the profile forbids it, or it is too long, or begins as a formula does.
pub(crate) fn nickname(name: &str, pointer: &str) -> Result<String, Error> {
    let wrong = |detail: String| Error::Malformed { detail, pointer: pointer.to_owned() };
    let forbidden = "a name must have a visible character, and no control or invisible character (the nickname profile of RFC 8266)";
    let long = || wrong(format!("a name must have at most {MOST} characters"));
    // The profile may shorten a name, but not this much, and takes its time for a long one.
    if name.chars().nth(8 * MOST).is_some() {
        return Err(long());
    }
    let kept = Nickname::new().enforce(name).map_err(|_| wrong(forbidden.to_owned()))?;
    if kept.chars().count() > MOST {
        return Err(long());
    }
    if kept.starts_with(FORMULA) {
        return Err(wrong("a name must not begin with =, +, - or @".to_owned()));
    }
    Ok(kept.into_owned())
}
