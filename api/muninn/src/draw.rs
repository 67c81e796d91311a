//! The command `picture`: a match of a store as a picture, as text, or as a replay that moves.

use std::path::PathBuf;
use std::sync::Arc;

use canvas::{FRAMES_MOST, Pace, Picture, Shape, Style, Theme, Unreadable, replay};
use clap::{Args, ValueEnum};
use engine::{Caller, Config, Engine, Scene, Slot};
use journal::MatchId;
use kernel::{AnyGame, Viewer, WordsError};
use serde::Deserialize;
use serde_json::value::RawValue;
use server::{seen, viewer};

/// Arguments of `muninn picture`.
#[derive(Clone, Debug, Args)]
pub struct PictureArgs {
    /// The folder of the store; no server may be running on it
    #[arg(long, env = "MUNINN_DATA")]
    pub data: PathBuf,
    /// The id of the match
    #[arg(long = "match", env = "MUNINN_MATCH", value_name = "ID")]
    pub id: String,
    /// The version; by default the latest. A replay ends at this version
    #[arg(long, env = "MUNINN_AT", value_name = "VERSION")]
    pub at: Option<u64>,
    /// The viewer: the number of a seat, or `spectator`
    #[arg(long, env = "MUNINN_VIEWER", default_value = "spectator")]
    pub viewer: String,
    /// The format: an image, text, or an animated image of the whole match
    #[arg(long, env = "MUNINN_FORMAT", default_value = "svg")]
    pub format: Format,
    /// The colours; `auto` is what the viewer's system prefers
    #[arg(long, env = "MUNINN_THEME", default_value = "auto")]
    pub theme: ThemeArg,
    /// The place of the panels: beside the board, or below it
    #[arg(long, env = "MUNINN_SHAPE", default_value = "wide")]
    pub shape: ShapeArg,
    /// Seconds for each commit of a replay
    #[arg(long, env = "MUNINN_PACE", default_value = "0.8", value_parser = pace)]
    pub pace: f64,
    /// Maximum number of frames of a replay; for a longer match, evenly spaced commits are shown
    #[arg(long, env = "MUNINN_FRAMES", default_value_t = 300, value_parser = clap::value_parser!(u64).range(2..=FRAMES_MOST as u64))]
    pub frames: u64,
    /// The language: `de`, `en`
    #[arg(long, env = "MUNINN_LANG", default_value = "en", value_name = "LANGUAGE")]
    pub lang: String,
    /// The file to write, made beside and then renamed; by default standard output
    #[arg(long, env = "MUNINN_OUTPUT", value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// The format of the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// An image.
    Svg,
    /// Text for a terminal.
    Text,
    /// An animated image of the match, without scripts.
    Replay,
}

/// The colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ThemeArg {
    /// What the viewer's system prefers.
    Auto,
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

