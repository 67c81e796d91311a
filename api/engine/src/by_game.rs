//! Names of schemas that are of each game: the OpenAPI document fills them with those of all games.

use utoipa::ToSchema;

macro_rules! any_game {
    ($($(#[$doc:meta])* $name:ident),*) => {
        $($(#[$doc])* #[derive(Debug, ToSchema)] pub struct $name {})*
    };
}

any_game!(
    /// The requested options, by game.
    Options,
    /// The options of a match, defaults filled in, by game.
    MatchOptions,
    /// A complete position, by game.
    Position,
    /// A position as a viewer may see it, by game.
    View,
    /// A command, by game.
    Command,
    /// An event in full, by game, or one of the platform.
    Event,
    /// An event as a viewer may see it, by game, or one of the platform.
    EventView,
    /// A place in the standing, by game.
    Place,
    /// The printed data of a game.
    PrintedData
);
