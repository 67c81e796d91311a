//! Bars that show how far a command is.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar over so many of a unit.
pub(crate) fn bar(length: u64, unit: &str) -> ProgressBar {
    let style = format!("{{bar:40}} {{human_pos}}/{{human_len}} {unit}, {{per_sec}}, {{eta}} left");
    let style = ProgressStyle::with_template(&style).expect("the template is valid");
    ProgressBar::new(length).with_style(style)
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
