//! Statistics: they are what the matches say, and the same when they are made anew.

use serde_json::{Value, json};

use crate::{client, server};
use acceptance::server::Server;
use acceptance::{Client, Dice, Table, run_on, until, until_some};

/// The statistics when so many matches are counted.
#[track_caller]
pub(crate) fn counted(client: &Client, game: &str, matches: u64) -> Value {
    counted_as(client, game, "", matches)
}

/// The same of those that a query asks for.
#[track_caller]
pub(crate) fn counted_as(client: &Client, game: &str, query: &str, matches: u64) -> Value {
    until_some(&format!("{matches} matches"), || {
        let stats = client.get(&format!("/v1/stats/{game}?{query}")).ok();
        (stats["finished"]["matches"] == matches).then_some(stats)
    })
}

/// What the server has kept is what is counted from the first commit.
fn is_the_same_anew(data: &std::path::Path) {
    let file = data.join("statistics.json");
    let read = || -> Value {
        let bytes = std::fs::read(&file).expect("a file");
        serde_json::from_slice::<Value>(&bytes).expect("JSON")["statistics"].take()
    };
    let kept = read();
    let lines = run_on(data, &["stats", "--rebuild"]).lines();
    let mut anew = read();
    // The server looked last at some commit after the last end.
    assert!(kept["position"].as_u64() <= anew["position"].as_u64());
    for name in ["position", "mark"] {
        anew[name] = kept[name].clone();
    }
    assert_eq!(kept, anew);
    assert_eq!(lines.len(), catalog::games().len());
}

#[test]
fn they_count_finished_matches_and_are_the_same_anew() {
    let (server, folder) = server();
    let client = server.client();
    let open = |body: Value| Table::open(&client, &body);
    let named = json!([{"name": "Ada"}, {"name": "Ben & Söhne"}]);
    let (mut commands, mut points, mut first) = (Vec::new(), 0, 0.0);
    for seed in 0..4 {
        let table = open(json!({"game": "rosenkoenig", "seats": named}));
        commands.push(table.finish(&mut Dice::new(seed)).len() as u64);
        let standing = table.info()["standing"].clone();
        let places = standing.as_array().expect("two places");
        let winners = places.iter().filter(|place| place["rank"] == 1).count() as f64;
        for place in places {
            points += place["points"].as_i64().expect("points");
            // Of two who share a win each has a half.
            if place["seat"] == 0 && place["rank"] == 1 {
                first += 1.0 / winners;
            }
        }
    }
    let secret = json!({"game": "rosenkoenig", "visibility": "private",
        "seats": [{"name": "Eve"}, {"name": "Ada"}]});
    let before = counted(&client, "rosenkoenig", 4)["finished"].clone();
    open(secret).finish(&mut Dice::new(9));
    open(json!({"game": "rosenkoenig", "seats": named})).play(&mut Dice::new(8), 5);
    open(json!({"game": "voluspa", "seats": [{}, {}, {}]})).finish(&mut Dice::new(1));

    // Völuspá's match came after the private one, so that one was looked at.
    counted(&client, "voluspa", 1);
    let stats = counted(&client, "rosenkoenig", 4);
    let finished = &stats["finished"];
    for name in finished.as_object().expect("an object").keys() {
        if !matches!(name.as_str(), "position" | "feed_end" | "complete") {
            assert_eq!(finished[name], before[name], "the private match shows in {name}");
        }
    }
    assert_eq!(finished["commands"]["sum"], commands.iter().sum::<u64>());
    assert_eq!(finished["commands"]["n"], 4);
    assert_eq!(finished["tables"][0]["by_seat"][0]["first"]["n"], 4);
    let sum = |list: &Value| -> i64 {
        let items = list.as_array().into_iter().flatten();
        items.map(|item| item["points"].as_i64().expect("points")).sum()
    };
    assert_eq!(
        json!(sum(&finished["awards"])),
        finished["points"]["sum"],
        "all points are explained"
    );

    let ada = client.get("/v1/players/Ada").ok();
    let [item] = ada["items"].as_array().expect("a list").as_slice() else {
        panic!("one game: {ada}");
    };
    assert_eq!(
        (&item["first"]["n"], &item["first"]["count"], &item["rated"]),
        (&json!(4), &json!(first), &json!(4)),
        "the private match is not hers"
    );
    let ben = client.get("/v1/players/Ben%20%26%20S%C3%B6hne").ok();
    let both = item["points"]["sum"].as_i64().zip(ben["items"][0]["points"]["sum"].as_i64());
    assert_eq!(both.map(|(ada, ben)| ada + ben), Some(points));
    client.get("/v1/players/Eve").problem(404, "not_found");
    client.get("/v1/stats/chess").problem(404, "not_found");
    let players = client.get("/v1/stats/rosenkoenig/players?limit=1").ok();
    assert_eq!(
        (&players["items"].as_array().map(Vec::len), &players["next"]),
        (&Some(1), &json!("1"))
    );

    server.stop();
    is_the_same_anew(folder.path());

    let server = Server::start(folder.path(), catalog::games());
    let again = counted(&server.client(), "rosenkoenig", 4);
    assert_eq!(again["finished"]["points"], stats["finished"]["points"]);
}

