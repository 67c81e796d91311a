//! Battles, round by round (D-432, D-433).

use kernel::{Draft, Seat};

use crate::Delphi;
use crate::board::Hex;
use crate::decide::{gains, tasks};
use crate::event::{Event, Reason};
use crate::pieces::Color;
use crate::position::Decision;
use crate::printed::FACTS;

/// Begins a battle and fights its first round.
pub(crate) fn start(draft: &mut Draft<'_, Delphi>, seat: Seat, at: Hex, color: Color) {
    let strength = FACTS.strength.saturating_sub(draft.position().player(seat).shield);
    draft.emit(Event::BattleStarted { seat, at, color, strength });
    fight(draft, seat, at, color, strength);
}

/// Pays for another round against a monster that is one weaker, and fights it.
pub(crate) fn go_on(
    draft: &mut Draft<'_, Delphi>,
    seat: Seat,
    at: Hex,
    color: Color,
    strength: u8,
) {
    draft.emit(Event::FavorSpent { seat, amount: 1, reason: Reason::Battle });
    fight(draft, seat, at, color, strength.saturating_sub(1));
}

fn fight(draft: &mut Draft<'_, Delphi>, seat: Seat, at: Hex, color: Color, strength: u8) {
    let roll = draft.pick("battle_die", &FACTS.battle_die);
    let won = roll >= strength;
    draft.emit(Event::BattleRolled { seat, at, color, roll, strength, won });
    if won {
        return tasks::defeat(draft, seat, at, color);
    }
    if roll == 0 {
        gains::injury(draft, seat, Reason::Battle);
    }
    if draft.position().player(seat).favor > 0 {
        tasks::open(draft, seat, [Decision::Battle { at, color, strength }]);
    } else {
        draft.emit(Event::BattleEnded { seat, at, color });
    }
}
