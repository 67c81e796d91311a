//! Placing one tile on one cell (V-301 to V-311).

use kernel::require;

use crate::board::{Axis, Board, Cell, Direction, NOWHERE, Piece, Spot, SpotId};
use crate::command::Mode;
use crate::pieces::{Tile, TileSet, Tokens};
use crate::position::{Phase, Position};
use crate::printed::LINE_LIMIT;
use crate::refusal::Breach;

/// The kinds that are laid (V-301).
pub(super) const LAID: TileSet =
    TileSet::of(&Tile::ALL).without(TileSet::of(&[Tile::Hel, Tile::LightningBolt]));
/// The kinds that may take the place of another tile (V-301).
pub(super) const TAKING: TileSet = TileSet::of(&[
    Tile::Dragon,
    Tile::Skadi,
    Tile::Hel,
    Tile::Jotunn,
    Tile::Raven,
    Tile::LightningBolt,
]);
/// The kinds that are laid beside a Troll (V-304).
pub(super) const LAID_BESIDE_TROLLS: TileSet = TileSet::of(&[Tile::Troll, Tile::Dwarf]);
/// The kinds that take the place of another tile beside a Troll (V-304).
pub(super) const TAKING_BESIDE_TROLLS: TileSet = TileSet::of(&[Tile::Hel]);

/// A mode with its direction: what [`Command`](crate::Command) has in two fields, without the pairs that mean nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// On an empty cell.
    Lay,
    /// On top of a tile.
    Cover,
    /// In the place of a tile, which goes to the hand.
    Exchange,
    /// In the place of a tile, which is pushed away.
    Bump(Direction),
}

impl Way {
    /// The way of a command's fields; `None` if they do not go together (V-202).
    pub(crate) const fn of(mode: Mode, bump: Option<Direction>) -> Option<Way> {
        match (mode, bump) {
            (Mode::Lay, None) => Some(Way::Lay),
            (Mode::Cover, None) => Some(Way::Cover),
            (Mode::Exchange, None) => Some(Way::Exchange),
            (Mode::Bump, Some(direction)) => Some(Way::Bump(direction)),
            (Mode::Lay | Mode::Cover | Mode::Exchange, Some(_)) | (Mode::Bump, None) => None,
        }
    }

    /// The fields of a command.
    pub(crate) const fn fields(self) -> (Mode, Option<Direction>) {
        match self {
            Way::Lay => (Mode::Lay, None),
            Way::Cover => (Mode::Cover, None),
            Way::Exchange => (Mode::Exchange, None),
            Way::Bump(direction) => (Mode::Bump, Some(direction)),
        }
    }

    /// The ways in which a kind of tile is placed (V-301).
    pub(crate) const fn of_tile(tile: Tile) -> &'static [Way] {
        match tile {
            Tile::Dragon | Tile::Raven => &[Way::Lay, Way::Cover],
            Tile::Skadi => &[Way::Lay, Way::Exchange],
            Tile::Jotunn => &[
                Way::Lay,
                Way::Bump(Direction::Left),
                Way::Bump(Direction::Right),
                Way::Bump(Direction::Up),
                Way::Bump(Direction::Down),
            ],
            Tile::Hel | Tile::LightningBolt => &[Way::Cover],
            Tile::Odin
            | Tile::Thor
            | Tile::Troll
            | Tile::Fenrir
            | Tile::Valkyrie
            | Tile::Loki
            | Tile::Hermod
            | Tile::SeaSerpent
            | Tile::Dwarf
            | Tile::Freya
            | Tile::Niohoggr => &[Way::Lay],
        }
    }
}

/// A legal placement.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placement {
    /// Which tile.
    pub(crate) tile: Tile,
    /// Where.
    pub(crate) at: Cell,
    /// How.
    pub(crate) mode: Mode,
    /// What lies there so far.
    pub(crate) under: Option<Piece>,
    /// Where that is bumped to.
    pub(crate) bumped_to: Option<Cell>,
}

