//! The trait that a game implements.

use std::ops::RangeInclusive;

use serde::Serialize;
use serde::de::DeserializeOwned;
use utoipa::ToSchema;

use crate::{
    Award, Chance, Draft, Edition, EditionText, Form, Open, Placed, Pointed, Refusal, Rule, Seat,
    Sizes, Viewer, json_bytes,
};

/// What the catalogue says about a game.
#[derive(Clone, Debug)]
pub struct Info {
    /// The id in paths and JSON: `rosenkoenig`.
    pub id: &'static str,
    /// The name for people: `Rosenkönig`.
    pub title: &'static str,
    /// A description in one or two sentences.
    pub text: &'static str,
    /// How many may play.
    pub seats: RangeInclusive<u8>,
    /// The editions of its rules, oldest first: the last one is the newest.
    pub editions: &'static [EditionText],
    /// The fields of a view that are the same for every viewer in every view of a match.
    pub fixed: &'static [&'static str],
    /// The rules that the kernel quotes for the game.
    pub forms: FormRules,
    /// One sentence for each rule number: a TOML table `R-01 = "..."`.
    pub rules: &'static str,
    /// The printed data, TOML.
    pub data: &'static str,
    /// The words of the game, TOML, by language: the first language is the fallback. docs/contract.md, "Words", says what they contain.
    pub words: &'static [(&'static str, &'static str)],
    /// Each situation that a match may be in: a phase, a decision, a kind of end.
    pub moments: &'static [&'static str],
    /// A position of real play for each of them, JSON: `testkit::fixtures` makes it.
    pub fixtures: &'static str,
}

/// Rules that are broken before a game's own checks begin.
#[derive(Clone, Copy, Debug)]
pub struct FormRules {
    /// The number of seats.
    pub seats: Rule,
    /// The options have an unknown field or a value of a wrong type.
    pub options: Rule,
    /// The JSON of a loaded position does not have the shape of a position.
    pub position: Rule,
    /// The JSON of a command does not have the shape of a command.
    pub command: Rule,
    /// The match is finished.
    pub finished: Rule,
    /// Is a command's form checked before the end of the match?
    pub form_first: bool,
    /// Another seat is to act, if the game has a rule for that.
    pub not_active: Option<Rule>,
}

