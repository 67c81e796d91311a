//! What the engine promises without HTTP, through a real store.

mod durable;
