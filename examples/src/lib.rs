//! Programs that use Muninn. This library is empty: each file in `examples/` stands alone, begins with the question that it answers,
//! and runs in seconds.
//!
//! | question | run |
//! |---|---|
//! | How do I play a match over HTTP? | `cargo run -p examples --example first_match` |
//! | How do I let programs play, without HTTP? | `cargo run -p examples --example bots` |
//! | How do I look back at a match, and prove that nothing was changed? | `cargo run -p examples --example replay` |
//! | How do I add a game? | `cargo run -p examples --example add_a_game` |
