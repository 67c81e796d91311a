//! Every picture is XML that a strict parser reads, is small, and keeps what docs/pictures.md says.

use std::collections::BTreeSet;

use canvas::{Says, Scene, Style, palette};
use kernel::{Seat, Viewer};
use roxmltree::{Document, Node};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::matches::{Moment, moments, pictures, styles};
use crate::spots::languages;

/// The largest picture, in bytes.
const SIZE_MAX: usize = 100_000;

/// The widest line of text, in characters: a table without edges may grow to one side.
const LINE_MAX: usize = 160;

/// The elements that a picture consists of. None of them runs or loads anything.
const ELEMENTS: &[&str] = &[
    "svg", "title", "desc", "style", "defs", "use", "g", "rect", "circle", "line", "path", "text",
];

fn check(svg: &str) {
    assert!(svg.len() < SIZE_MAX, "{} bytes", svg.len());
    let document = Document::parse(svg).unwrap_or_else(|error| panic!("{error}\n{svg}"));
    let root = document.root_element();
    assert_eq!(root.tag_name().name(), "svg");
    assert_eq!(root.attribute("role"), Some("img"));
    let mut ids = BTreeSet::new();
    for node in root.descendants().filter(Node::is_element) {
        let name = node.tag_name().name();
        assert!(ELEMENTS.contains(&name), "an element {name}");
        if let Some(id) = node.attribute("id") {
            assert!(ids.insert(id), "the id {id} is there twice");
        }
        for attribute in node.attributes() {
            // A part of the picture itself may be used again.
            let within = name == "use" && attribute.value().starts_with("#mn-");
            let loads = ["href", "src"].contains(&attribute.name()) && !within;
            assert!(!loads && !attribute.name().starts_with("on"), "{attribute:?}");
            assert!(!attribute.value().contains("NaN") && !attribute.value().contains("inf"));
        }
        for class in node.attribute("class").unwrap_or_default().split(' ') {
            let color = class.strip_prefix("f-").or(class.strip_prefix("s-"));
            assert!(color.is_none_or(palette::has), "no colour {class}");
        }
        if let Some(spot) = node.attribute("data-spot") {
            let (kind, value) = spot.split_once(':').expect("a spot is kind:value");
            assert!(!kind.is_empty() && !value.is_empty(), "{spot}");
            let says =
                |child: Node<'_, '_>| child.has_tag_name(("http://www.w3.org/2000/svg", "title"));
            assert!(node.children().any(says), "{spot} has no title");
        }
    }
    for title in root.descendants().filter(|node| node.tag_name().name() == "title") {
        let title = title.text().unwrap_or_default();
        let name = title.split([',', ':']).next().unwrap_or_default();
        let god = ["aphrodite", "ares", "hermes", "poseidon", "apollon", "artemis"].contains(&name);
        assert!(!title.contains('_') && !god, "an id in {title}");
    }
    for id in root.attribute("aria-labelledby").expect("labels").split(' ') {
        assert!(ids.contains(id), "no {id}");
    }
}

fn check_text(text: &str) {
    assert!(text.ends_with('\n'));
    for line in text.lines() {
        assert!(line.chars().count() <= LINE_MAX, "{line}");
        assert!(!line.contains(char::is_control), "{line:?}");
        assert_eq!(line.trim_end(), line);
    }
}

#[test]
fn pictures_of_all_moments_are_well_formed_and_small() {
    for (picture, game) in pictures() {
        let (mut count, mut largest) = (0_u64, 0);
        let mut styles = styles().cycle();
        moments(game, 400, |moment: &Moment| {
            let scene = moment.scene(game.info().title, &[]);
            let style = styles.next().unwrap();
            let svg = (picture.svg)(&scene, style).unwrap();
            check(&svg);
            check_text(&(picture.text)(&scene).unwrap());
            (count, largest) = (count + 1, svg.len().max(largest));
        });
        assert!(count > 50, "{count} pictures of {}", picture.game);
        println!("{}: {count} pictures, at most {largest} bytes", picture.game);
    }
}

