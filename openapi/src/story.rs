//! The story: one of each, on a match that was played before, one that is opened from a fixed position, and one that is given up.

use std::iter;
use std::path::Path;

use actix_web::rt::System;
use engine::{Config, Engine, Simulation};
use journal::Bytes32;
use kernel::Info;
use serde_json::{Value, json};

use crate::Failure;
use crate::document::BEGINNING;
use crate::session::{Session, cut, get, post};

/// The game that is played.
const GAME: &str = "rosenkoenig";

/// An idempotency key: a UUID.
const KEY: &str = "6f1c2a8e-3b7d-4c59-9e04-d2a85f7b1c63";

/// No body at all.
const NOTHING: &Value = &Value::Null;

/// Records the examples and returns them as the text of `examples.json`. Queries run in `program`, the one of this crate.
///
/// # Errors
/// If the server does not start, or answers otherwise than the story expects.
pub fn record(program: &Path) -> Result<String, Failure> {
    let folder = tempfile::tempdir()?;
    let seed = play_before(folder.path())?;
    let mut session = Session::start(folder.path(), program)?;
    session.keep_seed(seed);
    let listed = session.ask(&get("/v1/matches"), 200)?;
    let finished = path_of(&listed["items"][0]);
    operation(&mut session)?;
    stats(&mut session)?;
    tables(&mut session)?;
    games(&mut session)?;
    let position = positions(&mut session)?;
    for game in catalog::games() {
        begun(&mut session, game.info())?;
    }
    given_up(&mut session)?;
    let live = played(&mut session, &position)?;
    watched(&mut session, &live)?;
    looked_back(&mut session, &finished)?;
    went_on(&mut session, &finished)?;
    session.finish(GAME)
}

/// A whole random match, the same each time, is in the store before the server starts. Returns its seed.
fn play_before(folder: &Path) -> Result<Bytes32, Failure> {
    let simulation = Simulation {
        game: GAME.to_owned(),
        seats: 2,
        deals: 1,
        deal_seed: 1,
        bot_seed: 1,
        ..Simulation::default()
    };
    let engine = Engine::start(folder, catalog::games(), &Config::default())?;
    Ok(System::new().block_on(engine.play_kept(&simulation, 0))?.seed)
}

fn path_of(described: &Value) -> String {
    let id = described["match"].as_str().unwrap_or_default();
    format!("/v1/matches/{id}")
}

fn operation(session: &mut Session) -> Result<(), Failure> {
    session.record("getHealth", "alive", 200, &get("/healthz"))?;
    session.record("getReadiness", "ready", 200, &get("/readyz"))?;
    session.record("listDamaged", "none", 200, &get("/v1/damaged"))?;
    session.record_part("getOpenapi", "head", 200, &get("/openapi.json"), |document| {
        retain(document, &["openapi", "info"]);
    })?;
    session.record_part("getAsyncapi", "head", 200, &get("/asyncapi.json"), |document| {
        retain(document, &["asyncapi", "id", "info"]);
    })?;
    Ok(())
}

/// Statistics of the match that was played before.
fn stats(session: &mut Session) -> Result<(), Failure> {
    let known = format!("/v1/stats/{GAME}");
    session.record("getGameStats", "unknown_game", 404, &get("/v1/stats/chess"))?;
    let grouped = format!("{known}?players=bots&group_by=seats");
    session.record("getGameStats", "one_match", 200, &get(grouped))?;
    let unknown = format!("{known}?player_count=2");
    session.record("getGameStats", "unknown_parameter", 400, &get(unknown))?;
    let report = format!("{known}/report?players=bots");
    session.record("getGameReport", "bots", 200, &get(report))?;
    let players = format!("{known}/players?players=bots");
    session.record("listGamePlayers", "bots", 200, &get(players))?;
    session.record("getPlayer", "bot", 200, &get("/v1/players/random"))?;
    session.record("getPlayer", "unknown", 404, &get("/v1/players/nobody"))?;
    Ok(())
}

