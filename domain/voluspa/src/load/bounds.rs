//! A loaded position comes out of one box (V-109).
//!
//! Asked before anything else is done with a position, and in one pass over it: what follows may take time that grows with the
//! square of the tiles.

use kernel::Refusal;

use crate::refusal;

use crate::pieces::{Tile, Tiles, Tokens};
use crate::position::{BoardCell, PlayerForm, PositionForm};

/// # Errors
/// V-109: more tiles of a kind or more tokens of a value than are in the box.
pub(crate) fn check(form: &PositionForm) -> Result<(), Refusal> {
    tiles(form)
        .and_then(|()| tokens(form))
        .map_err(|reason| Refusal::new(refusal::POSITION, reason))
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
