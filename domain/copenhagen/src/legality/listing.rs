//! The list of all legal commands.
//!
//! All but the building of tiles are few: each candidate is asked about. Building may have thousands: corners where a shape fits
//! come from bit sets, payments from the hand, and what is listed are their combinations.

use kernel::Seat;

use crate::board::{Orientation, spaces};
use crate::command::Command;
use crate::legality;
use crate::pieces::{Ability, Cards, Color, FacadeTile, Shape};
use crate::position::{Phase, Player, Position, Slot};

/// Appends all legal commands of the seat that is to act.
pub(crate) fn list(position: &Position, seat: Seat, commands: &mut Vec<Command>) {
    let mut ask = |command: Command| {
        if legality::check(position, seat, &command).is_ok() {
            commands.push(command);
        }
    };
    match position.phase {
        Phase::Action | Phase::SecondCard => {
            Slot::all().for_each(|slot| ask(Command::TakeCard { slot }))
        }
        Phase::ThirdCard => {
            Slot::all().for_each(|slot| ask(Command::TakeCard { slot }));
            ask(Command::EndTaking {});
        }
        Phase::Discard => {
            Color::ALL.into_iter().for_each(|color| ask(Command::DiscardCard { color }))
        }
        Phase::Build => ask(Command::EndTurn {}),
        Phase::CoatOfArms => {
            let board = &position.player(seat).board;
            spaces(board.supporting()).for_each(|(x, y)| ask(Command::PlaceSpecialTile { x, y }));
            Ability::ALL.into_iter().for_each(|ability| ask(Command::TakeAbility { ability }));
            ask(Command::ReactivateAbilities {});
        }
        Phase::Finished => {}
    }
    if matches!(position.phase, Phase::Action | Phase::Build) {
        buildings(position, position.player(seat), commands);
    }
}

/// All tiles that the player may build, in all places, with all payments.
fn buildings(position: &Position, player: &Player, commands: &mut Vec<Command>) {
    let free = !player.board.covered();
    let supporting = player.board.supporting();
    let (mut whole, mut reduced) = (Vec::with_capacity(32), Vec::with_capacity(32));
    for tile in FacadeTile::all().filter(|tile| position.supply.count(tile.tile()) > 0) {
        let size = tile.tile().size();
        payments(player, tile.color(), size, &mut whole);
        payments(player, tile.color(), size - 1, &mut reduced);
        if whole.is_empty() && reduced.is_empty() {
            continue;
        }
        let beside = player.board.beside(tile.color());
        for orientation in Orientation::all() {
            let shape = Shape::of(tile.tile(), orientation);
            if !shape.is_canonical() {
                continue;
            }
            let corners = shape.corners_in(free) & shape.corners_touching(supporting);
            let touching = corners & shape.corners_touching(beside);
            let mut list = |corners: u64, payments: &[Cards]| {
                for (x, y) in spaces(corners) {
                    commands.extend(payments.iter().map(|payment| Command::PlaceTile {
                        tile,
                        orientation,
                        x,
                        y,
                        payment: *payment,
                    }));
                }
            };
            list(corners & !touching, &whole);
            list(touching, &reduced);
        }
    }
}

/// All payments for a tile of `color` that costs `amount` cards before the discount (C-509, C-510).
fn payments(player: &Player, color: Color, amount: u8, payments: &mut Vec<Cards>) {
    payments.clear();
    of_amount(player, color, amount, payments);
    if player.abilities.is_active(Ability::ConstructionDiscount) {
        of_amount(player, color, amount - 1, payments);
    }
}

/// All payments of exactly `amount` cards: of the colour alone, or with some of one other colour.
fn of_amount(player: &Player, color: Color, amount: u8, payments: &mut Vec<Cards>) {
    let own = player.hand.count(color);
    if own >= amount {
        payments.push(Cards::of(color, amount));
    }
    if !player.abilities.is_active(Ability::ChangeOfColors) {
        return;
    }
    for other in Color::ALL.into_iter().filter(|other| *other != color) {
        let most = player.hand.count(other).min(amount);
        for count in amount.saturating_sub(own).max(1)..=most {
            let mut payment = Cards::of(other, count);
            payment.add_all(&Cards::of(color, amount - count));
            payments.push(payment);
        }
    }
}