impl Placement {
    pub(crate) fn new(board: &Board, tile: Tile, at: Cell, mode: Mode, bumped: SpotId) -> Self {
        let bumped_to = (bumped != NOWHERE).then(|| board.spot(bumped).cell);
        Placement { tile, at, mode, under: board.at(at), bumped_to }
    }
}

/// What a Hermod's extra tile must keep to (V-310).
struct Reach {
    hermod: Cell,
    /// By axis: the spots just beyond the ends of the line.
    ends: [[SpotId; 2]; 2],
    /// By axis: the coordinates of the first and the last tile of the line.
    spans: [[i32; 2]; 2],
}

impl Reach {
    fn of(board: &Board, hermod: Cell) -> Reach {
        let spot = board.spot(board.find(hermod));
        let ends = Axis::BOTH.map(|axis| axis.directions().map(|way| spot.beyond(way)));
        let spans = Axis::BOTH.map(|axis| {
            let (_, place) = axis.split(hermod);
            // A run lies within the axis, so its length leads to a coordinate.
            let [back, on] = axis.directions().map(|way| spot.run(way).cast_signed());
            [place - back, place + on]
        });
        Reach { hermod, ends, spans }
    }

    /// A tile on an empty cell: just beyond an end of one of the lines.
    fn lay(&self, id: SpotId) -> bool {
        id != NOWHERE && self.ends.iter().flatten().any(|end| *end == id)
    }

    /// A tile in the place of another: a cell of one of the lines.
    fn take(&self, cell: Cell) -> bool {
        Axis::BOTH.into_iter().zip(self.spans).any(|(axis, [first, last])| {
            let (lane, place) = axis.split(cell);
            lane == axis.split(self.hermod).0 && (first..=last).contains(&place)
        })
    }
}

/// What placements are checked against.
pub(crate) struct Ground<'a> {
    pub(crate) board: &'a Board,
    /// How many boosts the tile gets, if any, and the tokens that are left for it.
    boost: Option<(u8, &'a Tokens)>,
    reach: Option<Reach>,
    late: bool,
}

/// A cell that something is placed on.
#[derive(Clone, Copy)]
pub(crate) struct Site<'a> {
    pub(crate) id: SpotId,
    pub(crate) spot: &'a Spot,
}

impl<'a> Ground<'a> {
    /// The ground of the active seat's placements, with so many boosts.
    pub(crate) fn of(position: &'a Position, boost: u8) -> Self {
        let hermod = position.hermod.filter(|_| position.phase == Phase::Hermod);
        Ground {
            board: &position.board,
            boost: (boost > 0).then_some((boost, &position.boosters)),
            reach: hermod.map(|cell| Reach::of(&position.board, cell)),
            late: position.options.no_late_hel && position.pile.is_empty(),
        }
    }

    /// The ground of a flying Raven: no boost is added, and no Hermod binds it (V-603).
    pub(crate) fn flight(lifted: &'a Board) -> Self {
        Ground { board: lifted, boost: None, reach: None, late: false }
    }

