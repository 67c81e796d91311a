//! A mistake of the program: a game that panics as a bot is to act, and as a match is counted. All else goes on, and the operator is told.

use std::thread;

use kernel::{
    Award, Chance, Draft, Edition, Erased, Forced, Game, Info, Placed, Pointed, Refusal, Seat,
    Sizes, Viewer,
};
use serde::Serialize;
use serde_json::{Value, json};
use testkit::Nim;

use acceptance::server::{Games, Server};
use acceptance::{Table, until};

/// So many stones are left where a simple player panics,
const OF_BOTS: u64 = 13;
/// and so many where whoever counts statistics does.
const OF_STATISTICS: u64 = 14;

/// Nim with two mistakes.
struct Unlucky;

fn left(position: &<Nim as Game>::Position) -> u64 {
    Nim::sizes(position).left
}

impl Game for Unlucky {
    const INFO: Info = Nim::INFO;

    type Options = <Nim as Game>::Options;
    type PositionForm = <Nim as Game>::PositionForm;
    type Position = <Nim as Game>::Position;
    type Command = <Nim as Game>::Command;
    type Event = <Nim as Game>::Event;
    type View = <Nim as Game>::View;
    type EventView = <Nim as Game>::EventView;
    type Place = <Nim as Game>::Place;

    fn leanings(position: &Self::Position, commands: &[Self::Command]) -> Vec<i64> {
        assert_ne!(left(position), OF_BOTS, "bad luck");
        Nim::leanings(position, commands)
    }

    fn sizes(position: &Self::Position) -> Sizes {
        let is_counted = thread::current().name() == Some("statistics");
        assert!(!is_counted || left(position) != OF_STATISTICS, "bad luck");
        Nim::sizes(position)
    }

    fn decide(draft: &mut Draft<'_, Self>, command: &Self::Command) -> Result<(), Refusal> {
        // After the setup nothing is drawn.
        let (mut events, mut chance) = (Vec::new(), Forced::default());
        let mut position = draft.position().clone();
        Nim::decide(&mut Draft::new(&mut position, &mut events, &mut chance), command)?;
        events.into_iter().for_each(|event| draft.emit(event));
        Ok(())
    }

    fn setup(
        options: Self::Options,
        seats: u8,
        edition: Edition,
        chance: &mut dyn Chance,
    ) -> Result<Vec<Self::Event>, Refusal> {
        Nim::setup(options, seats, edition, chance)
    }

    fn start(first: &Self::Event, edition: Edition) -> Option<Self::Position> {
        Nim::start(first, edition)
    }

    fn told(form: &mut Self::PositionForm) -> &mut Option<Edition> {
        Nim::told(form)
    }

    fn admit(form: Self::PositionForm) -> Result<Self::Position, Refusal> {
        Nim::admit(form)
    }

    fn edition(position: &Self::Position) -> Edition {
        Nim::edition(position)
    }

    fn options(position: &Self::Position) -> impl Serialize {
        Nim::options(position)
    }

    fn active_seat(position: &Self::Position) -> Option<Seat> {
        Nim::active_seat(position)
    }

    fn moment(position: &Self::Position) -> &'static str {
        Nim::moment(position)
    }

    fn turn_begun(before: &Self::Position, event: &Self::Event) -> Option<Seat> {
        Nim::turn_begun(before, event)
    }

    fn legal_commands(position: &Self::Position, commands: &mut Vec<Self::Command>) {
        Nim::legal_commands(position, commands);
    }

    fn apply(position: &mut Self::Position, event: &Self::Event) {
        Nim::apply(position, event);
    }

    fn view(position: &Self::Position, viewer: Viewer) -> Self::View {
        Nim::view(position, viewer)
    }

    fn pointed(position: &Self::Position, command: &Self::Command) -> Pointed {
        Nim::pointed(position, command)
    }

    fn pieces(view: &Self::View) -> Vec<Placed> {
        Nim::pieces(view)
    }

    fn allows_take_back(position: &Self::Position) -> bool {
        Nim::allows_take_back(position)
    }

    fn points(position: &Self::Position) -> Vec<i64> {
        Nim::points(position)
    }

    fn awards(before: &Self::Position, event: &Self::Event) -> Vec<Award> {
        Nim::awards(before, event)
    }

    fn standing(position: &Self::Position) -> Option<Vec<Self::Place>> {
        Nim::standing(position)
    }
}

#[test]
fn a_panic_is_of_one_match_and_a_thread_that_it_ends_is_told() {
    static GAMES: Games = &[&Erased::<Unlucky>::NEW];
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path(), GAMES);
    let client = server.client();
    let open = |stones: u64, seats: Value| {
        let position =
            json!({"heaps": [stones], "lucky": [4, 7], "active_seat": 1, "winner": null});
        Table::open(&client, &json!({"game": "nim", "seats": seats, "position": position}))
    };
    let ends = |table: &Table| until("the end", || client.status(&table.id) == "finished");

    // A match in which a person waits comes first.
    let unlucky = open(OF_BOTS, json!([{}, {"bot": "greedy"}]));
    let before = unlucky.info();
    ends(&open(OF_BOTS - 1, json!([{"bot": "random"}, {"bot": "greedy"}])));
    assert_eq!(unlucky.info(), before, "its bot has not acted");
    let left_alone = || server.operator().figure("muninn_matches_left_alone");
    until("it is told", || left_alone() == 1);
    client.get("/readyz").ok();
    let lost = || server.operator().figure("muninn_threads_lost");
    assert_eq!(lost(), 0);

    ends(&open(OF_STATISTICS, json!([{"bot": "random"}, {"bot": "random"}])));
    until("it is told", || client.get("/readyz").status != 200);
    let told = client.get("/readyz").problem(503, "unavailable");
    assert!(told["detail"].as_str().is_some_and(|told| told.contains("(statistics)")), "{told}");
    server.operator().get("/readyz").problem(503, "unavailable");
    assert_eq!(lost(), 1);

    // All else is done as before, by the bots too.
    unlucky.owner().close(&unlucky.id).ok();
    ends(&open(OF_BOTS - 1, json!([{"bot": "greedy"}, {"bot": "random"}])));
    server.stop_panicked();
}
