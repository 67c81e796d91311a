//! What a person needs to choose a command: where to click in the picture, and a label; and whether what was sent is one.

use std::fmt::Display;

use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::json::{alike, read};
use crate::stored::raw;
use crate::{Game, Refusal, Words};

/// What a command names in the picture ([`Game::pointed`](crate::Game::pointed)).
///
/// # Example
/// ```
/// let pointed = kernel::Pointed::default().spot("hand", "odin").spot("cell", "0,-1");
/// assert_eq!(pointed.spots, ["hand:odin", "cell:0,-1"]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pointed {
    /// Values of `data-spot`, each once, in the order in which a person would click.
    pub spots: Vec<String>,
    /// The piece as it would lie, drawn in a line of text: the field `drawn` of labels.
    pub drawn: Option<String>,
}

impl Pointed {
    /// With one more spot.
    #[must_use]
    pub fn spot(mut self, kind: &str, value: impl Display) -> Self {
        let spot = format!("{kind}:{value}");
        if !self.spots.contains(&spot) {
            self.spots.push(spot);
        }
        self
    }
}

/// All commands that would be accepted now.
pub(crate) fn legal<G: Game>(position: &G::Position) -> Vec<G::Command> {
    let mut commands = Vec::new();
    G::legal_commands(position, &mut commands);
    commands
}

/// The same and, in their order, as a person chooses them.
pub(crate) fn all<G: Game>(
    position: &G::Position,
    words: &Words,
) -> (Vec<G::Command>, Vec<Choice>) {
    let commands = legal::<G>(position);
    let choices = commands.iter().map(|command| of::<G>(position, command, words)).collect();
    (commands, choices)
}

fn of<G: Game>(position: &G::Position, command: &G::Command, words: &Words) -> Choice {
    let Pointed { spots, drawn } = G::pointed(position, command);
    let mut fields = match serde_json::to_value(command) {
        Ok(Value::Object(fields)) => fields,
        Ok(_) | Err(_) => Map::new(),
    };
    fields.extend(drawn.map(|drawn| ("drawn".to_owned(), Value::String(drawn))));
    Choice { spots, label: words.command(fields) }
}

/// A legal command as a person chooses it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Choice {
    /// The values of `data-spot` in `board.svg` that the command names, in the order in which a person would click. Commands without any
    /// are chosen by their label.
    pub spots: Vec<String>,
    /// The command in words. Commands with the same spots have different labels.
    pub label: String,
}

/// A command that has the form of one, and how it was understood.
pub(crate) fn formed<G: Game>(sent: &RawValue) -> Result<(G::Command, Box<RawValue>), Refusal> {
    let rule = G::INFO.forms.command;
    let command = read::<G::Command>(sent, rule)?;
    let understood = raw(&command);
    alike(sent, &understood, rule)?;
    Ok((command, understood))
}
