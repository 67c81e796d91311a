//! Which positions may be loaded (C-210).

use kernel::{Refusal, Rule, Seat, require};

use crate::board::{Board, PlacedTile};
use crate::pieces::{Ability, Color, Shape, Supply, Tile};
use crate::position::{EndCard, Phase, Player, PlayerForm, Position, PositionForm, Reason};
use crate::printed::{COATS, HAND_LIMIT, SEATS, START_ABILITIES, TARGET_POINTS, cards_per_color};
use crate::{Copenhagen, legality, scoring};

/// The greatest number of a turn that can be loaded: no match comes near, and it can still be counted on.
const MOST_TURNS: u32 = 1_000_000_000;

/// Checks a position line by line and makes it ready for play.
pub(crate) fn admit(form: PositionForm) -> Result<Position, Refusal> {
    let PositionForm {
        game: _,
        edition,
        options: _,
        turn,
        phase,
        active_seat,
        coats,
        players,
        harbor,
        deck,
        discard,
        end_card,
        supply,
        result,
    } = form;
    check_numbers(players.len(), turn, coats)?;
    let mut left = Supply::full(players.len());
    let players = (0..).map(Seat).zip(players);
    let players = players.map(|(seat, player)| admit_player(seat, player, &mut left));
    let players = players.collect::<Result<_, _>>()?;
    let result = result.map(Box::new);
    let position = Position {
        edition: edition.unwrap_or_else(kernel::newest::<Copenhagen>),
        turn,
        phase,
        active_seat,
        coats,
        players,
        harbor,
        deck,
        discard,
        end_card,
        supply,
        result,
    };
    check_pieces(&position, left)?;
    check_end(&position)?;
    if let Some(seat) = active_seat {
        check_active(&position, seat)?;
    }
    Ok(position)
}

/// The numbers that stand for themselves are in their ranges.
fn check_numbers(players: usize, turn: u32, coats: u8) -> Result<(), Refusal> {
    let (least, most) = (usize::from(*SEATS.start()), usize::from(*SEATS.end()));
    hold((least..=most).contains(&players), || {
        format!("the number of players is {players}, not {least} to {most}")
    })?;
    hold((1..=MOST_TURNS).contains(&turn), || format!("{turn} is not the number of a turn"))?;
    hold(coats <= COATS, || format!("coats is {coats}, but a board has {COATS} coats of arms"))
}

fn hold(holds: bool, reason: impl FnOnce() -> String) -> Result<(), Refusal> {
    require(holds, || Refusal::new(Rule("C-210"), reason()))
}

/// One player; takes the tiles of the board from those that are `left`.
fn admit_player(seat: Seat, form: PlayerForm, left: &mut Supply) -> Result<Player, Refusal> {
    let PlayerForm { seat: named, score, hand, abilities, tiles } = form;
    hold(named == seat, || format!("the player at index {seat} has seat {named}"))?;
    for (ability, _) in Ability::ALL.into_iter().zip(START_ABILITIES).filter(|(_, owned)| *owned) {
        hold(abilities.state(ability).is_some(), || format!("seat {seat} does not own {ability}"))?;
    }
    let mut board = Board::EMPTY;
    tiles.into_iter().try_for_each(|placed| {
        put(&mut board, placed, left).map_err(|reason| {
            Refusal::new(Rule("C-210"), format!("on the board of seat {seat}, {reason}"))
        })
    })?;
    hold(score == board.score(), || {
        format!("seat {seat} has {score} points, but its board is worth {}", board.score())
    })?;
    Ok(Player { score, hand, abilities, board })
}

/// Puts a tile on a board, from those that are `left`; or says why it cannot be.
fn put(board: &mut Board, placed: PlacedTile, left: &mut Supply) -> Result<(), String> {
    let PlacedTile { tile, orientation, x, y } = placed;
    if !Shape::of(tile, orientation).is_canonical() {
        return Err(format!("orientation {orientation} of {tile} is not canonical"));
    }
    let cells =
        placed.cells().ok_or_else(|| format!("{tile} at ({x}, {y}) lies partly outside"))?;
    if cells.squares & board.covered() != 0 {
        return Err(format!("{tile} at ({x}, {y}) overlaps another tile"));
    }
    if !left.take(tile) {
        return Err(format!("{tile} at ({x}, {y}) is one more than there are in the game"));
    }
    board.place(placed, cells);
    Ok(())
}

