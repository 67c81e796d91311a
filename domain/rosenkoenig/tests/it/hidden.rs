//! Nobody can tell two orders of the draw pile apart.

use kernel::{AnyMatch, Seat, Viewer};
use rosenkoenig::{GAME, Rosenkoenig};
use serde_json::{Value, json};
use testkit::Dice;

use crate::against_oracle::raw;

const VIEWERS: [Viewer; 3] = [Viewer::Seat(Seat(0)), Viewer::Seat(Seat(1)), Viewer::Spectator];

fn seen(state: &dyn AnyMatch, event: &Value, viewer: Viewer) -> Value {
    serde_json::from_str(state.event_view(&raw(event), viewer).unwrap().get()).unwrap()
}

fn start(options: &Value) -> (Box<dyn AnyMatch>, Value) {
    let newest = kernel::newest::<Rosenkoenig>();
    let started = GAME.setup(&raw(options), 2, newest, &mut Dice::new(5)).unwrap();
    let event = serde_json::from_str(started.events[0].full.get()).unwrap();
    (started.state, event)
}

fn turned_over(mut event: Value) -> Value {
    event["draw_pile"].as_array_mut().unwrap().reverse();
    event
}

#[test]
fn the_order_of_a_pile_is_in_no_event_that_a_viewer_gets() {
    let reshuffled = json!({"type": "DrawPileReshuffled", "draw_pile": ["sw1", "n1", "e3"]});
    for show_draw_pile in [false, true] {
        let (state, started) = start(&json!({"show_draw_pile": show_draw_pile}));
        for event in [started, reshuffled.clone()] {
            for viewer in VIEWERS {
                assert_eq!(
                    seen(state.as_ref(), &event, viewer),
                    seen(state.as_ref(), &turned_over(event.clone()), viewer)
                );
            }
        }
    }
}

#[test]
fn with_show_draw_pile_a_reshuffled_pile_is_shown_in_card_order() {
    let reshuffled = json!({"type": "DrawPileReshuffled", "draw_pile": ["sw1", "n1", "e3"]});
    for viewer in VIEWERS {
        let (hidden, _) = start(&json!({}));
        let expected = json!({"count": 3, "cards": null});
        assert_eq!(seen(hidden.as_ref(), &reshuffled, viewer)["draw_pile"], expected);
        let (shown, _) = start(&json!({"show_draw_pile": true}));
        let expected = json!({"count": 3, "cards": ["n1", "e3", "sw1"]});
        assert_eq!(seen(shown.as_ref(), &reshuffled, viewer)["draw_pile"], expected);
    }
}

#[test]
fn an_event_view_differs_from_the_event_in_the_draw_pile_alone() {
    let (state, event) = start(&json!({}));
    for viewer in VIEWERS {
        let mut expected = event.clone();
        expected["draw_pile"] = json!({"count": 14, "cards": null});
        assert_eq!(seen(state.as_ref(), &event, viewer), expected);
    }
}
