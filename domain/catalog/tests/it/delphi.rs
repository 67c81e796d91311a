//! The words and the picture of Delphi say and show what random matches seldom come to.

use canvas::{Scene, Style};
use kernel::{AnyMatch, Tracked, Tracker, Viewer};
use roxmltree::Document;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use testkit::Dice;

use crate::matches::{legal, picture_of};
use crate::spots::{drawn, languages};

/// A position of real play in this moment, with something else in it, as it is loaded.
fn loaded(moment: &str, change: impl FnOnce(&mut Value)) -> Box<dyn AnyMatch> {
    let (_, delphi) = picture_of("delphi");
    let fixtures: Vec<Value> = serde_json::from_str(delphi.info().fixtures).expect("JSON");
    let fixture = fixtures.into_iter().find(|fixture| fixture["name"] == moment);
    let mut position = fixture.expect("a moment")["position"].clone();
    change(&mut position);
    let position = RawValue::from_string(position.to_string()).expect("JSON");
    delphi.load(&position, delphi.info().newest()).expect("it may be loaded")
}

/// What random matches seldom come to: two advances at once, and one that no god is left for (D-211).
#[test]
fn gods_that_rise_are_told_with_their_rows() {
    let (_, delphi) = picture_of("delphi");
    let advance = |steps: u8, gods: &[&str], reason: &str| json!({"kind": "advance_god", "steps": steps, "gods": gods, "reason": reason});
    let gods = ["ares", "hermes"];
    let opened =
        |decisions: &[Value]| json!({"type": "DecisionsOpened", "seat": 0, "decisions": decisions});
    let two = opened(&[advance(2, &gods, "windfall"), advance(1, &gods, "blessing")]);
    let none = opened(&[advance(1, &[], "consultation")]);
    let discarded = |cards: &[&str]| json!({"type": "InjuriesDiscarded", "seat": 0, "cards": cards, "reason": "god"});
    let queued = json!({"type": "GodChoiceQueued", "seat": 0, "gods": gods, "by": 1});
    let (one_card, three) = (discarded(&["red"]), discarded(&["red", "red", "blue"]));
    for (language, event, text) in [
        (
            0,
            &two,
            "0 is to decide, if there is a choice: let gods rise by 2 rows in all (Ares, Hermes), let a god rise (Ares or Hermes).",
        ),
        (
            1,
            &two,
            "Für 0 steht an: Götter um insgesamt 2 Reihen aufsteigen lassen (Ares, Hermes), einen Gott aufsteigen lassen (Ares oder Hermes).",
        ),
        // One of them is chosen.
        (0, &queued, "A god of 0 may rise: Ares or Hermes."),
        (1, &queued, "Ein Gott von 0 darf aufsteigen: Ares oder Hermes."),
        (0, &none, "0 is to decide, if there is a choice: let a god rise."),
        (1, &none, "Für 0 steht an: einen Gott aufsteigen lassen."),
        (0, &one_card, "0 discards 1 injury (red) by a god."),
        (1, &one_card, "0 legt 1 Verletzung ab (Rot) durch einen Gott."),
        (0, &three, "0 discards 3 injuries (2 red, blue) by a god."),
    ] {
        assert_eq!(languages(delphi)[language].event(event), text);
    }
}

/// The picture as text, and what people read of the other one: colours alone tell nothing.
fn told(change: fn(&mut Value)) -> (String, Vec<String>) {
    let (picture, _) = picture_of("delphi");
    let view = loaded("main", change).view(Viewer::Spectator);
    let scene = Scene::new("Delphi", &view, Viewer::Spectator);
    let text = (picture.text)(&scene).expect("a view");
    let svg = (picture.svg)(&scene, Style::default()).expect("a view");
    let document = Document::parse(&svg).expect("XML");
    let words = document
        .descendants()
        .filter(|node| ["text", "title"].contains(&node.tag_name().name()))
        .filter_map(|node| node.text());
    (text, words.map(str::to_owned).collect())
}

#[test]
fn what_the_turn_has_used_and_what_waits_is_said_in_both_pictures() {
    let (text, words) = told(|_| ());
    let changes: [fn(&mut Value); 4] = [
        |position| position["turn"]["wild"] = true.into(),
        |position| position["turn"]["bonus_used"] = true.into(),
        |position| position["players"][0]["god_choices"] = json!([["ares", "hermes"]]),
        |position| {
            position["equipment_deck"].as_array_mut().expect("a list").pop();
        },
    ];
    for (number, change) in changes.into_iter().enumerate() {
        let (changed, others) = told(change);
        assert_ne!(changed, text, "change {number} is not in the text");
        assert_ne!(others, words, "change {number} is not read in the picture");
    }
}

