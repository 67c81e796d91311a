//! What is drawn of a view.

use canvas::{Says, Scene, Unreadable, say};
use copenhagen::seen::{
    COAT_CELLS, Cell, Color, Fill, HEIGHT, Phase, PlacedTile, PlayerView, Reason, View, WIDTH,
};
use kernel::require;

/// Columns of a board.
pub(crate) const COLUMNS: usize = WIDTH as usize;
/// Rows of a board; the last one is the ground floor.
pub(crate) const ROWS: usize = HEIGHT as usize;

/// What covers a space: which tile of the board, and with what.
#[derive(Clone, Copy, Default)]
pub(crate) struct Cover {
    pub(crate) brick: bool,
    pub(crate) color: Option<Color>,
}

/// The spaces of a board, by row, then column.
pub(crate) type Spaces = [[Option<Cover>; COLUMNS]; ROWS];

/// Reads the view.
pub(crate) fn read(scene: &Scene<'_>) -> Result<View, Unreadable> {
    let mut view: View = scene.view()?;
    let seats = view.players.len();
    require((2..=4).contains(&seats), || Unreadable("there are two to four players".to_owned()))?;
    view.active_seat = scene.acting(view.active_seat, seats)?;
    for player in &view.players {
        let few = player.tiles.len() <= COLUMNS * ROWS;
        require(few, || Unreadable("a board has 45 spaces".to_owned()))?;
        let inside = player.tiles.iter().all(|tile| tile.cells().is_some());
        require(inside, || Unreadable("a tile is off the board".to_owned()))?;
    }
    let hands = view.players.iter().filter_map(|player| player.hand);
    let piles = hands.chain(view.deck).chain([view.discard]);
    let cards: usize = piles.map(|cards| cards.len()).sum();
    require(cards <= 70, || Unreadable("there are 70 cards".to_owned()))?;
    Ok(view)
}

/// What is to be done, or how it ended.
pub(crate) fn task(says: Says<'_>, view: &View) -> String {
    let words = match view.phase {
        Phase::Action => "take a card, or build",
        Phase::SecondCard => "take a second card",
        Phase::ThirdCard => "a third card, or not",
        Phase::Discard => "discard down to 7 cards",
        Phase::Build => "build, or end the turn",
        Phase::CoatOfArms if view.coats > 1 => {
            return say!(says, "use one of {n} coats of arms", n = view.coats);
        }
        Phase::CoatOfArms => "use a coat of arms",
        Phase::Finished => match view.result.as_ref().map(|result| result.reason) {
            Some(Reason::TwelvePoints) => "twelve points",
            Some(Reason::EndCard) => "the end card came up",
            None => return String::new(),
        },
    };
    says.word(words)
}

pub(crate) fn is_active(view: &View, seat: usize) -> bool {
    view.active_seat.is_some_and(|active| active.index() == seat)
}

pub(crate) fn rank(view: &View, seat: usize) -> Option<u32> {
    let standing = &view.result.as_ref()?.standing;
    let place = standing.iter().find(|place| place.seat.index() == seat)?;
    Some(u32::from(place.rank))
}

/// Has the space a coat of arms?
pub(crate) fn has_coat(x: usize, y: usize) -> bool {
    COAT_CELLS.iter().any(|(column, row)| (usize::from(*column), usize::from(*row)) == (x, y))
}

/// The squares of a tile on the board.
pub(crate) fn squares(placed: &PlacedTile) -> Vec<Cell> {
    placed.cells().map_or_else(Vec::new, |cells| cells.list())
}

pub(crate) fn spaces(player: &PlayerView) -> Spaces {
    let mut spaces = Spaces::default();
    for placed in &player.tiles {
        for Cell { x, y, fill } in squares(placed) {
            let cover = Cover { brick: fill == Fill::Brick, color: placed.tile.color() };
            spaces[y.index()][x.index()] = Some(cover);
        }
    }
    spaces
}

/// How many spaces are empty: they break ties after the end card.
pub(crate) fn empty(player: &PlayerView) -> usize {
    spaces(player).iter().flatten().filter(|space| space.is_none()).count()
}

/// What a row is worth, if it is complete (C-801).
pub(crate) fn row_value(spaces: &Spaces, y: usize) -> Option<u32> {
    value(spaces[y].iter(), 1)
}

/// What a column is worth, if it is complete (C-802).
pub(crate) fn column_value(spaces: &Spaces, x: usize) -> Option<u32> {
    value(spaces.iter().map(|row| &row[x]), 2)
}

fn value<'a>(line: impl Iterator<Item = &'a Option<Cover>>, base: u32) -> Option<u32> {
    let covers: Option<Vec<Cover>> = line.copied().collect();
    let bricks = covers?.iter().any(|cover| cover.brick);
    Some(if bricks { base } else { 2 * base })
}

/// The letter that stands for the colour wherever it is drawn.
pub(crate) fn letter(says: Says<'_>, color: Color) -> String {
    says.word(match color {
        Color::Red => "R",
        Color::Yellow => "Y",
        Color::Green => "G",
        Color::Blue => "B",
        Color::Purple => "P",
    })
}
