//! One door for every game: JSON text in and out, no game's types.
//!
//! The shell holds `&dyn AnyGame` and `Box<dyn AnyMatch>`. [`Erased`] implements both for any [`Game`]; it is the only generic
//! glue in the workspace. JSON travels as [`RawValue`], text that was checked to be JSON and is read by the game alone, so that
//! duplicate or unknown fields cannot slip through a more lenient reader in between.

use std::marker::PhantomData;

use serde_json::value::RawValue;

use crate::json::{AtVersion, alike, read, without_version};
use crate::playout::{Driver, playout};
use crate::prospect::{gains, is_unforeseen, prospects};
use crate::setup::setup;
use crate::stored::{Seen, StreamError, fitting, no_event, raw, seen, stored};
use crate::{
    Award, Chance, Choice, Completions, Disclosure, Draft, Edition, Fact, Game, Info, Placed,
    Refusal, Replayed, RuleText, Schemas, Seat, Sizes, Viewer, Words, choice, form,
};

/// A match after its first commit.
pub struct Started {
    /// The match after all events.
    pub state: Box<dyn AnyMatch>,
    /// The events of the setup.
    pub events: Vec<Seen>,
}

/// What a command leads to.
pub struct Decided {
    /// The match after all events.
    pub state: Box<dyn AnyMatch>,
    /// The command as the game understood it, all fields present.
    pub command: Box<RawValue>,
    /// The events of the commit.
    pub events: Vec<Seen>,
    /// How many of the events come before the first draw: all of them if nothing is drawn.
    pub certain: usize,
}

/// A whole match that was played inside the process.
pub struct Played {
    /// The match at its end, or where its driver left it.
    pub state: Box<dyn AnyMatch>,
    /// How many commands there were.
    pub commands: u64,
    /// How many events, those before the first command among them.
    pub events: u64,
}

/// A game without its types. Object-safe.
pub trait AnyGame: Sync {
    /// What the catalogue says.
    fn info(&self) -> &'static Info;
    /// The rules with one sentence each, by number.
    fn rules(&self) -> Vec<RuleText>;
    /// The printed data.
    fn data(&self) -> Box<RawValue>;
    /// JSON Schemas of everything that crosses the API.
    fn schemas(&self) -> Schemas;
    /// Opens a match with `seats` seats, by the rules of an edition.
    ///
    /// # Errors
    /// The rule that the number of seats or an option breaks.
    fn setup(
        &self,
        options: &RawValue,
        seats: usize,
        edition: Edition,
        chance: &mut dyn Chance,
    ) -> Result<Started, Refusal>;
    /// Reads a position and checks that it may be played. Its edition is the one that it tells, otherwise `edition`.
    ///
    /// # Errors
    /// The first rule that it breaks.
    fn load(&self, position: &RawValue, edition: Edition) -> Result<Box<dyn AnyMatch>, Refusal>;
    /// Reads the position that a stored match began with ([`Game::restore`]). With `edition`, it is played by the rules of that one
    /// instead of its own.
    ///
    /// # Errors
    /// If no release ever let a match begin with it.
    fn restore(
        &self,
        position: &RawValue,
        edition: Option<Edition>,
    ) -> Result<Box<dyn AnyMatch>, StreamError>;
    /// The match after the first event of a stream of an edition.
    ///
    /// # Errors
    /// If no stream begins with this event.
    fn start(&self, first: &RawValue, edition: Edition) -> Result<Box<dyn AnyMatch>, StreamError>;
    /// Today's form of an event that was stored in an older one ([`Form`](crate::Form)); `None` for any other text.
    fn lifted(&self, event: &str) -> Option<Box<RawValue>>;
    /// Does a stored event carry an outcome of chance or something that was hidden ([`Fact::disclosure`])?
    ///
    /// # Errors
    /// If it is no event of this game.
    fn discloses(&self, event: &RawValue) -> Result<bool, StreamError>;
    /// Plays a whole match by the rules of an edition, as far as the driver wants ([`Driver::goes_on`]). Allocates next to nothing.
    ///
    /// # Errors
    /// The rule that the number of seats or an option breaks.
    fn playout(
        &self,
        options: &RawValue,
        seats: usize,
        edition: Edition,
        driver: &mut dyn Driver,
    ) -> Result<Played, Refusal>;
}

