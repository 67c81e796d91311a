//! Islands: looking at them and turning them (D-421, D-437).

use kernel::{Draft, Seat};

use crate::Delphi;
use crate::board::{Hex, HexPair};
use crate::decide::{gains, tasks};
use crate::event::{Event, Reason};
use crate::pieces::{Letter, Set};
use crate::position::{Decision, Then};
use crate::printed::FACTS;

/// Looks at a face-down island; `left` counts the looks, this one included.
pub(crate) fn look(
    draft: &mut Draft<'_, Delphi>,
    seat: Seat,
    at: Hex,
    left: u8,
    seen: HexPair,
    then: Then,
) {
    let Some(place) = draft.position().island_at(at) else { return };
    let face = draft.position().islands[place].face;
    draft.emit(Event::IslandLookedAt { seat, at, face });
    let seen = seen.with(at);
    if left > 1 {
        return tasks::open(draft, seat, [Decision::Look { left: left - 1, seen, then }]);
    }
    match then {
        Then::Reveal => tasks::open(draft, seat, [Decision::RevealOne { hexes: seen }]),
        Then::Return => {}
    }
}

/// Turns an island face up for all: a shrine, if it is of the own colour and a shrine task is left; otherwise its letter.
pub(crate) fn explore(draft: &mut Draft<'_, Delphi>, seat: Seat, at: Hex) {
    let Some(place) = draft.position().island_at(at) else { return };
    let face = draft.position().islands[place].face;
    draft.emit(Event::IslandRevealed { seat, at, face });
    let player = draft.position().player(seat);
    if face.color == player.color && player.tasks.shrine > 0 {
        return tasks::build_shrine(draft, seat, at);
    }
    match face.letter {
        Letter::Sigma => {
            let decision = Decision::AdvanceGod {
                steps: FACTS.sigma_steps,
                gods: Set::all(),
                reason: Reason::Sigma,
            };
            tasks::open(draft, seat, [decision]);
        }
        Letter::Phi => {
            (0..FACTS.phi_cards).for_each(|_| gains::oracle_card(draft, seat, Reason::Phi))
        }
        Letter::Psi => gains::favor(draft, seat, FACTS.psi_favor, Reason::Psi),
        Letter::Omega => {
            gains::shield(draft, seat, FACTS.omega_shield, Reason::Omega);
            tasks::open(draft, seat, [Decision::HealColor {}]);
        }
    }
}
