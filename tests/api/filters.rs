//! Statistics of the matches that were asked for, by filter and by group; and who played them.

use std::path::Path;

use serde_json::{Value, json};

use crate::stats::counted_as;
use crate::{client, server};
use acceptance::{Client, Dice, Table, run_on};

fn stats(client: &Client, query: &str) -> Value {
    client.get(&format!("/v1/stats/rosenkoenig?{query}")).ok()["finished"].take()
}

fn open(client: &Client, seats: Value, more: Value) -> Table {
    let mut body = json!({"game": "rosenkoenig", "seats": seats});
    for (name, value) in more.as_object().expect("an object") {
        body[name] = value.clone();
    }
    Table::open(client, &body)
}

/// Bots play their own seats; this plays those of people.
fn finish(table: &Table, dice: &mut Dice) {
    let bots: Vec<bool> = table.info()["seats"]
        .as_array()
        .expect("seats")
        .iter()
        .map(|seat| !seat["bot"].is_null())
        .collect();
    while table.info()["status"] != "finished" {
        match table.active() {
            Some(seat) if !bots[seat] => drop(table.play(dice, 1)),
            _ => std::thread::yield_now(),
        }
    }
}

/// By the values of a grouping, how many matches.
fn groups(finished: &Value) -> Vec<(Vec<Value>, u64)> {
    let group = |group: &Value| {
        let by = group["by"].as_array().expect("values").iter();
        let by = by.map(|by| by["value"].clone()).collect();
        (by, group["matches"].as_u64().expect("a number"))
    };
    finished["groups"].as_array().expect("groups").iter().map(group).collect()
}

/// Seven matches: of two people, one light; of people with a bot, two; of bots; a branch, and one from a position. Returns those of people alone.
fn played(client: &Client) -> Vec<Table> {
    let mut dice = Dice::new(5);
    let people = json!([{"name": "Ada"}, {"name": "Ben"}]);
    let light = json!({"options": {"light": true}});
    let mut ids: Vec<Table> = [
        (people.clone(), json!({})),
        (people.clone(), light.clone()),
        (json!([{"name": "Ada"}, {"bot": "greedy"}]), json!({})),
        (json!([{"bot": "greedy"}, {"bot": "random"}]), light),
        (json!([{}, {"bot": "greedy", "name": "Ada"}]), json!({})),
    ]
    .into_iter()
    .map(|(seats, more)| open(client, seats, more))
    .collect();
    ids.iter().for_each(|table| finish(table, &mut dice));
    let branch = client.branch(&ids[0].id, &json!({"at": 5, "seats": people})).created();
    finish(&Table::read(client, &branch), &mut dice);
    let position = client.position(&ids[1].id, "at=9").ok();
    let position = position.get("position").unwrap_or(&position).clone();
    let loaded = open(client, people, json!({"position": position}));
    finish(&loaded, &mut dice);
    ids.truncate(2);
    ids
}

#[test]
fn populations_filters_and_groups_are_told_apart() {
    let (server, folder) = server();
    let client = server.client();
    let of_people = played(&client);
    let all = counted_as(&client, "rosenkoenig", "players=all&loaded=all", 7);
    assert_eq!(all["finished"]["players"], "all");
    filters_leave_out(&client);
    times_are_the_first_and_the_first_not(&client);
    groups_part(&client);
    figures_are_those_of_the_book(&client, &of_people);
    bots_are_players(&client);
    // The command line says the same.
    let queries = [
        ("", vec![]),
        ("players=all&option.light=true", vec!["--players", "all", "--option", "light=true"]),
        ("bot=greedy&group_by=player", vec!["--bot", "greedy", "--group-by", "player"]),
        ("loaded=true&limit=2", vec!["--loaded", "true", "--limit", "2"]),
    ];
    let told = queries.map(|(query, arguments)| (stats(&client, query), arguments));
    server.stop();
    for (told, arguments) in told {
        let stats = [&["stats", "--game", "rosenkoenig"], &arguments[..]].concat();
        let said = run_on(folder.path(), &stats);
        assert_eq!(said.error, "");
        let mut line: Value = serde_json::from_str(&said.ok()).expect("one line of JSON");
        line["position"] = told["position"].clone();
        assert_eq!(line, told, "{arguments:?}");
    }
    refused_on_the_command_line(folder.path());
}

