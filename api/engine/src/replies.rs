//! What is written for bots of a sandbox: they do it at their turns, after the opening.

use journal::{Bot, BotScript, raw};
use kernel::{AnyMatch, Seat};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::error::Error;
use crate::sandbox::{REPLIES_BYTES, REPLY_BYTES, ReplyRequest, SCRIPT_MAX};

/// The scripts of bots, of a match that begins like this; nothing if there are none.
///
/// # Errors
/// A seat without a bot, or with two scripts, too many commands, and one that is no command of the game. Whether the others are legal is
/// not known before their turns.
pub(crate) fn read(
    requests: Vec<ReplyRequest>,
    bots: &[Option<Bot>],
    start: &dyn AnyMatch,
) -> Result<Option<Vec<BotScript>>, Error> {
    let wrong = |detail: String, place: String| {
        Err(Error::malformed(detail, format!("/sandbox/replies{place}")))
    };
    let count: usize = requests.iter().map(|request| request.commands.len()).sum();
    if count > SCRIPT_MAX {
        return wrong(format!("at most {SCRIPT_MAX} replies are allowed"), String::new());
    }
    let texts = requests.iter().flat_map(|request| &request.commands);
    let bytes: usize = texts.map(|command| command.get().len()).sum();
    if bytes > REPLIES_BYTES {
        return wrong(format!("replies have at most {REPLIES_BYTES} bytes"), String::new());
    }
    let mut scripts: Vec<BotScript> = Vec::new();
    for (number, ReplyRequest { seat, commands }) in requests.into_iter().enumerate() {
        if bots.get(seat).copied().flatten().is_none() {
            return wrong(format!("seat {seat} has no bot"), format!("/{number}/seat"));
        }
        let seat = Seat(u8::try_from(seat).expect("a seat of the match"));
        if scripts.iter().any(|script| script.seat == seat) {
            return wrong(format!("seat {seat} has replies already"), format!("/{number}/seat"));
        }
        let mut read = Vec::new();
        for (at, command) in commands.into_iter().enumerate() {
            let place = format!("/{number}/commands/{at}");
            if command.get().len() > REPLY_BYTES {
                return wrong(format!("a reply has at most {REPLY_BYTES} bytes"), place);
            }
            start.check_form(&command).map_err(|refusal| {
                let refusal = refusal.within(&format!("/sandbox/replies{place}"));
                Error::IllegalCommand { refusal, current: None, step: None }
            })?;
            read.push(serde_json::from_str::<Value>(command.get()).expect("it is JSON"));
        }
        scripts.push(BotScript { commands: read, seat });
    }
    Ok((!scripts.is_empty()).then_some(scripts))
}

/// What the bot to act is to do in this commit, if that is written.
pub(crate) fn due(
    table: &journal::Table,
    commit: u64,
    seat: Seat,
) -> Option<(usize, Box<RawValue>)> {
    table.reply_in(commit, seat).map(|(number, command)| (number, raw(command)))
}