/// The finished match as tables, and SQL over them.
fn tables(session: &mut Session) -> Result<(), Failure> {
    session.record("listTables", "beginning", 200, &get("/v1/tables"))?;
    for (operation, file) in [
        ("getTableCsv", "seats.csv"),
        ("getTableNdjson", "seats.ndjson"),
        ("getTableParquet", "seats.parquet"),
    ] {
        let path = format!("/v1/tables/{file}?game={GAME}");
        session.record(operation, "first_row", 200, &get(path))?;
    }
    let all = get("/v1/tables.tar?format=csv");
    session.record("getTablesTar", "first_file", 200, &all)?;
    let unknown = get("/v1/tables/players.csv");
    session.record("getTableCsv", "unknown_table", 404, &unknown)?;
    let schema = get("/v1/query/schema");
    session.record_part("getQuerySchema", "beginning", 200, &schema, |answer| {
        // It is longer than that of the tables.
        answer["items"] = json!([answer["items"][0]]);
        answer["items"][0]["columns"] = json!([answer["items"][0]["columns"][0]]);
    })?;
    let path = "/v1/query";
    let sql = "SELECT reason, count(*) AS awards, sum(points) AS points FROM awards GROUP BY reason ORDER BY points DESC";
    let body = json!({"sql": sql});
    // How long it took differs each time.
    session.record_part("runQuery", "points_by_reason", 200, &post(path, &body), |answer| {
        answer["took_ms"] = json!(1);
    })?;
    for (operation, file) in
        [("runQueryCsv", "/v1/query.csv"), ("runQueryParquet", "/v1/query.parquet")]
    {
        session.record(operation, "points_by_reason", 200, &post(file, &body))?;
    }
    let wrong = json!({"sql": "SELECT point FROM awards"});
    session.record("runQuery", "unknown_column", 422, &post(path, &wrong))?;
    let writes = json!({"sql": "DROP TABLE awards"});
    session.record("runQuery", "which_writes", 403, &post(path, &writes))?;
    Ok(())
}

fn games(session: &mut Session) -> Result<(), Failure> {
    session.record("listGames", "catalogue", 200, &get("/v1/games"))?;
    let path = format!("/v1/games/{GAME}");
    session.record_part("getGame", "in_part", 200, &get(path.clone()), |game| {
        cut(game);
        // Tools follow references even inside an example.
        retain(&mut game["schemas"], &[]);
    })?;
    let fixtures = get(format!("/v1/games/{GAME}/fixtures"));
    session.record_part("listFixtures", "the_first", 200, &fixtures, |page| {
        page["items"] = json!([page["items"][0]]);
    })?;
    session.record("getGame", "unknown_game", 404, &get("/v1/games/chess"))?;
    let drawn = format!("/v1/games/{GAME}/board.svg?fixture=turn&shape=board");
    session.record("getGameSvg", "beginning", 200, &get(drawn))?;
    session.record_part(
        "getWords",
        "in_part",
        200,
        &get(format!("{path}/words?lang=de")),
        |words| {
            for section in words.as_object_mut().into_iter().flat_map(|words| words.values_mut()) {
                let first = section.as_object().and_then(|entries| entries.keys().next().cloned());
                retain(section, &[first.as_deref().unwrap_or_default()]);
            }
        },
    )?;
    session.record("getWords", "unknown_game", 404, &get("/v1/games/chess/words"))?;
    Ok(())
}

/// Leaves only these fields of an object.
fn retain(json: &mut Value, names: &[&str]) {
    if let Some(fields) = json.as_object_mut() {
        fields.retain(|name, _| names.contains(&name.as_str()));
    }
}

/// Fresh positions and what-if. Returns a position that is the same each time.
fn positions(session: &mut Session) -> Result<Value, Failure> {
    let seed = Bytes32::hash(&[b"a seed for examples"]);
    session.keep_seed(seed);
    let seed = seed.hex();
    let path = format!("/v1/games/{GAME}/positions");
    let body = json!({"options": {"start": "red"}, "seats": 2, "chance": {"seed": seed}});
    let start = session.record("createPosition", "from_a_seed", 200, &post(&path, &body))?;
    let body = json!({"options": null, "seats": 3, "chance": null});
    session.record("createPosition", "three_seats", 422, &post(&path, &body))?;
    let position = start["position"].clone();

    let names = json!(["Ada", "Grace"]);
    let body = json!({"position": position, "viewer": 0, "names": names});
    // One example of each: positions are long, and the document is loaded by every client.
    for (operation, file) in [("drawSvg", "board.svg"), ("drawText", "board.txt")] {
        let draw = post(format!("/v1/games/{GAME}/{file}"), &body);
        session.record(operation, "a_start_position", 200, &draw)?;
    }

    let path = format!("/v1/games/{GAME}/analysis");
    let mut commands = Vec::new();
    for _ in 0..2 {
        let body = json!({"position": position, "commands": commands, "chance": {"seed": seed}});
        let analysed = session.ask(&post(&path, &body), 200)?;
        commands.push(first_play(&analysed["legal_commands"])?);
    }
    let body = json!({
        "position": position,
        "commands": commands,
        "chance": {"seed": seed},
        "include": ["legal_commands"],
    });
    let mut refuse = |name: &str, change: &dyn Fn(&mut Value)| {
        let mut body = body.clone();
        change(&mut body);
        session.record("analyse", name, 422, &post(&path, &body))
    };
    refuse("stone_missing", &|body| body["position"]["stones_left"] = json!(51))?;
    refuse("outcome_too_many", &|body| body["chance"] = json!({"outcomes": ["n1"]}))?;
    refuse("hero_too_many", &|body| body["commands"][0]["hero"] = json!(true))?;
    session.record("analyse", "a_turn_each", 200, &post(&path, &body))?;
    Ok(position)
}