fn filters_leave_out(client: &Client) {
    let plain = stats(client, "");
    assert_eq!((&plain["matches"], &plain["players"]), (&json!(2), &json!("people")));
    assert_eq!(plain["left_out"], 2, "those that began from a position");
    assert_eq!(plain["asked"], json!({"players": "people", "loaded": "false"}));
    for (query, matches) in [
        ("players=bots", 1),
        ("players=mixed", 2),
        ("players=all", 5),
        ("option.light=true", 1),
        ("option.light=false", 1),
        ("option.light=true&players=all", 2),
        ("option.start=random", 2),
        ("option.start=%22random%22&players=all&loaded=all", 7),
        ("option.start=red", 0),
        ("option.colors=[%22red%22,%20%22white%22]", 2),
        ("seats=2", 2),
        ("seats=3", 0),
        ("edition=1&loaded=all", 4),
        ("edition=9", 0),
        ("loaded=true", 2),
        ("branched=true", 1),
        ("branched=false", 3),
        ("loaded=true&branched=false", 1),
        ("bot=greedy", 3),
        ("bot=greedy@1", 0),
        ("bot=greedy@2", 3),
        ("bot=greedy@4000000000", 0),
        ("bot=random", 1),
        ("bot=greedy&players=people", 0),
        ("player=Ada", 2),
        ("player=Ada&players=all", 3),
        ("player=Ada&bot=greedy", 1),
        ("player=greedy&players=all", 0),
        ("player=Nobody", 0),
        ("from=2000-01-01", 2),
        ("from=2100-01-01", 0),
        ("until=2100-01-01T00:00:00Z", 2),
        ("until=2000-01-01", 0),
    ] {
        assert_eq!(stats(client, query)["matches"], matches, "{query}");
    }

    // A bot's seats, and a player's.
    let greedy = stats(client, "bot=greedy");
    assert_eq!((&greedy["points"]["n"], &greedy["points"]["values"]), (&json!(3), &json!(3)));
    assert_eq!(stats(client, "players=all")["points"]["values"], 10);
    let rate = stats(client, "players=all")["wins"]["rate"].clone();
    assert_eq!(rate, 0.5, "one win for two seats");
}

/// A match that ended at `from` counts, one that ended at `until` does not.
fn times_are_the_first_and_the_first_not(client: &Client) {
    let matches = client.get("/v1/tables/matches.ndjson").lines();
    let ended = matches.iter().map(|row| row["finished_at"].as_str().expect("a time"));
    let ended: Vec<&str> = ended.collect();
    assert_eq!(ended.len(), 7);
    for time in &ended {
        // Between this millisecond and the next one nothing ends.
        let later = time.replace('Z', "999Z");
        for (query, count) in [
            (format!("from={later}"), ended.iter().filter(|other| *other > time).count()),
            (format!("until={later}"), ended.iter().filter(|other| *other <= time).count()),
            (format!("from={time}"), ended.iter().filter(|other| *other >= time).count()),
            (format!("until={time}"), ended.iter().filter(|other| *other < time).count()),
            (format!("from={time}&until={time}"), 0),
        ] {
            let found = stats(client, &format!("{query}&players=all&loaded=all"));
            assert_eq!(found["matches"], json!(count), "{query}");
        }
    }
}

fn groups_part(client: &Client) {
    let by = |query: &str| groups(&stats(client, query));
    let light = |value: &str| vec![json!(value)];
    assert_eq!(by("group_by=option.light"), [(light("false"), 1), (light("true"), 1)]);
    let players = [("bots", 1), ("mixed", 2), ("people", 2)];
    assert_eq!(by("group_by=players"), players.map(|(who, n)| (vec![json!(who)], n)));
    let bots = [(Value::Null, 4), (json!("greedy@2"), 3), (json!("random@1"), 1)];
    assert_eq!(by("group_by=bot"), bots.clone().map(|(bot, n)| (vec![bot], n)));
    let persons = [(Value::Null, 3), (json!("Ada"), 3), (json!("Ben"), 2)];
    assert_eq!(by("group_by=player&players=all"), persons.map(|(who, n)| (vec![who], n)));
    let starts = [("false", "false", 2), ("true", "false", 1), ("true", "true", 1)];
    let starts = starts.map(|(loaded, branched, n)| (vec![json!(loaded), json!(branched)], n));
    assert_eq!(by("group_by=loaded,branched"), starts);
    assert_eq!(by("group_by=seats,edition"), [(vec![json!("2"), json!("1")], 2)]);
    assert_eq!(by("group_by=year").len(), 1);
    assert_eq!(by("group_by=day,month").iter().map(|(_, n)| n).sum::<u64>(), 2);
    let first = stats(client, "group_by=bot&limit=1");
    assert_eq!(
        (groups(&first), &first["groups_left_out"]),
        (vec![(vec![Value::Null], 4)], &json!(2))
    );
}

