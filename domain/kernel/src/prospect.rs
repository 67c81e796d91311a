//! What each command is sure to bring: what a simple player goes by.

use crate::{Candidate, Chance, Disclosure, Draft, Fact, Game, Seat};

/// One point, in the unit of prospects.
const POINT: i64 = 1_000;

/// Chance for what is thrown away: the events after the first draw are not looked at.
pub(crate) struct Unknown;

impl Chance for Unknown {
    fn draw(&mut self, _: &'static str, _: usize, _: &Candidate<'_>) -> usize {
        0
    }
}

/// What each of the legal commands is worth to the seat to act, in their order, in thousandths of a point: the points that it is sure to
/// bring the seat, times the number of other seats (once, if there is none), less what it brings all of them, plus the game's leanings.
/// Looks no further than the first event that is drawn by chance or that reveals something hidden to the seat, so that it knows no more
/// than the seat does.
///
/// # Example
/// In Nim the last stone wins the only point, so with two stones left it is best to take both:
/// ```
/// use kernel::{Game, prospects};
/// use testkit::Nim;
///
/// let position = r#"{"heaps": [2], "lucky": [7, 4], "active_seat": 0, "winner": null}"#;
/// let position = Nim::admit(serde_json::from_str(position)?)?;
/// let mut legal = Vec::new();
/// Nim::legal_commands(&position, &mut legal);
/// assert_eq!(prospects::<Nim>(&position, &legal), [0, 1_000]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn prospects<G: Game>(position: &G::Position, legal: &[G::Command]) -> Vec<i64> {
    let Some(seat) = G::active_seat(position) else { return Vec::new() };
    let leanings = G::leanings(position, legal);
    // What the seat knows already counts for nothing here: the play of a bot has a version.
    let is_new = |event: &G::Event| event.disclosure() == Disclosure::ToAll;
    let gains = sure::<G>(position, legal, is_new, |position| ahead(&G::points(position), seat));
    gains.into_iter().zip(leanings).map(|(gain, leaning)| gain * POINT + leaning).collect()
}

/// The points that each of the legal commands is sure to bring the seat to act at once, in their order. Looks no further than the first event
/// that is drawn by chance or that tells the seat something that it does not know.
///
/// # Example
/// ```
/// use kernel::{Game, gains};
/// use testkit::Nim;
///
/// let position = r#"{"heaps": [2], "lucky": [7, 4], "active_seat": 0, "winner": null}"#;
/// let position = Nim::admit(serde_json::from_str(position)?)?;
/// let mut legal = Vec::new();
/// Nim::legal_commands(&position, &mut legal);
/// assert_eq!(gains::<Nim>(&position, &legal), [0, 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn gains<G: Game>(position: &G::Position, legal: &[G::Command]) -> Vec<i64> {
    let Some(seat) = G::active_seat(position) else { return Vec::new() };
    let is_new = |event: &G::Event| is_unforeseen::<G>(position, event);
    sure::<G>(position, legal, is_new, |position| G::points(position)[seat.index()])
}

/// Does the event tell the seat to act something that it does not know?
pub(crate) fn is_unforeseen<G: Game>(position: &G::Position, event: &G::Event) -> bool {
    event.disclosure() == Disclosure::ToAll && !G::is_known(position, event)
}

/// How much more `worth` is after what each command is sure to do: up to the first event that is drawn by chance or that is new.
fn sure<G: Game>(
    position: &G::Position,
    legal: &[G::Command],
    is_new: impl Fn(&G::Event) -> bool,
    worth: impl Fn(&G::Position) -> i64,
) -> Vec<i64> {
    let before = worth(position);
    let mut events = Vec::new();
    let gain = |command: &G::Command| {
        let mut after = position.clone();
        events.clear();
        let mut chance = Unknown;
        let mut draft = Draft::<G>::new(&mut after, &mut events, &mut chance);
        if G::decide(&mut draft, command).is_err() {
            return 0;
        }
        let certain = draft.certain();
        let sure = events[..certain].iter().position(&is_new).unwrap_or(certain);
        if sure < events.len() {
            after = position.clone();
            events[..sure].iter().for_each(|event| G::apply(&mut after, event));
        }
        worth(&after) - before
    };
    legal.iter().map(gain).collect()
}

/// How far a seat is ahead of the others: own points times the number of others, less the points of the others. Who plays alone has own points.
fn ahead(points: &[i64], seat: Seat) -> i64 {
    let own = points[seat.index()];
    let all: i64 = points.iter().sum();
    let others = i64::try_from(points.len()).expect("few seats") - 1;
    own * others.max(1) - (all - own)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_plays_alone_is_ahead_by_own_points() {
        assert_eq!(ahead(&[7], Seat(0)), 7);
        assert_eq!(ahead(&[7, 4], Seat(1)), -3);
        assert_eq!(ahead(&[7, 4, 5], Seat(0)), 5);
    }
}