    /// A spot as something is placed on it.
    pub(crate) fn site(&self, id: SpotId) -> Site<'a> {
        Site { id, spot: self.board.spot(id) }
    }

    /// May this kind of tile be placed on this site in this way? Returns where a tile is bumped to, or [`NOWHERE`].
    ///
    /// # Errors
    /// The first breach from V-210 on.
    pub(crate) fn check(&self, tile: Tile, way: Way, site: &Site<'_>) -> Result<SpotId, Breach> {
        require(!self.barred().contains(tile), || Breach::LateHel)?;
        require(Way::of_tile(tile).contains(&way), || Breach::WrongMode)?;
        self.check_cell(tile, way, site)
    }

    /// The kinds that may not be placed now, wherever it is (V-210).
    pub(crate) fn barred(&self) -> TileSet {
        if self.late { TileSet::of(&[Tile::Hel]) } else { TileSet::default() }
    }

    /// The same as [`check`](Ground::check) for a tile that is not barred, in one of its ways.
    ///
    /// # Errors
    /// The first breach from V-302 on.
    #[inline]
    pub(crate) fn check_cell(
        &self,
        tile: Tile,
        way: Way,
        site: &Site<'_>,
    ) -> Result<SpotId, Breach> {
        let mut bumped = NOWHERE;
        match way {
            Way::Lay => lay(tile, site)?,
            Way::Cover => cover(tile, site)?,
            Way::Exchange => exchange(site)?,
            Way::Bump(direction) => bumped = self.bump(site, direction)?,
        }
        self.check_reach(tile, way, site)?;
        self.check_token(tile, way, site)?;
        Ok(bumped)
    }

    /// V-308, V-304, V-309, V-305.
    fn bump(&self, site: &Site<'_>, direction: Direction) -> Result<SpotId, Breach> {
        let board = self.board;
        let piece = site.spot.in_line().ok_or(Breach::NoBump)?;
        let target = site.spot.beyond(direction);
        let there = board.spot(target);
        require(target != NOWHERE && there.piece.is_none(), || Breach::NoRoom)?;
        require(site.spot.trolls == 0, || Breach::Troll)?;
        if piece.tile == Tile::Troll {
            require(target != board.step(site.id, direction), || Breach::BumpedTroll)?;
        } else {
            require(there.trolls == 0, || Breach::BumpedToTroll)?;
        }
        // The Jotunn takes the tile's place, so the lines are those of before with one tile more at the target. The line
        // along the bump is the same for both tiles.
        let across = site.spot.length(direction.axis().across());
        require(across <= LINE_LIMIT && fits(there), || Breach::TooLong)?;
        Ok(target)
    }

    /// V-310.
    fn check_reach(&self, tile: Tile, way: Way, site: &Site<'_>) -> Result<(), Breach> {
        let Some(reach) = &self.reach else { return Ok(()) };
        let within = match way {
            _ if tile == Tile::Hel => reach.hermod.touches(site.spot.cell),
            Way::Lay => reach.lay(site.id),
            Way::Cover | Way::Exchange | Way::Bump(_) => reach.take(site.spot.cell),
        };
        require(within, || Breach::OutOfReach)
    }

    /// V-311.
    fn check_token(&self, tile: Tile, way: Way, site: &Site<'_>) -> Result<(), Breach> {
        let Some((boost, supply)) = self.boost else { return Ok(()) };
        require(tile != Tile::Hel, || Breach::HelBoosted)?;
        let token = tile.printed() + boost;
        let returned = match way {
            Way::Cover | Way::Exchange => site.spot.piece.filter(|piece| piece.boost > 0),
            Way::Lay | Way::Bump(_) => None,
        };
        let free = supply.has(token) || returned.is_some_and(|piece| piece.value() == token);
        require(free, || Breach::NoToken)
    }
}

/// V-302, V-303, V-304, V-305.
fn lay(tile: Tile, site: &Site<'_>) -> Result<(), Breach> {
    require(site.spot.piece.is_none(), || Breach::Occupied)?;
    require(site.spot.tiles > 0, || Breach::Apart)?;
    require(site.spot.trolls == 0 || LAID_BESIDE_TROLLS.contains(tile), || Breach::Troll)?;
    require(fits(site.spot), || Breach::TooLong)
}

/// Would neither line be too long with a tile on this spot?
pub(super) fn fits(spot: &Spot) -> bool {
    Axis::BOTH.into_iter().all(|axis| spot.length(axis) <= LINE_LIMIT)
}

/// V-306, V-304.
fn cover(tile: Tile, site: &Site<'_>) -> Result<(), Breach> {
    require(site.spot.in_line().is_some_and(|piece| piece.tile != tile), || Breach::NoCover)?;
    require(site.spot.trolls == 0 || TAKING_BESIDE_TROLLS.contains(tile), || Breach::Troll)
}

/// V-307, V-304.
fn exchange(site: &Site<'_>) -> Result<(), Breach> {
    let other = site.spot.in_line().is_some_and(|piece| piece.tile != Tile::Skadi);
    require(other, || Breach::NoExchange)?;
    require(site.spot.trolls == 0, || Breach::Troll)
}
