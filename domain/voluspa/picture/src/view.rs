//! What is drawn of a view.

use canvas::{Says, Scene, Unreadable, say};
use kernel::require;
use voluspa::seen::{BoardCell, Cell, Direction, PartKind, Phase, ScoreReason, Tile, Tokens, View};

use crate::tile::words;

/// More tiles than any box has: 116.
const TILES_MOST: usize = 200;

/// Where a tile lies.
pub(crate) fn cell(piece: &BoardCell) -> Cell {
    Cell { x: piece.x, y: piece.y }
}

/// The cells with a tile in the other views of the match, sorted, each once.
///
/// # Errors
/// If one of them is no view.
pub(crate) fn occupied(scene: &Scene<'_>) -> Result<Vec<Cell>, Unreadable> {
    let mut cells = Vec::new();
    for view in scene.room {
        let view: View = Scene { view, ..*scene }.view()?;
        cells.extend(view.board.iter().map(cell));
    }
    cells.sort_unstable();
    cells.dedup();
    Ok(cells)
}

/// Reads the view.
pub(crate) fn read(scene: &Scene<'_>) -> Result<View, Unreadable> {
    let mut view: View = scene.view()?;
    let seats = usize::from(view.seats);
    let each = (2..=5).contains(&seats) && view.players.len() == seats;
    require(each, || Unreadable("two to five seats have a hand each".to_owned()))?;
    view.active_seat = scene.acting(view.active_seat, seats)?;
    let few = |count: usize, what: &str| {
        let many = || Unreadable(format!("{count} tiles {what} are too many to draw"));
        require(count <= TILES_MOST, many)
    };
    few(view.board.len(), "on the table")?;
    few(boosters(&view).count(), "for boosts")?;
    for player in &view.players {
        few(player.hand.map_or(0, |hand| hand.total() as usize), "in a hand")?;
        few(player.hand_count as usize, "in a hand")?;
        let among = player.hel_count <= player.hand_count;
        require(among, || Unreadable("a hand has more Hel than tiles".to_owned()))?;
        let short = player.display.len() <= 24;
        require(short, || Unreadable("a score is too long to draw".to_owned()))?;
    }
    view.board.sort_by_key(cell);
    view.board.dedup_by_key(|piece| cell(piece));
    Ok(view)
}

/// The values of the booster tokens, ascending.
pub(crate) fn boosters(view: &View) -> impl Iterator<Item = u8> {
    let tokens = view.boosters;
    (Tokens::LOWEST..=Tokens::HIGHEST)
        .flat_map(move |value| std::iter::repeat_n(value, tokens.count(value) as usize))
}

/// The tile on a cell.
pub(crate) fn at(view: &View, on: Cell) -> Option<BoardCell> {
    let found = view.board.binary_search_by_key(&on, cell);
    found.ok().map(|index| view.board[index])
}

/// The first and the last tile that a part of a score counts, in a row or in a column.
pub(crate) fn counted(
    view: &View,
    at: Cell,
    reason: ScoreReason,
    kind: PartKind,
) -> Option<(Cell, Cell)> {
    if reason == ScoreReason::SeaSerpent { whole(view, at, kind) } else { line(view, at, kind) }
}

/// Of the whole row or column, across gaps; a Hel at its ends is not counted (V-509).
fn whole(view: &View, through: Cell, kind: PartKind) -> Option<(Cell, Cell)> {
    let lies = |cell: &Cell| match kind {
        PartKind::Row => cell.y == through.y,
        PartKind::Column => cell.x == through.x,
        PartKind::Solitary | PartKind::Neighbours | PartKind::Values => false,
    };
    let tiles = view.board.iter().filter(|piece| piece.tile != Tile::Hel);
    let mut cells = tiles.map(cell).filter(lies);
    let first = cells.next()?;
    Some((first, cells.next_back().unwrap_or(first)))
}

/// Of the line through a cell. A Hel is a gap.
fn line(view: &View, through: Cell, kind: PartKind) -> Option<(Cell, Cell)> {
    let (back, forth) = match kind {
        PartKind::Row => (Direction::Left, Direction::Right),
        PartKind::Column => (Direction::Up, Direction::Down),
        PartKind::Solitary | PartKind::Neighbours | PartKind::Values => return None,
    };
    let lies = |cell: &Cell| at(view, *cell).is_some_and(|piece| piece.tile != Tile::Hel);
    let end = |way: Direction| {
        let next = |cell: &Cell| cell.step(way).filter(lies);
        std::iter::successors(Some(through), next).last().unwrap_or(through)
    };
    Some((end(back), end(forth)))
}

pub(crate) fn rank(view: &View, seat: usize) -> Option<u32> {
    let places = view.ranking.as_ref()?;
    let place = places.iter().find(|place| place.seat.index() == seat);
    place.map(|place| place.rank.into())
}

/// The Hermod or the Raven that waits for what comes next: where it lies, and what is said of it.
pub(crate) fn waiting(says: Says<'_>, view: &View) -> Vec<(Cell, String)> {
    let hermod = view.hermod.map(|at| (at, say!(says, "the Hermod at {cell} waits", cell = at)));
    let raven = view.raven.map(|flight| {
        let told = match flight.under {
            Some(tile) => say!(
                says,
                "the Raven at {cell} may fly on; {tile} lies below",
                cell = flight.at,
                tile = words(says, tile, 0)
            ),
            None => {
                say!(says, "the Raven at {cell} may fly on; nothing lies below", cell = flight.at)
            }
        };
        (flight.at, told)
    });
    hermod.into_iter().chain(raven).collect()
}

/// What the seat to act has to do.
pub(crate) fn task(says: Says<'_>, view: &View) -> String {
    match view.phase {
        Phase::Setup => say!(says, "setting up"),
        Phase::Play if view.boost > 0 => {
            say!(says, "place a tile, +{boost}", boost = view.boost)
        }
        Phase::Play => say!(says, "place a tile"),
        Phase::Hermod if view.boost > 0 => {
            say!(says, "an extra tile for Hermod, +{boost}", boost = view.boost)
        }
        Phase::Hermod => {
            say!(says, "an extra tile for Hermod, or none; if none fits, discard one")
        }
        Phase::Raven => say!(says, "fly on with the Raven, or stay"),
        Phase::Surplus => say!(says, "discard down to five tiles, Hel not counted"),
        Phase::Finished => String::new(),
    }
}
