//! May a loaded position be played?

use kernel::{Refusal, Rule, Seat};

use crate::legality::can_act;
use crate::printed::{EMPTY, RED, WHITE};
use crate::{
    Card, Cards, EndReason, Field, FieldForm, Fields, HAND_MAX, HEIGHT, HEROES, Phase, PhaseName,
    Pile, Position, PositionForm, Rosenkoenig, STONES, WIDTH,
};

/// The position of a form whose shape and types are right.
///
/// # Errors
/// The first broken rule of.
pub(crate) fn admit(form: PositionForm) -> Result<Position, Refusal> {
    let PositionForm {
        game: _,
        edition,
        options,
        phase,
        active_seat,
        start_seat,
        board,
        crown,
        hands,
        heroes,
        stones_left,
        draw_pile,
        discard_pile,
        end_reason,
    } = form;
    let stones = stones(&board)?;
    let crown = on_board(crown)?;
    each_card_once(hands.iter().chain([&draw_pile, &discard_pile]).flatten().copied())?;
    let position = Position {
        edition: edition.unwrap_or_else(kernel::newest::<Rosenkoenig>),
        options,
        phase: Phase::Turn(active_seat.unwrap_or(start_seat)),
        start_seat,
        stones,
        crown,
        hands: [hand(0, &hands[0])?, hand(1, &hands[1])?],
        heroes: [heroes_of(0, heroes[0])?, heroes_of(1, heroes[1])?],
        stones_left: supply(stones, stones_left)?,
        draw_pile: Pile::from_bottom(draw_pile.into_iter().rev()),
        discard_pile: Pile::from_bottom(discard_pile.into_iter().rev()),
    };
    match phase {
        PhaseName::Turn => going_on(position, active_seat, end_reason),
        PhaseName::Finished => finished(position, active_seat, end_reason),
    }
}

fn refuse<T>(rule: &'static str, reason: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::new(Rule(rule), reason))
}

///
fn stones(board: &[String]) -> Result<[Fields; 2], Refusal> {
    if board.len() != HEIGHT {
        return refuse("R-91", format!("the board has {} rows, not {HEIGHT}", board.len()));
    }
    let mut stones = [Fields::EMPTY; 2];
    for (y, row) in (0..).zip(board) {
        let width = row.chars().count();
        if width != WIDTH {
            return refuse(
                "R-91",
                format!("row {y} of the board has {width} characters, not {WIDTH}"),
            );
        }
        for (x, character) in (0..).zip(row.chars()) {
            let field = Field::new(x, y).expect("the board has as many rows and columns as fields");
            let [red, white] = stones;
            stones = match character {
                EMPTY => stones,
                RED => [red.with(field), white],
                WHITE => [red, white.with(field)],
                other => {
                    return refuse("R-91", format!("the board has {other:?} on the field {field}"));
                }
            };
        }
    }
    Ok(stones)
}

///
fn on_board(FieldForm { x, y }: FieldForm) -> Result<Field, Refusal> {
    let off_board = || Refusal::new(Rule("R-91"), format!("the crown ({x}, {y}) is off the board"));
    Field::new(x, y).ok_or_else(off_board)
}

///
fn each_card_once(cards: impl Iterator<Item = Card>) -> Result<(), Refusal> {
    let mut seen = Cards::EMPTY;
    for card in cards {
        if seen.contains(card) {
            return refuse("R-92", format!("the card {card} is in the position more than once"));
        }
        seen = seen.with(card);
    }
    match Card::ALL.into_iter().find(|card| !seen.contains(*card)) {
        None => Ok(()),
        Some(card) => refuse("R-92", format!("the card {card} is missing")),
    }
}

///
fn hand(seat: u8, cards: &[Card]) -> Result<Cards, Refusal> {
    if cards.len() > HAND_MAX {
        return refuse("R-93", format!("the hand of seat {seat} has {} cards", cards.len()));
    }
    if !cards.is_sorted() {
        return refuse("R-93", format!("the hand of seat {seat} is not in card order"));
    }
    Ok(cards.iter().copied().collect())
}

///
fn heroes_of(seat: u8, heroes: i64) -> Result<u8, Refusal> {
    match u8::try_from(heroes) {
        Ok(heroes) if heroes <= HEROES => Ok(heroes),
        Ok(_) | Err(_) => refuse("R-94", format!("seat {seat} has {heroes} heroes")),
    }
}

///
fn supply(stones: [Fields; 2], stones_left: i64) -> Result<u8, Refusal> {
    let lying: usize = stones.iter().map(|fields| fields.len()).sum();
    match u8::try_from(stones_left) {
        Ok(left) if usize::from(left) + lying == usize::from(STONES) => Ok(left),
        Ok(_) | Err(_) => refuse(
            "R-95",
            format!("{lying} stones lie on the board and {stones_left} are left, of {STONES}"),
        ),
    }
}

/// R-96 for the phase `turn`.
fn going_on(
    position: Position,
    active_seat: Option<Seat>,
    end_reason: Option<EndReason>,
) -> Result<Position, Refusal> {
    let Some(seat) = active_seat else {
        return refuse("R-96", "the match goes on, and no seat is to act");
    };
    if position.stones_left == 0 {
        return refuse("R-96", "the match goes on, and no stone is left");
    }
    if !can_act(&position, seat) {
        return refuse("R-96", format!("seat {seat} is to act, and has no legal command"));
    }
    match end_reason {
        None => Ok(position),
        Some(_) => refuse("R-96", "the match goes on, and has a reason for its end"),
    }
}

/// R-96 for the phase `finished`.
fn finished(
    position: Position,
    active_seat: Option<Seat>,
    end_reason: Option<EndReason>,
) -> Result<Position, Refusal> {
    if let Some(seat) = active_seat {
        return refuse("R-96", format!("the match is finished, and seat {seat} is to act"));
    }
    let Some(reason) = end_reason else {
        return refuse("R-96", "the match is finished, and has no reason for its end");
    };
    let left = position.stones_left;
    match reason {
        EndReason::LastStone if left > 0 => {
            return refuse("R-96", format!("the last stone was laid, and {left} are left"));
        }
        EndReason::Blocked if left == 0 => {
            return refuse("R-96", "no stone is left, and the match was blocked");
        }
        EndReason::LastStone => {}
        EndReason::Blocked => {
            if let Some(seat) = [Seat(0), Seat(1)].into_iter().find(|s| can_act(&position, *s)) {
                return refuse("R-96", format!("the match was blocked, and seat {seat} can act"));
            }
        }
    }
    Ok(Position { phase: Phase::Finished(reason), ..position })
}
