//! The report on a game: a page that opens anywhere, of the matches that were asked for.

use std::fs;
use std::path::Path;

use archive::{Archive, Finish};
use kernel::Lexicon;
use report::{Most, Newest, Report};
use serde_json::json;

use crate::{client, server};
use acceptance::server::Server;
use acceptance::{Dice, Table, muninn, run, simulate};

/// The page as XML, which its SVG must be anyway; nothing in it loads or runs anything.
#[track_caller]
fn checked(page: &str) -> String {
    for bad in ["<script", "href=", "src=", "@import", "url(", "NaN", "inf "] {
        assert!(!page.contains(bad), "{bad} in {page}");
    }
    for svg in page.split("<svg ").skip(1) {
        let end = svg.find("</svg>").expect("an image ends");
        let svg = format!("<svg {}</svg>", &svg[..end]);
        if let Err(error) = roxmltree::Document::parse(&svg) {
            panic!("{error}: {svg}");
        }
    }
    page.to_owned()
}

#[test]
fn a_report_is_a_page_of_the_matches_that_are_asked_for() {
    let (client, _server) = client();
    for seed in 0..6 {
        let people = json!([{"name": "<b>Ada</b>"}, {"name": "Ben & Söhne"}]);
        let table = Table::open(&client, &json!({"game": "rosenkoenig", "seats": people}));
        table.finish(&mut Dice::new(seed));
    }
    let secret = json!({"game": "rosenkoenig", "visibility": "private", "seats": [{"name": "Eve"}, {"name": "Eve"}]});
    Table::open(&client, &secret).finish(&mut Dice::new(9));
    let tried = json!({"game": "rosenkoenig", "seats": [{}, {}], "sandbox": {"fast_forward": {}}});
    assert_eq!(Table::open(&client, &tried).info()["status"], "finished");

    let answer = client.get("/v1/stats/rosenkoenig/report");
    assert_eq!(
        (answer.status, answer.header("content-type")),
        (200, Some("text/html; charset=utf-8"))
    );
    let policy = answer.header("content-security-policy").expect("a policy");
    assert!(policy.contains("default-src 'none'") && policy.contains("sandbox"), "{policy}");
    let page = checked(&answer.text());
    assert!(page.contains("6 finished matches"), "{page}");
    for section in [
        "In short",
        "How long matches take",
        "Points at the end",
        "Does the seat matter?",
        "Where points come from",
        "First moves",
        "What chance drew",
    ] {
        assert!(page.contains(section), "{section}");
    }
    // The figures are those of the statistics.
    let stats = crate::stats::counted(&client, "rosenkoenig", 6);
    let median = stats["finished"]["commands"]["median"].as_f64().expect("a median");
    assert!(page.contains(&format!("the median is {median:.1}.")), "{median}: {page}");

    // Names are text, and those of private matches are nowhere.
    let by_player = checked(&client.get("/v1/stats/rosenkoenig/report?group_by=player").text());
    assert!(by_player.contains("&lt;b&gt;Ada&lt;/b&gt;") && by_player.contains("Ben &amp; S"));
    assert!(!by_player.contains("<b>") && !by_player.contains("Eve"));

    // Nothing to show, and why.
    let none = checked(&client.get("/v1/stats/rosenkoenig/report?players=bots").text());
    assert!(
        none.contains("0 finished matches")
            && none.contains("There are 6 matches with players: people."),
        "{none}"
    );
    let empty = checked(&client.get("/v1/stats/delphi/report").text());
    assert!(empty.contains("No match fits"), "{empty}");

    client.get("/v1/stats/rosenkoenig/report?colour=red").problem(400, "malformed");
    client.get("/v1/stats/chess/report").problem(404, "not_found");
}

