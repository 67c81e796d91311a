//! D-132: no face leaks. Along whole matches, in views and in events, compared with what each viewer may know.

use delphi::Delphi;
use delphi::options::Options;
use delphi::position::Position;
use kernel::{Game, Seat, Secret, Viewer};
use serde_json::Value;
use testkit::{Dice, Walk, leaning, viewers};

/// Which islands the viewer has learned about, by the events alone that it was shown.
#[derive(Clone)]
struct Known {
    viewer: Viewer,
    faces: Vec<Option<Value>>,
}

impl Known {
    fn learn(&mut self, position: &Position, event: &Value) {
        if event["type"] != "IslandLookedAt" && event["type"] != "IslandRevealed" {
            return;
        }
        let at = serde_json::from_value(event["at"].clone()).unwrap();
        let place = position.island_at(at).unwrap();
        if !event["face"].is_null() {
            self.faces[place] = Some(event["face"].clone());
        }
    }
}

#[test]
fn a_viewer_knows_exactly_the_faces_that_its_events_have_shown() {
    let (mut looked, mut revealed) = (0, 0);
    for seed in 0..3 {
        let mut walk = Walk::<Delphi>::new(Options::default(), 3, Dice::new(70 + seed));
        let nothing = vec![None; 12];
        let mut all: Vec<Known> = viewers::<Delphi>(&walk.position)
            .map(|viewer| Known { viewer, faces: nothing.clone() })
            .collect();
        while walk.next(leaning::<Delphi>).is_some() {
            let Walk { position, events, .. } = &walk;
            for event in events {
                let full = serde_json::to_value(event).unwrap();
                looked += u64::from(full["type"] == "IslandLookedAt");
                revealed += u64::from(full["type"] == "IslandRevealed");
                for known in &mut all {
                    let seen = serde_json::to_value(event.seen(position, known.viewer)).unwrap();
                    let own = known.viewer
                        == Viewer::Seat(Seat(full["seat"].as_u64().unwrap_or(99) as u8));
                    if full["type"] == "IslandLookedAt" {
                        assert_eq!(seen["face"].is_null(), !own, "{seen} for {:?}", known.viewer);
                    } else {
                        assert_eq!(seen, full);
                    }
                    known.learn(position, &seen);
                }
            }
            for known in &all {
                let view = serde_json::to_value(Delphi::view(position, known.viewer)).unwrap();
                let faces: Vec<Value> =
                    view["islands"].as_array().unwrap().iter().map(|i| i["face"].clone()).collect();
                let expected: Vec<Value> =
                    known.faces.iter().map(|face| face.clone().unwrap_or(Value::Null)).collect();
                assert_eq!(faces, expected, "{:?}", known.viewer);
            }
        }
    }
    assert!(looked > 5 && revealed > 5, "{looked} looks, {revealed} revealed");
}

#[test]
fn the_first_event_shows_no_face_to_anybody() {
    let Walk { position, events, .. } = Walk::<Delphi>::new(Options::default(), 4, Dice::new(3));
    for viewer in viewers::<Delphi>(&position) {
        let seen = serde_json::to_value(events[0].seen(&position, viewer)).unwrap();
        let islands = seen["position"]["islands"].as_array().unwrap();
        assert_eq!(islands.len(), 12);
        assert!(islands.iter().all(|island| island["face"].is_null()), "{viewer:?}");
        assert!(!seen.to_string().contains("letter"), "{viewer:?}");
    }
}
