//! A loaded position comes out of one box, and lies on one table (V-109).
//!
//! Asked before anything else is done with a position, and in one pass over it: what follows may take time that grows with the
//! square of the tiles.

use kernel::Refusal;

use crate::form::{BoardCell, PlayerForm, PositionForm};
use crate::rules;
use crate::tile::Tile;
use crate::tiles::Tiles;
use crate::tokens::Tokens;

/// How far from (0, 0) a tile of a loaded position may lie, in each coordinate. No match comes further than 125: each of the 116
/// tiles, and each that a Skadi takes back, lies at most one cell further out than those before it.
const FARTHEST: u32 = 1_000;

/// # Errors
/// V-109: more tiles of a kind or more tokens of a value than are in the box, or a tile too far away.
pub(crate) fn check(form: &PositionForm) -> Result<(), Refusal> {
    tiles(form)
        .and_then(|()| distances(&form.board))
        .and_then(|()| tokens(form))
        .map_err(|reason| Refusal::new(rules::POSITION, reason))
}

/// All tiles, wherever they are: of each kind at most what is printed, whether it is one of the match or not.
fn tiles(form: &PositionForm) -> Result<(), String> {
    let mut all = Tiles::default();
    let hands = form.players.iter().map(|PlayerForm { hand, score: _, reached: _ }| hand);
    for tiles in hands.chain([&form.pile, &form.discard]) {
        Tile::ALL.into_iter().for_each(|tile| all.add(tile, tiles.count(tile)));
    }
    let under = form.raven.and_then(|flight| flight.under);
    for tile in form.board.iter().map(|cell| cell.tile).chain(under) {
        all.add(tile, 1);
    }
    let beyond = |tile: &Tile| all.count(*tile) > tile.copies();
    Tile::ALL.into_iter().find(beyond).map_or(Ok(()), |tile| {
        let (here, box_has) = (all.count(tile), tile.copies());
        Err(format!("the position has {here} tiles of the kind {tile}, but the box has {box_has}"))
    })
}

fn distances(board: &[BoardCell]) -> Result<(), String> {
    let far = |cell: &&BoardCell| cell.x.unsigned_abs().max(cell.y.unsigned_abs()) > FARTHEST;
    board.iter().find(far).map_or(Ok(()), |BoardCell { x, y, tile, boost: _ }| {
        Err(format!("the {tile} on ({x}, {y}) is further than {FARTHEST} from the start tile"))
    })
}

/// The tokens in the supply and those on boosted tiles: of each value at most what is printed.
fn tokens(form: &PositionForm) -> Result<(), String> {
    for value in Tokens::LOWEST..=Tokens::HIGHEST {
        let on_it = |cell: &&BoardCell| {
            cell.boost > 0 && cell.tile.printed().saturating_add(cell.boost) == value
        };
        let lying = form.board.iter().filter(on_it).count();
        let here = form.boosters.count(value) as usize + lying;
        let box_has = Tokens::all().count(value) as usize;
        if here > box_has {
            return Err(format!(
                "the position has {here} booster tokens of value {value}, but the box has {box_has}"
            ));
        }
    }
    Ok(())
}
