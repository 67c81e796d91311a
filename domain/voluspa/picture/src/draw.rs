//! The whole table as SVG.

use canvas::block::{Block, flow};
use canvas::card::{back, glow_rect, pile};
use canvas::frame::{BOARD, Frame, PANEL, Shape};
use canvas::panel::{INSIDE, SeatHead, seat_panel, table_panel};
use canvas::svg::{Element, Svg};
use canvas::{Says, Scene, Style, Unreadable, say};
use kernel::Seat;
use voluspa::seen::{Cell, EventView, PlayerView, Tile, Tiles, View};

use crate::grid::Grid;
use crate::tile::{self, id, name, small, words};
use crate::view::{boosters, cell, counted, occupied, rank, read, task, waiting};

/// The side of a cell: that of a tile with its gap.
const CELL: f64 = 100.0;
/// Around the cells.
const RIM: f64 = 14.0;
/// Columns and rows that are shown at least, so that the first tiles are not huge.
const LEAST: usize = 5;
/// A tile of a hand: five in a line.
const HAND: f64 = 60.0;
/// A tile of a large hand, at least.
const HAND_SMALL: f64 = 40.0;
/// Between the tiles of a hand.
const HAND_GAP: f64 = 8.0;

pub(crate) fn svg(scene: &Scene<'_>, style: Style) -> Result<String, Unreadable> {
    let view = read(scene)?;
    let events: Vec<EventView> = scene.events();
    let seats = 0..view.players.len();
    let mut panels: Vec<Block> = seats.map(|seat| hand(scene, &view, &events, seat)).collect();
    panels.push(table(scene.says, &view, &events));
    let frame = Frame {
        scene,
        style,
        game: "voluspa",
        active: view.active_seat,
        phase: task(scene.says, &view),
        description: describe(scene, &view),
    };
    let across = match style.shape {
        Shape::Wide | Shape::Board => BOARD,
        Shape::Tall => PANEL,
    };
    frame.finish(board(scene.says, &view, &events, &occupied(scene)?, across), &panels)
}

fn describe(scene: &Scene<'_>, view: &View) -> String {
    let says = scene.says;
    let mut words = format!("{}. ", scene.status(view.active_seat, &task(says, view)));
    for (seat, player) in view.players.iter().enumerate() {
        let (name, score, tiles) = (scene.name(seat), &player.display, player.hand_count);
        words.push_str(&say!(
            says,
            "{name}: {score}, {tiles}. ",
            name = name,
            score = says.counted(score, "{n} point", "{n} points"),
            tiles = says.counted(tiles, "{n} tile", "{n} tiles")
        ));
    }
    let (lie, left) = (view.board.len(), view.pile_count);
    words.push_str(&say!(
        says,
        "On the table: {lie}. In the pile: {left}.",
        lie = says.counted(lie, "{n} tile", "{n} tiles"),
        left = says.counted(left, "{n} tile", "{n} tiles")
    ));
    words
}

/// The board, drawn from its upper left cell.
struct Table<'a> {
    says: Says<'a>,
    view: &'a View,
    grid: Grid,
    /// How large letters are on a tile.
    letters: f64,
    /// Where the first column and row are drawn.
    left: f64,
    top: f64,
}