#[test]
fn what_a_panel_says_is_whole_or_in_its_title() {
    for (picture, game) in pictures() {
        for words in languages(game) {
            let mut seen = 0;
            moments(game, 400, |moment| {
                let scene = moment.scene(game.info().title, &[]);
                let scene = Scene { says: Says::new(&words), ..scene };
                let svg = (picture.svg)(&scene, Style::default()).unwrap();
                let document = Document::parse(&svg).unwrap();
                let faint = document
                    .descendants()
                    .filter(|node| node.attribute("class") == Some("f-faint"))
                    .filter(|node| node.ancestors().any(|node| node.has_attribute("data-seat")));
                for text in faint {
                    let cut = text.text().is_some_and(|text| text.ends_with('…'));
                    let title = text.prev_siblings().any(|node| node.tag_name().name() == "title");
                    assert!(!cut || title, "{:?}", text.text());
                    seen += 1;
                }
            });
            assert!(seen > 100, "{}: {seen}", picture.game);
        }
    }
}

#[test]
fn the_description_says_what_is_due_or_how_it_ended() {
    for (picture, game) in pictures() {
        let fixtures: Vec<Value> = serde_json::from_str(game.info().fixtures).unwrap();
        assert!(!fixtures.is_empty());
        for words in languages(game) {
            for fixture in &fixtures {
                let position = RawValue::from_string(fixture["position"].to_string()).unwrap();
                let state = game.load(&position, game.info().newest()).unwrap();
                let view = state.view(Viewer::Spectator);
                let scene = Scene::new(game.info().title, &view, Viewer::Spectator);
                let scene = Scene { says: Says::new(&words), ..scene };
                // As the head says it, below the title.
                let text = (picture.text)(&scene).unwrap();
                let status = text.lines().nth(1).expect("a status");
                let svg = (picture.svg)(&scene, Style::default()).unwrap();
                let document = Document::parse(&svg).unwrap();
                let desc = document.descendants().find(|node| node.tag_name().name() == "desc");
                let desc = desc.and_then(|node| node.text()).expect("a description");
                assert!(desc.contains(&format!("{status}. ")), "{status} is not in {desc}");
            }
        }
    }
}

#[test]
fn the_same_scene_gives_the_same_bytes() {
    for (picture, game) in pictures() {
        moments(game, 20, |moment| {
            let scene = moment.scene(game.info().title, &[]);
            let draw = || (picture.svg)(&scene, Style::default()).unwrap();
            assert_eq!(draw(), draw());
        });
    }
}

#[test]
fn a_seat_panel_is_there_for_each_seat_and_marks_who_is_to_act() {
    for (picture, game) in pictures() {
        moments(game, 100, |moment| {
            let scene = moment.scene(game.info().title, &[]);
            let svg = (picture.svg)(&scene, Style::default()).unwrap();
            let view: serde_json::Value = serde_json::from_str(moment.view.get()).unwrap();
            let active = view["active_seat"].as_u64();
            let document = Document::parse(&svg).unwrap();
            let panels = document.descendants().filter_map(|node| {
                let seat = node.attribute("data-seat")?.parse::<u64>().unwrap();
                Some((seat, node.attribute("data-active").is_some()))
            });
            let panels: Vec<(u64, bool)> = panels.collect();
            assert!(panels.len() >= 2);
            // One's own is the first, the others follow in order.
            let own = match moment.viewer {
                Viewer::Seat(seat) => Some(seat.index() as u64),
                Viewer::Spectator => None,
            };
            let others = (0..panels.len() as u64).filter(|seat| Some(*seat) != own);
            for (place, (seat, is_active)) in own.into_iter().chain(others).zip(panels) {
                assert_eq!((seat, is_active), (place, active == Some(place)));
            }
        });
    }
}

#[test]
fn hidden_hands_are_backs_until_the_match_is_finished() {
    for (picture, game) in pictures() {
        moments(game, 100, |moment| {
            let view: serde_json::Value = serde_json::from_str(moment.view.get()).unwrap();
            if view["active_seat"].is_null() {
                return;
            }
            let scene = moment.scene(game.info().title, &[]);
            let svg = (picture.svg)(&scene, Style::default()).unwrap();
            let document = Document::parse(&svg).unwrap();
            let in_hand = |node: &Node<'_, '_>| {
                let spot = node.attribute("data-spot").unwrap_or_default();
                spot.starts_with("hand:")
            };
            for node in document.descendants().filter(in_hand) {
                let seat = node.ancestors().find_map(|node| node.attribute("data-seat"));
                let seat = seat.expect("a hand is somebody's").parse().unwrap();
                assert_eq!(moment.viewer, Viewer::Seat(Seat(seat)));
            }
        });
    }
}
