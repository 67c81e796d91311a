//! Bots at the table: the next move of each.

use journal::{Bot, MatchId, PlatformEvent, ReplyRefused};
use kernel::{Refusal, Rule, Seat};

use crate::append::platform_commit;
use crate::caller::Caller;
use crate::clock::{is_ahead, is_within};
use crate::engine::Engine;
use crate::error::Error;
use crate::live::{Head, Slot};
use crate::play::{Chooser, chosen};
use crate::replies;
use crate::submit::Submission;
use crate::waiting::{AFTER_A_PERSON, BotDue};

impl Engine {
    /// The match in which a bot is to act next, of those that no other server plays for; it is taken from the list.
    #[must_use]
    pub fn next_bot(&self) -> BotDue {
        self.waiting.next(self.leases())
    }

    /// Resolves when a bot may be due sooner than was said.
    pub async fn bots_changed(&self) {
        self.waiting.changed().await;
    }

    /// Plays the move of the bot that is to act in this match, if there is one. It chooses from what its seat sees, and its command is
    /// submitted like any other. It is not an error if somebody acted before the bot, or closed the match. Returns the game and the bot
    /// whose command was accepted.
    ///
    /// # Errors
    /// If the match cannot be read, or the store takes no writes: unless the match is damaged, the bot tries again later.
    pub async fn play_bot(&self, id: MatchId) -> Result<Option<(&'static str, Bot)>, Error> {
        let played = self.play_now(id).await;
        let may_pass = |error: &Error| {
            matches!(
                error,
                Error::Unavailable(_) | Error::Outdated | Error::OutcomeUnknown(_) | Error::Read(_)
            ) || matches!(error, Error::Damaged(damaged) if !damaged.lasts())
        };
        if played.as_ref().is_err_and(may_pass) {
            let people = self.index.known(id).and_then(|known| known.bots());
            self.waiting.store_down(id, people.unwrap_or(true));
        }
        played
    }

    async fn play_now(&self, id: MatchId) -> Result<Option<(&'static str, Bot)>, Error> {
        let slot = self.load(id)?;
        let head = slot.head();
        let state = &head.folded.state;
        let active = state.active_seat().and_then(|seat| {
            let bot = head.folded.table.bot(seat)?;
            Some((seat, bot))
        });
        let Some((seat, bot)) = active else {
            return Ok(None);
        };
        if let Some(person) = self.just_acted(id, &head)? {
            self.waiting.call(&slot, Some(person));
            return Ok(None);
        }
        let next = head.folded.commit + 1;
        let (reply, command) = replies::due(&head.folded.table, next, seat).unzip();
        let command = command.unwrap_or_else(|| {
            let mut chooser = Chooser::new(slot.seed(), next);
            chosen(state.as_ref(), |count| chooser.choose(bot, count, || state.prospects()))
        });
        let version = head.folded.version;
        let submission = Submission { command: &command, expected: Some(version), key: None };
        let submitted = self.submit(&slot, Caller::Seat(seat), submission).await;
        if let (Some(reply), Err(Error::IllegalCommand { refusal, .. })) = (reply, &submitted) {
            self.refuse_reply(&slot, seat, version, reply, refusal).await?;
            return Ok(None);
        }
        match submitted {
            Ok(_) => Ok(Some((slot.game.info().id, bot))),
            Err(
                Error::VersionConflict { .. }
                | Error::MatchFinished { .. }
                | Error::NotActiveSeat { .. },
            ) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The person who has just acted and may take that back. Nobody has told the bot to wait where another server wrote it, and the match was not in
    /// memory here, and where this server was started since.
    fn just_acted(&self, id: MatchId, head: &Head) -> Result<Option<Seat>, Error> {
        // The time that was recorded is by a clock that may be another server's, or was set since: a server that has just begun knows no other.
        let is_followed = self.waiting.has_just_acted_elsewhere(id);
        let at = &head.updated_at;
        // How long ago a time is that lies ahead nobody knows: it may have been just before the start.
        let is_just_now = is_followed
            || is_within(at, AFTER_A_PERSON)
            || is_ahead(at) && self.waiting.has_just_begun();
        if !head.folded.take_back() || !is_just_now {
            return Ok(None);
        }
        let seat = head.record.body()?.seat;
        Ok(seat.filter(|seat| head.folded.table.bot(*seat).is_none()))
    }

    /// Says in the match that a bot cannot do what its script says next.
    pub(crate) async fn refuse_reply(
        &self,
        slot: &Slot,
        seat: Seat,
        expected: u64,
        reply: usize,
        refusal: &Refusal,
    ) -> Result<(), Error> {
        let Rule(rule) = refusal.rule;
        let refused = ReplyRefused { reply: reply as u64, rule: rule.to_owned(), seat };
        let _gate = slot.gate.lock().await;
        let head = slot.head();
        if head.folded.version != expected {
            return Ok(());
        }
        let next = platform_commit(&head, Some(seat), &PlatformEvent::ReplyRefused(refused))?;
        // If another server has committed meanwhile, the match waits for its bot there.
        self.append(slot, &head, next).await?;
        Ok(())
    }
}
