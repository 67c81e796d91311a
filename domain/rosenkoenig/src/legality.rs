//! What the active seat may do (section 7 of the rules).

use kernel::Seat;

use crate::refusal::Breach;
use crate::{Card, Command, Field, Fields, HAND_MAX, Phase, Position};

/// A legal command, with what follows from the position.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    /// A card is played to an empty field.
    Place { seat: Seat, card: Card, at: Field },
    /// A card and a hero are played to an opponent's stone.
    Flip { seat: Seat, card: Card, at: Field },
    /// A card is drawn.
    Draw { seat: Seat },
}

/// Is the command legal? The first broken rule counts, in the order of section 7.
#[inline]
pub(crate) fn check(position: &Position, command: Command) -> Result<Step, Breach> {
    let Phase::Turn(seat) = position.phase else { return Err(Breach::Finished) };
    match command {
        Command::DrawCard {} if may_draw(position, seat) => Ok(Step::Draw { seat }),
        Command::DrawCard {} => Err(Breach::HandFull),
        Command::PlayCard { card, .. } if !position.hand(seat).contains(card) => {
            Err(Breach::NotInHand(card))
        }
        Command::PlayCard { card, hero } => {
            let at = position.crown.target(card).ok_or(Breach::OffBoard(card))?;
            let Targets { opponent, closed } = Targets::of(position, seat);
            match (opponent.contains(at), hero) {
                (false, _) if closed.contains(at) => Err(Breach::OwnStone(at)),
                (false, true) => Err(Breach::HeroOnEmptyField(at)),
                (false, false) => Ok(Step::Place { seat, card, at }),
                (true, false) => Err(Breach::NoHeroPlayed(at)),
                (true, true) if closed.contains(at) => Err(Breach::NoHeroLeft(at)),
                (true, true) => Ok(Step::Flip { seat, card, at }),
            }
        }
    }
}

/// Appends the legal commands: plays in card order, then `DrawCard`.
///
/// Whether a card is playable is a coin toss that no processor predicts, so each play is written and only counted if it
/// is legal.
#[inline]
pub(crate) fn legal_commands(position: &Position, commands: &mut Vec<Command>) {
    let Phase::Turn(seat) = position.phase else { return };
    let Targets { opponent, closed } = Targets::of(position, seat);
    let mut legal = [Command::DrawCard {}; HAND_MAX + 1];
    let mut count = 0;
    for card in position.hand(seat).iter().take(HAND_MAX) {
        let landing = position.crown.landing(card);
        let hero = opponent.holds(landing);
        legal[count] = Command::PlayCard { card, hero };
        count += usize::from(!closed.holds(landing));
    }
    legal[count] = Command::DrawCard {};
    count += usize::from(may_draw(position, seat));
    // A copy of fixed length and a cut are faster than a copy of `count`.
    let listed = commands.len() + count;
    commands.extend_from_slice(&legal);
    commands.truncate(listed);
}

/// Has the seat a legal command? With fewer than five cards it can draw.
#[inline]
pub(crate) fn can_act(position: &Position, seat: Seat) -> bool {
    may_draw(position, seat) || {
        let closed = Targets::of(position, seat).closed;
        let open = |card| !closed.holds(position.crown.landing(card));
        position.hand(seat).iter().any(open)
    }
}

///
#[inline]
fn may_draw(position: &Position, seat: Seat) -> bool {
    position.hand(seat).len() < HAND_MAX
}

/// What a card of a seat may meet, whatever lies on the way.
struct Targets {
    /// The opponent's stones: they take a hero.
    opponent: Fields,
    /// Where no card may lead: off the board, to own stones, without a hero left also to the opponent's
    ///
    closed: Fields,
}

impl Targets {
    #[inline]
    fn of(position: &Position, seat: Seat) -> Self {
        let color = position.options.colors.of(seat);
        let (own, opponent) = (position.stones(color), position.stones(color.other()));
        let out_of_reach = if position.heroes(seat) == 0 { opponent } else { Fields::EMPTY };
        Targets { opponent, closed: own.or(out_of_reach).or_off_board() }
    }
}