/// Cards and tiles are exactly those of the game; `left` are the tiles that lie on no board.
fn check_pieces(position: &Position, left: Supply) -> Result<(), Refusal> {
    let seats = position.players.len();
    for tile in Tile::all() {
        let (count, left) = (position.supply.count(tile), left.count(tile));
        hold(count == left, || {
            format!("the supply has {count} of {tile}, but {left} lie on no board")
        })?;
    }
    let of_each = cards_per_color(seats);
    for color in Color::ALL {
        let hands = position.players.iter().map(|player| player.hand);
        let cards = hands
            .chain([position.deck, position.discard])
            .map(|cards| usize::from(cards.count(color)));
        let harbor = position.harbor.iter().filter(|slot| **slot == Some(color)).count();
        let all = cards.sum::<usize>() + harbor;
        hold(all == usize::from(of_each), || {
            format!("the number of {color} cards is {all}, not {of_each}")
        })?;
    }
    let in_two = seats == 2 && position.end_card == EndCard::Aside;
    hold(!in_two, || "with 2 players the end card does not lie aside".to_owned())
}

/// The match is finished exactly if everything says so.
fn check_end(position: &Position) -> Result<(), Refusal> {
    let finished = position.phase == Phase::Finished;
    hold(position.active_seat.is_none() == finished, || {
        format!(
            "in phase {} there is {} active seat",
            position.phase,
            if finished { "an" } else { "no" }
        )
    })?;
    hold(position.result.is_some() == finished, || {
        let result = if finished { "no result" } else { "a result" };
        format!("in phase {} there is {result}", position.phase)
    })?;
    hold((position.coats > 0) == (position.phase == Phase::CoatOfArms), || {
        format!("in phase {} coats is {}", position.phase, position.coats)
    })?;
    let reason = position.result.as_ref().map(|result| result.reason);
    let revealed = position.end_card == EndCard::Revealed;
    hold(revealed == (reason == Some(Reason::EndCard)), || {
        format!(
            "the end card is{} revealed, which the result does not say",
            if revealed { "" } else { " not" }
        )
    })?;
    let at_target = position.players.iter().filter(|player| player.score >= TARGET_POINTS).count();
    let expected = usize::from(reason == Some(Reason::TwelvePoints));
    hold(at_target == expected, || {
        format!("the number of players with {TARGET_POINTS} points is {at_target}, not {expected}")
    })?;
    let Some(result) = &position.result else { return Ok(()) };
    let right = scoring::result(result.reason, &position.players);
    hold(**result == right, || "the result is not what the boards say".to_owned())
}

/// Whoever is to act can: harbor, hands, coats of arms and abilities fit the phase.
fn check_active(position: &Position, active: Seat) -> Result<(), Refusal> {
    let phase = position.phase;
    hold(active.index() < position.players.len(), || format!("there is no seat {active}"))?;
    let empty = position.empty_slots().count();
    let slots_fit = match phase {
        Phase::Action => empty == 0,
        Phase::SecondCard => empty == 1,
        Phase::ThirdCard => empty == 2,
        Phase::Discard | Phase::Build => empty == 2 || empty == 3,
        Phase::CoatOfArms => empty == 0 || empty == 2 || empty == 3,
        Phase::Finished => true,
    };
    hold(slots_fit, || format!("in phase {} the number of empty slots is {empty}", phase))?;
    check_hands(position, active)?;
    let abilities = position.player(active).abilities;
    let needed = match phase {
        Phase::ThirdCard => Some(Ability::AdditionalCard),
        Phase::Build => Some(Ability::BothActions),
        Phase::Action
        | Phase::SecondCard
        | Phase::Discard
        | Phase::CoatOfArms
        | Phase::Finished => None,
    };
    hold(needed.is_none_or(|ability| abilities.is_active(ability)), || {
        format!("in phase {} seat {active} lacks the active ability", phase)
    })?;
    hold(phase != Phase::CoatOfArms || legality::can_use_coat(position, active), || {
        format!("seat {active} can do nothing with its coats of arms")
    })
}

/// Nobody holds more cards than the phase allows, and the active seat enough.
fn check_hands(position: &Position, active: Seat) -> Result<(), Refusal> {
    for (seat, player) in (0..).map(Seat).zip(&position.players) {
        let range = if seat == active { hand_range(position.phase) } else { 0..=HAND_LIMIT };
        hold(range.contains(&player.hand.len()), || {
            format!(
                "in phase {} the hand size of seat {seat} is {}",
                position.phase,
                player.hand.len()
            )
        })?;
    }
    Ok(())
}

/// How many cards the active seat may hold.
fn hand_range(phase: Phase) -> std::ops::RangeInclusive<usize> {
    match phase {
        Phase::SecondCard => 1..=HAND_LIMIT + 1,
        Phase::ThirdCard => 2..=HAND_LIMIT + 2,
        Phase::Discard => HAND_LIMIT + 1..=HAND_LIMIT + 3,
        Phase::Action | Phase::Build | Phase::CoatOfArms | Phase::Finished => 0..=HAND_LIMIT,
    }
}