#[test]
fn one_match_of_long_names_and_options_is_a_report() {
    let (client, _server) = client();
    let (fox, owl) = ("🦊".repeat(40), "🦉".repeat(40));
    let open = json!({"game": "rosenkoenig", "options": {"light": true, "start": "red"}, "seats": [{"name": fox}, {"name": owl}]});
    Table::open(&client, &open).finish(&mut Dice::new(2));
    let ask = "group_by=player,option.light,option.start";
    let page = checked(&client.get(&format!("/v1/stats/rosenkoenig/report?{ask}")).text());
    assert!(page.contains("1 finished match"), "{page}");
    for whole in [&fox, &owl] {
        assert!(page.contains(whole.as_str()), "the name is there as a whole: {page}");
    }
    // The same without what it is grouped by, and of none.
    let light = client.get("/v1/stats/rosenkoenig/report?option.light=true").text();
    assert!(checked(&light).contains("1 finished match"), "{light}");
    let full = client.get("/v1/stats/rosenkoenig/report?option.light=false").text();
    assert!(checked(&full).contains("0 finished matches"), "{full}");
}

#[test]
fn where_no_first_turn_is_known_the_report_says_so() {
    let (client, _server) = client();
    // A match that begins at its end.
    let fixtures = client.get("/v1/games/rosenkoenig/fixtures").ok();
    let over = fixtures["items"].as_array().and_then(|items| items.last()).expect("the end");
    let open = json!({"game": "rosenkoenig", "seats": [{}, {}], "position": over["position"]});
    assert_eq!(Table::open(&client, &open).info()["status"], "finished");
    let page = checked(&client.get("/v1/stats/rosenkoenig/report?loaded=true").text());
    assert!(page.contains("1 finished match"), "{page}");
    assert!(
        page.contains("No seat is known to have had the first turn in these matches."),
        "{page}"
    );
    assert!(!page.contains("wins –"), "{page}");
}

/// What the command says of the matches of bots, and the page that it writes.
#[track_caller]
fn reported(data: &Path, game: &str, more: &[&str], out: &Path) -> (String, String) {
    let mut report = muninn();
    report.args(["report", "--game", game, "--players", "bots"]).args(more);
    let told = run(report.arg("--data").arg(data).arg("--out").arg(out)).ok();
    (told, fs::read_to_string(out).expect("the page"))
}

#[test]
fn the_command_writes_one_file_for_every_game() {
    for (game, seats) in [("voluspa", 3), ("rosenkoenig", 2), ("copenhagen", 2), ("delphi", 2)] {
        let folder = tempfile::tempdir().expect("a folder");
        let (data, out) = (folder.path().join("data"), folder.path().join("report.html"));
        let asked = format!("--game {game} --seats {seats} --matches 12 --seed 3 --bot greedy");
        simulate(&data, &asked);
        let (told, page) = reported(&data, game, &["--group-by", "seats"], &out);
        assert!(told.starts_with("12 matches, "), "{told}");
        let page = checked(&page);
        let over_time = ["Points by reason in each tenth", "Points by rule in each tenth"];
        for section in ["How bots fare", "greedy@2", "By seats", "What chance drew"]
            .into_iter()
            .chain(over_time)
        {
            assert!(page.contains(section), "{game}: {section}");
        }
        // The same store, the same page.
        let again = folder.path().join("again.html");
        let again = reported(&data, game, &["--group-by", "seats"], &again).1;
        assert_eq!(again, page, "{game}");
    }
}

/// What a page says of chance.
fn chance(page: &str) -> String {
    let at = page.find("What chance drew").expect("the section");
    let table = &page[at..];
    table[..table.find("</table>").expect("its table")].to_owned()
}

#[test]
fn of_matches_that_are_dealt_alike_the_newest_counts_everywhere() {
    let (folder, [data, out]) = acceptance::places(["data", "report.html"]);
    let simulated = |bot: &str, data: &Path| {
        let asked = "--game rosenkoenig --seats 2 --matches 5 --deal-seed 3 --bot";
        simulate(data, &format!("{asked} {bot}"));
    };
    let reported = |data: &Path| chance(&reported(data, "rosenkoenig", &[], &out).1);
    simulated("random", &data);
    let older = reported(&data);
    simulated("greedy", &data);
    let newest = folder.path().join("newest");
    simulated("greedy", &newest);
    let told = reported(&data);
    assert_eq!(told, reported(&newest));
    assert_ne!(told, older, "these bots draw alike");
    let server = Server::start(&data, catalog::games());
    let page = server.client().get("/v1/stats/rosenkoenig/report?players=bots").text();
    assert_eq!(chance(&page), told);
    server.stop();
}