fn first_play(commands: &Value) -> Result<Value, Failure> {
    let mut commands = commands.as_array().into_iter().flatten();
    let play = commands.find(|command| command["type"] == "PlayCard");
    Ok(play.ok_or("no card can be played")?.clone())
}

/// What succeeds as it stands when somebody tries it with a game: a match that is dealt alike each time, and its first command; a match that
/// is played once more from its start; a position, and what becomes of it.
fn begun(session: &mut Session, info: &'static Info) -> Result<(), Failure> {
    let (game, least) = (info.id, usize::from(*info.seats.start()));
    let seed = Bytes32::hash(&[b"a seed for examples"]).hex();
    let names = ["Ada", "Grace"].iter().map(|name| json!({"name": name}));
    let seats: Vec<Value> = names.chain(iter::repeat(json!({}))).take(least).collect();
    let open = json!({
        "game": game,
        "seats": seats,
        "sandbox": {"seed": seed},
    });
    let open = post("/v1/matches", &open);
    let opened = match game {
        GAME => session.record("openMatch", BEGINNING, 201, &open)?,
        game => session.begin(game, "openMatch", 201, &open)?,
    };
    let path = path_of(&opened);
    let active = session.ask(&get(&path), 200)?["active_seat"].as_u64().unwrap_or_default();
    let token = &opened["seat_tokens"][usize::try_from(active)?];
    let legal = session.ask(&get(format!("{path}/legal-commands")).token(token), 200)?;
    let command = json!({"command": legal["items"][0]});
    let submit = post(format!("{path}/commands"), &command).token(token);
    let seats = vec![json!({}); least];
    let over =
        json!({"game": game, "seats": seats, "sandbox": {"fast_forward": {"bot": "greedy"}}});
    let over = path_of(&session.ask(&post("/v1/matches", &over), 201)?);
    let first = session.ask(&get(format!("{over}/commits?limit=1")), 200)?;
    // Every match of a game with as many seats is set up by as many events.
    let branch = json!({"at": first["items"][0]["last_version"]});
    let branch = post(format!("{over}/branches"), &branch);
    if game == GAME {
        session.record("submitCommand", BEGINNING, 201, &submit)?;
        session.record("createBranch", BEGINNING, 201, &branch)?;
        return Ok(());
    }
    session.begin(game, "submitCommand", 201, &submit)?;
    session.begin(game, "createBranch", 201, &branch)?;
    let fresh = json!({"seats": least, "chance": {"seed": seed}});
    let fresh = post(format!("/v1/games/{game}/positions"), &fresh);
    let fresh = session.begin(game, "createPosition", 200, &fresh)?;
    let position = &fresh["position"];
    let body = json!({"position": position, "commands": [], "include": ["legal_commands"]});
    session.begin(game, "analyse", 200, &post(format!("/v1/games/{game}/analysis"), &body))?;
    Ok(())
}