/// A match at one version, without its game's types. Object-safe.
pub trait AnyMatch: Send + Sync {
    /// The game that is played.
    fn game(&self) -> &'static dyn AnyGame;
    /// A copy to go on from.
    fn boxed_clone(&self) -> Box<dyn AnyMatch>;
    /// The edition by whose rules it is played.
    fn edition(&self) -> Edition;
    /// The seat to act, or `None` when the match is finished.
    fn active_seat(&self) -> Option<Seat>;
    /// The seat whose turn is the first, where a match begins with this position.
    fn start_seat(&self) -> Option<Seat>;
    /// What is left to be drawn, and the size of each hand.
    fn sizes(&self) -> Sizes;
    /// The situation that the match is in, one of [`Info::moments`].
    fn moment(&self) -> &'static str;
    /// How many seats there are.
    fn seats(&self) -> usize;
    /// All legal commands, as one JSON array.
    fn legal_commands(&self) -> Box<RawValue>;
    /// The same and, in their order, as a person chooses them, in these words.
    fn choices(&self, words: &Words) -> (Box<RawValue>, Vec<Choice>);
    /// How many legal commands there are.
    fn legal_count(&self) -> usize;
    /// Decides a stored command again and continues from there, without writing any JSON. It is meant for reading millions of commits.
    ///
    /// # Errors
    /// If the command is refused, or `events` are not those that it leads to; this match means nothing then.
    fn replay(
        &mut self,
        command: &RawValue,
        events: &[&RawValue],
        chance: &mut dyn Chance,
    ) -> Result<Replayed, StreamError>;
    /// What each of the legal commands is worth to the active seat as far as it can know, in their order: the points that it is sure to
    /// bring, in thousandths, and what the game leans to ([`Game::leanings`]).
    fn prospects(&self) -> Vec<i64>;
    /// The points that each of the legal commands is sure to bring the active seat at once, in their order, as far as it can know.
    fn gains(&self) -> Vec<i64>;
    /// Plays a copy of this match on to its end, or until the driver leaves it ([`Driver::goes_on`]). Allocates next to nothing.
    ///
    /// # Errors
    /// None that a game that keeps its promises could have.
    fn playout(&self, driver: &mut dyn Driver) -> Result<Played, Refusal>;
    /// Whether this is a command of the game, whatever the rules say of it now.
    ///
    /// # Errors
    /// The rule of the game about the form of commands.
    fn check_form(&self, command: &RawValue) -> Result<(), Refusal>;
    /// Decides a command of the active seat; this match stays as it is.
    ///
    /// # Errors
    /// The first rule that the command breaks.
    fn decide(&self, command: &RawValue, chance: &mut dyn Chance) -> Result<Decided, Refusal>;
    /// The ways to complete a command of which fields are missing, with `type`, `spot` or both; `None` if nothing can complete it.
    fn complete(&self, half: &RawValue) -> Option<Completions>;
    /// Applies a stored event.
    ///
    /// # Errors
    /// If it is no event of this game.
    fn apply(&mut self, event: &RawValue) -> Result<(), StreamError>;
    /// Does a stored event that comes next tell the seat to act something that it does not know?
    ///
    /// # Errors
    /// If it is no event of this game.
    fn unforeseen(&self, event: &RawValue) -> Result<bool, StreamError>;
    /// A stored event of this match, at any version, as `viewer` may see it.
    ///
    /// # Errors
    /// If it is no event of this game.
    fn event_view(&self, event: &RawValue, viewer: Viewer) -> Result<Box<RawValue>, StreamError>;
    /// What `viewer` may see.
    fn view(&self, viewer: Viewer) -> Box<RawValue>;
    /// The same with one field more, before all others: `version`.
    fn view_at(&self, viewer: Viewer, version: u64) -> Box<RawValue>;
    /// The pieces that everybody sees ([`Game::pieces`]).
    fn pieces(&self) -> Vec<Placed>;
    /// The complete position.
    fn position(&self) -> Box<RawValue>;
    /// All options, with defaults filled in ([`Game::options`]): a JSON object.
    fn options(&self) -> Box<RawValue>;
    /// How much memory it takes, in bytes, and rather more ([`Game::bytes`]).
    fn bytes(&self) -> usize;
    /// The score by seat.
    fn points(&self) -> Vec<i64>;
    /// The points that a stored event gives and takes if it comes next ([`Game::awards`]).
    ///
    /// # Errors
    /// If it is no event of this game.
    fn awards(&self, event: &RawValue) -> Result<Vec<Award>, StreamError>;
    /// The seat whose turn begins with a stored event if it comes next ([`Game::turn_begun`]).
    ///
    /// # Errors
    /// If it is no event of this game.
    fn turn_begun(&self, event: &RawValue) -> Result<Option<Seat>, StreamError>;
    /// The final ranking, a JSON array, when the match is finished.
    fn standing(&self) -> Option<Box<RawValue>>;
    /// Does an option of the match allow to take back ([`Game::allows_take_back`])?
    fn allows_take_back(&self) -> bool;
}

