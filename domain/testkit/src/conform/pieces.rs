//! Pieces keep their ids, and tell no more than a spectator sees.

use std::collections::{BTreeMap, BTreeSet};

use kernel::{AnyGame, Erased, Game, Moved, Placed, Tracker, Viewer, moves};
use serde_json::value::to_raw_value;

use super::Play;

/// The most pieces that a table has: what follows them must stay small.
const MOST: usize = 500;

impl<G: Game> Play<'_, G> {
    /// Follows the pieces through a match: what each move says is where its piece was, and all moves together give the pieces of each
    /// position. An id is that of one piece, of one kind, for as long as it is there.
    pub(super) fn check_pieces(&self, events: &[G::Event]) {
        let name = &self.name;
        let mut position: Option<G::Position> = None;
        let (mut tracker, mut gone) = (Tracker::default(), BTreeSet::new());
        let mut lie: BTreeMap<String, (String, String)> = BTreeMap::new();
        for event in events {
            match &mut position {
                None => position = G::start(event, self.edition),
                Some(position) => G::apply(position, event),
            }
            let position = position.as_ref().expect("a match has started");
            let placed = G::pieces(&G::view(position, Viewer::Spectator));
            for Moved { id, kind, from, to } in moves(&tracker.follow(placed.clone())) {
                assert_eq!(
                    lie.remove(&id),
                    from.map(|from| (kind.clone(), from)),
                    "{name}: {id} was elsewhere"
                );
                assert!(!gone.contains(&id), "{name}: {id} is back");
                assert!(id.starts_with(&format!("{kind}-")), "{name}: {id} is {kind}");
                match to {
                    Some(to) => drop(lie.insert(id, (kind, to))),
                    None => drop(gone.insert(id)),
                }
            }
            let listed = tracker.places().list().into_iter();
            let listed: BTreeMap<_, _> =
                listed.map(|piece| (piece.id, (piece.kind, piece.place))).collect();
            assert_eq!(listed, lie, "{name}: the moves do not lead to the pieces");
            assert_eq!(counted(lie.values().cloned()), all(&placed), "{name}: not these pieces");
            assert!(lie.len() <= MOST, "{name}: {} pieces", lie.len());
        }
    }

    /// Where a spectator cannot tell two positions apart, it sees the same pieces.
    pub(super) fn check_public(&self, position: &G::Position, other: &G::Position) {
        let pieces = |position: &G::Position| {
            let json = to_raw_value(position).expect("a position has JSON");
            let loaded = Erased::<G>::NEW.load(&json, self.edition);
            loaded.map_err(|refusal| refusal.to_string()).expect("it is played").pieces()
        };
        let name = &self.name;
        assert_eq!(pieces(position), pieces(other), "{name}: the pieces tell what is hidden");
    }
}

fn counted(pieces: impl Iterator<Item = (String, String)>) -> BTreeMap<(String, String), usize> {
    let mut counts = BTreeMap::new();
    pieces.for_each(|piece| *counts.entry(piece).or_default() += 1);
    counts
}

/// How many pieces of each kind lie at each place; both are words that fit into an attribute.
fn all(placed: &[Placed]) -> BTreeMap<(String, String), usize> {
    let mut counts = BTreeMap::new();
    for Placed { count, kind, place } in placed {
        let fits = |text: &str| text.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'"');
        assert!(fits(kind) && fits(place) && place.contains(':'), "{kind} at {place}");
        if *count > 0 {
            *counts.entry((kind.clone(), place.clone())).or_default() += count;
        }
    }
    counts
}