/// A match with an open seat, which its owner closes.
fn given_up(session: &mut Session) -> Result<(), Failure> {
    let open = json!({
        "game": GAME,
        "options": {"start": "red", "light": true},
        "seats": [{"name": "Ada"}, {"open": true}],
    });
    let keyed = post("/v1/matches", &open).header("Idempotency-Key", KEY);
    let opened = session.record("openMatch", "a_seat_stays_open", 201, &keyed)?;
    let named = json!({"game": GAME, "seats": [{"name": "Ada"}, {"name": "Grace"}]});
    session.record("openMatch", "a_new_match", 201, &post("/v1/matches", &named))?;
    let other = json!({"game": GAME, "seats": [{}, {}]});
    let reused = post("/v1/matches", &other).header("Idempotency-Key", KEY);
    session.record("openMatch", "key_used_before", 409, &reused)?;
    let drawn = session.record("drawSeed", "a_ticket", 201, &post("/v1/seeds", NOTHING))?;
    let nonce = Bytes32::hash(&[b"as good as chance"]).hex();
    let mut fair = named.clone();
    (fair["ticket"], fair["nonce"]) = (drawn["ticket"].clone(), json!(nonce));
    let fair = post("/v1/matches", &fair);
    session.record("openMatch", "with_a_ticket_and_a_nonce", 201, &fair)?;
    session.record("openMatch", "ticket_used_before", 409, &fair)?;
    let wrong = json!({"game": GAME, "seats": [{}, {}, {}]});
    session.record("openMatch", "three_seats", 422, &post("/v1/matches", &wrong))?;
    let text = post("/v1/matches", &other).header("Content-Type", "text/plain");
    session.ask(&text, 415)?;

    let path = path_of(&opened);
    session.record("getMatch", "waiting", 200, &get(&path))?;
    let (seat, owner) = (&opened["seat_tokens"][0], &opened["owner_token"]);
    let draw = json!({"command": {"type": "DrawCard"}});
    let early = post(format!("{path}/commands"), &draw).token(seat);
    session.record("submitCommand", "before_the_start", 409, &early)?;
    let join = json!({"name": "Grace"});
    let seats = post(format!("{path}/seats/1"), &join);
    session.record("takeSeat", "as_grace", 201, &seats)?;
    session.record("takeSeat", "too_late", 409, &seats)?;
    let close = post(format!("{path}/close"), NOTHING);
    session.record("closeMatch", "without_a_token", 401, &close)?;
    session.record("closeMatch", "as_a_player", 403, &close.clone().token(seat))?;
    session.record("closeMatch", "as_its_owner", 200, &close.token(owner))?;
    Ok(())
}

/// A live match.
struct Live {
    path: String,
    /// The token of the seat that acted first, and of the other.
    tokens: [Value; 2],
}

/// A match from the fixed position: looks, commands, and a take-back.
fn played(session: &mut Session, position: &Value) -> Result<Live, Failure> {
    let open = json!({
        "game": GAME,
        "seats": [{"name": "Ada"}, {"name": "Grace"}],
        "position": position,
        "take_back": true,
    });
    let opened =
        session.record("openMatch", "from_a_position", 201, &post("/v1/matches", &open))?;
    let path = path_of(&opened);
    let first = position["active_seat"].as_u64().unwrap_or_default();
    let token = |seat| opened["seat_tokens"].get(seat).cloned().unwrap_or_default();
    let tokens = if first == 0 { [token(0), token(1)] } else { [token(1), token(0)] };
    let [own, other] = &tokens;

    session.record("getView", "as_a_seat", 200, &get(format!("{path}/view")).token(own))?;
    let legal = get(format!("{path}/legal-commands"));
    session.record("listLegalCommands", "as_a_spectator", 401, &legal)?;
    session.record("listLegalCommands", "out_of_turn", 200, &legal.clone().token(other))?;
    let chosen = get(format!("{path}/legal-commands?include=spots,labels")).token(own);
    session.record("listLegalCommands", "live_with_spots_and_labels", 200, &chosen)?;
    let hints = get(format!("{path}/legal-commands?include=points")).token(own);
    session.record("listLegalCommands", "live_with_points", 200, &hints)?;
    let legal = session.record("listLegalCommands", "live", 200, &legal.token(own))?;

    let play = first_play(&legal["items"])?;
    let live = Live { path, tokens };
    acted(session, &live, &play)?;
    Ok(live)
}

/// Commands, good ones and others, and a take-back.
fn acted(session: &mut Session, live: &Live, play: &Value) -> Result<(), Failure> {
    let Live { path, tokens: [own, other] } = live;
    let command = json!({"command": play, "expected_version": 2});
    let commands = format!("{path}/commands");
    let submit = |token| post(&commands, &command).token(token);
    session.record("submitCommand", "not_ones_turn", 409, &submit(other))?;
    let nobody = json!(Bytes32::hash(&[b"nobody"]).hex());
    session.record("submitCommand", "unknown_token", 401, &submit(&nobody))?;
    let dry = post(format!("{commands}?dry_run=true"), &command).token(own);
    session.record("submitCommand", "dry_run", 200, &dry)?;
    let half = json!({"command": {"type": "PlayCard"}});
    let half = post(format!("{commands}?dry_run=true"), &half).token(own);
    session.record("submitCommand", "half_a_command", 200, &half)?;
    session.record("submitCommand", "a_card_is_played", 201, &submit(own))?;
    session.record("submitCommand", "too_late", 409, &submit(own))?;
    let take_back = post(format!("{path}/take-back"), NOTHING).token(own);
    session.record("takeBack", "at_once", 201, &take_back)?;
    session.record("takeBack", "nothing_left", 422, &take_back)?;
    let mut heroic = command.clone();
    heroic["expected_version"] = Value::Null;
    heroic["command"]["hero"] = json!(true);
    let heroic = post(&commands, &heroic).token(own);
    session.record("submitCommand", "without_need_of_a_hero", 422, &heroic)?;
    let again = json!({"command": command["command"]});
    let told = post(format!("{commands}?include=events,legal_commands"), &again).token(own);
    session.record("submitCommand", "with_what_came_of_it", 201, &told)?;
    Ok(())
}