/// Where the panels are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ShapeArg {
    /// Beside the board.
    Wide,
    /// Below it.
    Tall,
    /// Nowhere: the board alone.
    Board,
}

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DrawError {
    /// The arguments are wrong.
    #[error("{0}")]
    Usage(String),
    /// The store does not open.
    #[error(transparent)]
    Start(#[from] journal::OpenError),
    /// The match cannot be read, or is not to be seen so.
    #[error(transparent)]
    Read(#[from] engine::Error),
    /// It cannot be drawn.
    #[error(transparent)]
    Draw(#[from] Unreadable),
    /// The game's words cannot be read.
    #[error(transparent)]
    Words(#[from] WordsError),
}

/// Draws the picture.
///
/// # Errors
/// If the arguments are wrong, the match cannot be read, or its game has no picture.
pub(crate) fn draw(
    args: &PictureArgs,
    games: &'static [&'static dyn AnyGame],
    pictures: &'static [&'static Picture],
) -> Result<String, DrawError> {
    let id = &args.id;
    let known: Result<MatchId, _> = id.parse();
    let known = known.map_err(|_| DrawError::Usage(format!("--match {id}: not an id")))?;
    let viewer = viewer(Some(&args.viewer))
        .map_err(|problem| {
            DrawError::Usage(format!("--viewer {}: {}", args.viewer, problem.detail))
        })?
        .unwrap_or(Viewer::Spectator);
    let engine = Arc::new(Engine::start(&args.data, games, &Config::default())?);
    let slot = engine.load(known)?;
    let game = slot.game().info().id;
    let picture = pictures.iter().find(|picture| picture.game == game);
    let picture = picture.ok_or_else(|| Unreadable(format!("there is no picture of {game}")))?;
    // Whoever has the store has all of it: a live seat's view is its seat's to see, as everywhere.
    let caller = match viewer {
        Viewer::Seat(seat) => Caller::Seat(seat),
        Viewer::Spectator => Caller::Owner,
    };
    let lexicon = journal::words::lexicon(slot.game(), &[])?;
    let words = lexicon.of(&[args.lang.as_str()]);
    let scene = |at| engine.scene(&slot, caller, at, Some(viewer));
    let style = style(args);
    Ok(match args.format {
        Format::Svg => (picture.svg)(&seen(&scene(args.at)?, words), style)?,
        Format::Text => (picture.text)(&seen(&scene(args.at)?, words))?,
        Format::Replay => {
            let last = scene(args.at)?.version.unwrap_or_default();
            let ends = moments(&engine, &slot, last, args.frames)?;
            let scenes = ends.into_iter().map(|end| scene(Some(end)));
            let scenes: Vec<Scene> = scenes.collect::<Result<_, _>>()?;
            let room: Vec<&RawValue> = scenes.iter().map(|scene| &*scene.view).collect();
            let frame = |scene: &Scene| {
                let scene = canvas::Scene { room: &room, ..seen(scene, words) };
                (picture.svg)(&scene, style)
            };
            let frames: Vec<String> = scenes.iter().map(frame).collect::<Result<_, _>>()?;
            let pace = Pace { each: args.pace, ..Pace::default() };
            let first = scenes.first().map(|scene| seen(scene, words));
            let first = first.expect("a replay has a frame");
            replay(&frames, style.theme, pace, first.says, first.title)?
        }
    })
}

fn style(args: &PictureArgs) -> Style {
    Style {
        theme: match args.theme {
            ThemeArg::Auto => Theme::Auto,
            ThemeArg::Light => Theme::Light,
            ThemeArg::Dark => Theme::Dark,
        },
        shape: match args.shape {
            ShapeArg::Wide => Shape::Wide,
            ShapeArg::Tall => Shape::Tall,
            ShapeArg::Board => Shape::Board,
        },
    }
}

/// The versions at which commits end, up to `last`, and `last` itself; of many an even choice of at most `most`, the last one among them.
fn moments(engine: &Engine, slot: &Slot, last: u64, most: u64) -> Result<Vec<u64>, engine::Error> {
    #[derive(Deserialize)]
    struct Entry {
        last_version: u64,
    }
    const PAGE: usize = 500;
    let (mut ends, mut after) = (Vec::new(), Some(0));
    while let Some(from) = after {
        let (entries, next) =
            engine.commits(slot, Caller::Owner, Some(Viewer::Spectator), from, PAGE)?;
        let end = |entry: &RawValue| {
            let entry: Entry =
                serde_json::from_str(entry.get()).expect("a commit has a last version");
            entry.last_version
        };
        ends.extend(entries.iter().map(|entry| end(entry)));
        after = next;
    }
    ends.retain(|end| *end <= last);
    // A version within a commit is the last moment too.
    if ends.last() != Some(&last) {
        ends.push(last);
    }
    let (count, most) = (ends.len(), usize::try_from(most).unwrap_or(FRAMES_MOST));
    if count <= most {
        return Ok(ends);
    }
    let chosen = (0..most).map(|number| ends[number * (count - 1) / (most - 1)]);
    Ok(chosen.collect())
}

fn pace(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.05..=10.0).contains(&seconds) => Ok(seconds),
        Ok(_) | Err(_) => Err("expected 0.05 to 10 seconds".to_owned()),
    }
}
