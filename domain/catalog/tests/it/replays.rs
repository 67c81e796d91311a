//! Replays of real matches: one small picture without script that has all frames.

use std::collections::BTreeSet;

use canvas::{FRAMES_MOST, Pace, Says, Scene, Style, Theme, replay};
use kernel::Viewer;
use roxmltree::{Document, Node};
use serde_json::value::RawValue;

use crate::matches::{Moment, moments, pictures};

/// The largest replay of a few dozen moments, in bytes.
const SIZE_MAX: usize = 1_500_000;

fn check(text: &str) {
    assert!(text.len() < SIZE_MAX, "{} bytes", text.len());
    let document = Document::parse(text).unwrap_or_else(|error| panic!("{error}"));
    let style = document.descendants().find(|node| node.has_tag_name("style"));
    let style = style.and_then(|node| node.text()).expect("a style sheet");
    let mut ids = BTreeSet::new();
    for node in document.descendants().filter(Node::is_element) {
        assert!(!["script", "image", "a"].contains(&node.tag_name().name()));
        assert!(node.attribute("id").is_none_or(|id| ids.insert(id)));
        if let Some(used) = node.attribute("href") {
            let id = used.strip_prefix('#').expect("what is used stands in the picture");
            assert!(ids.contains(id), "no {id}");
        }
        for class in node.attribute("class").unwrap_or_default().split(' ') {
            let number = class.strip_prefix('k').and_then(|number| number.parse::<u32>().ok());
            assert!(number.is_none_or(|_| style.contains(&format!("@keyframes {class}{{"))));
        }
    }
}

/// The text that is seen in a tree, in order.
fn words(text: &str) -> Vec<String> {
    let document = Document::parse(text).expect("XML");
    let seen = document.descendants().filter(|node| node.has_tag_name("text"));
    let seen = seen.map(|node| node.text().unwrap_or_default().to_owned());
    seen.collect()
}

#[test]
fn a_match_is_replayed_in_one_picture() {
    for (picture, game) in pictures() {
        let mut seen: Vec<(u64, Box<RawValue>, Vec<Box<RawValue>>)> = Vec::new();
        moments(game, 300, |moment: &Moment| {
            if moment.viewer == Viewer::Spectator {
                seen.push((moment.version, moment.view.clone(), moment.events.clone()));
            }
        });
        // Moments of the first match alone: after its end another one begins.
        let end = seen.windows(2).position(|pair| pair[1].0 <= pair[0].0);
        seen.truncate(end.map_or(seen.len(), |end| end + 1));
        let room: Vec<&RawValue> = seen.iter().map(|(_, view, _)| &**view).collect();
        let draw = |(version, view, events): &(u64, Box<RawValue>, Vec<Box<RawValue>>)| {
            let scene = Scene::new(game.info().title, view, Viewer::Spectator);
            let scene = Scene { events, version: Some(*version), room: &room, ..scene };
            (picture.svg)(&scene, Style::default()).unwrap()
        };
        let frames: Vec<String> = seen.iter().map(draw).collect();
        let film = replay(&frames, Theme::Auto, Pace::default(), Says::ENGLISH, "Title").unwrap();
        check(&film);
        let shown: BTreeSet<String> = words(&film).into_iter().collect();
        for frame in &frames {
            for word in words(frame) {
                assert!(shown.contains(&word), "{word} is in no frame");
            }
        }
        let all: usize = frames.iter().map(String::len).sum();
        println!(
            "{}: {} frames of {all} bytes, replay {} bytes",
            picture.game,
            frames.len(),
            film.len()
        );
        assert!(film.len() < all / 2, "what frames have in common is written once");
    }
}

#[test]
fn what_is_no_film_is_refused() {
    for frames in [
        vec![],
        vec!["<svg>".to_owned()],
        vec!["text".to_owned()],
        vec!["<svg></svg>".to_owned(); FRAMES_MOST + 1],
    ] {
        assert!(replay(&frames, Theme::Auto, Pace::default(), Says::ENGLISH, "Title").is_err());
    }
}
