//! Pieces that everybody sees, and which one is which from one position to the next.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display};
use std::mem;

use serde::Serialize;
use utoipa::ToSchema;

/// Public pieces of one kind that lie at one place ([`Game::pieces`](crate::Game::pieces)).
///
/// Pieces of one kind are interchangeable: nobody could tell them apart if they were shaken in a bag. A place is the `data-spot` of a
/// picture where there is one, otherwise a name of the same form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    /// How many; there may be none.
    pub count: usize,
    /// What they are: `stone`.
    pub kind: String,
    /// Where they lie: `cell:4,4`.
    pub place: String,
}

impl Placed {
    /// One piece.
    pub fn new(kind: impl Display, place: impl Display) -> Self {
        Self::many(1, kind, place)
    }

    /// Some pieces.
    pub fn many(count: usize, kind: impl Display, place: impl Display) -> Self {
        Placed { count, kind: kind.to_string(), place: place.to_string() }
    }
}

/// A piece for as long as it is there: its id is `KIND-NUMBER`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Name {
    kind: String,
    /// The how many-th of its kind in the match, from 1.
    number: u32,
}

impl Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.kind, self.number)
    }
}

/// A piece that everybody sees.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Piece)]
pub struct Tracked {
    /// Its id for as long as it is there: the same for every viewer, and never used for another piece of the match.
    pub id: String,
    /// What it is. Pieces of one kind are interchangeable.
    pub kind: String,
    /// Where it lies: the `data-spot` of the picture if there is one, otherwise a name of the same form.
    pub place: String,
}

/// A move of a piece.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = PieceMove)]
pub struct Moved {
    /// The id of the piece.
    pub id: String,
    /// What it is.
    pub kind: String,
    /// Where it lay; null for a piece that was not there, or that not everybody saw.
    pub from: Option<String>,
    /// Where it lies; null for a piece that is gone, or that not everybody sees.
    pub to: Option<String>,
}

/// One piece went from one place to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    name: Name,
    from: Option<String>,
    to: Option<String>,
}

impl Step {
    /// How much memory it takes, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let places = self.from.iter().chain(&self.to).map(String::len);
        size_of::<Self>() + self.name.kind.len() + places.sum::<usize>()
    }
}

/// What became of each piece in these steps together, in the order in which they were first taken.
#[must_use]
pub fn moves<'a>(steps: impl IntoIterator<Item = &'a Step>) -> Vec<Moved> {
    let mut first: BTreeMap<&Name, usize> = BTreeMap::new();
    let mut moves: Vec<Moved> = Vec::new();
    for Step { name, from, to } in steps {
        if let Some(known) = first.get(name) {
            moves[*known].to.clone_from(to);
            continue;
        }
        first.insert(name, moves.len());
        let (from, to) = (from.clone(), to.clone());
        moves.push(Moved { id: name.to_string(), kind: name.kind.clone(), from, to });
    }
    moves.retain(|moved| moved.from != moved.to);
    moves
}

/// Where each piece lies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places(BTreeMap<Name, String>);

impl Places {
    /// Takes a step that follows.
    pub fn take(&mut self, step: &Step) {
        match &step.to {
            Some(to) => self.0.insert(step.name.clone(), to.clone()),
            None => self.0.remove(&step.name),
        };
    }

    /// All pieces, by kind and number.
    #[must_use]
    pub fn list(&self) -> Vec<Tracked> {
        let tracked = |(name, place): (&Name, &String)| Tracked {
            id: name.to_string(),
            kind: name.kind.clone(),
            place: place.clone(),
        };
        self.0.iter().map(tracked).collect()
    }
}

