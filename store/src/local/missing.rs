//! Pages that sled does not find. It looks a million times for each before it gives up, so that one who asks for many keys would wait for minutes.
//!
//! Keys lie in order in the tree. So where the ways to two keys end at the same missing page, those to all keys between them end there too.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use crate::error::ReadError;

/// For each page that was not found, the first and the last key that led to it.
#[derive(Debug, Default)]
pub(crate) struct Missing(Mutex<BTreeMap<u64, [Vec<u8>; 2]>>);

impl Missing {
    /// What sled would say of a key, if that is known.
    pub(crate) fn known(&self, key: &[u8]) -> Option<String> {
        let pages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_between = |[first, last]: &[Vec<u8>; 2]| **first <= *key && *key <= **last;
        let page = pages.iter().find(|(_, keys)| is_between(keys)).map(|(page, _)| page)?;
        Some(format!("{BEFORE}{page}{BETWEEN}{key:?}{BEHIND}"))
    }

    /// Learns from what sled said when it gave up.
    pub(crate) fn learn(&self, said: &str) {
        let Some((page, key)) = read(said) else { return };
        let mut pages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let [first, last] = pages.entry(page).or_insert_with(|| [key.clone(), key.clone()]);
        if key < *first {
            *first = key;
        } else if key > *last {
            *last = key;
        }
    }
}

/// The page that sled did not find, if that is why it gave up.
pub(crate) fn page_of(error: &ReadError) -> Option<u64> {
    let ReadError::GaveUp(said) = error else { return None };
    read(said).map(|(page, _)| page)
}

const BEFORE: &str = "cannot find pid ";
const BETWEEN: &str = " in view_for_key, looking for key ";
const BEHIND: &str = " in tree";

/// The page and the key.
fn read(said: &str) -> Option<(u64, Vec<u8>)> {
    let (page, rest) = said.strip_prefix(BEFORE)?.split_once(BETWEEN)?;
    let key = rest.strip_suffix(BEHIND)?.strip_prefix('[')?.strip_suffix(']')?;
    let bytes = key.split(", ").map(str::parse).collect::<Result<_, _>>();
    Some((page.parse().ok()?, bytes.ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn between_two_keys_of_a_missing_page_all_are_missing() {
        let said = |page: u64, key: &[u8]| format!("{BEFORE}{page}{BETWEEN}{key:?}{BEHIND}");
        let missing = Missing::default();
        assert_eq!(missing.known(&[104, 1]), None);
        missing.learn("something else");
        missing.learn(&said(3, &[104, 1, 162]));
        assert_eq!(missing.known(&[104, 1, 162]), Some(said(3, &[104, 1, 162])));
        assert_eq!(missing.known(&[104, 1]), None);
        missing.learn(&said(3, &[104, 9]));
        missing.learn(&said(3, &[104, 2]));
        missing.learn(&said(5, &[110]));
        assert_eq!(missing.known(&[104, 5, 7]), Some(said(3, &[104, 5, 7])));
        let others: [&[u8]; 4] = [&[104, 1, 161], &[104, 9, 0], &[109], &[110, 0]];
        assert!(others.iter().all(|key| missing.known(key).is_none()));
    }
}
