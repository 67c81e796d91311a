//! When a match is finished all is open, and `viewer=` still gives exactly what that viewer could see then.

use serde_json::{Value, json};

use crate::hidden;
use crate::traces::{Secrets, Traces};
use acceptance::process::Process;
use acceptance::proof::bytes_of;
use acceptance::{Client, Dice, Table, until_some};

/// Somebody who watched from the beginning.
struct Watcher {
    client: Client,
    /// The value of `viewer=`.
    name: String,
    views: Vec<(u64, Value)>,
    commits: Vec<Value>,
}

impl Watcher {
    /// Looks at the match as it is now, and at what its log has beyond what was read before.
    fn look(&mut self, id: &str, traces: &mut Traces) {
        let answer = self.client.view(id, "");
        let version = answer.header("etag").expect("a tag");
        let version = version.trim_matches('"').split('.').next();
        let version = version.and_then(|version| version.parse().ok());
        self.views.push((version.expect("a version"), answer.ok()));
        traces.note("a view", &answer.body);
        let query = format!("after={}", self.commits.len());
        let answer = self.client.commits(id, &query);
        self.commits.extend(answer.items());
        traces.note("commits", &answer.body);
    }
}

/// The person who is to act when the bot has acted; `None` at the end.
fn person(table: &Table, bot: usize) -> Option<usize> {
    until_some("a person's turn, or the end", || {
        let active = table.active();
        (active != Some(bot)).then_some(active)
    })
}

/// The last seat is a bot's: at random alone, some games would hardly ever end. Returns how many commits there were: chance may end a match early.
fn watched(game: &str, options: &Value, seats: usize) -> u64 {
    let server = Process::alone(&["--bot-pause", "0"]);
    let bot = seats - 1;
    let mut players = vec![json!({}); bot];
    players.push(json!({"bot": "greedy"}));
    let body = json!({"game": game, "options": options, "seats": players});
    let table = Table::open(&server.client(), &body);
    let id = &table.id;
    let mut watchers: Vec<Watcher> = (0..bot)
        .map(|seat| (table.seat(seat), seat.to_string()))
        .chain([(table.spectator().clone(), "spectator".to_owned())])
        .map(|(client, name)| Watcher { client, name, views: Vec::new(), commits: Vec::new() })
        .collect();
    let (mut traces, mut dice, mut commands) = (Traces::default(), Dice::new(17), 0);
    while let Some(seat) = person(&table, bot) {
        if commands % 8 == 0 {
            watchers.iter_mut().for_each(|watcher| watcher.look(id, &mut traces));
        }
        let legal = table.legal();
        let command = &legal[dice.below(legal.len())];
        let answer = table.seat(seat).command(id, command);
        answer.created();
        commands += 1;
        if table.active().is_some() {
            traces.note("an answer", &answer.body);
        }
    }
    let info = table.info();
    let commits = info["commit"].as_u64().expect("a number");
    let mut secrets = Secrets::default();
    secrets.add_seed(&bytes_of(&info["seed"]), commits);
    assert_eq!(traces.find(&secrets), [].into(), "while {game} was played");

    let client = table.spectator();
    let full = client.all_commits(id);
    let start = client.position(id, &format!("at={}", full[0]["last_version"])).ok();
    let hidden = hidden::texts(game, &start);
    let mut less = 0;
    for watcher in &watchers {
        let Watcher { client: _, name, views, commits } = watcher;
        for (version, view) in views {
            let query = format!("at={version}&viewer={name}");
            assert_eq!(client.view(id, &query).ok(), *view, "{game}: {query}");
        }
        let query = |query: &str| format!("{query}&viewer={name}");
        let now = Table::pages(1000, |page| client.commits(id, &query(page)).ok());
        assert_eq!(now[..commits.len()], *commits, "{game}: {name}");
        let text = now[0].to_string();
        if name == "spectator" {
            let told = hidden.iter().find(|hidden| text.contains(hidden.as_str()));
            assert_eq!(told, None, "the first commit shows what is hidden");
        }
        less += usize::from(now != full);
        let frames = client.replay(id, &format!("viewer={name}")).lines();
        for (version, view) in views {
            let frame = &frames[usize::try_from(*version).expect("few") - 1];
            assert_eq!(frame["view"], *view, "{game}: frame {version} for {name}");
        }
    }
    assert_eq!(less > 0, !hidden::OPEN.contains(&game), "{game} hid something");
    server.stop();
    commits
}

#[test]
fn what_a_viewer_saw_is_what_it_is_shown_afterwards() {
    for game in catalog::games() {
        let info = game.info();
        // What hides most, or is over soonest.
        let (options, seats) = match info.id {
            "voluspa" => (json!({"set": "master_of_ravens"}), 3),
            "copenhagen" => (json!({}), 4),
            "delphi" => (json!({"fewer_tasks": 4}), 2),
            _ => (json!({}), usize::from(*info.seats.start())),
        };
        assert!((0..10).any(|_| watched(info.id, &options, seats) > 20), "{} is played", info.id);
    }
}
