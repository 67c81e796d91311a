//! What a person clicks to give a command is in the picture, and tells it from all others.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use canvas::{Scene, Shape, Style, Theme};
use kernel::{AnyGame, AnyMatch, Choice, Lexicon, Viewer, Words};
use serde_json::Value;
use testkit::Dice;

use crate::matches::{legal, options, picture_of, pictures, started};

/// How many commits of each match are looked at: with all games, seats and options some thousands.
const COMMITS: usize = 150;

/// Calls `see` with the positions of random matches in which a seat is to act. Players lean to what brings points, so that matches come
/// to their later phases too.
pub(crate) fn positions(game: &'static dyn AnyGame, mut see: impl FnMut(&dyn AnyMatch)) {
    for seats in game.info().seats.clone() {
        for options in options(game.info().id) {
            let mut dice = Dice::new(u64::from(seats) + 40);
            let mut state = started(game, options, seats.into(), &mut dice).state;
            for _ in 0..COMMITS {
                if state.active_seat().is_none() {
                    break;
                }
                see(state.as_ref());
                let legal = legal(state.as_ref());
                let chosen = &legal[dice.lean(&state.prospects())];
                state = state.decide(chosen, &mut dice).expect("it is legal").state;
            }
        }
    }
}

/// The spots of the picture that this viewer gets.
pub(crate) fn drawn(
    state: &dyn AnyMatch,
    picture: &canvas::Picture,
    viewer: Viewer,
) -> BTreeSet<String> {
    let view = state.view(viewer);
    let style = Style { theme: Theme::Light, shape: Shape::Wide };
    let svg = (picture.svg)(&Scene::new(picture.game, &view, viewer), style);
    let svg = svg.expect("a view of this game");
    let spots = svg.split("data-spot=\"").skip(1);
    spots.filter_map(|rest| Some(rest.split_once('"')?.0.to_owned())).collect()
}

/// The words of a game in each of its languages.
pub(crate) fn languages(game: &dyn AnyGame) -> Vec<Arc<Words>> {
    let lexicon = Lexicon::new(game.info(), &game.rules(), &[], &[]).expect("TOML");
    lexicon.languages().map(|language| Arc::clone(lexicon.of(&[language]))).collect()
}

#[test]
fn every_spot_of_a_command_is_in_the_picture_of_its_seat() {
    let (mut positions_seen, mut missing) = (0, BTreeSet::new());
    for (picture, game) in pictures() {
        let languages = languages(game);
        let words = &languages[0];
        positions(game, |state| {
            positions_seen += 1;
            let viewer = Viewer::Seat(state.active_seat().expect("it runs"));
            let shown = drawn(state, picture, viewer);
            for words in &languages {
                let said = |spot: &&String| {
                    words
                        .spot(spot)
                        .is_some_and(|text| !text.is_empty() && !text.contains(['{', '_']))
                };
                let unsaid = shown.iter().filter(|spot| !said(spot));
                missing.extend(unsaid.map(|spot| {
                    format!("{} {}: no words for {spot}", picture.game, words.language)
                }));
            }
            for Choice { spots, label } in state.choices(words).1 {
                let gone = spots.into_iter().filter(|spot| !shown.contains(spot));
                missing.extend(gone.map(|spot| format!("{}, {label}: {spot}", picture.game)));
                // Some will do.
                while missing.len() > 20 {
                    missing.pop_last();
                }
            }
        });
    }
    assert!(missing.is_empty(), "{missing:#?}");
    assert!(positions_seen > 2_000, "only {positions_seen} positions");
}

#[test]
fn spots_and_label_tell_every_command_from_all_others() {
    let mut alike = BTreeSet::new();
    for (_, game) in pictures() {
        let languages = languages(game);
        positions(game, |state| {
            for words in &languages {
                let (_, choices) = state.choices(words);
                assert_eq!(choices.len(), state.legal_count());
                let mut known = BTreeSet::new();
                for Choice { mut spots, label } in choices {
                    let odd = ["{", "}", "[", "]", "_", "  "].iter().any(|odd| label.contains(odd));
                    assert!(!label.is_empty() && !odd, "{label}");
                    spots.sort();
                    if !known.insert((spots, label.clone())) {
                        alike.insert(format!("{}: {label}", words.language));
                    }
                }
            }
        });
    }
    assert!(alike.is_empty(), "{alike:#?}");
}

#[test]
fn neighbours_of_the_start_tile_can_be_told_apart() {
    let (_, voluspa) = picture_of("voluspa");
    let state = started(voluspa, "{}", 2, &mut Dice::new(3)).state;
    for words in languages(voluspa) {
        let (_, choices) = state.choices(&words);
        let legal: Vec<Value> = serde_json::from_str(state.legal_commands().get()).expect("a list");
        let of = |x: i64, y: i64| {
            let at = serde_json::json!({"x": x, "y": y});
            let place = legal.iter().position(|command| command["at"] == at).expect("a neighbour");
            &choices[place]
        };
        let (above, left) = (of(0, -1), of(-1, 0));
        assert_eq!(above.spots.last().map(String::as_str), Some("cell:0,-1"));
        assert_eq!(left.spots.last().map(String::as_str), Some("cell:-1,0"));
        assert!(above.label.contains("(0, -1)") && left.label.contains("(-1, 0)"));
    }
}

