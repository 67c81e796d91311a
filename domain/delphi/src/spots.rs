//! What a command names in the picture: hexes and what lies on them, dice, cards, gods, and the colours of the oracle.

use kernel::Pointed;

use crate::board::Hex;
use crate::command::Command;
use crate::pieces::{Color, God};
use crate::position::{Decision, Position};

pub(crate) fn pointed(position: &Position, command: &Command) -> Pointed {
    let none = Pointed::default();
    // An action is of the colour for which its source was chosen.
    let color = position.turn.source.map(|source| source.r#as);
    match command {
        Command::ChooseShip { ship } => none.spot("ship", ship),
        Command::UseDie { color, r#as } => none.spot("die", color).spot("color", r#as),
        Command::PlayOracleCard { color, r#as } => none.spot("card", color).spot("color", r#as),
        Command::UseBonusAction { r#as } => none.spot("color", r#as),
        Command::MoveShip { to: at }
        | Command::LookAtIsland { at }
        | Command::ExploreIsland { at }
        | Command::RevealIsland { at }
        | Command::BuildShrine { at }
        | Command::DeliverOffering { at } => hex(none, *at),
        Command::LoadOffering { at } => piece(hex(none, *at), "offering", *at, color),
        Command::TakeOffering { at, color } => piece(hex(none, *at), "offering", *at, Some(*color)),
        Command::FightMonster { at } => piece(hex(none, *at), "monster", *at, color),
        Command::LoadStatue { at } => of_color(hex(none, *at), "statue", color),
        Command::TakeStatue { color } => none.spot("statue", color),
        Command::RaiseStatue { at } => piece(hex(none, *at), "site", *at, color),
        Command::InvokeGod { god, at, color } => {
            let called = of_god(none, *god);
            match at {
                Some(at) => piece(hex(called, *at), "monster", *at, *color),
                None => of_color(called, "statue", *color),
            }
        }
        Command::AdvanceGod { god } | Command::RaiseGod { god } | Command::TradeGod { god } => {
            of_god(none, *god)
        }
        Command::HealColor { color } => none.spot("injury", color),
        Command::HealInjuries {} => of_color(none, "injury", color),
        Command::Recover { cards } => {
            cards.iter().fold(none, |pointed, card| pointed.spot("injury", card))
        }
        Command::ReturnTask { kind, color } => match color {
            None => none.spot("task", kind),
            Some(color) => none.spot("task", format_args!("{kind}-{color}")),
        },
        Command::TakeEquipment { card } => none.spot("equipment", card),
        Command::TakeCompanion { kind } => match position.pending.first() {
            Some(Decision::TakeCompanion { color }) => {
                none.spot("companion", format_args!("{kind}-{color}"))
            }
            Some(_) | None => none,
        },
        Command::EndTurn {}
        | Command::DrawOracleCard {}
        | Command::TakeFavor {}
        | Command::UseAmulet {}
        | Command::ContinueBattle {}
        | Command::GiveUpBattle {}
        | Command::Decline {} => none,
    }
}

fn hex(pointed: Pointed, Hex { q, r }: Hex) -> Pointed {
    pointed.spot("hex", format_args!("{q},{r}"))
}

fn piece(pointed: Pointed, kind: &str, Hex { q, r }: Hex, color: Option<Color>) -> Pointed {
    color.into_iter().fold(pointed, |on, color| on.spot(kind, format_args!("{q},{r},{color}")))
}

fn of_color(pointed: Pointed, kind: &str, color: Option<Color>) -> Pointed {
    color.into_iter().fold(pointed, |pointed, color| pointed.spot(kind, color))
}

fn of_god(pointed: Pointed, god: God) -> Pointed {
    pointed.spot("god", god.to_string().to_lowercase())
}
