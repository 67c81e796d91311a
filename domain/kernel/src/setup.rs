//! Opening a match: the setup's events, and the position after them.

use serde_json::value::RawValue;

use crate::json::read;
use crate::{Chance, Edition, Game, Refusal};

/// Opens a match with `seats` seats.
///
/// # Errors
/// The rule that the number of seats or an option breaks.
pub(crate) fn setup<G: Game>(
    options: &RawValue,
    seats: usize,
    edition: Edition,
    chance: &mut dyn Chance,
) -> Result<(G::Position, Vec<G::Event>), Refusal> {
    let forms = &G::INFO.forms;
    let range = &G::INFO.seats;
    let seats =
        u8::try_from(seats).ok().filter(|seats| range.contains(seats)).ok_or_else(|| {
            let (least, most) = (range.start(), range.end());
            let range =
                if least == most { least.to_string() } else { format!("{least} to {most}") };
            Refusal::new(
                forms.seats,
                format!("{} is played with {range} seats, not with {seats}", G::INFO.title),
            )
        })?;
    let options = read::<G::Options>(options, forms.options)?;
    let events = G::setup(options, seats, edition, chance)?;
    let (first, rest) = events.split_first().expect("a setup has an event");
    let mut position = G::start(first, edition).expect("a setup's first event starts a match");
    rest.iter().for_each(|event| G::apply(&mut position, event));
    Ok((position, events))
}
