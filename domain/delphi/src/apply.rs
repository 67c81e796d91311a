//! Events change positions: what the last column of section 11 says, and nothing else.

use crate::board::Hex;
use crate::event::{Area, Deck, Event, GodUse, InjuryResult};
use crate::pieces::{Color, Colors, Companion, TaskKind, ZeusTile};
use crate::position::{Fulfilled, Player, Position, Source, SourceKind, Stage, Tasks, Turn};

/// Changes the position as the event says.
#[expect(clippy::too_many_lines, reason = "one exhaustive match, an arm for each event")]
pub(crate) fn apply(position: &mut Position, event: &Event) {
    match *event {
        Event::MatchStarted { position: ref start } => {
            *position = Position { edition: position.edition, ..Position::clone(start) };
        }
        Event::ShipChosen { seat, ship, next_seat } => {
            position.players[seat.index()].ship = Some(ship);
            position.ship_offer = position.ship_offer.without(ship);
            position.active_seat = Some(next_seat);
        }
        Event::PlayAreasPrepared { seat: _, ref areas, ref start_queue } => {
            areas.iter().for_each(|area| set_area(position, area));
            position.ship_offer = crate::pieces::Set::EMPTY;
            position.start_queue.clone_from(start_queue);
            position.stage = Stage::Start;
            position.active_seat = Some(position.start_seat);
        }
        Event::StartChoiceDue { seat } => {
            position.active_seat = Some(seat);
            position.start_queue.retain(|other| *other != seat);
        }
        Event::TaskReturned { seat, kind, color } => {
            remove_tile(&mut position.players[seat.index()].tasks, kind, color);
        }
        Event::TurnStarted { seat, round } => {
            position.active_seat = Some(seat);
            position.round = round;
            position.stage = Stage::Upkeep;
            position.turn = Turn::default();
        }
        Event::GodChoiceQueued { seat, gods, by: _ } => {
            position.players[seat.index()].god_choices.push(gods)
        }
        Event::GodChoiceDue { seat, gods: _ } => {
            let choices = &mut position.players[seat.index()].god_choices;
            choices.drain(..choices.len().min(1));
        }
        Event::InjuriesChecked { seat: _, result } => {
            position.turn.checked = true;
            position.turn.recovering = result == InjuryResult::Recover;
        }
        Event::ActionsStarted { seat: _ } => position.stage = Stage::Main,
        Event::SourceChosen { seat, kind, color, r#as, favor } => {
            let player = &mut position.players[seat.index()];
            player.favor = player.favor.saturating_sub(favor);
            use_up(player, &mut position.turn, kind, color);
            position.turn.source = Some(Source { kind, color, r#as });
        }
        Event::ActionTaken { seat: _, action: _, color: _ } => position.turn.source = None,
        Event::FavorGained { seat, amount, reason: _ } => {
            let favor = &mut position.players[seat.index()].favor;
            *favor = favor.saturating_add(amount);
        }
        Event::FavorSpent { seat, amount, reason: _ } => {
            let favor = &mut position.players[seat.index()].favor;
            *favor = favor.saturating_sub(amount);
        }
        Event::OracleCardDrawn { seat, color, reason: _ } => {
            position.oracle_deck.remove(color);
            position.players[seat.index()].cards.add(color);
        }
        Event::InjuryDrawn { seat, color, kept, reason: _ } => {
            position.injury_deck.remove(color);
            let pile = if kept {
                &mut position.players[seat.index()].injuries
            } else {
                &mut position.injury_discard
            };
            pile.add(color);
        }
        Event::InjuriesDiscarded { seat, cards, reason: _ } => {
            position.players[seat.index()].injuries.remove_all(&cards);
            position.injury_discard.add_all(&cards);
        }
        Event::DeckReshuffled { deck: Deck::Oracle } => {
            position.oracle_deck = std::mem::replace(&mut position.oracle_discard, Colors::EMPTY);
        }
        Event::DeckReshuffled { deck: Deck::Injury } => {
            position.injury_deck = std::mem::replace(&mut position.injury_discard, Colors::EMPTY);
        }
        Event::ShieldRaised { seat, from: _, to, reason: _ } => {
            position.players[seat.index()].shield = to
        }
        Event::GodAdvanced { seat, god, from: _, to, reason: _ } => {
            position.players[seat.index()].gods.put(god, to)
        }
        Event::GodInvoked { seat: _, god, r#use: GodUse::Power | GodUse::Card } => {
            position.turn.acting_god = Some(god)
        }
        Event::ColorsFreed { seat: _ } => position.turn.wild = true,
        Event::GodReset { seat, god, from: _, to } => {
            position.players[seat.index()].gods.put(god, to);
            position.turn.acting_god = None;
        }
        Event::ShipMoved { seat, from: _, to, steps: _, favor } => {
            let player = &mut position.players[seat.index()];
            player.at = to;
            player.favor = player.favor.saturating_sub(favor);
        }
        Event::ZeusReached { seat } => position.players[seat.index()].home = true,
        Event::BattleStarted { seat: _, at: _, color: _, strength: _ }
        | Event::BattleRolled { seat: _, at: _, color: _, roll: _, strength: _, won: _ }
        | Event::BattleEnded { seat: _, at: _, color: _ }
        | Event::TitanRolled { seat: _, strength: _ }
        | Event::RoundEnded { seat: _, round: _ } => {}
        Event::MonsterDefeated { seat: _, at, color } => {
            take(&position.chart.monsters, &mut position.monsters, at, color);
        }
        Event::TaskFulfilled { seat, kind, color, tile, reward: _ } => {
            let player = &mut position.players[seat.index()];
            remove_tile(&mut player.tasks, kind, tile);
            note(&mut player.fulfilled, kind, color);
        }
        Event::EquipmentTaken { seat, card, refill } => {
            let player = &mut position.players[seat.index()];
            player.equipment = player.equipment.with(card);
            position.equipment_display = position.equipment_display.without(card);
            if let Some(refill) = refill {
                position.equipment_deck = position.equipment_deck.without(refill);
                position.equipment_display = position.equipment_display.with(refill);
            }
        }
        Event::CompanionTaken { seat, kind, color } => {
            let (player, companion) =
                (&mut position.players[seat.index()], Companion { kind, color });
            player.companions = player.companions.with(companion);
            position.companions = position.companions.without(companion);
        }
        Event::OfferingLoaded { seat, from, color } => {
            take(&position.chart.offerings, &mut position.offerings, from, color);
            position.players[seat.index()].cargo.offering.add(color);
        }
        Event::StatueLoaded { seat, from, color } => {
            let cities = position.chart.cities.iter().zip(&mut position.statues);
            for (_, statues) in cities.filter(|(city, _)| city.at == from) {
                *statues = statues.saturating_sub(1);
            }
            position.players[seat.index()].cargo.statue.add(color);
        }
        Event::OfferingDelivered { seat, at: _, color } => {
            position.players[seat.index()].cargo.offering.remove(color)
        }
        Event::StatueRaised { seat, at, color } => {
            let sites = position.chart.sites.iter().zip(&mut position.sites);
            for (_, owner) in sites.filter(|(site, _)| site.at == at && site.color == color) {
                *owner = Some(seat);
            }
            position.players[seat.index()].cargo.statue.remove(color);
        }
        Event::IslandLookedAt { seat, at, face: _ } => {
            if let Some(place) = position.island_at(at) {
                position.islands[place].seen_by = position.islands[place].seen_by.with(seat);
            }
        }
        Event::IslandRevealed { seat: _, at, face: _ } => {
            if let Some(place) = position.island_at(at) {
                position.islands[place].revealed = true;
            }
        }
        Event::ShrineBuilt { seat, at } => {
            if let Some(place) = position.island_at(at) {
                position.islands[place].shrine = Some(seat);
            }
            let pieces = &mut position.players[seat.index()].shrines;
            *pieces = pieces.saturating_sub(1);
        }
        Event::DecisionsOpened { seat: _, ref decisions } => {
            position.pending.splice(..0, decisions.iter().copied());
        }
        Event::DecisionClosed { seat: _ } => {
            position.pending.drain(..position.pending.len().min(1));
        }
        Event::OracleConsulted { seat, dice } => position.players[seat.index()].dice = dice,
        Event::TurnEnded { seat: _ } => {
            if let Some(card) = position.turn.card_played {
                position.oracle_discard.add(card);
            }
            position.turn = Turn::default();
        }
        Event::MatchFinished { seat: _, ref standing } => {
            position.stage = Stage::Over;
            position.active_seat = None;
            position.standing = Some(standing.clone());
        }
    }
}

fn set_area(position: &mut Position, area: &Area) {
    let Area { seat, ship, dice, injury, favor, shield, gods, tasks, shrines } = *area;
    let player = &mut position.players[seat.index()];
    player.ship = Some(ship);
    player.dice = dice;
    player.injuries.add(injury);
    player.favor = favor;
    player.shield = shield;
    player.gods = gods;
    player.tasks = tasks;
    player.shrines = shrines;
    position.injury_deck.remove(injury);
}

/// The source is no longer there.
fn use_up(player: &mut Player, turn: &mut Turn, kind: SourceKind, color: Option<Color>) {
    match (kind, color) {
        (SourceKind::Die, Some(color)) => player.dice.remove(color),
        (SourceKind::Card, Some(color)) => {
            player.cards.remove(color);
            turn.card_played = Some(color);
        }
        (SourceKind::Bonus, _) => turn.bonus_used = true,
        (SourceKind::Die | SourceKind::Card, None) => {}
    }
}

/// A piece leaves the place where it lies.
fn take(places: &[Hex], stocks: &mut [Colors], at: Hex, color: Color) {
    for (_, stock) in places.iter().zip(stocks).filter(|(place, _)| **place == at) {
        stock.remove(color);
    }
}

fn remove_tile(tasks: &mut Tasks, kind: TaskKind, tile: Option<ZeusTile>) {
    match (kind, tile) {
        (TaskKind::Shrine, _) => tasks.shrine = tasks.shrine.saturating_sub(1),
        (TaskKind::Statue, Some(tile)) => tasks.statue.remove(tile),
        (TaskKind::Offering, Some(tile)) => tasks.offering.remove(tile),
        (TaskKind::Monster, Some(tile)) => tasks.monster.remove(tile),
        (TaskKind::Statue | TaskKind::Offering | TaskKind::Monster, None) => {}
    }
}

fn note(fulfilled: &mut Fulfilled, kind: TaskKind, color: Option<Color>) {
    match (kind, color) {
        (TaskKind::Shrine, _) => fulfilled.shrine = fulfilled.shrine.saturating_add(1),
        (TaskKind::Statue, Some(color)) => fulfilled.statue.add(color),
        (TaskKind::Offering, Some(color)) => fulfilled.offering.add(color),
        (TaskKind::Monster, Some(color)) => fulfilled.monster.add(color),
        (TaskKind::Statue | TaskKind::Offering | TaskKind::Monster, None) => {}
    }
}
