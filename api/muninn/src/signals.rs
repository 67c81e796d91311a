//! SIGINT and SIGTERM, which are heard whatever the server waits for.

use std::io;
use std::process::exit;
use std::sync::{Arc, OnceLock};
use std::thread;

use actix_web::rt;
use server::Stop;
use tokio::runtime::Builder;

/// Hears signals from now on, in a thread of its own. The first one stops the server in the cell that is returned; while that is empty nobody has been
/// answered yet, and the process ends at once. The next one ends it at once in any case.
///
/// # Errors
/// If the system gives no thread, or nothing to hear signals by.
pub(crate) fn hear() -> io::Result<Arc<OnceLock<Stop>>> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let signals = {
        let _entered = runtime.enter();
        Signals::new()?
    };
    let serving = Arc::new(OnceLock::new());
    let cell = Arc::clone(&serving);
    let none = |error: io::Error| {
        io::Error::new(error.kind(), format!("no thread for the signals: {error}"))
    };
    let hear = move || runtime.block_on(obey(signals, &cell));
    thread::Builder::new().name("signals".to_owned()).spawn(hear).map_err(none)?;
    Ok(serving)
}

async fn obey(mut signals: Signals, serving: &OnceLock<Stop>) {
    signals.next().await;
    let Some(stop) = serving.get() else {
        tracing::info!("ended by a signal before it served");
        exit(0);
    };
    tracing::info!("stopping; another signal ends the process at once");
    tokio::spawn(stop.clone().gracefully());
    let code = signals.next().await;
    tracing::warn!("ended by a second signal");
    exit(code);
}

/// SIGINT and SIGTERM, caught from now on.
struct Signals {
    #[cfg(unix)]
    interrupt: rt::signal::unix::Signal,
    #[cfg(unix)]
    terminate: rt::signal::unix::Signal,
}

impl Signals {
    fn new() -> io::Result<Self> {
        #[cfg(unix)]
        use rt::signal::unix::{SignalKind, signal};
        Ok(Signals {
            #[cfg(unix)]
            interrupt: signal(SignalKind::interrupt())?,
            #[cfg(unix)]
            terminate: signal(SignalKind::terminate())?,
        })
    }

    /// Waits for the next one; returns the exit code of a process that it kills.
    async fn next(&mut self) -> i32 {
        const INTERRUPTED: i32 = 128 + 2;
        #[cfg(unix)]
        {
            const TERMINATED: i32 = 128 + 15;
            tokio::select! {
                _ = self.interrupt.recv() => INTERRUPTED,
                _ = self.terminate.recv() => TERMINATED,
            }
        }
        #[cfg(not(unix))]
        {
            // Where it cannot be waited for, nobody comes.
            if rt::signal::ctrl_c().await.is_err() {
                std::future::pending::<()>().await;
            }
            INTERRUPTED
        }
    }
}