/// A game: its vocabulary as types, its verbs as pure functions.
///
/// * `decide` is deterministic: the same position, command and outcomes of chance give the same events.
/// * `apply` is total: it never fails, draws or decides on an event that `decide` emitted at that position.
/// * `legal_commands` and `decide` agree, because both ask the same check.
///
/// `testkit::conform` holds a game to this.
///
/// # Example
/// The verbs of Nim, the toy game of `testkit`, whose source is the smallest complete implementation:
/// ```
/// use kernel::{Draft, Forced, Game, Rule, Seat};
/// use testkit::Nim;
///
/// let position = r#"{"heaps": [3], "lucky": [7, 4], "active_seat": 0, "winner": null}"#;
/// let mut position = Nim::admit(serde_json::from_str(position)?)?;
/// let mut legal = Vec::new();
/// Nim::legal_commands(&position, &mut legal);
/// assert_eq!(legal.len(), 3); // take one, two or three stones
///
/// let take = serde_json::from_str(r#"{"type": "Take", "heap": 0, "count": 4}"#)?;
/// let (mut events, mut chance) = (Vec::new(), Forced::default());
/// let mut draft = Draft::<Nim>::new(&mut position, &mut events, &mut chance);
/// let refusal = Nim::decide(&mut draft, &take).unwrap_err();
/// assert_eq!(refusal.rule, Rule("N-11"));
/// assert_eq!(Nim::active_seat(&position), Some(Seat(0))); // a refusal changes nothing
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Game: Sized + Send + Sync + 'static {
    /// What the catalogue says.
    const INFO: Info;

    /// The options as a client asks for them: what is missing takes its default in [`setup`](Game::setup).
    type Options: DeserializeOwned + Serialize + ToSchema;
    /// The JSON of a position as a client sends it: shape and types only, see [`admit`](Game::admit).
    type PositionForm: DeserializeOwned + ToSchema;
    /// The complete state of a match, hidden parts included. Its JSON is what [`PositionForm`](Game::PositionForm) reads.
    type Position: Clone + Send + Sync + PartialEq + std::fmt::Debug + Serialize;
    /// What the active seat asks for. Everybody is shown it with its commit, as it is: so it is [`Open`](trait@Open), and no field of it can hold
    /// what is to stay hidden.
    ///
    /// ```
    /// fn open<T: kernel::Open>() {}
    ///
    /// fn every_command_is_open<G: kernel::Game>() {
    ///     open::<G::Command>();
    /// }
    /// ```
    type Command: Clone
        + PartialEq
        + std::fmt::Debug
        + Serialize
        + DeserializeOwned
        + ToSchema
        + Open;
    /// A fact, outcomes of chance included. Its declaration says who may see which part of it, and what it discloses; the implementation of [`Form`]
    /// says which forms it had.
    type Event: Clone
        + PartialEq
        + std::fmt::Debug
        + ToSchema
        + Form<Position = Self::Position, Seen = Self::EventView>;
    /// A position as one viewer may see it.
    type View: Serialize + ToSchema;
    /// An event as one viewer may see it.
    type EventView: Serialize + ToSchema;
    /// One entry of the standing: has at least `rank` and `seat`.
    type Place: Serialize + ToSchema;

    /// The events of the first commit, by the rules of an edition: the first one carries what [`start`](Game::start) needs.
    ///
    /// # Errors
    /// A refusal if an option's value is not allowed. `seats` has been checked against [`Info::seats`].
    fn setup(
        options: Self::Options,
        seats: u8,
        edition: Edition,
        chance: &mut dyn Chance,
    ) -> Result<Vec<Self::Event>, Refusal>;

    /// The position after the first event of a stream of this edition, or `None` if no stream begins with this event.
    fn start(first: &Self::Event, edition: Edition) -> Option<Self::Position>;

    /// The edition that a loaded position names; `None` if it names none: then it is the one that the request selects, by default the newest.
    fn told(form: &mut Self::PositionForm) -> &mut Option<Edition>;

    /// May this loaded position be played? Returns it ready for play.
    ///
    /// # Errors
    /// A refusal with the first broken rule.
    fn admit(form: Self::PositionForm) -> Result<Self::Position, Refusal>;

    /// The position that a stored match began with. An earlier release may have admitted what [`admit`](Game::admit) refuses today; a position that
    /// was once admitted can be read for ever.
    ///
    /// # Errors
    /// A refusal if no release ever admitted it.
    fn restore(form: Self::PositionForm) -> Result<Self::Position, Refusal> {
        Self::admit(form)
    }

    /// The edition by whose rules the match is played. It never changes.
    fn edition(position: &Self::Position) -> Edition;

    /// The options of the match, an object: all that [`setup`](Game::setup) takes, with defaults filled in, and what it drew for them.
    fn options(position: &Self::Position) -> impl Serialize;

    /// The seat to act, or `None` when the match is finished.
    fn active_seat(position: &Self::Position) -> Option<Seat>;

    /// The seat that has the first turn of a match that begins with this position, which a setup has made or somebody has loaded. Another seat may
    /// have to decide something before it.
    fn start_seat(position: &Self::Position) -> Option<Seat> {
        Self::active_seat(position)
    }

    /// The situation that the match is in, one of [`Info::moments`]. Everybody may know it.
    fn moment(position: &Self::Position) -> &'static str;

    /// What is left to be drawn, and the size of each hand. Everybody may know it.
    fn sizes(position: &Self::Position) -> Sizes;

    /// The seat whose turn begins with `event`, if one does. The first turn of a match has no event of its own, or one in the commit of the setup: if
    /// its event comes later, this is `None` for it.
    fn turn_begun(before: &Self::Position, event: &Self::Event) -> Option<Seat>;

    /// Does the seat to act already know what `event` tells? Usually it does not; but a seat that has looked at a tile knows what is turned up.
    fn is_known(position: &Self::Position, event: &Self::Event) -> bool {
        let _ = (position, event);
        false
    }

    /// Appends every command that would be accepted now to `commands`, each once, in canonical form.
    fn legal_commands(position: &Self::Position, commands: &mut Vec<Self::Command>);

    /// Decides a command of the active seat: emits all events of its commit.
    ///
    /// # Errors
    /// A refusal with the first broken rule; then nothing has been emitted or drawn.
    fn decide(draft: &mut Draft<'_, Self>, command: &Self::Command) -> Result<(), Refusal>;

    /// Changes the position as the event says.
    fn apply(position: &mut Self::Position, event: &Self::Event);

    /// How much memory a position takes beside its own size, in bytes, and rather more. What its JSON says takes less than the JSON; a game that
    /// keeps more, so that it need not be found again, adds that.
    fn bytes(position: &Self::Position) -> usize {
        json_bytes(position)
    }

    /// What `viewer` may see of a position.
    fn view(position: &Self::Position, viewer: Viewer) -> Self::View;

    /// What a legal command names in the picture. The seat to act is told this, so only what that seat sees may be used.
    fn pointed(position: &Self::Position, command: &Self::Command) -> Pointed;

    /// The pieces on the table that everybody sees, and where they lie: `view` is that of a spectator. docs/pictures.md lists the pieces of each
    /// game; which piece is which follows from this alone ([`Tracker`](crate::Tracker)).
    fn pieces(view: &Self::View) -> Vec<Placed>;

    /// Do the options of this match allow to take back a command (M-80)?
    fn allows_take_back(position: &Self::Position) -> bool;

    /// How much the seat to act prefers each of the legal `commands`, in addition to the points that they bring at once, in thousandths of a point:
    /// greater is better. For simple players, in games where looking one step ahead is not enough. Only what that seat sees may be used.
    fn leanings(position: &Self::Position, commands: &[Self::Command]) -> Vec<i64> {
        let _ = position;
        vec![0; commands.len()]
    }

    /// The score by seat as it is now.
    fn points(position: &Self::Position) -> Vec<i64>;

    /// The points that `event` gives and takes at the position before it, each part with its rule: together exactly the change of
    /// [`points`](Game::points). Everybody may see them: they follow from what a spectator knows of the position and the event.
    fn awards(before: &Self::Position, event: &Self::Event) -> Vec<Award>;

    /// The final ranking, by rank, then seat, with each seat once; `None` until the match is finished. A rank is one more than the number of better
    /// seats: equal ones share it.
    fn standing(position: &Self::Position) -> Option<Vec<Self::Place>>;
}