/// The same figures, computed here.
fn figures_are_those_of_the_book(client: &Client, of_people: &[Table]) {
    let plain = stats(client, "");
    let mut points: Vec<i64> = Vec::new();
    for table in of_people {
        let standing = table.info()["standing"].clone();
        let places = standing.as_array().expect("places").iter();
        points.extend(places.map(|place| place["points"].as_i64().expect("points")));
    }
    let means: Vec<f64> = points.chunks(2).map(|pair| (pair[0] + pair[1]) as f64 / 2.0).collect();
    let mean = (means[0] + means[1]) / 2.0;
    let half = 12.706_204_736_174_7 * (means[0] - means[1]).abs() / 2.0;
    let told = |name: &str| plain["points"][name].as_f64().expect("a number");
    assert!((told("mean") - mean).abs() < 1e-9 && (told("low") - (mean - half)).abs() < 1e-8);
    points.sort_unstable();
    assert_eq!(told("median"), (points[1] + points[2]) as f64 / 2.0);
    assert_eq!(
        (plain["points"]["least"].as_i64(), &plain["points"]["method"]),
        (Some(points[0]), &json!("student_t"))
    );
}

fn bots_are_players(client: &Client) {
    let page = |path: &str| client.get(path).ok()["items"].clone();
    let names = |items: Value| -> Vec<(Value, Value, Value)> {
        let items = items.as_array().expect("a list").iter();
        let mut names: Vec<_> = items
            .map(|item| {
                (item["name"].clone(), item["played_by"].clone(), item["bot_version"].clone())
            })
            .collect();
        names.sort_by_key(|(name, _, _)| name.to_string());
        names
    };
    let person = |name: &str| (json!(name), json!("player"), Value::Null);
    let bot = |name: &str, version: u32| (json!(name), json!("bot"), json!(version));
    assert_eq!(names(page("/v1/stats/rosenkoenig/players")), [person("Ada"), person("Ben")]);
    let bots = page("/v1/stats/rosenkoenig/players?players=bots");
    assert_eq!(names(bots), [bot("greedy", 2), bot("random", 1)]);
    assert_eq!(names(page("/v1/players/greedy")), [bot("greedy", 2)]);
    let ada = page("/v1/players/Ada");
    assert_eq!((&ada[0]["first"]["n"], &ada[0]["rated"]), (&json!(3), &json!(3)), "not the bot's");
    let seats = client.get("/v1/tables/seats.ndjson?game=rosenkoenig").lines();
    let seat = |row: &Value| ["name", "played_by", "bot", "bot_version"].map(|of| row[of].clone());
    let has = |wanted: Value| seats.iter().any(|row| json!(seat(row)) == wanted);
    assert!(has(json!(["Ada", "player", null, null])) && has(json!([null, "player", null, null])));
    assert!(has(json!(["greedy", "bot", "greedy", 2])) && has(json!(["Ada", "bot", "greedy", 2])));
}

fn refused_on_the_command_line(data: &Path) {
    for (arguments, name) in [
        (["--seats", "two"], "--seats"),
        (["--group-by", "colour"], "error: --group-by colour: it takes names"),
        (["--group-by", "seats,seats"], "error: --group-by names something twice"),
        (["--option", "speed=1"], "error: --option speed=1: "),
        (["--option", "light=maybe"], "error: --option light=maybe: "),
        (["--from", "yesterday"], "error: --from yesterday: it "),
        (["--option", "light"], "--option"),
        (["--until", "today"], "--until"),
    ] {
        let stats = [&["stats", "--game", "rosenkoenig"], &arguments[..]].concat();
        run_on(data, &stats).failed(2, &[name]);
    }
}

