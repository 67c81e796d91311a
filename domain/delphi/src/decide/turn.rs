//! The course of turns and rounds (section 6): what happens by itself after every command, until a choice is needed (D-205).

use kernel::{Draft, Seat};

use crate::decide::decisions::{self, choices};
use crate::decide::{gains, gods, tasks};
use crate::event::{Event, InjuryResult, Reason};
use crate::pieces::{Color, Colors, Equipment, God, Set, Ship};
use crate::position::{Decision, Player, Position, Stage, TOP_ROW};
use crate::printed::FACTS;
use crate::{Delphi, scoring};

/// Goes on until a seat has a choice, or the match is finished.
pub(crate) fn go_on(draft: &mut Draft<'_, Delphi>) {
    while step(draft) {}
}

/// Does the next thing that happens by itself; false if a seat is to choose.
fn step(draft: &mut Draft<'_, Delphi>) -> bool {
    let position = draft.position();
    let seat = position.active();
    match position.stage {
        Stage::Ships | Stage::Over => return false,
        Stage::Start | Stage::Upkeep | Stage::Main => {}
    }
    if let Some(decision) = position.pending.first() {
        match choices::resolve(position, seat, decision) {
            choices::Resolution::Ask => return false,
            choices::Resolution::Close => draft.emit(Event::DecisionClosed { seat }),
            choices::Resolution::Take(answer) => decisions::perform(draft, seat, answer),
        }
        return true;
    }
    match position.stage {
        Stage::Start => next_start_choice(draft),
        Stage::Upkeep => upkeep(draft, seat),
        Stage::Main => {
            let Some(god) = position.turn.acting_god.filter(|_| position.turn.source.is_none())
            else {
                return false;
            };
            gods::reset(draft, seat, god);
        }
        Stage::Ships | Stage::Over => return false,
    }
    true
}

/// D-144: the next seat whose ship brings a choice, or the first turn.
fn next_start_choice(draft: &mut Draft<'_, Delphi>) {
    let position = draft.position();
    let Some(seat) = position.start_queue.first().copied() else {
        let (seat, round) = (position.start_seat, position.round);
        return draft.emit(Event::TurnStarted { seat, round });
    };
    let ship = position.player(seat).ship;
    draft.emit(Event::StartChoiceDue { seat });
    match ship {
        Some(Ship::Tasks11) => tasks::open(draft, seat, [Decision::ReturnTask {}]),
        Some(Ship::Equipped) => {
            gains::oracle_card(draft, seat, Reason::Ship);
            tasks::open(draft, seat, [Decision::TakeEquipment { reward: false }]);
        }
        Some(
            Ship::Shield2
            | Ship::GodsUp
            | Ship::Range2
            | Ship::Favor1
            | Ship::Recolor1
            | Ship::Reverse4,
        )
        | None => {}
    }
}

/// The next step at the beginning of a turn (D-211, D-221).
fn upkeep(draft: &mut Draft<'_, Delphi>, seat: Seat) {
    let position = draft.position();
    let (player, turn) = (position.player(seat), position.turn);
    if let Some(gods) = player.god_choices.first().copied() {
        let open = player.gods.below_top(gods);
        draft.emit(Event::GodChoiceDue { seat, gods });
        let decision = Decision::AdvanceGod { steps: 1, gods: open, reason: Reason::Consultation };
        return tasks::open(draft, seat, [decision]);
    }
    if !turn.checked {
        let result = check_injuries(player);
        draft.emit(Event::InjuriesChecked { seat, result });
        return match result {
            InjuryResult::None => {}
            InjuryResult::Reward => tasks::open(draft, seat, [Decision::InjuryReward {}]),
            InjuryResult::Recover => {
                tasks::open(draft, seat, [Decision::Recover { count: FACTS.recovery }])
            }
        };
    }
    if turn.recovering {
        return end(draft, seat);
    }
    draft.emit(Event::ActionsStarted { seat });
}

/// Too many injuries, none, or something between (D-221).
fn check_injuries(player: &Player) -> InjuryResult {
    let (same, total) = FACTS.recover[usize::from(player.has(Equipment::Toughness))];
    let injuries = &player.injuries;
    if injuries.is_empty() {
        InjuryResult::Reward
    } else if injuries.len() >= total
        || Color::ALL.iter().any(|color| injuries.count(*color) >= same)
    {
        InjuryResult::Recover
    } else {
        InjuryResult::None
    }
}

/// Ends the turn of `seat` (D-241): consultation unless recovering, the titan after the last seat, the next turn or the end.
pub(crate) fn end(draft: &mut Draft<'_, Delphi>, seat: Seat) {
    let recovering = draft.position().turn.recovering;
    draft.emit(Event::TurnEnded { seat });
    if !recovering {
        consult(draft, seat);
    }
    let position = draft.position();
    let (round, next) = (position.round, position.next_seat(seat));
    if seat != position.last_seat() {
        return draft.emit(Event::TurnStarted { seat: next, round });
    }
    attack(draft, seat);
    draft.emit(Event::RoundEnded { seat: None, round });
    let position = draft.position();
    if position.in_turn_order(next).any(|seat| position.player(seat).home) {
        let standing = scoring::ranking(position);
        draft.emit(Event::MatchFinished { seat: None, standing });
    } else {
        draft.emit(Event::TurnStarted { seat: next, round: round.saturating_add(1) });
    }
}

/// The consultation of the oracle for the next turn; then the gods of the others (D-242).
fn consult(draft: &mut Draft<'_, Delphi>, seat: Seat) {
    let dice: Colors =
        (0..FACTS.dice).map(|_| draft.pick("oracle_die", &FACTS.oracle_die)).collect();
    draft.emit(Event::OracleConsulted { seat, dice });
    for (charm, color) in Equipment::CHARMS {
        if dice.contains(color) && draft.position().player(seat).has(charm) {
            gains::favor(draft, seat, FACTS.charm_favor, charm_reason(color));
        }
    }
    let others = draft.position().in_turn_order(seat).skip(1);
    for other in others {
        let gods = listeners(draft.position(), other, &dice);
        match gods.len() {
            0 => {}
            1 => gains::advance(draft, other, gods.nth(0), Reason::Consultation),
            _ => draft.emit(Event::GodChoiceQueued { seat: other, gods, by: seat }),
        }
    }
}

fn charm_reason(color: Color) -> Reason {
    match color {
        Color::Red => Reason::CharmRed,
        Color::Black => Reason::CharmBlack,
        Color::Pink | Color::Blue | Color::Yellow | Color::Green => Reason::CharmYellow,
    }
}

/// The gods of a seat whose colour shows, and that stand neither in row 0 nor in row 6.
fn listeners(position: &Position, seat: Seat, dice: &Colors) -> Set<God> {
    let rows = &position.player(seat).gods;
    dice.kinds().map(Color::god).filter(|god| (1..TOP_ROW).contains(&rows.row(*god))).collect()
}

/// The titan attacks after the turn of the last seat (D-251).
fn attack(draft: &mut Draft<'_, Delphi>, seat: Seat) {
    let strength = draft.pick("titan_die", &FACTS.titan_die);
    draft.emit(Event::TitanRolled { seat, strength });
    let position = draft.position();
    for hit in position.in_turn_order(position.start_seat) {
        let cards = match strength {
            6 => 2,
            _ if draft.position().player(hit).shield < strength => 1,
            _ => 0,
        };
        (0..cards).for_each(|_| gains::injury(draft, hit, Reason::Titan));
    }
}
