//! What the pictures of all games share: SVG and text, made from what a viewer sees.
//!
//! A picture is made of a [`Scene`]: a view and a few events, both as JSON, exactly as the API shows them to one viewer. Each game
//! draws its own in `domain/<game>/picture`: it reads the JSON into the fields that it draws, in the game's own types. Of the game it may name
//! what its module `seen` has. So a picture cannot show what the view does not say, and equal views give equal pictures, byte for byte.
//!
//! The spots, classes and ids that a page may rely on are listed in `docs/pictures.md`.
//!
//! # A picture for one more game
//!
//! Write a constant [`Picture`] and name it in the game's row of the catalogue. Its two functions read the view
//! ([`Scene::view`]) and draw:
//!
//! * [`block`] has [`Block`](block::Block), a fragment with a size, and `stack`, `flow` and `fan`, which put blocks together. Draw the
//!   board as one block of any size (about 640 units wide, with letters of 20 units or more: on a phone it is shrunk to half);
//! * [`svg`] writes elements: `svg.circle(x, y, r).class("f-red s-ink w2").spot("cell", "3,0").end()`. Values are escaped there;
//! * [`palette`] has the colours: `f-NAME` fills, `s-NAME` strokes; add one there rather than a value of your own;
//! * [`panel`] has the seats' panels (`seat_panel`) and the table's (`table_panel`): content is `INSIDE` wide;
//! * [`card`] has card faces and backs, piles, badges, and the highlight (`glow_rect`, `glow_circle`, `glow_path`) for what was done last;
//! * [`measure`] says how wide text is (`fit` cuts a name to its room, `Room` makes a sentence smaller); there are no fonts to ask;
//! * [`frame`] puts board and panels on the sheet: `Frame { .. }.finish(board, &panels)`, wide or tall;
//! * [`plain`] does the same for text.
//!
//! Who is to act is [`Scene::acting`], not the view alone: before all seats are taken, and after a match was closed, nobody is.
//!
//! Whatever people read goes through [`say!`], in the language of the scene ([`Scene::says`]): the English sentence is the key of its
//! translations, in the section `pictures` of the game's words.
//!
//! Everything that a command can name gets a spot, `data-spot="kind:value"`, with a `<title>` that says in words what it is. What
//! moves gets the class `piece`, and what everybody sees is a piece: `.piece("stone", "cell:3,0")`, named as the game names it, gets the
//! attribute `data-piece` where the scene has ids. A view that does not fit is [`Unreadable`], never a panic: positions come from
//! clients. No trigonometry at run time: sine and cosine differ between machines, and pictures are the same on all.

pub mod block;
pub mod card;
pub mod frame;
pub mod measure;
pub mod palette;
pub mod panel;
pub mod plain;
mod replay;
mod say;
mod scene;
pub mod svg;

pub use frame::{Shape, Style};
pub use palette::Theme;
pub use replay::{FRAMES_MOST, Pace, replay};
pub use say::Says;
pub use scene::{Halt, Scene, Unreadable, known};

/// How one game is shown to people.
#[derive(Clone, Copy)]
pub struct Picture {
    /// The id of the game.
    pub game: &'static str,
    /// An SVG image of the whole table: one `<svg>` element, without an XML declaration. An error if the view is not one of this game.
    pub svg: fn(&Scene<'_>, Style) -> Result<String, Unreadable>,
    /// The whole table as lines of text, each ended by a line feed. An error if the view is not one of this game.
    pub text: fn(&Scene<'_>) -> Result<String, Unreadable>,
}
