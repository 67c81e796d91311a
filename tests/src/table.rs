//! A match with the tokens of all its seats.

use serde_json::{Value, json};

use crate::client::Client;

/// A view as the game shows it: without the version of the match.
pub fn unversioned(mut view: Value) -> Value {
    let version = view.as_object_mut().and_then(|fields| fields.remove("version"));
    assert!(version.is_some(), "a view of a match has a version");
    view
}

/// A position of The Oracle of Delphi on a map without water and without anything to do: nobody ever comes home, so no match from there ends.
pub fn endless() -> Value {
    let example = include_str!("../../domain/delphi/tests/cases/example.json");
    let mut position: Value = serde_json::from_str(example).expect("JSON");
    position["map"]["hexes"] = json!([{"q": 0, "r": 0, "kind": "zeus", "color": null}]);
    for list in ["temples", "offerings", "monsters", "cities", "sites", "islands"] {
        position[list] = json!([]);
    }
    position
}

/// Chooses, always in the same way for the same seed.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Dice(seed)
    }

    /// A number less than `count`.
    pub fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let wide = u128::from(mixed ^ (mixed >> 31)) * count as u128;
        usize::try_from(wide >> 64).expect("less than count")
    }
}

/// An open match, and everything that who opened it knows.
#[derive(Clone)]
pub struct Table {
    pub id: String,
    pub seat_tokens: Vec<Option<String>>,
    pub owner_token: String,
    client: Client,
}

impl Table {
    #[track_caller]
    pub fn open(client: &Client, body: &Value) -> Self {
        Self::read(client, &client.open(body).created())
    }

    /// A match of Rosenkönig with default options.
    #[track_caller]
    pub fn rosenkoenig(client: &Client) -> Self {
        Self::open(client, &json!({"game": "rosenkoenig", "seats": [{}, {}]}))
    }

    /// A match that begins with this position, with all the seats that it has.
    #[track_caller]
    pub fn at(client: &Client, game: &str, position: &Value) -> Self {
        let points = client.analyse(game, &json!({"position": position})).ok()["points"].take();
        let seats = vec![json!({}); points.as_array().expect("points by seat").len()];
        Self::open(client, &json!({"game": game, "seats": seats, "position": position}))
    }

    /// A match of Rosenkönig that is dealt alike each time, so that chance ends it at none of its first commands: until the draw pile is
    /// shuffled, the same dice play the same. `more` is what else the request has.
    #[track_caller]
    pub fn dealt(client: &Client, more: &Value) -> Self {
        let seed = json!({"seats": 2, "chance": {"seed": "5".repeat(64)}});
        let dealt = client.start_position("rosenkoenig", &seed).ok();
        let mut body =
            json!({"game": "rosenkoenig", "seats": [{}, {}], "position": dealt["position"]});
        let more = more.as_object().expect("fields").clone();
        body.as_object_mut().expect("an object").extend(more);
        Self::open(client, &body)
    }

    /// The answer to the opening of a match.
    pub fn read(client: &Client, opened: &Value) -> Self {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let tokens = opened["seat_tokens"].as_array().expect("tokens by seat");
        Table {
            id: text(&opened["match"]).expect("an id"),
            seat_tokens: tokens.iter().map(text).collect(),
            owner_token: text(&opened["owner_token"]).expect("an owner token"),
            client: client.clone(),
        }
    }

    /// The same match through another server, after a restart.
    pub fn through(&self, client: &Client) -> Self {
        Table { client: client.clone(), ..self.clone() }
    }

    pub fn spectator(&self) -> &Client {
        &self.client
    }

    pub fn seat(&self, seat: usize) -> Client {
        let token = self.seat_tokens[seat].as_deref().expect("the seat is ours");
        self.client.with_token(token)
    }

    pub fn owner(&self) -> Client {
        self.client.with_token(&self.owner_token)
    }

    /// Somebody takes an open seat, and we get its token.
    #[track_caller]
    pub fn join(&mut self, seat: usize, body: &Value) {
        let taken = self.owner().take_seat(&self.id, seat, body).created();
        self.seat_tokens[seat] = taken["seat_token"].as_str().map(str::to_owned);
    }

    /// What the match says of itself to its owner.
    #[track_caller]
    pub fn info(&self) -> Value {
        self.owner().info(&self.id).ok()
    }

    pub fn version(&self) -> u64 {
        self.info()["version"].as_u64().expect("a version")
    }

    /// Who is to act.
    pub fn active(&self) -> Option<usize> {
        let seat = self.info()["active_seat"].as_u64();
        seat.map(|seat| usize::try_from(seat).expect("a seat"))
    }

    /// The legal commands of the seat that is to act.
    #[track_caller]
    pub fn legal(&self) -> Vec<Value> {
        let seat = self.active().expect("the match goes on");
        let page = self.seat(seat).legal_commands(&self.id, "").ok();
        assert_eq!(page["next"], Value::Null);
        page["items"].as_array().expect("a list").clone()
    }

    /// The active seat acts.
    #[track_caller]
    pub fn act(&self, command: &Value) -> Value {
        let seat = self.active().expect("the match goes on");
        self.seat(seat).command(&self.id, command).created()
    }

    /// Plays at random, at most so many commands; returns what was accepted.
    #[track_caller]
    pub fn play(&self, dice: &mut Dice, most: usize) -> Vec<Value> {
        let mut accepted = Vec::new();
        while accepted.len() < most
            && let Some(seat) = self.active()
        {
            let legal = self.seat(seat).legal_commands(&self.id, "").items();
            let command = &legal[dice.below(legal.len())];
            accepted.push(self.seat(seat).command(&self.id, command).created());
        }
        accepted
    }

    /// Plays at random to the end.
    #[track_caller]
    pub fn finish(&self, dice: &mut Dice) -> Vec<Value> {
        let accepted = self.play(dice, usize::MAX);
        assert_eq!(self.info()["status"], "finished");
        accepted
    }

    /// A whole log, page after page of `limit`; `read` gets the query of each.
    pub fn pages(limit: usize, mut read: impl FnMut(&str) -> Value) -> Vec<Value> {
        let mut items = Vec::new();
        let mut query = format!("limit={limit}");
        loop {
            let page = read(&query);
            let found = page["items"].as_array().expect("a page has items");
            assert!(found.len() <= limit, "no page is longer than its limit");
            items.extend(found.iter().cloned());
            let Some(next) = page["next"].as_str() else {
                return items;
            };
            query = format!("limit={limit}&after={next}");
        }
    }
}

impl Client {
    /// All commits of a match.
    #[track_caller]
    pub fn all_commits(&self, id: &str) -> Vec<Value> {
        Table::pages(1000, |page| self.commits(id, page).ok())
    }

    /// The same as a spectator sees them while the match goes on.
    #[track_caller]
    pub fn public_commits(&self, id: &str) -> Vec<Value> {
        Table::pages(1000, |page| self.commits(id, &format!("{page}&viewer=spectator")).ok())
    }
}