/// The live match as others see it.
fn watched(session: &mut Session, live: &Live) -> Result<(), Failure> {
    let Live { path, tokens: [own, _] } = live;
    session.record("getMatch", "running", 200, &get(path))?;
    session.record("getView", "as_a_spectator", 200, &get(format!("{path}/view?at=1")))?;
    let pieces = get(format!("{path}/view?include=pieces"));
    session.record_part("getView", "with_pieces", 200, &pieces, |view| {
        view["pieces"] = json!([view["pieces"][0], view["pieces"][1]]);
    })?;
    session.record("getFixedView", "fixed", 200, &get(format!("{path}/view/fixed")))?;
    let patch = get(format!("{path}/view/patch?since=1&at=3")).token(own);
    session.record("getViewPatch", "of_two_events", 200, &patch)?;
    let changing = get(format!("{path}/view/changing")).token(own);
    session.record("getChangingView", "as_a_seat", 200, &changing)?;
    session.record("getView", "unknown_version", 422, &get(format!("{path}/view?at=999")))?;
    for (operation, file) in [("getBoardSvg", "board.svg"), ("getBoardText", "board.txt")] {
        let look = get(format!("{path}/{file}?at=1"));
        session.record(operation, "as_a_spectator", 200, &look)?;
    }
    let commits = get(format!("{path}/commits?after=1&limit=1&include=moves")).token(own);
    session.record("listCommits", "live", 200, &commits)?;
    session.record("listEvents", "live", 200, &get(format!("{path}/events?after=1&limit=3")))?;
    session.record("getLedger", "of_a_seat", 200, &get(format!("{path}/ledger?seat=0")))?;
    session.record("getPosition", "before_the_end", 403, &get(format!("{path}/position")))?;
    session.record(
        "createBranch",
        "before_the_end",
        403,
        &post(format!("{path}/branches"), &json!({"at": 1})),
    )?;
    session.record("listCommits", "no_number", 400, &get(format!("{path}/commits?after=one")))?;
    Ok(())
}

/// The finished match, at any version.
fn looked_back(session: &mut Session, path: &str) -> Result<(), Failure> {
    session.record("getMatch", "finished", 200, &get(path))?;
    session.record("getPosition", "at_the_start", 200, &get(format!("{path}/position?at=1")))?;
    session.record("getLedger", "last_entries", 200, &get(format!("{path}/ledger?after=46")))?;
    session.record("getReplay", "first_frame", 200, &get(format!("{path}/replay?to=1")))?;
    session.record("getReplay", "beyond_the_end", 422, &get(format!("{path}/replay?from=9999")))?;
    session.record("listCommits", "finished", 200, &get(format!("{path}/commits?limit=2")))?;
    session.record("listEvents", "finished", 200, &get(format!("{path}/events?limit=2")))?;
    let commits = get(format!("{path}/commits?limit=1000"));
    let commits = session.ask(&commits, 200)?;
    let last = commits["items"].as_array().and_then(|items| items.last());
    let last = last.map(|commit| commit["last_version"].clone()).unwrap_or_default();
    session.record("getStream", "first_message", 200, &get(format!("{path}/stream?after=1")))?;
    session.ask(&get(format!("{path}/stream?after={last}")), 204).map(drop)?;
    Ok(())
}

/// What begins at the finished match, and the lists of all matches.
fn went_on(session: &mut Session, path: &str) -> Result<(), Failure> {
    let branch = json!({"at": 40, "seats": [{"name": "Ada"}, {"name": "Grace"}]});
    session.record(
        "createBranch",
        "again_with_other_players",
        201,
        &post(format!("{path}/branches"), &branch),
    )?;
    let unknown = json!({"at": 9999});
    session.record(
        "createBranch",
        "unknown_version",
        422,
        &post(format!("{path}/branches"), &unknown),
    )?;
    session.record("listMatches", "newest_first", 200, &get("/v1/matches?limit=2"))?;
    session.record("listMatches", "limit_too_large", 400, &get("/v1/matches?limit=5000"))?;
    session.record("listFeed", "from_the_beginning", 200, &get("/v1/events?limit=2"))?;
    session.record("getFeed", "first_line", 200, &get("/v1/events.ndjson?limit=1"))?;
    Ok(())
}
