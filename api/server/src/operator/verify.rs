//! Verifying the store while it is in use.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use actix_web::HttpResponse;
use actix_web::web::{Bytes, Data};
use archive::{Finding, Verified};
use engine::Engine;
use futures_util::stream;
use serde::Serialize;
use tokio::sync::mpsc;

use crate::answer::text;
use crate::problem::Problem;

/// How often progress is told where nothing is found.
const PROGRESS: Duration = Duration::from_secs(1);

/// Whether somebody verifies.
#[derive(Clone, Default)]
pub(super) struct Verifying(Arc<AtomicBool>);

/// One who verifies, as long as this lives.
struct Turn(Arc<AtomicBool>);

impl Drop for Turn {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

/// A line of the answer. One that does not end with `end` was broken off.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Line<'a> {
    Damaged(&'a Finding),
    Otherwise(&'a Finding),
    Progress { matches: u64 },
    End { matches: u64, commits: u64, events: u64, damaged: usize, otherwise: usize },
}

pub(super) async fn verify(
    engine: Data<Engine>,
    verifying: Data<Verifying>,
) -> Result<HttpResponse, Problem> {
    if verifying.0.swap(true, Ordering::AcqRel) {
        return Err(Problem::new("unavailable", "the store is being verified already"));
    }
    let turn = Turn(Arc::clone(&verifying.0));
    let (lines, received) = mpsc::channel(64);
    let journal = engine.journal();
    thread::spawn(move || {
        let _turn = turn;
        let send = |line: &Line<'_>| lines.blocking_send(Bytes::from(text(line) + "\n"));
        let (mut damaged, mut otherwise) = (0, 0);
        let mut told = Instant::now();
        let verified = Verified::live(&journal, &mut |verified| {
            let found = verified.findings[damaged..].iter().map(Line::Damaged);
            let differing = verified.otherwise[otherwise..].iter().map(Line::Otherwise);
            let due = told.elapsed() >= PROGRESS;
            let progress = due.then_some(Line::Progress { matches: verified.matches });
            (damaged, otherwise) = (verified.findings.len(), verified.otherwise.len());
            if due {
                told = Instant::now();
            }
            if found.chain(differing).chain(progress).any(|line| send(&line).is_err()) {
                // Who asked has gone.
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        if let ControlFlow::Continue(Verified { matches, commits, events, findings, otherwise }) =
            verified
        {
            let (damaged, otherwise) = (findings.len(), otherwise.len());
            // Nobody is left to tell if who asked has gone.
            drop(send(&Line::End { matches, commits, events, damaged, otherwise }));
        }
    });
    let lines = stream::unfold(received, |mut received| async move {
        received.recv().await.map(|line| (Ok::<_, Problem>(line), received))
    });
    Ok(HttpResponse::Ok().content_type("application/x-ndjson").streaming(lines))
}