/// The cells among these spots, in their order.
fn cells(spots: &[String]) -> Vec<(i64, i64)> {
    let cells = spots.iter().filter_map(|spot| spot.strip_prefix("cell:")?.split_once(','));
    cells.map(|(x, y)| (x.parse().expect("a column"), y.parse().expect("a row"))).collect()
}

#[test]
fn a_tile_names_all_cells_that_it_covers_and_where_another_is_pushed() {
    let (mut covered, mut pushed) = (0, 0);
    for (_, game) in pictures() {
        let id = game.info().id;
        if !["copenhagen", "voluspa"].contains(&id) {
            continue;
        }
        let words = &languages(game)[0];
        positions(game, |state| {
            let (listed, choices) = state.choices(words);
            let legal: Vec<Value> = serde_json::from_str(listed.get()).expect("a list");
            for (command, Choice { spots, label: _ }) in legal.iter().zip(choices) {
                if command["type"] != "PlaceTile" {
                    continue;
                }
                let cells = cells(&spots);
                let tile = command["tile"].as_str().expect("a tile");
                if id == "copenhagen" {
                    let (_, size) = tile.split_once('_').expect("a color and a size");
                    // Row by row, as one would click.
                    let by_row = |(x, y): &(i64, i64)| (*y, *x);
                    assert!(
                        cells.is_sorted_by(|one, next| by_row(one) < by_row(next)),
                        "{spots:?}"
                    );
                    assert_eq!(cells.len().to_string(), size, "{spots:?}");
                    assert_eq!(spots[0], format!("tile:{tile}"));
                    covered += 1;
                } else {
                    let at = |axis: &str| command["at"][axis].as_i64().expect("a number");
                    let (x, y) = (at("x"), at("y"));
                    // The tile there goes on to the next free cell of that way.
                    let way = match command["bump"].as_str() {
                        Some("left") => Some((-1, 0)),
                        Some("right") => Some((1, 0)),
                        Some("up") => Some((0, -1)),
                        Some("down") => Some((0, 1)),
                        Some(other) => panic!("a way that nobody knows: {other}"),
                        None => None,
                    };
                    assert_eq!(cells[0], (x, y), "{command}: {spots:?}");
                    let goes = cells.get(1).map(|to| ((to.0 - x).signum(), (to.1 - y).signum()));
                    assert_eq!(goes, way, "{command}: {spots:?}");
                    pushed += usize::from(way.is_some());
                }
            }
        });
    }
    assert!(covered > 1_000 && pushed > 10, "{covered} and {pushed}");
}

/// What stands between backquotes.
fn code(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// What docs/pictures.md has in code beside each kind of spot of a game: commands, or fields of commands.
fn written(title: &str) -> BTreeMap<&'static str, BTreeSet<&'static str>> {
    let page = include_str!("../../../../docs/pictures.md");
    let section = page.split("\n### ").find(|section| section.starts_with(title));
    let section = section.unwrap_or_else(|| panic!("docs/pictures.md has no section ### {title}"));
    let rows = section.lines();
    let mut written = BTreeMap::<_, BTreeSet<_>>::new();
    for row in rows.filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.split('|').collect();
        let [_, spots, _, commands, _] = cells[..] else { panic!("a row of three cells: {row}") };
        for spot in code(spots) {
            let kind = spot.split(':').next().unwrap_or_default();
            written.entry(kind).or_default().extend(code(commands));
        }
    }
    written
}

#[test]
fn the_page_about_pictures_says_which_commands_name_a_spot() {
    let is_command = |word: &&str| word.starts_with(char::is_uppercase);
    let (mut named, mut missing) = (0, BTreeSet::new());
    for (_, game) in pictures() {
        let words = &languages(game)[0];
        let written = written(game.info().title);
        positions(game, |state| {
            let (listed, choices) = state.choices(words);
            let legal: Vec<Value> = serde_json::from_str(listed.get()).expect("a list");
            for (command, Choice { spots, label: _ }) in legal.iter().zip(choices) {
                let name = command["type"].as_str().expect("a type");
                for kind in spots.iter().filter_map(|spot| spot.split(':').next()) {
                    named += 1;
                    let is_written = written.get(kind).is_some_and(|words| {
                        // A row that names no command says which fields its commands have.
                        let of_fields = !words.iter().any(is_command);
                        words.contains(name)
                            || of_fields && words.iter().any(|field| command.get(field).is_some())
                    });
                    if !is_written {
                        missing.insert(format!("{}: {name} names {kind}", game.info().id));
                    }
                }
            }
        });
    }
    assert!(missing.is_empty(), "{missing:#?}");
    assert!(named > 1_000, "only {named} spots");
}
