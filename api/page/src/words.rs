//! The page's own words, as data: a file for each language, and those of a folder.

use serde_json::{Map, Value, json};

/// The first language is complete; others say in it what they lack.
const OWN: [(&str, &str); 2] =
    [("en", include_str!("../words/en.toml")), ("de", include_str!("../words/de.toml"))];

/// A file of words is not TOML.
#[derive(Clone, Debug, thiserror::Error)]
#[error("the page's words in `{language}` are not TOML: {source}")]
pub struct WordsError {
    /// The language of the file.
    pub language: String,
    /// Where it is wrong.
    #[source]
    pub source: Box<toml::de::Error>,
}

/// The words by language, the complete one first.
pub(crate) type Languages = Vec<(String, Map<String, Value>)>;

/// All words. `more` files, TOML by language, add languages, and complete or replace what is there.
pub(crate) fn all(more: &[(String, String)]) -> Result<Languages, WordsError> {
    let more = more.iter().map(|(language, text)| (language.as_str(), text.as_str()));
    let mut languages = Languages::new();
    for (language, text) in OWN.into_iter().chain(more) {
        let wrong = |error| WordsError { language: language.to_owned(), source: Box::new(error) };
        let file: toml::Table = text.parse().map_err(wrong)?;
        match languages.iter_mut().find(|(known, _)| *known == language) {
            Some((_, words)) => complete(words, file),
            None => {
                let mut words = Map::new();
                complete(&mut words, file);
                languages.push((language.to_owned(), words));
            }
        }
    }
    Ok(languages)
}

/// As JSON, in their order: the page takes the first language for the complete one.
pub(crate) fn as_json(languages: &Languages) -> String {
    let told =
        languages.iter().map(|(language, words)| format!("{}:{}", json!(language), json!(words)));
    format!("{{{}}}", told.collect::<Vec<_>>().join(","))
}

/// Takes the entries of a file over those that are known, in sections entry by entry.
fn complete(known: &mut Map<String, Value>, file: toml::Table) {
    for (name, entry) in file {
        match (known.get_mut(&name), json!(entry)) {
            (Some(Value::Object(known)), Value::Object(entries)) => known.extend(entries),
            (_, entry) => {
                known.insert(name, entry);
            }
        }
    }
}
