//! The counting sequences of section 13: every command sequence of a length, through `legal_commands` and `decide`.

use kernel::{Draft, Forced, Game};
use rosenkoenig::{Command, Event, Position, Rosenkoenig};

/// Command sequences of one length: all of them, and those whose last command was a play with a hero, was a draw, led to a
/// pass, led to the end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    count: u64,
    hero: u64,
    draw: u64,
    passed: u64,
    ended: u64,
}

fn load(json: &str) -> Position {
    Rosenkoenig::admit(serde_json::from_str(json).unwrap()).unwrap()
}

fn walk(position: &Position, depth: usize, counts: &mut [Counts]) {
    let Some((now, deeper)) = counts.split_first_mut() else { return };
    let mut commands = Vec::new();
    Rosenkoenig::legal_commands(position, &mut commands);
    for command in commands {
        let mut after = position.clone();
        let mut events = Vec::new();
        // No pile runs out in these sequences: a draw of chance would be an error.
        let mut chance = Forced::default();
        Rosenkoenig::decide(&mut Draft::new(&mut after, &mut events, &mut chance), &command)
            .unwrap();
        assert_eq!(chance.problem(), None, "depth {depth}");
        now.count += 1;
        now.hero += u64::from(matches!(command, Command::PlayCard { hero: true, .. }));
        now.draw += u64::from(command == Command::DrawCard {});
        now.passed +=
            u64::from(events.iter().any(|event| matches!(event, Event::TurnPassed { .. })));
        now.ended += u64::from(events.iter().any(|event| matches!(event, Event::MatchFinished(_))));
        walk(&after, depth + 1, deeper);
    }
}

/// Rows as in the specification: count, hero, draw, passed, ended.
fn check<const DEPTH: usize>(json: &str, rows: [[u64; DEPTH]; 5]) {
    let mut counts = [Counts::default(); DEPTH];
    walk(&load(json), 1, &mut counts);
    let [count, hero, draw, passed, ended] = rows;
    for depth in 0..DEPTH {
        let expected = Counts {
            count: count[depth],
            hero: hero[depth],
            draw: draw[depth],
            passed: passed[depth],
            ended: ended[depth],
        };
        assert_eq!(counts[depth], expected, "sequences of {} commands", depth + 1);
    }
}

#[test]
fn p1_to_depth_7() {
    check(
        include_str!("../cases/p1.json"),
        [
            [5, 22, 92, 377, 1347, 4705, 15427],
            [0, 0, 0, 26, 45, 381, 668],
            [0, 0, 22, 92, 282, 1003, 4705],
            [0; 7],
            [0; 7],
        ],
    );
}

#[test]
fn p2_to_depth_8() {
    check(
        include_str!("../cases/p2.json"),
        [
            [3, 9, 22, 55, 114, 229, 429, 842],
            [1, 2, 4, 3, 3, 6, 29, 93],
            [1, 2, 6, 16, 43, 91, 165, 363],
            [2, 5, 9, 18, 27, 39, 37, 34],
            [0, 0, 0, 0, 0, 0, 0, 11],
        ],
    );
}
