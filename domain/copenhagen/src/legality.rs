//! What a player may do: one check, for commands that come in and for the list of those that may.
//!
//! The check itself is cheap: what it finds broken becomes a sentence only when a player is told.

mod listing;

use kernel::{Seat, require};

pub(crate) use listing::list;

use crate::board::{Board, Cells, Column, PlacedTile, Row};
use crate::command::Command;
use crate::event::Price;
use crate::pieces::{Ability, AbilitySet, Cards, Color, Shape, Tile};
use crate::position::{Phase, Player, Position, Slot};
use crate::refusal::Breach;

/// A command that was checked: what will happen.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    /// A card is taken; an ability is needed for it or not.
    Take { slot: Slot, color: Color, using: Option<Ability> },
    /// No third card is taken.
    EndTaking,
    /// A card is discarded.
    Discard(Color),
    /// A facade tile is built.
    Build(Building),
    /// Nothing is built.
    EndTurn,
    /// A special tile is placed.
    PlaceSpecial(PlacedTile, Cells),
    /// An ability is taken.
    TakeAbility(Ability),
    /// Used abilities become active.
    Reactivate(AbilitySet),
}

/// A facade tile that may be built for its payment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Building {
    pub(crate) placed: PlacedTile,
    pub(crate) cells: Cells,
    pub(crate) price: Price,
    pub(crate) payment: Cards,
    /// The colour of the tile.
    pub(crate) color: Color,
    /// The colour that counts as that of the tile, if `change_of_colors` is needed (C-706).
    pub(crate) changed: Option<Color>,
}

/// Checks a command of the active seat, in the order of C-306 from C-303 on.
pub(crate) fn check(position: &Position, seat: Seat, command: &Command) -> Result<Step, Breach> {
    let player = position.player(seat);
    match (command, position.phase) {
        (Command::TakeCard { slot }, Phase::Action | Phase::SecondCard | Phase::ThirdCard) => {
            take(position, player, *slot)
        }
        (Command::EndTaking {}, Phase::ThirdCard) => Ok(Step::EndTaking),
        (Command::DiscardCard { color }, Phase::Discard) => {
            require(player.hand.count(*color) > 0, || Breach::NoSuchCard(*color))?;
            Ok(Step::Discard(*color))
        }
        (Command::PlaceTile { tile, orientation, x, y, payment }, Phase::Action | Phase::Build) => {
            let placed = PlacedTile { tile: tile.tile(), orientation: *orientation, x: *x, y: *y };
            build(position, player, placed, tile.color(), *payment).map(Step::Build)
        }
        (Command::EndTurn {}, Phase::Build) => Ok(Step::EndTurn),
        (Command::PlaceSpecialTile { x, y }, Phase::CoatOfArms) => {
            place_special(position, player, *x, *y)
        }
        (Command::TakeAbility { ability }, Phase::CoatOfArms) => {
            require(player.abilities.state(*ability).is_none(), || Breach::Owned(*ability))?;
            Ok(Step::TakeAbility(*ability))
        }
        (Command::ReactivateAbilities {}, Phase::CoatOfArms) => {
            let used = player.abilities.used();
            require(!used.is_empty(), || Breach::NoneUsed)?;
            Ok(Step::Reactivate(used))
        }
        (
            Command::TakeCard { .. }
            | Command::EndTaking {}
            | Command::DiscardCard { .. }
            | Command::PlaceTile { .. }
            | Command::EndTurn {}
            | Command::PlaceSpecialTile { .. }
            | Command::TakeAbility { .. }
            | Command::ReactivateAbilities {},
            Phase::Action
            | Phase::SecondCard
            | Phase::ThirdCard
            | Phase::Discard
            | Phase::Build
            | Phase::CoatOfArms
            | Phase::Finished,
        ) => Err(Breach::Phase(command.name(), position.phase)),
    }
}

fn take(position: &Position, player: &Player, slot: Slot) -> Result<Step, Breach> {
    let color = position.harbor[slot.index()].ok_or(Breach::EmptySlot(slot))?;
    let using = match position.phase {
        Phase::SecondCard
            if position.empty_slots().any(|first| first.get().abs_diff(slot.get()) == 1) =>
        {
            None
        }
        Phase::SecondCard if player.abilities.is_active(Ability::AnyCards) => {
            Some(Ability::AnyCards)
        }
        Phase::SecondCard => return Err(Breach::NotAdjacent(slot)),
        Phase::ThirdCard => Some(Ability::AdditionalCard),
        Phase::Action | Phase::Discard | Phase::Build | Phase::CoatOfArms | Phase::Finished => None,
    };
    Ok(Step::Take { slot, color, using })
}

/// May a tile lie there (C-502 to C-506)?
fn lie(position: &Position, board: &Board, placed: PlacedTile) -> Result<Cells, Breach> {
    let shape = Shape::of(placed.tile, placed.orientation);
    require(position.supply.count(placed.tile) > 0, || Breach::NotInSupply(placed.tile))?;
    require(shape.is_canonical(), || Breach::NotCanonical(placed))?;
    let cells = shape.at(placed.x, placed.y).ok_or(Breach::Outside(placed))?;
    let covered = cells.squares & board.covered();
    require(covered == 0, || Breach::Covered { placed, covered })?;
    require(cells.squares & board.supporting() != 0, || Breach::Unsupported(placed))?;
    Ok(cells)
}

fn build(
    position: &Position,
    player: &Player,
    placed: PlacedTile,
    color: Color,
    payment: Cards,
) -> Result<Building, Breach> {
    let cells = lie(position, &player.board, placed)?;
    let touches = cells.squares & player.board.beside(color) != 0;
    let hand = player.hand;
    require(hand.covers(&payment), || Breach::NotInHand { payment, hand })?;
    let changed = other_color(player, color, payment)?;
    let price =
        Price { size: placed.tile.size(), same_color: u8::from(touches), construction_discount: 0 };
    let discount = player.abilities.is_active(Ability::ConstructionDiscount);
    let amount = price.size - price.same_color;
    let price = match usize::from(amount).checked_sub(payment.len()) {
        Some(0) => price,
        Some(1) if discount => Price { construction_discount: 1, ..price },
        Some(_) | None => return Err(Breach::WrongAmount { payment, amount, discount }),
    };
    Ok(Building { placed, cells, price, payment, color, changed })
}

/// The other colour of a payment, which counts as `color` with `change_of_colors` (C-509, C-706).
fn other_color(player: &Player, color: Color, payment: Cards) -> Result<Option<Color>, Breach> {
    let mut others =
        Color::ALL.into_iter().filter(|other| *other != color && payment.count(*other) > 0);
    let changed = others.next();
    let change = player.abilities.is_active(Ability::ChangeOfColors);
    let fits = others.next().is_none() && (changed.is_none() || change);
    require(fits, || Breach::WrongColors { payment, color, change })?;
    Ok(changed)
}

fn place_special(position: &Position, player: &Player, x: Column, y: Row) -> Result<Step, Breach> {
    let placed = PlacedTile::special(x, y);
    lie(position, &player.board, placed).map(|cells| Step::PlaceSpecial(placed, cells))
}

/// Can the player use a coat of arms at all (C-607)? While there is a special tile, there is a space for it.
pub(crate) fn can_use_coat(position: &Position, seat: Seat) -> bool {
    let abilities = position.player(seat).abilities;
    position.supply.count(Tile::SPECIAL) > 0
        || !abilities.owns_all()
        || !abilities.used().is_empty()
}
