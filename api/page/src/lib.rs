//! The page for people: `/watch`, `/play`, and the files they are made of.
//!
//! The page uses only the public API, and knows nothing of a game that does not come from there. It is built from `@muninn/client`, whose
//! modules are in the program as they are: what others install is what the page uses. What developers need for a beginning is there too.

mod example;
mod words;

use std::collections::BTreeMap;
use std::fmt::Write;

use include_dir::{Dir, include_dir};
use sha2::{Digest, Sha256};

pub use crate::words::WordsError;

static ASSETS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/assets");
static CLIENT: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../clients/typescript/client/src");

const HTML: &str = "text/html; charset=utf-8";
const JSON: &str = "application/json";
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// What developers read first; the server has it as text.
const DOCUMENTS: [(&str, &str); 2] = [
    ("docs/clients.md", example::CLIENTS),
    ("docs/contract.md", include_str!("../../../docs/contract.md")),
];

/// A file as a browser gets it.
#[derive(Clone, Debug)]
pub struct File {
    /// The entity tag: a hash of the bytes, quoted.
    pub tag: String,
    /// The media type.
    pub content_type: &'static str,
    /// The content.
    pub bytes: Vec<u8>,
}

impl File {
    /// A file with this content.
    #[must_use]
    pub fn new(content_type: &'static str, bytes: &[u8]) -> Self {
        let hash = Sha256::digest(bytes);
        let mut tag = String::from("\"");
        for byte in &hash[..8] {
            write!(tag, "{byte:02x}").expect("a string takes all text");
        }
        tag.push('"');
        File { tag, content_type, bytes: bytes.to_vec() }
    }
}

/// All files of the page, by their paths.
#[derive(Clone, Debug)]
pub struct Page {
    files: BTreeMap<String, File>,
    words: words::Languages,
}

impl Page {
    /// The page that is in the program. `words` are its own in more languages: files of TOML by language.
    ///
    /// # Errors
    /// If a file is not TOML.
    pub fn of_the_program(words: &[(String, String)]) -> Result<Self, WordsError> {
        let mut files = BTreeMap::new();
        let mut folders = vec![("", &ASSETS), ("client/", &CLIENT)];
        while let Some((place, folder)) = folders.pop() {
            folders.extend(folder.dirs().map(|folder| (place, folder)));
            for file in folder.files() {
                // Notes for people and types are left out.
                let extension = file.path().extension().and_then(|extension| extension.to_str());
                if let (Some(path), Some(kind)) = (file.path().to_str(), extension.and_then(kind)) {
                    let path = format!("{place}{}", path.replace('\\', "/"));
                    files.insert(path, File::new(kind, file.contents()));
                }
            }
        }
        let words = words::all(words)?;
        let (told, example, script) =
            (words::as_json(&words), example::document(), example::script());
        let made = [
            ("words.json", JSON, told.as_str()),
            ("example.html", HTML, example.as_str()),
            ("example.js", SCRIPT, script.as_str()),
        ];
        let documents = DOCUMENTS.map(|(path, text)| (path, "text/plain; charset=utf-8", text));
        for (path, kind, text) in made.into_iter().chain(documents) {
            files.insert(path.to_owned(), File::new(kind, text.as_bytes()));
        }
        Ok(Page { files, words })
    }

    /// The file with this path, such as `index.html`.
    #[must_use]
    pub fn file(&self, path: &str) -> Option<&File> {
        self.files.get(path)
    }

    /// What the page says in this language under this name: in the first language, if the language has no such entry.
    #[must_use]
    pub fn word(&self, language: &str, name: &str) -> &str {
        let mut own = self.words.iter().filter(|(known, _)| known == language);
        let mut said = own.by_ref().chain(self.words.first()).map(|(_, words)| words.get(name));
        said.find_map(|entry| entry?.as_str()).unwrap_or_default()
    }
}

/// The media type of what browsers ask for.
fn kind(extension: &str) -> Option<&'static str> {
    match extension {
        "html" => Some(HTML),
        "js" => Some(SCRIPT),
        "css" => Some("text/css; charset=utf-8"),
        "svg" => Some("image/svg+xml"),
        _ => None,
    }
}
