//! Sources and recolouring (D-301 to D-313): what pays for an action, and what its colour costs.

use kernel::{Draft, Seat, require};

use crate::Delphi;
use crate::command::Command;
use crate::event::Event;
use crate::pieces::{Color, CompanionKind, Equipment, Ship};
use crate::position::{Player, Position, Source, SourceKind};
use crate::printed::FACTS;
use crate::refusal::Breach;

/// A source with what it costs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Paid {
    source: Source,
    favor: u16,
}

/// Steps around the oracle: clockwise, or with `reverse_4` the shorter way.
fn steps(player: &Player, from: Color, to: Color) -> u8 {
    let clockwise = from.clockwise_to(to);
    if player.sails(Ship::Reverse4) { clockwise.min(to.clockwise_to(from)) } else { clockwise }
}

/// Favor for using a die or card of one colour as another (D-311).
pub(crate) fn recolouring_cost(player: &Player, wild: bool, from: Color, to: Color) -> u8 {
    if wild || from == to {
        return 0;
    }
    let mut least = steps(player, from, to);
    for demigod in
        Color::ALL.into_iter().filter(|color| player.is_joined_by(CompanionKind::Demigod, *color))
    {
        least = least.min(steps(player, from, demigod));
    }
    if player.sails(Ship::Recolor1) { least.saturating_sub(FACTS.recolor_favor) } else { least }
}

/// Checks the choice of a source; `None` if the command is none.
pub(crate) fn check(
    position: &Position,
    seat: Seat,
    command: &Command,
) -> Option<Result<Paid, Breach>> {
    #[expect(clippy::wildcard_enum_match_arm, reason = "only three commands choose a source")]
    match *command {
        Command::UseDie { color, r#as } => Some(check_die(position, seat, color, r#as)),
        Command::PlayOracleCard { color, r#as } => Some(check_card(position, seat, color, r#as)),
        Command::UseBonusAction { r#as } => Some(check_bonus(position, seat, r#as)),
        _ => None,
    }
}

fn check_die(position: &Position, seat: Seat, color: Color, r#as: Color) -> Result<Paid, Breach> {
    let player = position.player(seat);
    require(player.dice.contains(color), || Breach::NoDie { color })?;
    let favor = check_cost(player, position.turn.wild, color, r#as)?;
    Ok(Paid { source: Source { kind: SourceKind::Die, color: Some(color), r#as }, favor })
}

fn check_card(position: &Position, seat: Seat, color: Color, r#as: Color) -> Result<Paid, Breach> {
    let player = position.player(seat);
    if let Some(color) = position.turn.card_played {
        return Err(Breach::CardLaidAside { color });
    }
    require(player.cards.contains(color), || Breach::NoCard { color })?;
    let favor = check_cost(player, position.turn.wild, color, r#as)?;
    Ok(Paid { source: Source { kind: SourceKind::Card, color: Some(color), r#as }, favor })
}

fn check_bonus(position: &Position, seat: Seat, r#as: Color) -> Result<Paid, Breach> {
    let player = position.player(seat);
    require(player.has(Equipment::ExtraAction), || Breach::NoExtraAction)?;
    require(!position.turn.bonus_used, || Breach::BonusUsed)?;
    let (favor, cost) = (player.favor, FACTS.bonus_cost);
    require(favor >= cost, || Breach::BonusTooDear { favor })?;
    Ok(Paid { source: Source { kind: SourceKind::Bonus, color: None, r#as }, favor: cost })
}

fn check_cost(player: &Player, wild: bool, from: Color, to: Color) -> Result<u16, Breach> {
    let (cost, favor) = (recolouring_cost(player, wild, from, to), player.favor);
    require(u16::from(cost) <= favor, || Breach::TooDear { cost, favor })?;
    Ok(u16::from(cost))
}

/// All choices of a source that may be legal.
pub(crate) fn candidates(position: &Position, seat: Seat, commands: &mut Vec<Command>) {
    let player = position.player(seat);
    for color in player.dice.kinds() {
        commands.extend(Color::ALL.map(|r#as| Command::UseDie { color, r#as }));
    }
    if position.turn.card_played.is_none() {
        for color in player.cards.kinds() {
            commands.extend(Color::ALL.map(|r#as| Command::PlayOracleCard { color, r#as }));
        }
    }
    if player.has(Equipment::ExtraAction) {
        commands.extend(Color::ALL.map(|r#as| Command::UseBonusAction { r#as }));
    }
}

/// Chooses the source and pays for it.
pub(crate) fn perform(draft: &mut Draft<'_, Delphi>, seat: Seat, paid: Paid) {
    let Paid { source: Source { kind, color, r#as }, favor } = paid;
    draft.emit(Event::SourceChosen { seat, kind, color, r#as, favor });
}
