//! Bars that show how far a command is.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// A bar over so many of a unit.
pub(crate) fn bar(length: u64, unit: &str) -> ProgressBar {
    let style = format!("{{bar:40}} {{human_pos}}/{{human_len}} {unit}, {{per_sec}}, {{eta}} left");
    let style = ProgressStyle::with_template(&style).expect("the template is valid");
    ProgressBar::new(length).with_style(style)
}

/// What shows that a command goes on where nobody knows how far it is.
pub(crate) fn spinner() -> ProgressBar {
    let spinner = ProgressBar::new_spinner();
    spinner.enable_steady_tick(Duration::from_millis(200));
    spinner
}

/// A progress bar over feed positions.
pub(crate) struct Progress(ProgressBar);

impl Progress {
    pub(crate) fn new() -> Self {
        Progress(bar(0, "commits"))
    }

    pub(crate) fn show(&mut self, position: u64, last: u64) {
        self.0.set_length(last);
        self.0.set_position(position);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