/// However the matches are grouped, the bots are compared in the same ones, and all of them are there.
#[test]
fn bots_are_compared_in_the_matches_of_the_report() {
    let (server, _folder) = server();
    let (folder, [data, out]) = acceptance::places(["data", "report.html"]);
    let position = folder.path().join("position.json");
    let fixtures = server.client().get("/v1/games/rosenkoenig/fixtures").ok();
    fs::write(&position, fixtures["items"][0]["position"].to_string()).expect("written");
    simulate(&data, "--game rosenkoenig --matches 4 --bot greedy,random");
    let loaded = "--game rosenkoenig --matches 3 --bot greedy,random --position";
    simulate(&data, &format!("{loaded} {}", position.display()));
    let asked: [(&[&str], u32); 6] = [
        (&[], 4),
        (&["--group-by", "seats", "--limit", "1"], 4),
        (&["--loaded", "true"], 3),
        (&["--group-by", "loaded"], 7),
        (&["--group-by", "branched", "--loaded", "true"], 3),
        (&["--group-by", "branched"], 7),
    ];
    for (more, matches) in asked {
        let page = checked(&reported(&data, "rosenkoenig", more, &out).1);
        assert!(page.contains(&format!("{matches} finished matches")), "{more:?}: {page}");
        let (_, fare) = page.split_once("How bots fare").expect("the section");
        let table = fare.split("</table>").next().unwrap_or_default();
        for bot in ["greedy@2", "random@1"] {
            let row = format!("<tr><td>{bot}</td><td class=\"figure\">{matches}</td>");
            assert!(table.contains(&row), "{more:?}: {row}: {table}");
        }
    }
}

/// All seats together win each match once, whatever it is: that is not compared.
#[test]
fn groups_are_compared_by_the_seat_that_has_the_first_turn() {
    let (_folder, [data]) = acceptance::places(["data"]);
    for light in [true, false] {
        let asked = "--game rosenkoenig --matches 5 --seed 3 --bot greedy,random --options";
        simulate(&data, &format!("{asked} {{\"light\":{light}}}"));
    }
    let server = Server::start(&data, catalog::games());
    let (client, asked) = (server.client(), "players=bots&group_by=option.light");
    let stats = crate::stats::counted_as(&client, "rosenkoenig", asked, 10);
    let page = checked(&client.get(&format!("/v1/stats/rosenkoenig/report?{asked}")).text());
    let (_, by_light) = page.split_once("By option.light").expect("the section");
    let said = "Wins are those of the seat that has the first turn.";
    assert!(by_light.contains(said), "{by_light}");
    let groups = stats["finished"]["groups"].as_array().expect("groups");
    assert_eq!(groups.len(), 2, "{groups:?}");
    for group in groups {
        let (light, of_start) = (&group["by"][0]["value"], &group["start_seat"]);
        assert_ne!(of_start["rate"], group["wins"]["rate"], "nobody wins half of five matches");
        let [at, low, high] = ["rate", "low", "high"]
            .map(|figure| of_start[figure].as_f64().expect("a figure") * 100.0);
        let row = format!("<tr><td>{}</td>", light.as_str().expect("a value"));
        let (_, row) = by_light.split_once(&row).expect("a row for each group");
        let (row, _) = row.split_once("</tr>").expect("a row ends");
        let last = format!("<td class=\"figure\">{at:.1} % ({low:.1} % to {high:.1} %)</td>");
        assert!(row.ends_with(&last), "{last}: {row}");
    }
    server.stop();
}

