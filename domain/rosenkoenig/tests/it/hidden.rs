//! Nobody can tell two orders of the draw pile apart.

use kernel::{AnyGame, Erased, Seat, Viewer};
use rosenkoenig::Rosenkoenig;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use testkit::Dice;

const GAME: Erased<Rosenkoenig> = Erased::NEW;

const VIEWERS: [Viewer; 3] = [
    Viewer::Seat(Seat(0)),
    Viewer::Seat(Seat(1)),
    Viewer::Spectator,
];

fn seen(event: &Value, viewer: Viewer) -> Value {
    let raw = RawValue::from_string(event.to_string()).unwrap();
    serde_json::from_str(GAME.event_view(&raw, viewer).unwrap().get()).unwrap()
}

fn start(options: &Value) -> Value {
    let raw = RawValue::from_string(options.to_string()).unwrap();
    let started = GAME.setup(&raw, 2, &mut Dice::new(5)).unwrap();
    serde_json::from_str(started.events[0].full.get()).unwrap()
}

fn turned_over(mut event: Value) -> Value {
    event["draw_pile"].as_array_mut().unwrap().reverse();
    event
}

#[test]
fn the_order_of_a_pile_is_in_no_event_that_a_viewer_gets() {
    let reshuffled = json!({"type": "DrawPileReshuffled", "draw_pile": ["sw1", "n1", "e3"]});
    for event in [
        start(&json!({})),
        start(&json!({"show_draw_pile": true})),
        reshuffled,
    ] {
        for viewer in VIEWERS {
            assert_eq!(
                seen(&event, viewer),
                seen(&turned_over(event.clone()), viewer)
            );
        }
    }
}

#[test]
fn an_event_view_differs_from_the_event_in_the_draw_pile_alone() {
    let event = start(&json!({}));
    for viewer in VIEWERS {
        let mut expected = event.clone();
        expected["draw_pile"] = json!({"count": 14, "cards": null});
        assert_eq!(seen(&event, viewer), expected);
    }
}
