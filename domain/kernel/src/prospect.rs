//! What each command is sure to bring: what a simple player goes by.

use serde_json::Value;

use crate::{Chance, Disclosure, Draft, Fact, Game, Seat};

/// One point, in the unit of prospects.
const POINT: i64 = 1_000;

/// Chance for what is thrown away: the events after the first draw are not looked at.
pub(crate) struct Unknown;

impl Chance for Unknown {
    fn draw(&mut self, _: &'static str, _: usize, _: &dyn Fn(usize) -> Value) -> usize {
        0
    }
}

/// What each of the legal commands is worth to the seat to act, in their order, in thousandths of a point: the points that it is sure to
/// bring the seat, times the number of other seats, less what it brings all of them, plus the game's leanings. Looks no further than the
/// first event that is drawn by chance or that reveals something hidden to the seat, so that it knows no more than the seat does.
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
    let Some(seat) = G::active_seat(position) else {
        return Vec::new();
    };
    let before = standing::<G>(position, seat);
    let leanings = G::leanings(position, legal);
    let mut events = Vec::new();
    let mut gain = |command: &G::Command| {
        let mut after = position.clone();
        events.clear();
        let mut chance = Unknown;
        let mut draft = Draft::<G>::new(&mut after, &mut events, &mut chance);
        if G::decide(&mut draft, command).is_err() {
            return 0;
        }
        let certain = draft.certain();
        let unforeseen =
            events[..certain].iter().position(|event| event.disclosure() == Disclosure::ToAll);
        let sure = unforeseen.unwrap_or(certain);
        if sure < events.len() {
            after = position.clone();
            events[..sure].iter().for_each(|event| G::apply(&mut after, event));
        }
        standing::<G>(&after, seat) - before
    };
    let prospect = |(command, leaning)| gain(command) * POINT + leaning;
    legal.iter().zip(leanings).map(prospect).collect()
}

/// Own points times the number of others, less the points of the others.
fn standing<G: Game>(position: &G::Position, seat: Seat) -> i64 {
    let points = G::points(position);
    let own = points[seat.index()];
    let all: i64 = points.iter().sum();
    let others = i64::try_from(points.len()).expect("few seats") - 1;
    own * others - (all - own)
}
