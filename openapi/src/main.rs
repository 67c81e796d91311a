//! Writes `openapi/examples.json`, `openapi/openapi.json` and `openapi/asyncapi.json`: `cargo run -p openapi`.

use std::{env, fs};

use openapi::{Failure, document, folder, laid_out, record};
use tables::sql::{RUN_QUERY, run_query};

fn main() -> Result<(), Failure> {
    let mut arguments = env::args_os().skip(1);
    if arguments.next().is_some_and(|first| first == RUN_QUERY) {
        // The server that is recorded starts this for its queries.
        return Ok(run_query(arguments.next().unwrap_or_default().as_ref(), || ())?);
    }
    let examples: &str = record(&env::current_exe()?)?.leak();
    let document = document(catalog::games(), Some(examples));
    fs::write(folder().join("examples.json"), examples)?;
    fs::write(folder().join("openapi.json"), laid_out(&document.json))?;
    fs::write(folder().join("asyncapi.json"), document.asyncapi.as_bytes())?;
    Ok(())
}
