//! The rules of the platform: what holds for every match, whatever is played. RULES.md is their specification.

use kernel::{AnyGame, Refusal, Rule, RuleText, Seat, StreamError};

use crate::record::Body;

/// Taking back is allowed in the match.
pub const TAKE_BACK_ALLOWED: Rule = Rule("M-80");
/// A result is final.
pub const RESULT_IS_FINAL: Rule = Rule("M-81");
/// Only one's own latest command.
const OWN_LATEST_COMMAND: Rule = Rule("M-82");
/// Nothing was drawn or revealed.
const NOTHING_DISCLOSED: Rule = Rule("M-83");
/// A match has one edition, which its game has.
pub const ONE_EDITION: Rule = Rule("M-90");
/// The window closes when a seat acts.
const WINDOW: Rule = Rule("M-84");

/// Each rule with one sentence.
const TEXTS: [(Rule, &str); 6] = [
    (
        TAKE_BACK_ALLOWED,
        "A command can be taken back only in a match that was opened with taking back, or whose options allow it.",
    ),
    (RESULT_IS_FINAL, "Nothing can be taken back in a match that is over."),
    (
        OWN_LATEST_COMMAND,
        "Only the latest commit can be taken back, and only if it is a command of this seat.",
    ),
    (
        NOTHING_DISCLOSED,
        "A command that drew by chance or revealed something hidden cannot be taken back.",
    ),
    (WINDOW, "A command can no longer be taken back once any seat has acted."),
    (
        ONE_EDITION,
        "A match is played by one edition of the rules that its game has, and a position by the edition that it tells.",
    ),
];

/// The rules that a refusal in a match of this game may quote: the game's own, then those of the platform.
#[must_use]
pub fn of(game: &dyn AnyGame) -> Vec<RuleText> {
    let of_platform = TEXTS.iter().map(|(Rule(number), text)| RuleText {
        rule: (*number).to_owned(),
        text: (*text).to_owned(),
    });
    game.rules().into_iter().chain(of_platform).collect()
}

/// Why `seat` may not take back the commit `latest` of a match of this game that allows it and is not over (M-82, M-83); nothing if it may.
///
/// # Errors
/// If an event of a command is none of this game.
pub fn take_back_refused(
    game: &dyn AnyGame,
    latest: &Body<'_>,
    seat: Seat,
) -> Result<Option<Refusal>, StreamError> {
    if latest.command.is_none() || latest.seat != Some(seat) {
        let reason = "the latest commit is not a command of this seat";
        return Ok(Some(Refusal::new(OWN_LATEST_COMMAND, reason)));
    }
    for event in &latest.events {
        if game.discloses(event)? {
            let reason = "the command drew by chance or revealed something hidden";
            return Ok(Some(Refusal::new(NOTHING_DISCLOSED, reason)));
        }
    }
    Ok(None)
}
