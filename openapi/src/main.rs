//! Writes `openapi/examples.json`, `openapi/openapi.json` and `openapi/asyncapi.json`: `cargo run -p openapi`.

use std::fs;

use openapi::{Failure, document, folder, record};

fn main() -> Result<(), Failure> {
    let examples = record()?;
    let document = document(catalog::GAMES, Some(&examples));
    fs::write(folder().join("examples.json"), &examples)?;
    fs::write(folder().join("openapi.json"), &document.json)?;
    fs::write(folder().join("asyncapi.json"), &document.asyncapi)?;
    Ok(())
}