#[test]
fn what_cannot_be_asked_is_told_by_its_name() {
    let (client, _server) = client();
    for (query, name) in [
        ("player_count=2", "player_count"),
        ("nonsense", "nonsense"),
        ("Seats=2", "Seats"),
        ("seats=two", "seats"),
        ("seats=0", "seats"),
        ("seats=02", "seats"),
        ("seats=2&seats=3", "seats"),
        ("players=humans", "players"),
        ("players=", "players"),
        ("edition=0", "edition"),
        ("edition=01", "edition"),
        ("bot=clever", "bot"),
        ("bot=greedy@", "bot"),
        ("bot=greedy@0", "bot"),
        ("bot=greedy@01", "bot"),
        ("player=", "player"),
        ("from=yesterday", "from"),
        ("until=2026-02-30", "until"),
        ("from=2026-11-02&until=2026-11-01", "until"),
        ("loaded=maybe", "loaded"),
        ("branched=1", "branched"),
        ("option.speed=1", "option.speed"),
        ("option.=1", "option."),
        ("option=1", "option"),
        ("group_by=", "group_by"),
        ("group_by=colour", "group_by"),
        ("group_by=option.speed", "group_by"),
        ("group_by=seats,seats", "group_by"),
        ("group_by=seats,edition,bot,player", "group_by"),
        ("limit=0", "limit"),
        ("limit=1001", "limit"),
        ("option.light=TRUE", "option.light"),
        ("option.start=blue", "option.start"),
        ("option.colors=red", "option.colors"),
        ("option.colors=[%22red%22]", "option.colors"),
        ("option.colors=[%22red%22,%22red%22]", "option.colors"),
        ("option.colors=[]", "option.colors"),
    ] {
        let problem =
            client.get(&format!("/v1/stats/rosenkoenig?{query}")).problem(400, "malformed");
        let [place] = problem["errors"].as_array().expect("places").as_slice() else {
            panic!("one place: {problem}");
        };
        assert_eq!(place["pointer"], name, "{query}");
        let detail = problem["detail"].as_str().expect("text");
        assert!(detail.contains(name), "{query}: {detail}");
    }
    let problem = client.get("/v1/stats/copenhagen?option.light=true").problem(400, "malformed");
    assert!(problem["detail"].as_str().is_some_and(|detail| detail.contains("has no options")));
    for (game, query) in [
        ("delphi", "option.colors=[%22red%22,%22red%22]"),
        ("delphi", "option.colors=[%22red%22]"),
        ("delphi", "option.start_seat=4"),
        ("voluspa", "option.custom_types=[%22hel%22,%22hel%22]"),
    ] {
        let path = format!("/v1/stats/{game}");
        client.get(&format!("{path}?{query}")).problem(400, "malformed");
        client.get(&format!("{path}/report?{query}")).problem(400, "malformed");
    }
    client.get("/v1/stats/chess?seats=2").problem(404, "not_found");
    client.get("/v1/stats/rosenkoenig/players?players=mixed").problem(400, "malformed");
}

#[test]
fn an_empty_population_is_null_and_one_match_has_no_interval() {
    let (client, _server) = client();
    let empty = stats(&client, "");
    let names = ["sum", "mean", "standard_error", "low", "high", "deviation", "least"];
    let names = names.into_iter().chain(["lower_quartile", "median", "upper_quartile", "most"]);
    for figure in ["commands", "events", "points"] {
        assert_eq!((&empty[figure]["n"], &empty[figure]["values"]), (&json!(0), &json!(0)));
        for name in names.clone() {
            assert_eq!(empty[figure][name], Value::Null, "{figure} {name}");
        }
    }
    for figure in ["wins", "start_seat"] {
        assert_eq!(empty[figure]["n"], 0);
        for name in ["count", "rate", "low", "high", "even"] {
            assert_eq!(empty[figure][name], Value::Null, "{figure} {name}");
        }
    }
    for list in ["tables", "options", "awards", "pieces", "groups"] {
        assert_eq!(empty[list], json!([]), "{list}");
    }
    // With a name as long as one may be.
    let name = "\u{1f426}".repeat(40);
    open(&client, json!([{"name": name}, {}]), json!({})).finish(&mut Dice::new(2));
    counted_as(&client, "rosenkoenig", "", 1);
    let encoded = "%F0%9F%90%A6".repeat(40);
    let one = stats(&client, &format!("player={encoded}&group_by=player"));
    assert_eq!((&one["matches"], &one["asked"]["player"]), (&json!(1), &json!(name)));
    assert_eq!(groups(&one), [(vec![Value::Null], 1), (vec![json!(name)], 1)]);
    let points = &one["points"];
    assert_eq!((&points["n"], &points["values"]), (&json!(1), &json!(1)));
    assert_eq!((&points["mean"], &points["mean"]), (&points["median"], &points["lower_quartile"]));
    for name in ["low", "high", "standard_error", "deviation"] {
        assert_eq!(points[name], Value::Null, "{name}");
    }
    assert!(one["wins"]["low"].is_f64(), "a rate has an interval from the first match on");
}

