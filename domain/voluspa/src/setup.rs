//! The first commit (section 5).

use kernel::{Chance, Draft, Edition, Seat};

use crate::Voluspa;
use crate::board::{Board, Cell};
use crate::event::Event;
use crate::options::Options;
use crate::pieces::{Tile, TileSet, Tiles, Tokens};
use crate::position::{Phase, Player, Position, SEATS_MOST};
use crate::printed::{HAND_LIMIT, NOT_AT_START, hel_per_seat};

/// Where the start tile lies.
const START: Cell = Cell { x: 0, y: 0 };

/// The position after step 1 of the setup: all tiles of the match but Hel in the pile, all else empty.
pub(crate) fn opened(
    edition: Edition,
    seats: u8,
    options: Options,
    tile_types: TileSet,
    pile: Tiles,
    boosters: Tokens,
) -> Position {
    Position {
        edition,
        options,
        seats,
        tile_types,
        start_seat: Seat(0),
        active_seat: None,
        phase: Phase::Setup,
        boost: 0,
        hermod: None,
        raven: None,
        board: Board::empty(),
        players: [Player::default(); SEATS_MOST],
        pile,
        boosters,
        discard: Tiles::default(),
    }
}

/// All events of the first commit (V-103 to V-107).
pub(crate) fn events(
    options: Options,
    seats: u8,
    edition: Edition,
    chance: &mut dyn Chance,
) -> Vec<Event> {
    let tile_types = options.tile_types();
    let mut pile = Tiles::default();
    for tile in tile_types.without(TileSet::of(&[Tile::Hel])) {
        pile.add(tile, tile.copies());
    }
    let boosters = if tile_types.contains(Tile::Freya) { Tokens::all() } else { Tokens::default() };
    let mut events = vec![Event::MatchStarted {
        seats,
        options,
        tile_types,
        pile: Box::new(pile),
        boosters: Box::new(boosters),
    }];
    let mut position = opened(edition, seats, options, tile_types, pile, boosters);
    let mut draft = Draft::<Voluspa>::new(&mut position, &mut events, chance);
    if tile_types.contains(Tile::Hel) {
        let count = hel_per_seat(seats);
        (0..seats).map(Seat).for_each(|seat| draft.emit(Event::HelDealt { seat, count }));
    }
    for seat in (0..seats).map(Seat) {
        for _ in 0..HAND_LIMIT {
            draw_tile(&mut draft, "hand_tile", seat);
        }
    }
    let mut candidates = draft.position().pile;
    for tile in NOT_AT_START {
        candidates.remove(tile, candidates.count(tile));
    }
    let tile = pick(&mut draft, "start_tile", &candidates);
    draft.emit(Event::StartTilePlaced { tile, at: START });
    let start = draft.pick_index("start_seat", usize::from(seats), |seat| seat);
    let seat = (0..seats).map(Seat).nth(start).expect("the draw is one of the seats");
    draft.emit(Event::StartSeatChosen { seat });
    draft.emit(Event::TurnStarted { seat, passed: Vec::new() });
    events
}

/// Draws a tile from the pile to a hand, every remaining tile equally likely (V-108).
pub(crate) fn draw_tile(draft: &mut Draft<'_, Voluspa>, kind: &'static str, seat: Seat) {
    let pile = draft.position().pile;
    let tile = pick(draft, kind, &pile);
    draft.emit(Event::TileDrawn { seat, tile });
}

fn pick(draft: &mut Draft<'_, Voluspa>, kind: &'static str, candidates: &Tiles) -> Tile {
    let index = draft.pick_index(kind, candidates.total() as usize, |index| candidates.nth(index));
    candidates.nth(index)
}

/// The position after the first event of a stream, which is the start of a match.
pub(crate) fn start(first: &Event, edition: Edition) -> Option<Position> {
    let Event::MatchStarted { seats, options, tile_types, pile, boosters } = first else {
        return None;
    };
    Some(opened(edition, *seats, *options, *tile_types, **pile, **boosters))
}
