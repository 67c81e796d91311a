//! A store with all that a store can have, and everybody who may ask.

use std::path::Path;

use acceptance::process::Process;
use acceptance::{Answer, Client, Dice, Request, Table, until};
use serde_json::{Value, json};

/// A POST with an idempotency key, and the answer that it got.
pub(crate) struct Asked {
    path: String,
    key: String,
    token: Option<String>,
    body: Value,
    answer: Answer,
}

impl Asked {
    fn ask(client: &Client, path: &str, key: &str, token: Option<&str>, body: &Value) -> Self {
        let (path, key, token) = (path.to_owned(), key.to_owned(), token.map(str::to_owned));
        let answer = Answer { status: 0, headers: Vec::new(), body: Vec::new() };
        let mut asked = Asked { path, key, token, body: body.clone(), answer };
        asked.answer = asked.again(client);
        asked
    }

    fn again(&self, client: &Client) -> Answer {
        let request = Request::new("POST", &self.path).header("Idempotency-Key", &self.key);
        let client = self.token.as_ref().map_or(client.clone(), |token| client.with_token(token));
        client.send(request.json(&self.body))
    }

    /// Asked once more, it gets the answer that it got.
    #[track_caller]
    pub(crate) fn repeated(&self, client: &Client) {
        let again = self.again(client);
        assert_eq!((again.status, again.text()), (self.answer.status, self.answer.text()));
    }
}

/// A store, and what is known of it.
pub(crate) struct World {
    pub(crate) tables: Vec<Table>,
    pub(crate) asked: Vec<Asked>,
}

fn seats(names: [&str; 2]) -> Value {
    json!([{"name": names[0]}, {"name": names[1]}])
}

/// Matches of all games: finished, running, private, with a seat that was taken, abandoned.
fn matches(client: &Client, game: &str) -> World {
    let with = |more: Value| {
        let mut body = json!({"game": game, "seats": seats(["Hugin", "Åse"])});
        body.as_object_mut().expect("an object").extend(more.as_object().expect("one").clone());
        body
    };
    let bots = json!([{"bot": "greedy"}, {"bot": "greedy"}]);
    let finished = Table::open(client, &with(json!({"seats": bots})));
    let mut dice = Dice::new(3);
    let running = Table::open(client, &with(json!({"take_back": true})));
    running.play(&mut dice, 4);
    let seat = running.active().expect("it goes on");
    running.play(&mut dice, 1);
    // Whether it may be taken back depends on what the command did.
    running.seat(seat).take_back(&running.id);
    let private = with(json!({"visibility": "private", "seats": seats(["Frigg", "Njörd"])}));
    let asked =
        Asked::ask(client, "/v1/matches", &format!("an opening of {game}, once"), None, &private);
    let private = Table::read(client, &asked.answer.created());
    private.play(&mut dice, 5);
    let (token, command) = (private.active().expect("it goes on"), &private.legal()[0]);
    let token = private.seat_tokens[token].as_deref();
    let path = format!("/v1/matches/{}/commands", private.id);
    let command = Asked::ask(client, &path, "once", token, &json!({"command": command}));
    command.answer.created();
    let ticket = client.post("/v1/seeds", &json!({})).created()["ticket"].clone();
    let open = json!([{"name": "Idun"}, {"open": true}]);
    let nonce = "0123456789abcdef".repeat(4);
    let body = with(json!({"seats": open, "ticket": ticket, "nonce": nonce}));
    let mut taken = Table::open(client, &body);
    taken.join(1, &json!({"name": "Loki"}));
    taken.play(&mut dice, 4);
    let abandoned = Table::open(client, &with(json!({})));
    abandoned.owner().close(&abandoned.id).ok();
    until("the bots' end", || finished.info()["status"] == "finished");
    let tables = vec![finished, running, private, taken, abandoned];
    World { tables, asked: vec![asked, command] }
}

impl World {
    /// Fills a new store through a server.
    pub(crate) fn fill(data: &Path) -> Self {
        let server = Process::serve(data, &["--bot-pause", "0"]);
        let client = server.client();
        let games = catalog::games().iter().map(|game| game.info().id);
        let worlds: Vec<World> = games.map(|game| matches(&client, game)).collect();
        client.post("/v1/seeds", &json!({})).created();
        server.stop();
        let (mut tables, mut asked) = (Vec::new(), Vec::new());
        for world in worlds {
            tables.extend(world.tables);
            asked.extend(world.asked);
        }
        World { tables, asked }
    }
}

/// A few matches of a quick game, played on by a server.
pub(crate) fn play(data: &Path, matches: usize, commands: usize) {
    let server = Process::serve(data, &[]);
    let client = server.client();
    for seed in 0..matches {
        let table = Table::dealt(&client, &json!({"seats": seats(["Hugin", "Munin"])}));
        table.play(&mut Dice::new(seed as u64), commands);
    }
    server.stop();
}
