//! Cases of who knows no rule: from clicks on the picture to a command, in each game.

use std::collections::BTreeSet;

use kernel::Info;
use openapi::StandIns;
use serde_json::{Value, json};

use super::case::{Case, Exchange};
use super::house::{Answer, House, Wrong, post};
use super::table::Table;

/// To which of these versions bots play before somebody chooses: to the one with the best choice.
const VERSIONS: [u64; 5] = [15, 40, 66, 100, 120];

/// The same in a game that is short: the first one with a choice.
const EARLY: [u64; 3] = [8, 4, 2];

/// What choice is the better one to record: one of a command that is neither the first nor the last one, then the one with the most clicks.
type Rank = (bool, usize);

/// A choice that was found in a list of commands.
struct Found {
    rank: Rank,
    clicks: Vec<String>,
    /// How many commands each click leaves.
    left: Vec<usize>,
    /// The one that is left in the end.
    place: usize,
}

/// A choice by clicks, and the picture that is clicked on; nothing in a game where no command is chosen by clicks. With `alike` also the same choice
/// where one spot begins another.
pub(crate) fn choice(
    house: &House,
    stand_ins: &mut StandIns,
    info: &Info,
    alike: bool,
) -> Result<Vec<Case>, Wrong> {
    let (game, include) = (info.id, "spots,labels");
    let mut best: Option<(Table, usize, Answer, Found)> = None;
    for version in VERSIONS.into_iter().chain(EARLY) {
        if best.is_some() && EARLY.contains(&version) {
            break;
        }
        let Some(table) = Table::open(house, stand_ins, info, Some(version))? else { continue };
        if table.info(house)?["active_seat"].is_null() {
            // It has just ended.
            continue;
        }
        let seat = table.active(house)?;
        let path = format!("legal-commands?include={include}");
        let legal = house.ask(&table.read(&path, Some(seat)), 200)?;
        let least = best.as_ref().map_or((false, 0), |(_, _, _, found)| found.rank);
        if let Some(found) = clicks(&legal.json()?["spots"], least) {
            best = Some((table, seat, legal, found));
        }
    }
    let Some((table, seat, legal, found)) = best else { return Ok(Vec::new()) };
    let (told, token) = (legal.json()?, table.token(Some(seat)));
    let command = &told["items"][found.place];
    let mut cases = vec![picture(house, &table, seat, game)?];
    let (before, again) = (table.exchange(house)?, table.exchange(house)?);
    let version = table.version(house)?;
    let path = format!("{}/commands", table.path);
    let body = json!({"command": command});
    let more = "?include=events,legal_commands,spots,labels";
    let done = house.ask(&post(format!("{path}{more}"), &body).token(&token), 201)?;
    let result =
        json!({"left": found.left, "command": command, "version": done.json()?["version"]});
    let case = |name: String, title: &'static str, info: Exchange, listed: Value| {
        let mut task = task("choose", &table, seat);
        (task["include"], task["clicks"]) = (json!(include), json!(found.clicks));
        let list = Exchange::get(&format!("{}/legal-commands", table.path)).token(&token);
        let list = list.query(json!({"include": include})).may("at", version).told(listed);
        let sent = Exchange::post(&path, &body).token(&token).may("include", "*");
        let sent = sent.body_may(json!({"expected_version": version})).answer(&done);
        let case = Case::new(name, title, task).exchange(info).exchange(list).exchange(sent);
        case.result(result.clone())
    };
    let title = "Clicks on spots leave one command, which is sent";
    cases.push(case(format!("choose-{game}"), title, before, legal.recorded()));
    if let Some(spots) = alike.then(|| spots_alike(&told["spots"], &found.clicks)).flatten() {
        let mut listed = legal.recorded();
        listed["json"]["spots"] = spots;
        let title = "A spot whose name begins with that of another one is another spot";
        cases.push(case("choose-alike".to_owned(), title, again, listed));
    }
    Ok(cases)
}

fn task(what: &str, table: &Table, seat: usize) -> Value {
    json!({"do": what, "match": table.id, "seat": seat, "tokens": table.tokens})
}

/// The picture that is clicked on.
fn picture(house: &House, table: &Table, seat: usize, game: &str) -> Result<Case, Wrong> {
    let picture = house.ask(&table.read("board.svg", Some(seat)), 200)?;
    let seen: BTreeSet<&str> = picture
        .text
        .split("data-spot=\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .collect();
    let path = format!("{}/board.svg", table.path);
    let drawn = Exchange::get(&path).token(&table.token(Some(seat)));
    let drawn = drawn.may("theme", "*").may("at", "*").answer(&picture);
    let title = "All spots of a picture are found";
    Ok(Case::new(format!("picture-{game}"), title, task("spots", table, seat))
        .exchange(table.exchange(house)?)
        .exchange(drawn)
        .result(json!({"spots": seen})))
}

/// Whether a command names a spot.
fn names(spots: &Value, spot: &str) -> bool {
    spots.as_array().into_iter().flatten().any(|one| one.as_str() == Some(spot))
}

/// The spots of all commands, one of them renamed: of a command that only the last click rules out, to a name that begins with that of the last
/// click.
fn spots_alike(spots: &Value, clicks: &[String]) -> Option<Value> {
    let (last, before) = clicks.split_last()?;
    let ruled_out =
        |spots: &&Value| !names(spots, last) && before.iter().all(|click| names(spots, click));
    let mut others =
        spots.as_array()?.iter().filter(ruled_out).filter_map(Value::as_array).flatten();
    let clicked = |spot: &Value| clicks.iter().any(|click| spot.as_str() == Some(click.as_str()));
    let other = others.find(|spot| !clicked(spot))?.clone();
    let mut spots = spots.clone();
    let all = spots.as_array_mut()?.iter_mut().filter_map(Value::as_array_mut).flatten();
    for spot in all.filter(|spot| **spot == other) {
        *spot = json!(format!("{last}0"));
    }
    Some(spots)
}

/// The clicks that leave one command, if they are a better choice than this one: of the best ones, the first.
fn clicks(spots: &Value, least: Rank) -> Option<Found> {
    let spots: Vec<Vec<&str>> = spots
        .as_array()
        .into_iter()
        .flatten()
        .map(|spots| spots.as_array().into_iter().flatten().filter_map(Value::as_str).collect())
        .collect();
    let mut best: Option<Found> = None;
    for (place, wanted) in spots.iter().enumerate() {
        let mut left: Vec<usize> = (0..spots.len()).collect();
        let (mut clicks, mut counts) = (Vec::new(), Vec::new());
        for spot in wanted {
            let named = |place: &&usize| spots.get(**place).is_some_and(|s| s.contains(spot));
            let narrowed: Vec<usize> = left.iter().filter(named).copied().collect();
            if narrowed.len() < left.len() {
                left = narrowed;
                clicks.push((*spot).to_owned());
                counts.push(left.len());
            }
        }
        let rank = (place > 0 && place + 1 < spots.len(), clicks.len());
        if left == [place] && rank > best.as_ref().map_or(least, |found| found.rank) {
            best = Some(Found { rank, clicks, left: counts, place });
        }
    }
    best
}
