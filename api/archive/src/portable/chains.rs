//! The chains of all matches, as far as an archive has told: what the next commit of each must follow on.

use std::collections::HashMap;

use journal::{Bytes32, Commitments, Header, MatchId, Record};

use super::line::Head;
use crate::verify::same;

/// The end of a chain, so far.
struct Link {
    commit: u64,
    hash: Bytes32,
    /// The secret that seals its commits.
    seed: Bytes32,
    /// The number of the archive that it was in.
    archive: u32,
}

/// The ends of all chains.
#[derive(Default)]
pub(super) struct Chains {
    links: HashMap<MatchId, Link>,
    archive: u32,
    /// How many matches were opened in this archive.
    pub(super) opened: u64,
}

impl Chains {
    /// Another archive begins.
    pub(super) fn begin(&mut self) {
        self.archive += 1;
        self.opened = 0;
    }

    /// Whether it is known how a match goes on.
    pub(super) fn has(&self, id: MatchId) -> bool {
        self.links.contains_key(&id)
    }

    /// A match goes on that began before: its last commit, and the secret that seals them.
    pub(super) fn resume(&mut self, head: Head, seed: Bytes32) {
        let Head { r#match, commit, hash } = head;
        self.links.insert(r#match, Link { commit, hash, seed, archive: self.archive });
    }

    /// A commit of an archive, if it goes on as one of a [store](Self::extend), and its text says so.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn follow(
        &mut self,
        id: MatchId,
        number: u64,
        header: Option<&[u8]>,
        record: &Record,
    ) -> Result<Head, String> {
        let head = self.extend(id, number, header, record)?;
        let body = record.body().map_err(|error| error.to_string())?;
        same("the number in the text of the commit", body.commit == number)?;
        Ok(head)
    }

    /// A commit of a store, if it follows on the one before, is sealed with the seed of its match, and is what its hash says. The store wrote
    /// the text itself: the seal tells that it is still that.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn extend(
        &mut self,
        id: MatchId,
        number: u64,
        header: Option<&[u8]>,
        record: &Record,
    ) -> Result<Head, String> {
        let (before, seed) = match (self.links.get(&id), header) {
            (None, Some(header)) => (None, Header::read(header).map_err(|e| e.to_string())?.seed),
            (Some(link), None) => (Some(link), link.seed),
            (None, None) => return Err("it has no header, and no commit before it".to_owned()),
            (Some(_), Some(_)) => return Err("its match has a header already".to_owned()),
        };
        let (last, prev_hash) =
            before.map_or((0, Bytes32::default()), |link| (link.commit, link.hash));
        same("the number of the commit", number == last + 1)?;
        same("prev_hash", record.prev_hash() == prev_hash)?;
        same("sealed", record.sealed() == record.expected_seal(seed, number))?;
        if record.is_open() {
            let open = Bytes32::hash(&[record.full().as_bytes()]);
            let hash = Bytes32::hash(&[&prev_hash.0, &open.0, &record.sealed().0]);
            same("hash", record.hash() == hash)?;
        }
        if let Some(header) = header {
            let body = record.body().map_err(|error| error.to_string())?;
            let opened = body.events.last().and_then(|event| Commitments::read(event));
            let opened = opened.ok_or("its first commit does not open a table")?;
            same("the header", Bytes32::hash(&[header]) == opened.header_commitment)?;
            same("the seed", Bytes32::hash(&[&seed.0]) == opened.seed_commitment)?;
        }
        let head = Head { r#match: id, commit: number, hash: record.hash() };
        self.opened += u64::from(number == 1);
        self.resume(head, seed);
        Ok(head)
    }

    /// SHA-256 of the heads of all matches that had a commit in this archive.
    pub(super) fn heads(&self) -> Bytes32 {
        let mut heads: Vec<_> =
            self.links.iter().filter(|(_, link)| link.archive == self.archive).collect();
        heads.sort_unstable_by_key(|(id, _)| **id);
        let mut digest = sha2::Sha256::default();
        for (id, Link { commit, hash, .. }) in heads {
            for part in [id.as_bytes().as_slice(), &commit.to_be_bytes(), &hash.0] {
                sha2::Digest::update(&mut digest, part);
            }
        }
        Bytes32(sha2::Digest::finalize(digest).into())
    }
}
