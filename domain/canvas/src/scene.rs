//! What is to be drawn.

use kernel::{Seat, Tracked, Viewer};
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::say;
use crate::say::Says;

/// Why nobody may act, although the view names a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// A seat is not taken yet.
    Waiting,
    /// The match was closed before its end.
    Closed,
}

/// A table at one moment, as one viewer sees it. All of it is what the API shows to that viewer: nothing else can be drawn.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    /// The language.
    pub says: Says<'a>,
    /// The game's name for people, in this language.
    pub title: &'a str,
    /// The view, JSON.
    pub view: &'a RawValue,
    /// What has just happened, as the viewer saw it, JSON: this is highlighted.
    pub events: &'a [Box<RawValue>],
    /// The players' names by seat. A seat that is missing here has none.
    pub names: &'a [Option<String>],
    /// The viewer.
    pub viewer: Viewer,
    /// After which event of its match; `None` for a position that belongs to none.
    pub version: Option<u64>,
    /// Why nobody may act at that moment; `None` where the seat that the view names may, if it names one.
    pub halt: Option<Halt>,
    /// The pieces that everybody sees, by kind and number: those that are drawn get their ids. Empty for a picture without.
    pub pieces: &'a [Tracked],
    /// Other views of the same match: a board that grows is drawn as large as all of them need, so that pictures of different
    /// versions lie on top of each other. Empty for a single picture.
    pub room: &'a [&'a RawValue],
}

/// The JSON cannot be drawn: it is not a view of the game, or shows more than fits into a picture.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unreadable(pub String);

fn unreadable(error: &serde_json::Error, text: &str) -> Unreadable {
    Unreadable(kernel::Wrong::of(error, text.as_bytes(), "").detail)
}

impl<'a> Scene<'a> {
    /// A view alone, in English: without events, names and pieces, and of no match.
    pub fn new(title: &'a str, view: &'a RawValue, viewer: Viewer) -> Self {
        Scene {
            says: Says::ENGLISH,
            title,
            view,
            events: &[],
            names: &[],
            viewer,
            version: None,
            halt: None,
            pieces: &[],
            room: &[],
        }
    }

    /// Reads the view.
    ///
    /// # Errors
    /// If it is not of this type.
    pub fn view<T: DeserializeOwned>(&self) -> Result<T, Unreadable> {
        let view = self.view.get();
        serde_json::from_str(view).map_err(|error| unreadable(&error, view))
    }

    /// Reads what has just happened. Anything that is not a `T` is left out.
    pub fn events<T: DeserializeOwned>(&self) -> Vec<T> {
        let texts = self.events.iter().map(|event| event.get());
        texts.filter_map(|text| serde_json::from_str(text).ok()).collect()
    }

    /// The name of a seat.
    pub fn name(&self, seat: usize) -> String {
        match self.names.get(seat) {
            Some(Some(name)) if !name.trim().is_empty() => name.clone(),
            Some(_) | None => say!(self.says, "Seat {seat}", seat = seat),
        }
    }

    /// Whose view it is, in words.
    pub(crate) fn seen_by(&self) -> String {
        match self.viewer {
            Viewer::Seat(seat) => say!(self.says, "view of {name}", name = self.name(seat.index())),
            Viewer::Spectator => say!(self.says, "spectator view"),
        }
    }

    /// After which event, in words.
    pub(crate) fn moment(&self) -> String {
        self.version.map_or_else(String::new, |version| {
            say!(self.says, "event {version}", version = version)
        })
    }

    /// The seat to act of a view, checked to be one of `seats`; none where nobody may act.
    ///
    /// # Errors
    /// If there is no such seat.
    pub fn acting(&self, seat: Option<Seat>, seats: usize) -> Result<Option<Seat>, Unreadable> {
        Ok(known(seat, seats)?.filter(|_| self.halt.is_none()))
    }

    /// What the table waits for, and for which task; where it waits for nobody and has one, as when it is set up, that alone.
    pub fn status(&self, active: Option<Seat>, task: &str) -> String {
        let task = if self.halt.is_none() { task } else { "" };
        match (active, task) {
            (None, task) if !task.is_empty() => task.to_owned(),
            (active, "") => self.waits_for(active),
            (active, task) => format!("{}: {task}", self.waits_for(active)),
        }
    }

    /// What the table waits for.
    fn waits_for(&self, active: Option<Seat>) -> String {
        match (active, self.halt) {
            (Some(seat), _) => say!(self.says, "{name} to act", name = self.name(seat.index())),
            (None, Some(Halt::Waiting)) => say!(self.says, "waiting for players"),
            (None, Some(Halt::Closed)) => say!(self.says, "closed before its end"),
            (None, None) => say!(self.says, "finished"),
        }
    }
}

/// A seat that a view names, checked to be one of `seats`.
///
/// # Errors
/// If it is none of them.
pub fn known(seat: Option<Seat>, seats: usize) -> Result<Option<Seat>, Unreadable> {
    match seat {
        Some(seat) if seat.index() >= seats => Err(Unreadable(format!("there is no seat {seat}"))),
        seat => Ok(seat),
    }
}