/// The adapter: `Erased::<MyGame>::NEW` is an `AnyGame`.
pub struct Erased<G>(PhantomData<fn() -> G>);

impl<G> Erased<G> {
    /// The one value of this type.
    pub const NEW: Self = Erased(PhantomData);
}

struct Match<G: Game> {
    position: G::Position,
}

impl<G: Game> AnyGame for Erased<G> {
    fn info(&self) -> &'static Info {
        const { &G::INFO }
    }

    fn rules(&self) -> Vec<RuleText> {
        let table: toml::Table =
            G::INFO.rules.parse().expect("a game's rules are a TOML table: a test reads them");
        let text =
            |value: toml::Value| value.as_str().expect("a rule's text is a string").to_owned();
        table.into_iter().map(|(rule, value)| RuleText { rule, text: text(value) }).collect()
    }

    fn data(&self) -> Box<RawValue> {
        raw(&crate::printed::served(G::INFO.data))
    }

    fn schemas(&self) -> Schemas {
        Schemas::of::<G>()
    }

    fn setup(
        &self,
        options: &RawValue,
        seats: usize,
        edition: Edition,
        chance: &mut dyn Chance,
    ) -> Result<Started, Refusal> {
        let (position, events) = setup::<G>(options, seats, edition, chance)?;
        // After the setup: a game has rules of its own for wrong values, which come first.
        let rule = G::INFO.forms.options;
        alike(options, &raw(&read::<G::Options>(options, rule)?), rule)?;
        Ok(Started {
            events: seen::<G>(&position, &events),
            state: Box::new(Match::<G> { position }),
        })
    }

    fn load(&self, position: &RawValue, edition: Edition) -> Result<Box<dyn AnyMatch>, Refusal> {
        let rule = G::INFO.forms.position;
        let sent = &*without_version(position);
        let mut form = read::<G::PositionForm>(sent, rule)?;
        G::told(&mut form).get_or_insert(edition);
        let position = G::admit(form)?;
        alike(sent, &raw(&position), rule)?;
        Ok(Box::new(Match::<G> { position }))
    }

    fn restore(
        &self,
        position: &RawValue,
        edition: Option<Edition>,
    ) -> Result<Box<dyn AnyMatch>, StreamError> {
        let restored = read::<G::PositionForm>(position, G::INFO.forms.position).and_then(|form| {
            let mut form = form;
            let told = G::told(&mut form);
            *told = edition.or(*told);
            G::restore(form)
        });
        let position = restored.map_err(|refusal| StreamError(refusal.to_string()))?;
        Ok(Box::new(Match::<G> { position }))
    }

    fn start(&self, first: &RawValue, edition: Edition) -> Result<Box<dyn AnyMatch>, StreamError> {
        let first = stored::<G>(first)?;
        let position = fitting(|| G::start(&first, edition))?.ok_or_else(|| {
            StreamError(format!("no match of {} begins with this event", G::INFO.id))
        })?;
        Ok(Box::new(Match::<G> { position }))
    }

    fn lifted(&self, event: &str) -> Option<Box<RawValue>> {
        form::lifted::<G::Event>(event).map(|event| raw(&event))
    }

    fn discloses(&self, event: &RawValue) -> Result<bool, StreamError> {
        Ok(stored::<G>(event)?.disclosure() > Disclosure::Nothing)
    }

    fn playout(
        &self,
        options: &RawValue,
        seats: usize,
        edition: Edition,
        driver: &mut dyn Driver,
    ) -> Result<Played, Refusal> {
        let (position, events) = setup::<G>(options, seats, edition, driver)?;
        played::<G>(position, events, driver)
    }
}

