//! Panics in one line: into the log where there is one, else to standard error.
//!
//! Most of those that ever happen are caught: the store's engine gives up by a panic on files that it cannot make sense of, and the
//! store turns that into an error. Requests can cause one after the other, so the log gets one line a second. A page of addresses of functions before a clear message would hide it.

use std::io::{self, Write};
use std::panic::{self, PanicHookInfo};

use flood::Flood;

static LINES: Flood = Flood::new();

/// From now on each panic is one line.
pub(crate) fn in_one_line() {
    panic::set_hook(Box::new(|panic| {
        let place = place(panic);
        let message = message(panic, &place);
        if tracing::dispatcher::has_been_set() {
            LINES.line(|more| tracing::error!(place, more, "panic: {message}"));
        } else if is_of_engine(&place) {
            // Its place says nothing to whoever has a damaged store.
            let _ = writeln!(io::stderr(), "damaged: the storage engine gives up: {message}");
        } else {
            // Nobody is left to tell if standard error is closed.
            let _ = writeln!(io::stderr(), "panic at {place}: {message}");
        }
    }));
}

/// Of sled's the first line alone: in those behind it is, where its tree leads nowhere, all that is stored, and seeds are secrets.
fn message<'a>(panic: &'a PanicHookInfo<'_>, place: &str) -> &'a str {
    let message = panic.payload_as_str().unwrap_or("no reason given");
    if !is_of_engine(place) {
        return message;
    }
    let line = message.lines().next().unwrap_or_default();
    // It takes damage for a mistake of its own.
    line.trim_end_matches("PLEASE REPORT THIS BUG!").trim_end()
}

fn is_of_engine(place: &str) -> bool {
    place.contains("/sled-")
}

fn place(panic: &PanicHookInfo<'_>) -> String {
    let place = panic.location();
    place.map_or_else(String::new, |place| format!("{}:{}", place.file(), place.line()))
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::panic::{catch_unwind, take_hook};
    use std::sync::Mutex;

    static SAID: Mutex<Vec<u8>> = Mutex::new(Vec::new());

    struct Said;

    impl Write for Said {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            SAID.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_thousand_panics_are_one_line_a_second() {
        let log = tracing_subscriber::fmt().with_ansi(false).with_writer(|| Said).finish();
        super::in_one_line();
        tracing::subscriber::with_default(log, || {
            let panic = || catch_unwind(|| panic!("as often as this")).unwrap_err();
            (0..1000).for_each(|_| drop(panic()));
            std::thread::sleep(std::time::Duration::from_millis(1100));
            panic();
        });
        drop(take_hook());
        let said = String::from_utf8(SAID.lock().unwrap().clone()).unwrap();
        let lines: Vec<&str> = said.lines().filter(|line| line.contains("panic: ")).collect();
        assert!((2..=4).contains(&lines.len()), "{said}");
        assert!(lines[0].contains("panics.rs") && lines[0].contains("more=0"), "{said}");
        let left_out = lines.iter().filter_map(|line| line.split("more=").nth(1));
        let left_out = left_out.map(|more| more.trim().parse::<usize>().unwrap()).sum::<usize>();
        assert_eq!(lines.len() + left_out, 1001, "those that were left out are counted");
    }
}
