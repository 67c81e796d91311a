//! Verifying the store while it is in use.

use std::io::Write;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use archive::{Finding, Verified};
use engine::Engine;
use futures_util::stream;
use serde::Serialize;

use crate::answer::text;
use crate::operator::pieces::Pieces;
use crate::problem::Problem;

/// How often progress is told where nothing is found.
const PROGRESS: Duration = Duration::from_secs(1);

/// One verification at a time.
pub(super) struct Verifying {
    is_on: Arc<AtomicBool>,
    /// How long it may wait for a client that reads nothing of it.
    patience: Duration,
}

impl Verifying {
    pub(super) fn new(patience: Duration) -> Self {
        Verifying { is_on: Arc::default(), patience }
    }
}

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
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    if verifying.is_on.swap(true, Ordering::AcqRel) {
        return Err(Problem::new("unavailable", "the store is being verified already"));
    }
    let turn = Turn(Arc::clone(&verifying.is_on));
    let (mut pieces, received) = Pieces::new(&request, 64, verifying.patience);
    let journal = engine.journal();
    thread::spawn(move || {
        let _turn = turn;
        let mut send = |line: &Line<'_>| pieces.write_all((text(line) + "\n").as_bytes());
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
        if pieces.is_cut.load(Ordering::Relaxed) {
            tracing::warn!(
                "the operator's verification was given up: the client has read nothing of it for too long"
            );
        }
    });
    let lines = stream::unfold(received, |mut received| async move {
        received.recv().await.map(|line| (line, received))
    });
    Ok(HttpResponse::Ok().content_type("application/x-ndjson").streaming(lines))
}
