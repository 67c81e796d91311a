//! What a viewer may see (D-132): everything but the faces of islands that lie face down and that it has not looked at.

use kernel::{Edition, Seat, Secret, Viewer};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::board::{Chart, Hex, Spot};
use crate::options::Terms;
use crate::pieces::{Color, Colors, Companion, Equipment, Face, Set, Ship};
use crate::position::{
    City, Decision, GameName, Island, MapForm, Place, Player, Position, Site, Stage, Stock, Turn,
};

/// An island as a viewer sees it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct IslandView {
    /// The hex.
    pub at: Hex,
    /// The colour of its frame.
    pub color: Color,
    /// The hidden side; null if the viewer may not see it.
    #[schema(required = true)]
    pub face: Option<Face>,
    /// Whether it lies face up.
    pub revealed: bool,
    /// The seats that have looked at it, ascending.
    pub seen_by: Vec<Seat>,
    /// The seat whose shrine stands there; null without one.
    #[schema(required = true)]
    pub shrine: Option<Seat>,
}

/// A position as a viewer sees it: the fields of the position, hidden faces null.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct View {
    /// `delphi`.
    pub game: GameName,
    /// The edition of the rules by which the match is played.
    pub edition: Edition,
    /// The number of seats.
    pub seats: u8,
    /// The options, complete.
    pub options: Terms,
    /// The stage of the match.
    pub stage: Stage,
    /// The round, counted from 1.
    pub round: u32,
    /// The seat that begins every round.
    pub start_seat: Seat,
    /// The seat to act; null exactly in stage `over`.
    #[schema(required = true)]
    pub active_seat: Option<Seat>,
    /// The map.
    pub map: MapForm,
    /// Temples in map order.
    pub temples: Vec<Spot>,
    /// Offering islands in map order.
    pub offerings: Vec<Stock>,
    /// Monster islands in map order.
    pub monsters: Vec<Stock>,
    /// Cities in map order.
    pub cities: Vec<City>,
    /// Building sites by island in map order, then by colour.
    pub sites: Vec<Site>,
    /// Islands in map order.
    pub islands: Vec<IslandView>,
    /// Oracle cards to draw.
    #[schema(value_type = Vec<Color>)]
    pub oracle_deck: Colors,
    /// Oracle cards discarded.
    #[schema(value_type = Vec<Color>)]
    pub oracle_discard: Colors,
    /// Injury cards to draw.
    #[schema(value_type = Vec<Color>)]
    pub injury_deck: Colors,
    /// Injury cards discarded.
    #[schema(value_type = Vec<Color>)]
    pub injury_discard: Colors,
    /// Equipment to draw.
    #[schema(value_type = Vec<Equipment>)]
    pub equipment_deck: Set<Equipment>,
    /// Equipment to take.
    #[schema(value_type = Vec<Equipment>)]
    pub equipment_display: Set<Equipment>,
    /// The companions that are left.
    #[schema(value_type = Vec<Companion>)]
    pub companions: Set<Companion>,
    /// The ship tiles to choose from.
    #[schema(value_type = Vec<Ship>)]
    pub ship_offer: Set<Ship>,
    /// The seats that still make a choice of D-144, in order.
    pub start_queue: Vec<Seat>,
    /// By seat: everything of a player is open.
    pub players: Vec<Player>,
    /// The turn so far.
    pub turn: Turn,
    /// The decisions; the first one is due.
    pub pending: Vec<Decision>,
    /// The ranking, after the end.
    #[schema(required = true)]
    pub standing: Option<Vec<Place>>,
}

impl Secret for Position {
    type Position = Position;
    type Seen = View;

    fn seen(&self, _: &Position, viewer: Viewer) -> View {
        view(self, viewer)
    }
}

/// What `viewer` may see of a position.
pub(crate) fn view(position: &Position, viewer: Viewer) -> View {
    let Position {
        edition,
        chart,
        terms,
        seats,
        stage,
        round,
        start_seat,
        active_seat,
        offerings: _,
        monsters: _,
        statues: _,
        sites: _,
        islands,
        oracle_deck,
        oracle_discard,
        injury_deck,
        injury_discard,
        equipment_deck,
        equipment_display,
        companions,
        ship_offer,
        start_queue,
        players: _,
        turn,
        pending,
        standing,
    } = position;
    View {
        game: GameName::Delphi,
        edition: *edition,
        seats: *seats,
        options: Terms::clone(terms),
        stage: *stage,
        round: *round,
        start_seat: *start_seat,
        active_seat: *active_seat,
        map: position.map_form(),
        temples: chart.temples.clone(),
        offerings: position.offering_form(),
        monsters: position.monster_form(),
        cities: position.city_form(),
        sites: position.site_form(),
        islands: island_views(chart, islands, viewer),
        oracle_deck: *oracle_deck,
        oracle_discard: *oracle_discard,
        injury_deck: *injury_deck,
        injury_discard: *injury_discard,
        equipment_deck: *equipment_deck,
        equipment_display: *equipment_display,
        companions: *companions,
        ship_offer: *ship_offer,
        start_queue: start_queue.clone(),
        players: position.player_form(),
        turn: *turn,
        pending: pending.clone(),
        standing: standing.clone(),
    }
}

fn island_views(chart: &Chart, islands: &[Island], viewer: Viewer) -> Vec<IslandView> {
    let looked = |seen_by: &crate::position::SeatSet| match viewer {
        Viewer::Seat(seat) => seen_by.contains(seat),
        Viewer::Spectator => false,
    };
    let view = |(spot, island): (&Spot, &Island)| {
        let Spot { at, color } = *spot;
        let Island { face, revealed, seen_by, shrine } = island;
        let face = (*revealed || looked(seen_by)).then_some(*face);
        IslandView {
            at,
            color,
            face,
            revealed: *revealed,
            seen_by: seen_by.iter().collect(),
            shrine: *shrine,
        }
    };
    chart.islands.iter().zip(islands).map(view).collect()
}