/// Follows the pieces of a match from position to position.
///
/// # Example
/// ```
/// use kernel::{Placed, Tracker, moves};
///
/// let mut tracker = Tracker::default();
/// tracker.follow(vec![Placed::many(2, "stone", "supply"), Placed::new("crown", "cell:4,4")]);
/// let now = vec![
///     Placed::new("stone", "supply"),
///     Placed::new("stone", "cell:4,3"),
///     Placed::new("crown", "cell:4,3"),
/// ];
/// let moved = moves(&tracker.follow(now));
/// let told = moved.iter().map(|moved| (moved.id.as_str(), moved.to.as_deref()));
/// assert!(told.eq([("stone-1", Some("cell:4,3")), ("crown-1", Some("cell:4,3"))]));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Tracker {
    places: Places,
    /// What was followed last, if nothing was taken back since: most events move nothing.
    seen: Option<Vec<Placed>>,
    /// By kind: how many pieces there have been.
    numbers: BTreeMap<String, u32>,
}

impl Tracker {
    /// Where each piece lies.
    #[must_use]
    pub fn places(&self) -> &Places {
        &self.places
    }

    /// The position after one more event. A piece that stayed keeps its id. A piece that vanished at one place while one of the same kind appeared at
    /// another has moved; everything else is new, or gone. If several pieces qualify, one moves whose place has the same value behind its colon, as
    /// `below:3,1` and `cell:3,1` have; among these, or if there is none, the one with the smallest number.
    pub fn follow(&mut self, now: Vec<Placed>) -> Vec<Step> {
        if self.seen.as_ref() == Some(&now) {
            return Vec::new();
        }
        let steps = self.steps(&now);
        self.seen = Some(now);
        steps
    }

    fn steps(&mut self, now: &[Placed]) -> Vec<Step> {
        let Tracker { places, seen: _, numbers } = self;
        let mut due: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        for Placed { count, kind, place } in now {
            *due.entry((kind, place)).or_default() += count;
        }
        let mut gone = Vec::new();
        for (name, place) in places.0.iter().rev() {
            match due.get_mut(&(name.kind.as_str(), place.as_str())) {
                Some(stay) if *stay > 0 => *stay -= 1,
                Some(_) | None => {
                    gone.push(Step { name: name.clone(), from: Some(place.clone()), to: None })
                }
            }
        }
        gone.reverse();
        let mut steps = Vec::new();
        for Placed { count: _, kind, place } in now {
            let more = due.get_mut(&(kind.as_str(), place.as_str())).map_or(0, mem::take);
            for _ in 0..more {
                let of_kind = |step: &Step| step.name.kind == *kind;
                let here = |step: &Step| step.from.as_deref().map(value) == Some(value(place));
                let near = gone.iter().position(|step| of_kind(step) && here(step));
                let moved = near.or_else(|| gone.iter().position(of_kind));
                let step = match moved {
                    Some(at) => gone.remove(at),
                    None => Step { name: named(numbers, kind), from: None, to: None },
                };
                steps.push(Step { to: Some(place.clone()), ..step });
            }
        }
        steps.extend(gone);
        steps.iter().for_each(|step| places.take(step));
        steps
    }

    /// The position is an earlier one again: every piece is where it was. Ids that were given since are not used again.
    pub fn return_to(&mut self, places: &Places) -> Vec<Step> {
        let names = self.places.0.keys().chain(places.0.keys());
        let names: BTreeSet<&Name> = names.collect();
        let step = |name: &Name| Step {
            name: name.clone(),
            from: self.places.0.get(name).cloned(),
            to: places.0.get(name).cloned(),
        };
        let steps: Vec<Step> = names.into_iter().map(step).collect();
        self.places = places.clone();
        self.seen = None;
        steps.into_iter().filter(|step| step.from != step.to).collect()
    }
}

/// What stands behind the colon of a place; all of it if there is none.
fn value(place: &str) -> &str {
    place.split_once(':').map_or(place, |(_, value)| value)
}

