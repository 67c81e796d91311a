//! Pieces with ids are in the pictures: each once, and nothing else has one.

use std::collections::BTreeSet;

use canvas::{Scene, Shape, Style, Theme};
use kernel::{AnyMatch, Seat, Tracked, Tracker, Viewer};

use crate::matches::pictures;
use crate::spots::positions;

/// Places at which nothing is drawn that could move: cards that are told in letters, a tile below a Raven, shrines that nobody has built yet.
const NOT_DRAWN: &[&str] = &["pile:draw", "below:", "shrines:"];

/// Places of which what lies there is drawn as a part, not as a thing of its own that has the class.
const NO_CLASS: &[&str] = &["hand-of:", "hero:", "pile:", "slot:", "supply:", "tile:"];

/// Ids of elements that stay with their thing; other ones name a place.
const STAYING: &[&str] = &["crown", "card-", "ship-", "god-"];

fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let (_, value) = tag.split_once(&format!(" {name}=\""))?;
    value.split_once('"').map(|(value, _)| value)
}

/// The elements have the class and the ids that docs/pictures.md tells of.
fn check_marks(game: &str, svg: &str, pieces: &[Tracked]) {
    for (tag, _) in svg.split('<').filter_map(|tag| tag.split_once('>')) {
        let of_tag = attribute(tag, "data-piece");
        let piece = of_tag.and_then(|id| pieces.iter().find(|piece| piece.id == id));
        let id = attribute(tag, "id").and_then(|id| id.strip_prefix("piece-"));
        let is_part = |piece: &Tracked| NO_CLASS.iter().any(|place| piece.place.starts_with(place));
        if id.is_some() || piece.is_some_and(|piece| !is_part(piece)) {
            let mut classes = attribute(tag, "class").unwrap_or_default().split(' ');
            assert!(classes.any(|class| class == "piece"), "{game}: {tag}");
        }
        if let Some(id) = id
            && STAYING.iter().any(|staying| id.starts_with(staying))
        {
            assert_eq!(piece.map(|piece| piece.kind.as_str()), Some(id), "{game}: {tag}");
            let alike = pieces.iter().filter(|piece| piece.kind == id).count();
            assert_eq!(alike, 1, "{game}: another thing could have the id {id}");
        }
    }
}

fn drawn(
    state: &dyn AnyMatch,
    picture: &canvas::Picture,
    viewer: Viewer,
    pieces: &[Tracked],
) -> String {
    let view = state.view(viewer);
    let scene = Scene { pieces, ..Scene::new(picture.game, &view, viewer) };
    let style = Style { theme: Theme::Light, shape: Shape::Wide };
    (picture.svg)(&scene, style).expect("a view of this game")
}

#[test]
fn the_pieces_of_a_picture_have_their_ids() {
    const ID: &str = " data-piece=\"";
    let mut seen = 0;
    for (picture, game) in pictures() {
        let (mut tracker, mut before) = (Tracker::default(), Vec::new());
        positions(game, |state| {
            tracker.follow(state.pieces());
            let pieces = tracker.places().list();
            // Most commands change little: every fifth picture will do.
            seen += 1;
            if pieces == before || seen % 5 != 0 {
                return;
            }
            before.clone_from(&pieces);
            for viewer in [Viewer::Spectator, Viewer::Seat(Seat(1))] {
                let plain = drawn(state, picture, viewer, &[]);
                let mut svg = drawn(state, picture, viewer, &pieces);
                check_marks(picture.game, &svg, &pieces);
                let mut ids = BTreeSet::new();
                while let Some((start, rest)) = svg.split_once(ID) {
                    let (id, rest) = rest.split_once('"').expect("an attribute ends");
                    assert!(ids.insert(id.to_owned()), "{}: {id} is drawn twice", picture.game);
                    svg = format!("{start}{rest}");
                }
                assert_eq!(svg, plain, "{}: ids change the picture", picture.game);
                let known: BTreeSet<&str> = pieces.iter().map(|piece| piece.id.as_str()).collect();
                let strange = ids.iter().find(|id| !known.contains(id.as_str()));
                assert_eq!(strange, None, "{}: no piece", picture.game);
                let is_drawn = |piece: &&Tracked| ids.contains(&piece.id);
                let places: BTreeSet<&str> =
                    pieces.iter().filter(is_drawn).map(|piece| piece.place.as_str()).collect();
                let empty = pieces.iter().find(|piece| {
                    let place = piece.place.as_str();
                    !places.contains(place) && !NOT_DRAWN.iter().any(|not| place.starts_with(not))
                });
                assert_eq!(empty, None, "{}: nothing is drawn at its place", picture.game);
            }
        });
    }
    assert!(seen > 2_000, "{seen} positions");
}
