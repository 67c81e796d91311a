//! What a match begins with: the setup of its game, or a position that somebody gives.

use std::sync::Arc;

use journal::{PlatformEvent, canonical_raw, options_of, raw};
use kernel::{AnyGame, AnyMatch, Chance, Edition, Refusal, Rule, Seen, Wrong};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::error::Error;

/// A match after its first events.
pub(crate) struct Setup {
    pub(crate) state: Arc<dyn AnyMatch>,
    pub(crate) events: Vec<Seen>,
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
        Ok(Setup { state: started.state.into(), events: started.events, asked })
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
        let own: Value = serde_json::from_str(options_of(state.as_ref()).get()).unwrap_or_default();
        let given =
            options.map_or_else(|| Ok(Default::default()), |given| fields(given, forms.options))?;
        if let Some((name, _)) = given.iter().find(|(name, value)| own.get(name) != Some(*value)) {
            let reason = format!("the option {name} differs from that of the position");
            return Err(Error::InvalidOptions(Refusal::new(forms.options, reason)));
        }
        let event = PlatformEvent::PositionLoaded { position: state.position() };
        let public = event.seen(game, kernel::Viewer::Spectator)?;
        let full = raw(&event);
        let public = (public.get() != full.get()).then_some(public);
        let asked = options.map(canonical_raw);
        Ok(Setup { state: state.into(), events: vec![Seen { full, public }], asked })
    }
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
