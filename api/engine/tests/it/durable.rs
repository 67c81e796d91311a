//! What is shown follows from what is on disk.

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Waker};
use std::time::{Duration, Instant};

use engine::{Config, Engine, FeedFilter, FeedLine, FeedPlace, Filter, OpenRequest};
use kernel::{AnyGame, Erased};
use testkit::Nim;

static GAMES: &[&'static dyn AnyGame] = &[&Erased::<Nim>::NEW];

/// Whoever opens a match may be gone before the disk says yes, and what the engine does then is not done.
#[test]
fn a_match_is_shown_although_its_opening_was_dropped() {
    let folder = tempfile::tempdir().expect("a folder");
    let engine = Engine::start(folder.path(), GAMES, &Config::default()).expect("it starts");
    for opened in 1..=3 {
        let request = r#"{"game": "nim", "seats": [{}, {}]}"#;
        let request: OpenRequest = serde_json::from_str(request).expect("a request");
        {
            let mut opening = pin!(engine.open(request, None, None));
            let mut context = Context::from_waker(Waker::noop());
            assert!(opening.as_mut().poll(&mut context).is_pending(), "it waits for the disk");
        }
        let start = Instant::now();
        while engine.position() < opened {
            assert!(start.elapsed() < Duration::from_secs(20), "the write goes on");
            std::thread::yield_now();
        }
        let (listed, _) = engine.list(&Filter::default(), None, 10).expect("it is complete");
        assert_eq!(listed.len() as u64, opened);
        let newest = listed[0].r#match;
        assert!(engine.load(newest).is_ok());
        let all = engine.feed(FeedPlace::default(), u64::MAX, &FeedFilter::default(), 100);
        let all = all.expect("readable").entries;
        let shown = |line: &FeedLine| match line {
            FeedLine::Event(entry) => entry.r#match == newest,
            FeedLine::Damaged(damaged) => panic!("{damaged}"),
        };
        assert!(all.iter().any(shown));
    }
}