/// The name of a new piece.
fn named(numbers: &mut BTreeMap<String, u32>, kind: &str) -> Name {
    let number = numbers.entry(kind.to_owned()).or_default();
    *number = number.saturating_add(1);
    Name { kind: kind.to_owned(), number: *number }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(places: &[(&str, &str)]) -> Vec<Placed> {
        places.iter().map(|(kind, place)| Placed::new(kind, place)).collect()
    }

    fn told(moves: &[Moved]) -> Vec<String> {
        let place = |place: &Option<String>| place.clone().unwrap_or_default();
        moves.iter().map(|m| format!("{} {}>{}", m.id, place(&m.from), place(&m.to))).collect()
    }

    #[test]
    fn a_stack_gives_the_piece_that_lies_there_longest() {
        let mut tracker = Tracker::default();
        tracker.follow(at(&[("cube", "a"), ("cube", "a"), ("cube", "b")]));
        let steps = tracker.follow(at(&[("cube", "a"), ("cube", "b"), ("cube", "b")]));
        assert_eq!(told(&moves(&steps)), ["cube-1 a>b"]);
        // Nothing that stays is named anew, and what comes back from nowhere is new.
        let mut all = tracker.follow(at(&[("cube", "b")]));
        assert_eq!(told(&moves(&all)), ["cube-1 b>", "cube-2 a>"]);
        all.extend(tracker.follow(at(&[("cube", "b"), ("cube", "a"), ("die", "a")])));
        assert_eq!(told(&moves(&all)), ["cube-1 b>", "cube-2 a>", "cube-4 >a", "die-1 >a"]);
    }

    #[test]
    fn a_piece_that_was_covered_lies_where_it_lay() {
        let mut tracker = Tracker::default();
        tracker.follow(at(&[("fenrir", "cell:2,0"), ("fenrir", "cell:1,0")]));
        tracker.follow(at(&[
            ("raven", "cell:1,0"),
            ("fenrir", "cell:2,0"),
            ("fenrir", "below:1,0"),
        ]));
        let flown = [("fenrir", "cell:1,0"), ("raven", "cell:2,0"), ("fenrir", "below:2,0")];
        let moved = [
            "fenrir-2 below:1,0>cell:1,0",
            "raven-1 cell:1,0>cell:2,0",
            "fenrir-1 cell:2,0>below:2,0",
        ];
        assert_eq!(told(&moves(&tracker.follow(at(&flown)))), moved);
    }

    #[test]
    fn steps_of_one_commit_are_one_move() {
        let mut tracker = Tracker::default();
        tracker.follow(at(&[("ship", "a"), ("god", "0")]));
        let mut steps = tracker.follow(at(&[("ship", "b"), ("god", "1"), ("card", "hand")]));
        steps.extend(tracker.follow(at(&[("ship", "c"), ("god", "0")])));
        assert_eq!(told(&moves(&steps)), ["ship-1 a>c"]);
    }

    #[test]
    fn what_is_taken_back_is_where_it_was() {
        let mut tracker = Tracker::default();
        tracker.follow(at(&[("tile", "supply"), ("crown", "a")]));
        let before = tracker.places().clone();
        tracker.follow(at(&[("tile", "wall"), ("card", "hand"), ("crown", "b")]));
        let back = tracker.return_to(&before);
        assert_eq!(told(&moves(&back)), ["card-1 hand>", "crown-1 b>a", "tile-1 wall>supply"]);
        assert_eq!(*tracker.places(), before);
        let again = tracker.follow(at(&[("tile", "supply"), ("crown", "a"), ("card", "hand")]));
        assert_eq!(told(&moves(&again)), ["card-2 >hand"]);
    }

    #[test]
    fn all_pieces_may_be_gone_after_a_return() {
        let mut tracker = Tracker::default();
        tracker.follow(at(&[("crown", "a")]));
        let before = tracker.places().clone();
        tracker.follow(at(&[("crown", "b")]));
        tracker.return_to(&before);
        assert_eq!(told(&moves(&tracker.follow(Vec::new()))), ["crown-1 a>"]);
        assert!(tracker.places().list().is_empty());
    }
}
