//! What a match begins with: the setup of its game, or a position that somebody gives.

use std::sync::Arc;

use journal::{PlatformEvent, canonical_raw, raw};
use kernel::{AnyGame, AnyMatch, Chance, Edition, Refusal, Rule, Seen, Wrong};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::error::Error;
use crate::play::RandomPlay;

/// A match after its first events.
pub(crate) struct Setup {
    pub(crate) state: Arc<dyn AnyMatch>,
    pub(crate) events: Vec<Seen>,
    /// Whether it is a given position.
    pub(crate) loaded: bool,
    /// The options as they were asked for, canonical.
    pub(crate) asked: Option<Box<RawValue>>,
}

impl Setup {
    /// The game's own setup.
    pub(crate) fn decide(
        game: &'static dyn AnyGame,
        options: Option<&RawValue>,
        seats: usize,
        edition: Edition,
        chance: &mut dyn Chance,
    ) -> Result<Self, Error> {
        let none = raw(&serde_json::Map::new());
        let started = game.setup(options.unwrap_or(&none), seats, edition, chance);
        let started = started.map_err(Error::InvalidOptions)?;
        // Not before: the game has read them, so they are JSON that can be written anew.
        let asked = options.map(canonical_raw);
        Ok(Setup { state: started.state.into(), events: started.events, loaded: false, asked })
    }

    /// A given position.
    pub(crate) fn from_position(
        game: &'static dyn AnyGame,
        state: Box<dyn AnyMatch>,
        options: Option<&RawValue>,
        seats: usize,
    ) -> Result<Self, Error> {
        let forms = &game.info().forms;
        if state.seats() != seats {
            let reason = format!("the position has {} seats, not {seats}", state.seats());
            return Err(Error::InvalidOptions(Refusal::new(forms.seats, reason)));
        }
        if let Some(options) = options {
            agree(game, state.as_ref(), fields(options, forms.options)?)?;
        }
        let event = PlatformEvent::PositionLoaded { position: state.position() };
        let public = event.seen(game, kernel::Viewer::Spectator)?;
        let full = raw(&event);
        let public = (public.get() != full.get()).then_some(public);
        let asked = options.map(canonical_raw);
        let events = vec![Seen { full, public }];
        Ok(Setup { state: state.into(), events, loaded: true, asked })
    }
}

/// Are options those of a position, or another way to say the same?
fn agree(
    game: &'static dyn AnyGame,
    state: &dyn AnyMatch,
    given: Map<String, Value>,
) -> Result<(), Error> {
    let own: Map<String, Value> = serde_json::from_str(state.options().get()).unwrap_or_default();
    let differs = given.iter().find(|(name, value)| own.get(*name) != Some(*value));
    let Some(name) = differs.map(|(name, _)| name.clone()) else { return Ok(()) };
    // What it sets up is thrown away: only how the game reads the options is asked for.
    let read = |options: &Map<String, Value>| {
        let mut chance = RandomPlay::new(0, 0);
        let started = game.setup(&raw(options), state.seats(), state.edition(), &mut chance)?;
        Ok::<_, Refusal>(started.state.options())
    };
    let (open, closed): (Map<String, Value>, _) =
        given.clone().into_iter().partition(|(_, value)| value.is_null());
    // By itself, as it is left out below: there must be such an option, and it may be null.
    if !open.is_empty() {
        read(&open).map_err(Error::InvalidOptions)?;
    }
    // What was left open when the match was opened, such as a seed of the map, has been drawn since.
    let whole = own.clone().into_iter().chain(closed).collect();
    if read(&whole).is_ok_and(|whole| whole.get() == state.options().get()) {
        return Ok(());
    }
    // What is no option at all is refused as in a match without a position.
    read(&given).map_err(Error::InvalidOptions)?;
    let reason = format!("the option {name} differs from that of the position");
    Err(Error::InvalidOptions(Refusal::new(game.info().forms.options, reason)))
}

/// The fields of options that must be an object.
fn fields(options: &RawValue, rule: Rule) -> Result<Map<String, Value>, Error> {
    let fields = serde_json::from_str(options.get()).map_err(|error| {
        let Wrong { pointer, detail } = Wrong::of(&error, options.get().as_bytes(), "");
        Error::InvalidOptions(Refusal { pointer: Some(pointer), ..Refusal::new(rule, detail) })
    })?;
    if kernel::json::repeats(options) {
        return Err(Error::InvalidOptions(Refusal::new(rule, "a field is there twice")));
    }
    Ok(fields)
}