/// The board, which will be `across` units wide on the sheet.
fn board(says: Says<'_>, view: &View, events: &[EventView], others: &[Cell], across: f64) -> Block {
    let grid = Grid::new(view, others);
    let rows = grid.rows.len().max(LEAST);
    // Never higher than wide: the sheet is as wide as the board is scaled to.
    let columns = grid.columns.len().max(LEAST).max(rows);
    let middle = |shown: usize, all: usize| RIM + (all - shown) as f64 / 2.0 * CELL;
    let (width, height) = (columns as f64 * CELL + 2.0 * RIM, rows as f64 * CELL + 2.0 * RIM);
    let table = Table {
        says,
        view,
        letters: tile::letters_at(across / width),
        left: middle(grid.columns.len(), columns),
        top: middle(grid.rows.len(), rows),
        grid,
    };
    Block::new(width, height, |svg| {
        svg.rect(0.0, 0.0, width, height, width / 45.0).class("f-board").end();
        for cell in Grid::free(view) {
            table.free(svg, cell);
        }
        table.gaps(svg, width, height);
        for piece in &view.board {
            let at = cell(piece);
            let (x, y) = table.corner(at);
            let group = spot(svg.moved(x, y).class("piece tile"), at);
            let place = format_args!("cell:{},{}", at.x, at.y);
            let group = group.piece(kind(piece.tile), place);
            let group = group.a("id", format_args!("piece-tile-{}-{}", at.x, at.y));
            group.with(|svg| {
                let words = words(says, piece.tile, piece.boost);
                svg.element("title").text(format_args!("{at}, {words}"));
                tile::draw(says, piece.tile, svg, piece.boost, table.letters);
            });
        }
        table.waiting(svg);
        events.iter().for_each(|event| table.highlight(svg, event));
    })
}

fn spot(element: Element<'_>, Cell { x, y }: Cell) -> Element<'_> {
    element.spot("cell", format_args!("{x},{y}"))
}

impl Table<'_> {
    /// The upper left corner of a cell. Cells that are not shown are drawn where the board begins: views of clients may name any.
    fn corner(&self, cell: Cell) -> (f64, f64) {
        let (column, row) = self.grid.place(cell).unwrap_or_default();
        (self.left + column as f64 * CELL, self.top + row as f64 * CELL)
    }

    fn free(&self, svg: &mut Svg, cell: Cell) {
        let (x, y) = self.corner(cell);
        let group = spot(svg.group().class("free"), cell);
        group.with(|svg| {
            svg.element("title").text(say!(self.says, "{cell}, empty", cell = cell));
            svg.rect(x + 8.0, y + 8.0, CELL - 16.0, CELL - 16.0, 10.0)
                .class("f-board s-faint w2 dash dim")
                .end();
        });
    }

    /// Zigzags where columns or rows are left out.
    fn gaps(&self, svg: &mut Svg, width: f64, height: f64) {
        for column in 0..self.grid.columns.len() {
            if Grid::gap(&self.grid.columns, column) {
                let x = self.left + column as f64 * CELL;
                svg.line(x, RIM, x, height - RIM).class("s-faint w2 dash").end();
            }
        }
        for row in 0..self.grid.rows.len() {
            if Grid::gap(&self.grid.rows, row) {
                let y = self.top + row as f64 * CELL;
                svg.line(RIM, y, width - RIM, y).class("s-faint w2 dash").end();
            }
        }
    }

    /// A Hermod or a Raven that waits for what comes next.
    fn waiting(&self, svg: &mut Svg) {
        for (cell, told) in waiting(self.says, self.view) {
            let (x, y) = self.corner(cell);
            svg.rect(x + 1.0, y + 1.0, CELL - 2.0, CELL - 2.0, 14.0)
                .class("f0 s-ink w3 dash waits")
                .with(|svg| svg.element("title").text(told));
        }
    }

    fn highlight(&self, svg: &mut Svg, event: &EventView) {
        if let EventView::StartTilePlaced { at, .. } = event {
            self.glow(svg, *at);
        } else if let EventView::TilePlaced { at, bumped_to, .. } = event {
            if let Some(to) = *bumped_to {
                self.glow_thin(svg, to, to);
            }
            self.glow(svg, *at);
        } else if let EventView::RavenMoved { from, at, .. } = event {
            self.glow_thin(svg, *from, *from);
            self.glow(svg, *at);
        } else if let EventView::ScoreAwarded { points, reason, at, parts, .. } = event {
            for part in parts.iter() {
                if let Some((from, to)) = counted(self.view, *at, *reason, part.kind) {
                    self.glow_thin(svg, from, to);
                }
            }
            let (x, y) = self.corner(*at);
            let text = format!("+{points}");
            let size = self.letters.max(26.0);
            let width = 18.0 + text.len() as f64 * size * 0.65;
            let high = size + 10.0;
            svg.rect(x + 98.0 - width, y + 2.0, width, high, high / 2.0)
                .class("f-gold s-print w3 last")
                .end();
            let middle = x + 98.0 - width / 2.0;
            svg.label(middle, y + 3.0 + size, size).class("f-print b m").text(text);
        }
    }

    /// The tile that was placed.
    fn glow(&self, svg: &mut Svg, at: Cell) {
        let (x, y) = self.corner(at);
        glow_rect(svg, x + 3.0, y + 3.0, CELL - 6.0, CELL - 6.0, 13.0);
    }

    /// The cells from one to another: what belongs to it.
    fn glow_thin(&self, svg: &mut Svg, from: Cell, to: Cell) {
        let ((x1, y1), (x2, y2)) = (self.corner(from), self.corner(to));
        svg.rect(x1 + 1.0, y1 + 1.0, x2 - x1 + CELL - 2.0, y2 - y1 + CELL - 2.0, 15.0)
            .class("f0 s-gold w4 c last")
            .end();
    }
}

