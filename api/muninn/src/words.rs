//! The words of games, with those of a folder.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

use journal::words::lexicon;
use kernel::{AnyGame, Lexicon, WordsError};
use page::Page;

/// The words of a folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BadWords {
    /// It cannot be read.
    #[error("cannot read the words in {path}: {source}")]
    Unreadable {
        /// The folder or file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file is no TOML.
    #[error(transparent)]
    Wrong(#[from] WordsError),
    /// The same of the page's words.
    #[error(transparent)]
    WrongPage(#[from] page::WordsError),
}

/// The words of each game; those in `LANGUAGE/platform.toml` and `LANGUAGE/GAME.toml` of a folder complete or replace its own.
pub(crate) fn words(
    games: &[&'static dyn AnyGame],
    folder: Option<&Path>,
) -> Result<BTreeMap<&'static str, Lexicon>, BadWords> {
    let languages = folder.map(languages).transpose()?.unwrap_or_default();
    let mut lexicons = BTreeMap::new();
    for game in games {
        let id = game.info().id;
        let mut files = Vec::new();
        for (language, folder) in &languages {
            for name in ["platform", id] {
                files.extend(file(folder, name)?.map(|text| (language.as_str(), text)));
            }
        }
        let files: Vec<(&str, &str)> =
            files.iter().map(|(language, text)| (*language, text.as_str())).collect();
        lexicons.insert(id, lexicon(*game, &files)?);
    }
    Ok(lexicons)
}

/// The page with its words; those in `LANGUAGE/page.toml` of a folder complete or replace its own. It speaks every language that has a folder.
pub(crate) fn page(folder: Option<&Path>) -> Result<Page, BadWords> {
    let languages = folder.map(languages).transpose()?.unwrap_or_default();
    let texts = languages.into_iter().map(|(language, folder)| {
        let text = file(&folder, "page")?;
        Ok((language, text.unwrap_or_default()))
    });
    Ok(Page::of_the_program(&texts.collect::<Result<Vec<_>, BadWords>>()?)?)
}

/// A file of words, if it is there.
fn file(folder: &Path, name: &str) -> Result<Option<String>, BadWords> {
    let path = folder.join(name).with_extension("toml");
    match fs::read_to_string(&path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(BadWords::Unreadable { path, source }),
    }
}

/// The folders in a folder, by name and in its order.
fn languages(folder: &Path) -> Result<BTreeMap<String, PathBuf>, BadWords> {
    let unreadable = |source| BadWords::Unreadable { path: folder.to_owned(), source };
    let mut languages = BTreeMap::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if let (true, Some(name)) = (path.is_dir(), path.file_name().and_then(|name| name.to_str()))
        {
            languages.insert(name.to_owned(), path);
        }
    }
    Ok(languages)
}