#[test]
fn a_report_on_one_player_says_whose_wins_it_shows() {
    let (client, _server) = client();
    for seed in 0..2 {
        let seats = json!([{"name": "Ada"}, {"name": "Ben"}]);
        let table = Table::open(&client, &json!({"game": "rosenkoenig", "seats": seats}));
        table.finish(&mut Dice::new(seed));
    }
    let page =
        |ask: &str| checked(&client.get(&format!("/v1/stats/rosenkoenig/report?{ask}")).text());
    let of_seats = |page: &str| {
        let (_, seats) = page.split_once("Does the seat matter?").expect("the section");
        seats.split("<h2>").next().unwrap_or_default().to_owned()
    };
    let first_turn = "the seat that has the first turn";
    let all = page("group_by=player");
    assert!(all.contains("How often they won."), "{all}");
    let seats = of_seats(&all);
    assert!(seats.contains("How often each seat won.") && seats.contains(first_turn), "{seats}");

    // Her points and wins, and beside them nothing of the others.
    let seats = of_seats(&page("player=Ada"));
    assert!(seats.contains("How often those who are asked for won, by their seat."), "{seats}");
    assert!(!seats.contains("How often each seat won") && !seats.contains(first_turn), "{seats}");
    let by_bot = page("player=Ada&group_by=bot");
    let said = "How often those who are asked for won in these matches.";
    assert!(by_bot.contains(said) && !by_bot.contains("How often they won."), "{by_bot}");
}

/// What a server does: it reads the newest matches, within bounds, and the page says what was left out.
#[test]
fn a_report_reads_no_more_than_it_may() {
    let folder = tempfile::tempdir().expect("a folder");
    simulate(folder.path(), "--game rosenkoenig --matches 6 --seed 3");
    let archive = Archive::open(folder.path(), catalog::games(), 1 << 20).expect("a store");
    let position = archive.position();
    let finishes: Vec<Finish> =
        archive.finishes(0..position).map(|finish| finish.expect("it is read")).collect();
    let versions: Vec<u64> = finishes.iter().map(|finish| finish.version).collect();
    let game = catalog::games().iter().find(|game| game.info().id == "rosenkoenig");
    let game = *game.expect("there is such a game");
    let words = Lexicon::new(game.info(), &[], &[], &[]).expect("they are TOML");
    let bots = [("players".to_owned(), "bots".to_owned())];
    let read = |most: Most| {
        let words = words.of(&["en"]).clone();
        let report = Report::new(game, &bots, words).expect("it is understood");
        let mut newest = Newest::new(report, archive.clone(), position, most);
        while newest.step().expect("the store answers") {}
        let (report, damaged, note) = newest.done();
        assert_eq!(damaged, 0);
        (report.matches(), note.unwrap_or_default())
    };
    let all = Most { matches: 100, events: 1_000_000, commits: u64::MAX, longest: u64::MAX };
    assert_eq!(read(all), (6, String::new()));
    let more = "`muninn report` reads all matches.";
    let two = (2, format!("The newest matches of the game were read, 2 in number. {more}"));
    let of_two = versions[4] + versions[5];
    for most in [
        Most { matches: 2, ..all },
        Most { events: of_two, ..all },
        Most { events: of_two + versions[3] - 1, ..all },
        Most { commits: position - finishes[3].position, ..all },
    ] {
        assert_eq!(read(most), two, "{most:?}");
    }
    let longest = versions.iter().max().expect("there are some") - 1;
    let long = versions.iter().filter(|version| **version > longest).count();
    let left_out = format!("Left out for more than {longest} events: {long}. {more}");
    assert_eq!(read(Most { longest, ..all }), (6 - long, left_out));
}

#[test]
fn a_report_that_cannot_be_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    for (asked, says) in [
        ("report --game chess --data . --out x", "--game chess: no such game"),
        ("report --game delphi --data ./nowhere --out x", "there is no such folder"),
        ("report --game delphi --data . --out x --players none", "--players none: "),
    ] {
        let done = run(muninn().current_dir(folder.path()).args(asked.split(' ')));
        done.failed(2, &[says]);
    }
}
