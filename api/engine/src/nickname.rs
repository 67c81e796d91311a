//! The names of players.

use precis_profiles::Nickname;
use precis_profiles::precis_core::profile::Profile;

use crate::error::Error;

/// How many characters a name may have.
const MOST: usize = 64;

/// What a spreadsheet takes for the beginning of a formula.
const FORMULA: [char; 4] = ['=', '+', '-', '@'];

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
