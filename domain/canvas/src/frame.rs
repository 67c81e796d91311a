//! The sheet that every game is drawn on: a head with title and moment, the board, and beside or below it the panels.

use kernel::{Seat, Viewer};

use crate::block::{Block, flow, stack};
use crate::measure::{Fitted, Room, bold_width, fit, width};
use crate::palette::{Theme, sheet};
use crate::scene::{Scene, Unreadable};
use crate::svg::Svg;

/// How wide a panel is drawn, in units.
pub const PANEL: f64 = 360.0;

/// How wide a board is on the wide sheet, in units. Boards may be drawn larger: they are scaled to this width.
pub const BOARD: f64 = 640.0;

const MARGIN: f64 = 20.0;
const GAP: f64 = 14.0;
const HEAD: f64 = 44.0;
const HEAD_TALL: f64 = 66.0;

/// No more letters of a name than these are tried where there is little room.
const LETTERS: usize = 60;

/// The largest picture that is answered, in bytes. Tables of real matches need a fifth of it.
const SIZE_MAX: usize = 512 << 10;

/// How the sheet is cut.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// Panels beside the board: for screens.
    #[default]
    Wide,
    /// Panels below the board: for phones.
    Tall,
    /// The board alone: for previews and other pages.
    Board,
}

/// How to draw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// The colours.
    pub theme: Theme,
    /// Which cut.
    pub shape: Shape,
}

/// What stands around a board.
pub struct Frame<'a> {
    /// What is drawn.
    pub scene: &'a Scene<'a>,
    /// How it is drawn.
    pub style: Style,
    /// The game's id: a class of the picture.
    pub game: &'static str,
    /// Who is to act.
    pub active: Option<Seat>,
    /// What the seat has to do, or how it ended, in few words; may be empty.
    pub phase: String,
    /// The whole table in sentences, for those who do not see it; one of them is the [`Scene::status`].
    pub description: String,
}

