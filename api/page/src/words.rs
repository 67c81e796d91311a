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

/// The words by language, the complete one first. Without a name those come that the program has in it, if a folder changes them.
pub(crate) type Languages = Vec<(String, Map<String, Value>)>;

/// All words. `more` files, TOML by language, add languages, and complete or replace what is there.
pub(crate) fn all(more: &[(String, String)]) -> Result<Languages, WordsError> {
    let mut languages = Languages::new();
    for (language, text) in OWN {
        read(&mut languages, language, text)?;
    }
    let own = languages.first().cloned();
    for (language, text) in more {
        read(&mut languages, language, text)?;
    }
    // The scripts put parts in by the order of the program's own words, whatever a folder makes of these.
    let changed = own.filter(|own| languages.first() != Some(own));
    languages.extend(changed.map(|(_, words)| (String::new(), words)));
    Ok(languages)
}

/// Takes a file into the words of its language.
fn read(languages: &mut Languages, language: &str, text: &str) -> Result<(), WordsError> {
    let wrong = |error| WordsError { language: language.to_owned(), source: Box::new(error) };
    let file: toml::Table = text.parse().map_err(wrong)?;
    let file = file.into_iter().map(|(name, entry)| (name, json!(entry))).collect();
    match languages.iter_mut().find(|(known, _)| known == language) {
        Some((_, words)) => complete(words, file),
        None => languages.push((language.to_owned(), file)),
    }
    Ok(())
}

/// As JSON, in their order: the page takes the first language for the complete one.
pub(crate) fn as_json(languages: &Languages) -> String {
    let told =
        languages.iter().map(|(language, words)| format!("{}:{}", json!(language), json!(words)));
    format!("{{{}}}", told.collect::<Vec<_>>().join(","))
}

/// Takes the entries of a file over those that are known, in sections entry by entry. Whoever gives cases with one for all others gives all of them.
fn complete(known: &mut Map<String, Value>, file: Map<String, Value>) {
    for (name, entry) in file {
        match (known.get_mut(&name), entry) {
            (Some(Value::Object(known)), Value::Object(entries))
                if !(has_cases(known) && entries.contains_key("other")) =>
            {
                complete(known, entries);
            }
            (_, entry) => {
                known.insert(name, entry);
            }
        }
    }
}

/// Are these the cases of an entry? A section may have an entry `other`, too, but none with parts.
fn has_cases(entries: &Map<String, Value>) -> bool {
    entries.get("other").and_then(Value::as_str).is_some_and(|text| text.contains('{'))
}

#[cfg(test)]
mod tests {
    use super::all;
    use serde_json::json;

    #[test]
    fn what_a_folder_changes_leaves_the_rest_and_the_order_of_parts() {
        let file = "
            versionOf = '{last} events, now {version}'
            gain = { other = '{points} gained' }
            [problems]
            other = 'Alas: {code}.'
            [developers.package]
            muninn = 'Snakes'
        ";
        let languages = all(&[("en".to_owned(), file.to_owned())]).expect("TOML");
        let names: Vec<&str> = languages.iter().map(|(language, _)| language.as_str()).collect();
        assert_eq!(names, ["en", "de", ""]);
        let (changed, own) = (&languages[0].1, &languages[2].1);
        assert_eq!(changed["versionOf"], "{last} events, now {version}");
        assert_eq!(own["versionOf"], "event {version} of {last}");
        assert_eq!(changed["gain"], json!({"other": "{points} gained"}));
        assert_eq!(changed["problems"]["other"], "Alas: {code}.");
        assert_eq!(changed["problems"]["not_found"], own["problems"]["not_found"]);
        let package = &changed["developers"]["package"];
        assert_eq!(package["muninn"], "Snakes");
        assert_eq!(package["@muninn/react"], own["developers"]["package"]["@muninn/react"]);
        assert_eq!(changed["matches"], own["matches"]);
        // Another language changes nothing of that.
        let languages = all(&[("fr".to_owned(), file.to_owned())]).expect("TOML");
        assert_eq!(languages.len(), 3);
        assert_eq!(languages[2].0, "fr");
    }
}
