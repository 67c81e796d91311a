//! Cases of who knows no rule: from clicks on the picture to a command, in each game.

use std::collections::BTreeSet;

use openapi::StandIns;
use serde_json::{Value, json};

use super::case::{Case, Exchange};
use super::house::{Answer, House, Wrong, post};
use super::table::Table;

/// To which of these versions bots play before somebody chooses: to the one where that takes the most clicks.
const VERSIONS: [u64; 5] = [15, 40, 66, 100, 120];

/// Clicks, how many commands each of them leaves, and which one is left.
type Clicks = (Vec<String>, Vec<usize>, usize);

/// A choice by clicks, and the picture that is clicked on.
pub(crate) fn choice(
    house: &House,
    stand_ins: &mut StandIns,
    game: &str,
) -> Result<Vec<Case>, Wrong> {
    let include = "spots,labels";
    let mut best: Option<(Table, usize, Answer, Clicks)> = None;
    for version in VERSIONS {
        let Some(table) = Table::open(house, stand_ins, game, Some(version))? else { continue };
        let seat = table.active(house)?;
        let path = format!("legal-commands?include={include}");
        let legal = house.ask(&table.read(&path, Some(seat)), 200)?;
        let longest = best.as_ref().map_or(0, |(_, _, _, (clicks, _, _))| clicks.len());
        if let Some(found) = clicks(&legal.json()?["spots"], longest) {
            best = Some((table, seat, legal, found));
        }
    }
    let (table, seat, legal, (clicks, left, chosen)) =
        best.ok_or_else(|| format!("{game}: no command is chosen by clicks"))?;
    let (told, token) = (legal.json()?, table.token(Some(seat)));
    let info = || table.exchange(house);
    let command = &told["items"][chosen];
    let task =
        |what: &str| json!({"do": what, "match": table.id, "seat": seat, "tokens": table.tokens});

    let picture = house.ask(&table.read("board.svg", Some(seat)), 200)?;
    let seen: BTreeSet<&str> = picture
        .text
        .split("data-spot=\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .collect();
    let path = format!("{}/board.svg", table.path);
    let drawn = Exchange::get(&path).token(&token).may("theme", "*").may("at", "*");
    let picture =
        Case::new(format!("picture-{game}"), "All spots of a picture are found", task("spots"))
            .exchange(info()?)
            .exchange(drawn.answer(&picture))
            .result(json!({"spots": seen}));

    let mut chosen = task("choose");
    (chosen["include"], chosen["clicks"]) = (json!(include), json!(clicks));
    let title = "Clicks on spots leave one command, which is sent";
    let path = format!("{}/legal-commands", table.path);
    let listed = Exchange::get(&path).token(&token).query(json!({"include": include}));
    let case = Case::new(format!("choose-{game}"), title, chosen).exchange(info()?);
    let version = table.version(house)?;
    let path = format!("{}/commands", table.path);
    let body = json!({"command": command});
    let told = "?include=events,legal_commands,spots,labels";
    let done = house.ask(&post(format!("{path}{told}"), &body).token(&token), 201)?;
    let sent = Exchange::post(&path, &body).token(&token).may("include", "*");
    let sent = sent.body_may(json!({"expected_version": version})).answer(&done);
    let result = json!({"left": left, "command": command, "version": done.json()?["version"]});
    let case = case.exchange(listed.may("at", version).answer(&legal)).exchange(sent);
    Ok(vec![picture, case.result(result)])
}

/// The clicks that leave one command, if they are more than so many: of those with the most clicks, the first.
fn clicks(spots: &Value, mut longest: usize) -> Option<Clicks> {
    let spots: Vec<Vec<&str>> = spots
        .as_array()
        .into_iter()
        .flatten()
        .map(|spots| spots.as_array().into_iter().flatten().filter_map(Value::as_str).collect())
        .collect();
    let mut found = None;
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
        if left == [place] && clicks.len() > longest {
            longest = clicks.len();
            found = Some((clicks, counts, place));
        }
    }
    found
}