#[test]
fn nobody_is_called_as_a_bot_is() {
    let (client, _server) = client();
    for name in [
        "greedy",
        "Greedy",
        "GREEDY",
        "random",
        "greedy 2",
        "greedy@1",
        " random  7 ",
        "ｇｒｅｅｄｙ",
    ] {
        let body = json!({"game": "rosenkoenig", "seats": [{}, {"name": name}]});
        let problem = client.open(&body).problem(400, "malformed");
        assert_eq!(problem["errors"][0]["pointer"], "/seats/1/name", "{name}");
    }
    let waiting = open(&client, json!([{}, {"open": true}]), json!({}));
    client.take_seat(&waiting.id, 1, &json!({"name": "Random"})).problem(400, "malformed");
    client.take_seat(&waiting.id, 1, &json!({"name": "Randomly"})).created();
    open(&client, json!([{}, {"bot": "greedy", "name": "greedy"}]), json!({}));
}

/// What is asked before and after: the answers may differ in how far they go, and in nothing else.
const QUESTIONS: [&str; 12] = [
    "",
    "players=all&loaded=all",
    "players=mixed",
    "player=Eve&players=all&loaded=all",
    "player=Ada&players=all&loaded=all",
    "bot=greedy&loaded=all",
    "group_by=player&players=all&loaded=all",
    "group_by=bot,branched,loaded",
    "group_by=day,players",
    "group_by=option.light,option.start,seats&players=all&loaded=all",
    "from=2000-01-01&until=2100-01-01&players=all&loaded=all",
    "branched=true&players=all",
];

#[test]
fn no_filter_tells_of_private_matches_sandboxes_and_their_branches() {
    let (client, _server) = client();
    let named = json!([{"name": "Ada"}, {"name": "Ben"}]);
    open(&client, named, json!({})).finish(&mut Dice::new(1));
    counted_as(&client, "rosenkoenig", "", 1);
    let ask = || {
        QUESTIONS.map(|query| {
            let mut finished = stats(&client, query);
            for name in ["position", "feed_end", "complete"] {
                finished[name] = Value::Null;
            }
            finished
        })
    };
    let before = ask();
    let eve = json!([{"name": "Eve"}, {"name": "Ada"}]);
    let hidden = json!({"visibility": "private", "options": {"light": true}});
    let private = open(&client, eve.clone(), hidden);
    private.finish(&mut Dice::new(2));
    let bots = json!([{"bot": "greedy"}, {"name": "Eve"}]);
    let with_bot = open(&client, bots, json!({"visibility": "private"}));
    finish(&with_bot, &mut Dice::new(3));
    let branch = private.owner().branch(&private.id, &json!({"at": 4, "seats": eve})).created();
    finish(&Table::read(&client, &branch).through(&private.owner()), &mut Dice::new(4));
    open(&client, json!([{"name": "Eve"}, {}]), json!({"sandbox": {}})).finish(&mut Dice::new(5));
    // Another game's match that ends after them: they were looked at.
    let body = json!({"game": "voluspa", "seats": [{}, {}]});
    Table::open(&client, &body).finish(&mut Dice::new(6));
    counted_as(&client, "voluspa", "", 1);
    assert_eq!(ask(), before);
    client.get("/v1/players/Eve").problem(404, "not_found");
}