#[test]
fn the_start_seat_is_counted_by_number_of_seats() {
    let (server, _folder) = server();
    let client = server.client();
    let mut firsts = [(2, 0.0, 0), (4, 0.0, 0)];
    for (seed, seats) in (0..).zip([4, 2, 4, 4, 2]) {
        let body = json!({"game": "voluspa", "seats": vec![json!({}); seats]});
        let table = Table::open(&client, &body);
        let start = table.active().expect("somebody begins");
        table.finish(&mut Dice::new(seed));
        let standing = table.info()["standing"].clone();
        let places = standing.as_array().expect("places");
        let won = |place: &&Value| place["rank"] == 1;
        let (_, count, of) = &mut firsts[usize::from(seats == 4)];
        if places.iter().filter(won).any(|place| place["seat"] == start) {
            *count += 1.0 / places.iter().filter(won).count() as f64;
        }
        *of += 1;
    }
    let finished = counted(&client, "voluspa", 5)["finished"].clone();
    let position = "muninn_projection_position{projection=\"statistics\"}";
    let position = server.operator().figure(position);
    assert!(Some(position) >= finished["position"].as_u64() && position > 5);
    let tables = finished["tables"].as_array().expect("a list");
    assert_eq!(tables.len(), 2);
    for (table, (seats, count, of)) in tables.iter().zip(firsts) {
        let start = &table["start_seat"];
        assert_eq!(
            (&table["seats"], &start["count"], &start["n"]),
            (&json!(seats), &json!(count), &json!(of))
        );
        assert!(start["low"].as_f64() < start["high"].as_f64());
    }
}

/// A parameter that is not there filters nothing, and does not seem to.
#[test]
fn a_player_takes_no_parameters() {
    let (client, _server) = client();
    Table::dealt(&client, &json!({"seats": [{"name": "Ada"}, {}]})).finish(&mut Dice::new(1));
    until("it is counted", || client.get("/v1/players/Ada").status == 200);
    client.get("/v1/players/Ada?players=bots").problem(400, "malformed");
    for beyond in ["option.start_seat=4", "option.start_seat=5"] {
        client.get(&format!("/v1/stats/delphi?{beyond}")).problem(400, "malformed");
    }
}

#[test]
fn refusals_are_counted_by_rule_since_the_start() {
    let (client, _server) = client();
    let table = Table::rosenkoenig(&client);
    let seat = table.seat(table.active().expect("it runs"));
    for _ in 0..3 {
        seat.command(&table.id, &json!({"type": "DrawCard"})).refused("illegal_command", "R-45");
    }
    // What is refused in a private match says something of its hands.
    let private = json!({"game": "rosenkoenig", "visibility": "private", "seats": [{}, {}]});
    let hidden = Table::open(&client, &private);
    let info = hidden.owner().get(&format!("/v1/matches/{}", hidden.id)).ok();
    let seat = hidden.seat(usize::from(info["active_seat"] == 1));
    seat.command(&hidden.id, &json!({"type": "DrawCard"})).refused("illegal_command", "R-45");
    let refusals = client.get("/v1/stats/rosenkoenig").ok()["refusals"].clone();
    assert_eq!(refusals["rules"], json!([{"rule": "R-45", "count": 3}]));
    assert!(refusals["since"].is_string());
    let others = client.get("/v1/stats/delphi").ok();
    assert_eq!(others["refusals"]["rules"], json!([]));
    assert_eq!(others["finished"]["commands"]["mean"], Value::Null);
}