#[test]
fn a_crowded_position_has_every_spot_in_its_picture() {
    let (picture, delphi) = picture_of("delphi");
    let state = loaded("load_any", |position| {
        let colors = ["red", "black", "pink", "blue"];
        position["pending"] = json!([{"kind": "load_any", "cargo": "offering", "colors": colors}]);
        for stock in position["offerings"].as_array_mut().expect("a list") {
            stock["colors"] = json!([]);
        }
        position["offerings"][0]["colors"] =
            json!(["red", "red", "black", "black", "pink", "pink", "blue", "blue"]);
        // Monsters on a hex of water, and five sites on one island.
        position["monsters"][8] = json!({"at": {"q": 1, "r": 6}, "colors": ["red", "blue"]});
        let sites = [(1_usize, "pink"), (2, "blue"), (3, "yellow"), (4, "green")];
        for (place, color) in sites {
            position["sites"][place] =
                json!({"at": {"q": 5, "r": -3}, "color": color, "seat": null});
        }
        position["sites"][5] = json!({"at": {"q": -3, "r": -1}, "color": "yellow", "seat": null});
        let player = &mut position["players"][2];
        player["fulfilled"]["offering"] = json!([]);
        player["tasks"]["offering"] = json!(["white", "white", "white"]);
        // Six tiles of a kind, three of them left.
        player["tasks"]["monster"] = json!(["red", "pink", "white"]);
    });
    let seat = state.active_seat().expect("it runs");
    let shown = drawn(state.as_ref(), picture, Viewer::Seat(seat));
    let (_, choices) = state.choices(&languages(delphi)[0]);
    let mut due: Vec<String> = choices.into_iter().flat_map(|choice| choice.spots).collect();
    assert_eq!(due.len(), 8, "{due:?}");
    let others = [
        "monster:1,6,red",
        "monster:1,6,blue",
        "site:5,-3,black",
        "site:5,-3,pink",
        "site:5,-3,blue",
        "site:5,-3,yellow",
        "site:5,-3,green",
        "task:monster-red",
        "task:monster-pink",
        "task:monster-white",
    ];
    due.extend(others.map(str::to_owned));
    let missing: Vec<&String> = due.iter().filter(|spot| !shown.contains(*spot)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn a_ship_that_carries_more_than_it_has_room_for_shows_all_of_it() {
    let (picture, _) = picture_of("delphi");
    let state = loaded("load_any", |position| {
        let colors = ["red", "black", "pink", "blue"];
        position["players"][0]["cargo"] = json!({"statue": colors, "offering": colors});
    });
    let mut tracker = Tracker::default();
    tracker.follow(state.pieces());
    let pieces = tracker.places().list();
    let view = state.view(Viewer::Spectator);
    let scene = Scene { pieces: &pieces, ..Scene::new("Delphi", &view, Viewer::Spectator) };
    let svg = (picture.svg)(&scene, Style::default()).expect("a view");
    let on_board: Vec<&Tracked> = pieces.iter().filter(|piece| piece.place == "hold:0").collect();
    assert_eq!(on_board.len(), 8, "{on_board:?}");
    for Tracked { id, .. } in on_board {
        assert!(svg.contains(&format!(" data-piece=\"{id}\"")), "{id} is not drawn");
    }
}

/// Injuries that are loaded twice, with the seats and on the table, come together on the table (D-131).
#[test]
fn a_pile_that_play_made_larger_than_the_box_is_drawn() {
    let (picture, _) = picture_of("delphi");
    let colors = ["red", "black", "pink", "blue", "yellow", "green"];
    let each = |count: usize| -> Value {
        colors.iter().flat_map(|color| std::iter::repeat_n(*color, count)).collect()
    };
    let state = loaded("recover", |position| {
        position["injury_deck"] = json!([]);
        position["injury_discard"] = each(7);
        position["players"][0]["injuries"] = each(3);
        position["players"][1]["injuries"] = each(4);
    });
    let legal = legal(state.as_ref());
    let recover = legal.iter().find(|command| command.get().contains("\"Recover\""));
    let recover = recover.expect("it is due");
    let state = state.decide(recover, &mut Dice::new(1)).expect("it is legal").state;
    let view = state.view(Viewer::Spectator);
    let scene = Scene::new("Delphi", &view, Viewer::Spectator);
    (picture.svg)(&scene, Style::default()).expect("it is drawn");
    (picture.text)(&scene).expect("it is told");
}

#[test]
fn a_further_shrine_leaves_the_first_ones_alone() {
    let (picture, _) = picture_of("delphi");
    let event = json!({
        "type": "TaskFulfilled", "seat": 2, "kind": "shrine", "color": null, "tile": null,
        "reward": "advance one god one row",
    });
    let events = [RawValue::from_string(event.to_string()).expect("JSON")];
    let rings = |built: u8| {
        let state = loaded("load_any", |position| {
            position["players"][2]["fulfilled"]["shrine"] = built.into();
        });
        let view = state.view(Viewer::Spectator);
        let scene = Scene { events: &events, ..Scene::new("Delphi", &view, Viewer::Spectator) };
        let svg = (picture.svg)(&scene, Style::default()).expect("a view");
        svg.matches(" last\"").count()
    };
    assert_eq!([1, 2, 3].map(rings), [1, 1, 1]);
}

#[test]
fn rows_far_from_the_middle_stand_below_one_another_in_text() {
    let (picture, _) = picture_of("delphi");
    let view = loaded("load_any", |_| ()).view(Viewer::Spectator);
    let mut view: Value = serde_json::from_str(view.get()).expect("JSON");
    for hex in view["map"]["hexes"].as_array_mut().expect("hexes") {
        hex["r"] = (hex["r"].as_i64().expect("a row") - 1_000).into();
    }
    let view = RawValue::from_string(view.to_string()).expect("JSON");
    let text = (picture.text)(&Scene::new("Delphi", &view, Viewer::Spectator)).expect("a view");
    // From -1009 to -993.
    let labels: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("r =")).collect();
    let ends = |label: &&str| label.as_bytes().get(4).is_some_and(u8::is_ascii_digit);
    assert!(labels.len() > 10 && labels.iter().all(ends), "{text}");
}
