//! The operator's door: what it lets in, and what can be asked and done there, through the program itself.

mod door;
mod figures;
mod log;
mod matches;
#[cfg(target_os = "linux")]
mod named;
mod names;
mod verify;