fn hand(scene: &Scene<'_>, view: &View, events: &[EventView], seat: usize) -> Block {
    let PlayerView { hand, hand_count, hel_count, display, .. } = &view.players[seat];
    let many = f64::from((*hand_count).max(1));
    let side = ((INSIDE - HAND_GAP * (many - 1.0)) / many).clamp(HAND_SMALL, HAND);
    let tiles: Vec<Block> = match hand {
        Some(hand) => hand.iter().map(|tile| hand_tile(scene.says, tile, side, seat)).collect(),
        None => {
            let hidden = (*hand_count - *hel_count) as usize;
            let backs = (0..hidden).map(|_| Block::new(side, side, |svg| back(svg, side, side)));
            let open = (0..*hel_count).map(|_| open_tile(scene.says, side, seat));
            backs.chain(open).collect()
        }
    };
    let won = events
        .iter()
        .filter_map(|event| {
            let EventView::ScoreAwarded { seat: of, points, .. } = event else { return None };
            (of.index() == seat).then_some(*points)
        })
        .fold(0, u64::saturating_add);
    let says = scene.says;
    let count = says.counted(hand_count, "{n} tile", "{n} tiles");
    let new = say!(says, "+{won} just now", won = won);
    let note = if won > 0 { format!("{count}, {new}") } else { count };
    let head = SeatHead {
        seat,
        active: view.active_seat.map(Seat::index) == Some(seat),
        score: display,
        unit: &say!(says, "points"),
        rank: rank(view, seat),
        note: &note,
    };
    let content = if tiles.is_empty() { Vec::new() } else { vec![flow(INSIDE, HAND_GAP, &tiles)] };
    seat_panel(scene, &head, &content)
}

/// A tile as a piece.
fn kind(tile: Tile) -> String {
    format!("tile-{}", id(tile))
}

/// Hel in a hand that is hidden otherwise.
fn open_tile(says: Says<'_>, side: f64, seat: usize) -> Block {
    Block::new(side, side, |svg| {
        let tile = svg.group().placed(0.0, 0.0, 0.0, side / CELL);
        let tile = tile.piece(kind(Tile::Hel), format_args!("hand-of:{seat}"));
        tile.with(|svg| tile::draw(says, Tile::Hel, svg, 0, tile::letters_at(side / CELL)));
    })
}

fn hand_tile(says: Says<'_>, tile: Tile, side: f64, seat: usize) -> Block {
    Block::new(side, side, |svg| {
        let group = svg.group().class("tile").spot("hand", id(tile));
        let group = group.piece(kind(tile), format_args!("hand-of:{seat}"));
        group.with(|svg| {
            svg.element("title").text(words(says, tile, 0));
            svg.add(&hand_tile_drawn(says, tile, side).svg);
        });
    })
}