impl Frame<'_> {
    /// Puts everything on the sheet.
    ///
    /// # Errors
    /// If it is far larger than the table of any real match.
    pub fn finish(&self, board: Block, panels: &[Block]) -> Result<String, Unreadable> {
        self.finish_at(BOARD, board, panels)
    }

    /// The same with a board that is `across` units wide on the wide sheet, for boards with much on them.
    ///
    /// # Errors
    /// As for [`finish`](Frame::finish).
    pub fn finish_at(
        &self,
        across: f64,
        board: Block,
        panels: &[Block],
    ) -> Result<String, Unreadable> {
        let panels = self.own_first(panels);
        let (body, width, height) = match self.style.shape {
            Shape::Wide => self.wide(across, board, &panels),
            Shape::Tall => self.tall(board, &panels),
            Shape::Board => alone(across, board),
        };
        let (width, height) = (width.ceil(), height.ceil());
        let mut drawn = Svg::new();
        drawn.rect(0.0, 0.0, width, height, 18.0).class("f-paper").end();
        drawn.add(&body);
        let drawn = drawn.with_ids(self.scene.pieces);
        let mut svg = Svg::new();
        let root = svg
            .element("svg")
            .a("xmlns", "http://www.w3.org/2000/svg")
            .a("viewBox", format_args!("0 0 {width} {height}"))
            .n("width", width)
            .n("height", height)
            .class(&format!("muninn muninn-{}", self.game))
            .a("role", "img")
            .a("aria-labelledby", "muninn-title muninn-desc")
            .a("data-game", self.game);
        let root = match self.scene.viewer {
            Viewer::Seat(seat) => root.a("data-viewer", seat),
            Viewer::Spectator => root.a("data-viewer", "spectator"),
        };
        let root = match self.scene.version {
            Some(version) => root.a("data-version", version),
            None => root,
        };
        root.with(|svg| {
            let moment = self.scene.moment();
            let comma = if moment.is_empty() { "" } else { ", " };
            svg.newline();
            svg.element("title")
                .a("id", "muninn-title")
                .text(format_args!("{}{comma}{moment}", self.scene.title));
            svg.newline();
            svg.element("desc").a("id", "muninn-desc").text(&self.description);
            svg.newline();
            svg.style(&sheet(self.style.theme, drawn.as_str()));
            svg.newline();
            svg.add(&drawn);
            svg.newline();
        });
        svg.newline();
        let text = svg.into_string();
        if text.len() > SIZE_MAX {
            let detail = "the table is too large for a picture";
            return Err(Unreadable(detail.to_owned()));
        }
        Ok(text)
    }

    /// The viewer's own panel before the others. In every game the panels begin with those of the seats, in their order.
    fn own_first(&self, panels: &[Block]) -> Vec<Block> {
        let mut panels = panels.to_vec();
        if let Viewer::Seat(seat) = self.scene.viewer
            && seat.index() < panels.len()
        {
            panels[..=seat.index()].rotate_right(1);
        }
        panels
    }

    fn wide(&self, across: f64, board: Block, panels: &[Block]) -> (Svg, f64, f64) {
        let scale = across / board.width;
        let board = board.scaled(scale);
        let mut side = stack(GAP, panels);
        let mut columns = PANEL;
        if side.height > board.height.max(600.0) * 1.25 {
            // Too many panels for one column: two of them.
            columns = 2.0 * PANEL + GAP;
            side = two_columns(panels);
        }
        let width = MARGIN + across + MARGIN + columns + MARGIN;
        let mut svg = Svg::new();
        svg.group().class("head").with(|svg| svg.add(&self.head(width - 2.0 * MARGIN)));
        let top = MARGIN + HEAD;
        svg.add_at(MARGIN, top, &board.svg);
        svg.add_at(MARGIN + across + MARGIN, top, &side.svg);
        (svg, width, top + board.height.max(side.height) + MARGIN)
    }

    fn tall(&self, board: Block, panels: &[Block]) -> (Svg, f64, f64) {
        let scale = PANEL / board.width;
        let board = board.scaled(scale);
        let side = stack(GAP, panels);
        let margin = MARGIN / 2.0;
        let mut svg = Svg::new();
        svg.group().class("head").with(|svg| {
            svg.add_at(margin - MARGIN, margin - MARGIN, &self.head_tall(PANEL));
        });
        let top = margin + HEAD_TALL;
        svg.add_at(margin, top, &board.svg);
        svg.add_at(margin, top + board.height + GAP, &side.svg);
        let height = top + board.height + GAP + side.height + margin;
        (svg, PANEL + 2.0 * margin, height)
    }

    /// Whose turn it is and what to do, in its room. What is too long even in small letters has a shorter name; the rest of it stays.
    fn status(&self, room: Room) -> Fitted {
        let mut status = room.set(&self.scene.status(self.active, &self.phase));
        let Some(seat) = self.active.filter(|_| !status.whole) else { return status };
        let name = self.scene.name(seat.index());
        let mut names = vec![None; seat.index() + 1];
        for kept in (1..name.chars().count().min(LETTERS)).rev() {
            let start: String = name.chars().take(kept).collect();
            names[seat.index()] = Some(format!("{}…", start.trim_end()));
            let scene = Scene { names: &names, ..*self.scene };
            status = room.set(&scene.status(self.active, &self.phase));
            if status.whole {
                break;
            }
        }
        status
    }

    fn when_and_who(&self) -> String {
        let (moment, seen_by) = (self.scene.moment(), self.scene.seen_by());
        if moment.is_empty() { seen_by } else { format!("{moment}, {seen_by}") }
    }

    fn head(&self, room: f64) -> Svg {
        let mut svg = Svg::new();
        let title = self.scene.title;
        let baseline = MARGIN + 22.0;
        svg.label(MARGIN, baseline, 24.0).class("f-ink b").text(title);
        let x = MARGIN + bold_width(title, 24.0) + 18.0;
        let seen = fit(&self.when_and_who(), 14.0, 330.0);
        let left = room - (x - MARGIN) - width(&seen, 14.0) - 24.0;
        let status = self.status(Room { width: left, size: 17.0, least: 14.0, two: None });
        svg.label(x, baseline, status.size).class("f-ink").text(status.lines.concat());
        svg.label(MARGIN + room, baseline, 14.0).class("f-faint r").text(seen);
        svg
    }

    fn head_tall(&self, room: f64) -> Svg {
        let mut svg = Svg::new();
        let title = self.scene.title;
        svg.label(MARGIN, MARGIN + 22.0, 22.0).class("f-ink b").text(title);
        let left = room - bold_width(title, 22.0) - 12.0;
        // Where there is no room for both, when is more than who.
        let both = self.when_and_who();
        let seen = if bold_width(&both, 12.0) <= left { both } else { self.scene.moment() };
        svg.label(MARGIN + room, MARGIN + 22.0, 12.0)
            .class("f-faint r")
            .text(fit(&seen, 12.0, left));
        let status = self.status(Room { width: room, size: 16.0, least: 14.0, two: Some(13.0) });
        let baselines: &[f64] = if status.lines.len() > 1 { &[42.0, 58.0] } else { &[48.0] };
        for (line, baseline) in status.lines.iter().zip(baselines) {
            svg.label(MARGIN, MARGIN + baseline, status.size).class("f-ink").text(line);
        }
        svg
    }
}

/// The board and nothing else.
fn alone(across: f64, board: Block) -> (Svg, f64, f64) {
    let scale = across / board.width;
    let board = board.scaled(scale);
    let margin = MARGIN / 2.0;
    let mut svg = Svg::new();
    svg.add_at(margin, margin, &board.svg);
    (svg, across + 2.0 * margin, board.height + 2.0 * margin)
}

/// The panels in two columns, in order, so that the higher one is as low as can be.
fn two_columns(panels: &[Block]) -> Block {
    let high = |panels: &[Block]| panels.iter().map(|panel| panel.height + GAP).sum::<f64>();
    let higher = |first: usize| high(&panels[..first]).max(high(&panels[first..]));
    let first = (0..=panels.len()).min_by(|a, b| higher(*a).total_cmp(&higher(*b)));
    let (left, right) = panels.split_at(first.unwrap_or(0));
    flow(2.0 * PANEL + GAP, GAP, &[stack(GAP, left), stack(GAP, right)])
}
