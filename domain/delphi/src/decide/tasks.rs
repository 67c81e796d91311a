//! Cargo and tasks: commitment, the tile used, the storage, tasks fulfilled and their rewards (D-701 to D-710).

use kernel::{Draft, Seat, require};

use crate::Delphi;
use crate::board::Hex;
use crate::decide::gains;
use crate::event::{Event, Reason, Reward};
use crate::pieces::{CargoKind, Color, Colors, Equipment, God, Set, TaskKind, Tiles, ZeusTile};
use crate::position::{Decision, Player};
use crate::printed::FACTS;
use crate::refusal::Breach;

/// May a piece of this colour be loaded, or fought (D-701)? `left`: the Zeus tiles of the kind, `done`: the colours fulfilled,
/// `aboard`: the colours in the storage.
///
/// A colour whose own tile is left goes to that tile; every other one needs a white one. So the colours without a tile of their
/// own may be as many as the white tiles.
fn may_commit(left: &Tiles, done: &Colors, aboard: &Colors, color: Color) -> bool {
    if done.contains(color) || aboard.contains(color) {
        return false;
    }
    let all = aboard.kinds().chain([color]);
    let without_tile = all.filter(|color| !left.contains(color.tile())).count();
    without_tile <= usize::from(left.count(ZeusTile::White))
}

/// The Zeus tile that a piece of this colour uses (D-702): its own, else a white one; none if the colour was fulfilled before.
fn tile_used(left: &Tiles, done: &Colors, color: Color) -> Option<ZeusTile> {
    if done.contains(color) {
        return None;
    }
    [color.tile(), ZeusTile::White].into_iter().find(|tile| left.contains(*tile))
}

fn cargo_tasks(player: &Player, kind: CargoKind) -> (&Tiles, &Colors) {
    match kind {
        CargoKind::Statue => (&player.tasks.statue, &player.fulfilled.statue),
        CargoKind::Offering => (&player.tasks.offering, &player.fulfilled.offering),
    }
}

/// May the piece come aboard? There is room (D-704), and it can be committed to a tile (D-701).
pub(crate) fn check_load(player: &Player, kind: CargoKind, color: Color) -> Result<(), Breach> {
    let places = player.storage();
    require(player.cargo.len() < places, || Breach::StorageFull { places })?;
    let (left, done) = cargo_tasks(player, kind);
    let committed = may_commit(left, done, player.cargo.of(kind), color);
    require(committed, || Breach::NotCommitted { color })
}

/// May the piece be delivered? It is in the storage (D-703), and it has a tile (D-702).
pub(crate) fn check_delivery(player: &Player, kind: CargoKind, color: Color) -> Result<(), Breach> {
    require(player.cargo.of(kind).contains(color), || Breach::NotAboard { kind, color })?;
    let (left, done) = cargo_tasks(player, kind);
    require(tile_used(left, done, color).is_some(), || Breach::NoTile { color })
}

/// May the monster be fought (D-701)?
pub(crate) fn check_monster(player: &Player, color: Color) -> Result<(), Breach> {
    let committed =
        may_commit(&player.tasks.monster, &player.fulfilled.monster, &Colors::EMPTY, color);
    require(committed, || Breach::NotCommitted { color })
}

/// The advance that `blessing` adds to a reward.
pub(crate) fn blessing(player: &Player) -> Option<Decision> {
    let decision =
        Decision::AdvanceGod { steps: 1, gods: Set::<God>::all(), reason: Reason::Blessing };
    player.has(Equipment::Blessing).then_some(decision)
}

/// Opens decisions, if there are any.
pub(crate) fn open(
    draft: &mut Draft<'_, Delphi>,
    seat: Seat,
    decisions: impl IntoIterator<Item = Decision>,
) {
    let decisions: Vec<Decision> = decisions.into_iter().collect();
    if !decisions.is_empty() {
        draft.emit(Event::DecisionsOpened { seat, decisions });
    }
}

/// A piece comes aboard.
pub(crate) fn load(
    draft: &mut Draft<'_, Delphi>,
    seat: Seat,
    kind: CargoKind,
    from: Hex,
    color: Color,
) {
    draft.emit(match kind {
        CargoKind::Statue => Event::StatueLoaded { seat, from, color },
        CargoKind::Offering => Event::OfferingLoaded { seat, from, color },
    });
}

/// An offering reaches its temple.
pub(crate) fn deliver(draft: &mut Draft<'_, Delphi>, seat: Seat, at: Hex, color: Color) {
    draft.emit(Event::OfferingDelivered { seat, at, color });
    let player = draft.position().player(seat);
    let tile = tile_used(&player.tasks.offering, &player.fulfilled.offering, color);
    fulfilled(draft, seat, TaskKind::Offering, color, tile, Reward::Favor);
    gains::favor(draft, seat, FACTS.offering_favor, Reason::Offering);
    let blessing = blessing(draft.position().player(seat));
    open(draft, seat, blessing);
}

/// A statue is raised.
pub(crate) fn raise(draft: &mut Draft<'_, Delphi>, seat: Seat, at: Hex, color: Color) {
    draft.emit(Event::StatueRaised { seat, at, color });
    let player = draft.position().player(seat);
    let tile = tile_used(&player.tasks.statue, &player.fulfilled.statue, color);
    fulfilled(draft, seat, TaskKind::Statue, color, tile, Reward::Companion);
    let blessing = blessing(draft.position().player(seat));
    open(draft, seat, std::iter::once(Decision::TakeCompanion { color }).chain(blessing));
}

/// A monster is defeated (D-434).
pub(crate) fn defeat(draft: &mut Draft<'_, Delphi>, seat: Seat, at: Hex, color: Color) {
    draft.emit(Event::MonsterDefeated { seat, at, color });
    let player = draft.position().player(seat);
    let tile = tile_used(&player.tasks.monster, &player.fulfilled.monster, color);
    fulfilled(draft, seat, TaskKind::Monster, color, tile, Reward::Equipment);
    open(draft, seat, [Decision::TakeEquipment { reward: true }]);
}

/// A shrine is built on an island of the own colour.
pub(crate) fn build_shrine(draft: &mut Draft<'_, Delphi>, seat: Seat, at: Hex) {
    draft.emit(Event::ShrineBuilt { seat, at });
    let (kind, reward) = (TaskKind::Shrine, Reward::God);
    draft.emit(Event::TaskFulfilled { seat, kind, color: None, tile: None, reward });
    open(
        draft,
        seat,
        [Decision::AdvanceGod { steps: 1, gods: Set::all(), reason: Reason::Shrine }],
    );
}

/// A task of a colour is fulfilled. A loaded position may lack the tile: then the white one is named, and nothing leaves.
fn fulfilled(
    draft: &mut Draft<'_, Delphi>,
    seat: Seat,
    kind: TaskKind,
    color: Color,
    tile: Option<ZeusTile>,
    reward: Reward,
) {
    let tile = Some(tile.unwrap_or(ZeusTile::White));
    draft.emit(Event::TaskFulfilled { seat, kind, color: Some(color), tile, reward });
}