fn hand_tile_drawn(says: Says<'_>, tile: Tile, side: f64) -> Block {
    Block::new(side, side, |svg| {
        let scale = side / CELL;
        svg.group()
            .placed(0.0, 0.0, 0.0, scale)
            .with(|svg| tile::draw(says, tile, svg, 0, tile::letters_at(scale)));
    })
}

fn table(says: Says<'_>, view: &View, events: &[EventView]) -> Block {
    let count = view.pile_count as usize;
    let pile = pile(&say!(says, "pile"), count, (HAND, HAND), |svg| {
        svg.group().class("pile").spot("pile", "draw").with(|svg| {
            svg.element("title").text(say!(says, "the pile"));
            back(svg, HAND, HAND);
        });
    });
    let mut content = Vec::new();
    let tokens: Vec<Block> = boosters(view).map(token).collect();
    if tokens.is_empty() {
        content.push(pile);
        if view.tile_types.contains(Tile::Freya) {
            content.push(Block::new(INSIDE, 15.0, |svg| {
                caption(svg, 0.0, &say!(says, "no booster tokens are left"));
            }));
        }
    } else {
        let tokens = flow(INSIDE - HAND - 34.0, 5.0, &tokens);
        let height = pile.height.max(tokens.height + 19.0);
        content.push(Block::new(INSIDE, height, |svg| {
            svg.add(&pile.svg);
            svg.add_at(HAND + 34.0, 19.0, &tokens.svg);
            caption(svg, HAND + 34.0, &say!(says, "booster tokens"));
        }));
    }
    if !view.discard.is_empty() {
        content.push(kinds(says, &say!(says, "out of play"), &view.discard, events));
    }
    if let Some(pile) = view.pile.as_ref().filter(|pile| !pile.is_empty()) {
        content.push(kinds(says, &say!(says, "left in the pile"), pile, &[]));
    }
    table_panel(&content)
}

fn caption(svg: &mut Svg, x: f64, text: &str) {
    svg.label(x, 11.0, 12.0).class("f-faint").text(text);
}

/// A booster token.
fn token(value: u8) -> Block {
    Block::new(28.0, 28.0, |svg| {
        svg.path("M8 1H20L27 14L20 27H8L1 14Z").class("f-gold s-print w2 c").end();
        svg.label(14.0, 19.0, 14.0).class("f-print b m").text(value);
    })
}

/// Tiles by kind, counted.
fn kinds(says: Says<'_>, title: &str, tiles: &Tiles, events: &[EventView]) -> Block {
    let blocks: Vec<Block> = tiles
        .kinds()
        .map(|tile| {
            let count = tiles.count(tile);
            let last = events.iter().any(|event| discards(event, tile));
            Block::new(32.0, 48.0, |svg| {
                svg.group().with(|svg| {
                    svg.element("title").text(format_args!("{count} × {}", name(says, tile)));
                    small(tile, svg);
                    if last {
                        glow_rect(svg, 0.0, 0.0, 32.0, 32.0, 6.0);
                    }
                });
                svg.label(16.0, 45.0, 12.0).class("f-ink m").text(format_args!("×{count}"));
            })
        })
        .collect();
    let list = flow(INSIDE, 5.0, &blocks);
    Block::new(INSIDE, list.height + 19.0, |svg| {
        caption(svg, 0.0, title);
        svg.add_at(0.0, 19.0, &list.svg);
    })
}

/// Has the event put tiles of this kind out of play?
fn discards(event: &EventView, tile: Tile) -> bool {
    matches!(event, EventView::TileDiscarded { tile: of, .. } if *of == tile)
        || tile == Tile::Freya && matches!(event, EventView::FreyaDiscarded { .. })
        || tile == Tile::Hel && matches!(event, EventView::HelRemoved { .. })
}