fn played<G: Game>(
    position: G::Position,
    events: Vec<G::Event>,
    driver: &mut dyn Driver,
) -> Result<Played, Refusal> {
    let (position, commands, events) = playout::<G>(position, events, driver)?;
    Ok(Played { state: Box::new(Match::<G> { position }), commands, events })
}

impl<G: Game> AnyMatch for Match<G> {
    fn game(&self) -> &'static dyn AnyGame {
        const { &Erased::<G>::NEW }
    }

    fn boxed_clone(&self) -> Box<dyn AnyMatch> {
        Box::new(Match::<G> { position: self.position.clone() })
    }

    fn edition(&self) -> Edition {
        G::edition(&self.position)
    }

    fn active_seat(&self) -> Option<Seat> {
        G::active_seat(&self.position)
    }

    fn start_seat(&self) -> Option<Seat> {
        G::start_seat(&self.position)
    }

    fn sizes(&self) -> Sizes {
        G::sizes(&self.position)
    }

    fn moment(&self) -> &'static str {
        G::moment(&self.position)
    }

    fn seats(&self) -> usize {
        G::points(&self.position).len()
    }

    fn legal_commands(&self) -> Box<RawValue> {
        raw(&choice::legal::<G>(&self.position))
    }

    fn choices(&self, words: &Words) -> (Box<RawValue>, Vec<Choice>) {
        let (commands, choices) = choice::all::<G>(&self.position, words);
        (raw(&commands), choices)
    }

    fn legal_count(&self) -> usize {
        choice::legal::<G>(&self.position).len()
    }

    fn playout(&self, driver: &mut dyn Driver) -> Result<Played, Refusal> {
        played::<G>(self.position.clone(), Vec::new(), driver)
    }

    fn replay(
        &mut self,
        command: &RawValue,
        events: &[&RawValue],
        chance: &mut dyn Chance,
    ) -> Result<Replayed, StreamError> {
        let command = serde_json::from_str(command.get())
            .map_err(|error| StreamError(format!("not a command of {}: {error}", G::INFO.id)))?;
        let mut after = self.position.clone();
        let mut decided = Vec::with_capacity(events.len());
        fitting(|| G::decide(&mut Draft::new(&mut after, &mut decided, chance), &command))?
            .map_err(|refusal| StreamError(format!("its command is refused by {refusal}")))?;
        if decided.len() != events.len() {
            return Err(StreamError("the number of its events differs".to_owned()));
        }
        let mut replayed = Replayed::default();
        for (number, (decided, event)) in decided.iter().zip(events).enumerate() {
            if *decided != stored::<G>(event)? {
                return Err(StreamError(format!("its event {number} differs")));
            }
            fitting(|| {
                let given = G::awards(&self.position, decided).into_iter();
                replayed.awards.extend(given.map(|award| (number, award)));
                replayed.turns.extend(G::turn_begun(&self.position, decided));
                G::apply(&mut self.position, decided);
            })?;
        }
        Ok(replayed)
    }

    fn prospects(&self) -> Vec<i64> {
        prospects::<G>(&self.position, &choice::legal::<G>(&self.position))
    }

    fn gains(&self) -> Vec<i64> {
        gains::<G>(&self.position, &choice::legal::<G>(&self.position))
    }

    fn check_form(&self, command: &RawValue) -> Result<(), Refusal> {
        choice::formed::<G>(command).map(drop)
    }

    fn decide(&self, command: &RawValue, chance: &mut dyn Chance) -> Result<Decided, Refusal> {
        let forms = &G::INFO.forms;
        // Most games name their end first, whatever the command looks like (R-23 before R-24; but C-302 before C-301).
        if G::active_seat(&self.position).is_none() && !forms.form_first {
            return Err(Refusal::new(forms.finished, "the match is finished"));
        }
        let (command, understood) = choice::formed::<G>(command)?;
        let mut position = self.position.clone();
        let mut events = Vec::new();
        let mut draft = Draft::<G>::new(&mut position, &mut events, chance);
        G::decide(&mut draft, &command)?;
        let certain = draft.certain();
        Ok(Decided {
            events: seen::<G>(&position, &events),
            state: Box::new(Match::<G> { position }),
            command: understood,
            certain,
        })
    }

    fn complete(&self, half: &RawValue) -> Option<Completions> {
        crate::half::complete::<G>(&self.position, half)
    }

    fn apply(&mut self, event: &RawValue) -> Result<(), StreamError> {
        let event = stored::<G>(event)?;
        fitting(|| G::apply(&mut self.position, &event))
    }

    fn unforeseen(&self, event: &RawValue) -> Result<bool, StreamError> {
        Ok(is_unforeseen::<G>(&self.position, &stored::<G>(event)?))
    }

    fn event_view(&self, event: &RawValue, viewer: Viewer) -> Result<Box<RawValue>, StreamError> {
        let seen = || form::seen::<G::Event>(event.get(), &self.position, viewer);
        fitting(seen)?.map_err(no_event::<G>)
    }

    fn view(&self, viewer: Viewer) -> Box<RawValue> {
        raw(&G::view(&self.position, viewer))
    }

    fn view_at(&self, viewer: Viewer, version: u64) -> Box<RawValue> {
        raw(&AtVersion { version, value: G::view(&self.position, viewer) })
    }

    fn pieces(&self) -> Vec<Placed> {
        G::pieces(&G::view(&self.position, Viewer::Spectator))
    }

    fn position(&self) -> Box<RawValue> {
        raw(&self.position)
    }

    fn options(&self) -> Box<RawValue> {
        raw(&G::options(&self.position))
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + G::bytes(&self.position)
    }

    fn points(&self) -> Vec<i64> {
        G::points(&self.position)
    }

    fn awards(&self, event: &RawValue) -> Result<Vec<Award>, StreamError> {
        let event = stored::<G>(event)?;
        fitting(|| G::awards(&self.position, &event))
    }

    fn turn_begun(&self, event: &RawValue) -> Result<Option<Seat>, StreamError> {
        let event = stored::<G>(event)?;
        fitting(|| G::turn_begun(&self.position, &event))
    }

    fn standing(&self) -> Option<Box<RawValue>> {
        G::standing(&self.position).map(|places| raw(&places))
    }

    fn allows_take_back(&self) -> bool {
        G::allows_take_back(&self.position)
    }
}
