//! The file.

use std::env;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use derived::{Derived, FileError, Sums};

use super::layout::Layout;
use crate::catalogue::Catalogue;

/// The tables in a SQLite file.
#[derive(Debug)]
pub struct Sql {
    pub(super) file: Derived,
    pub(super) layout: Layout,
    pub(super) catalogue: Catalogue,
    /// What runs queries.
    pub(super) program: PathBuf,
    /// How often names had been forgotten when the file was last begun again.
    forgettings: AtomicU64,
    reached: Mutex<Reached>,
}

/// How far the file goes, of this generation; it may say itself that it goes less far, for it is not written where nothing is to be added.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Reached {
    pub(super) generation: u64,
    pub(super) position: u64,
}

impl Sql {
    /// The tables of the store in `data`; nothing is opened yet. Queries run in `program`, which answers to [`RUN_QUERY`](super::RUN_QUERY)
    /// by [`run_query`](super::run_query); by default this program. It has no columns of hashes.
    #[must_use]
    pub fn beside(data: &Path, catalogue: Catalogue, program: Option<PathBuf>) -> Self {
        let catalogue = catalogue.without_hashes();
        let layout = Layout::new(&catalogue);
        let program = program.unwrap_or_else(this_program);
        let file = Derived::new("tables", data.join("tables.sqlite"));
        let (forgettings, reached) = (AtomicU64::new(0), Mutex::default());
        Sql { file, layout, catalogue, program, forgettings, reached }
    }

    pub(super) fn reached(&self) -> MutexGuard<'_, Reached> {
        self.reached.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How far the file of this generation goes, which says itself that it goes up to `position`.
    pub(super) fn reaches(&self, generation: u64, position: u64) -> u64 {
        let reached = *self.reached();
        if reached.generation == generation { reached.position.max(position) } else { position }
    }

    /// Where the file is.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// Counts the transactions of the file; no two files count alike. `None` if it has no checksums, or damaged ones.
    #[must_use]
    pub fn generation(&self) -> Option<u64> {
        Some(Sums::read(self.path()).ok()?.generation)
    }

    /// Whether the file has to be prepared again although the feed has not grown: it was found damaged, was changed by another program, or
    /// has not been compared with its checksums for a long time.
    #[must_use]
    pub fn is_suspect(&self) -> bool {
        self.file.is_suspect()
    }

    /// Whether every query is refused since the file is being made anew.
    #[must_use]
    pub fn is_refused(&self) -> bool {
        self.file.is_refused()
    }

    /// Lets the file be made anew when it is next prepared, and answers nothing from it until then: it holds what the store has forgotten.
    /// `forgettings` is how often names have been forgotten until now.
    pub fn begin_again(&self, forgettings: u64) {
        self.file.begin_again("a name was forgotten");
        self.forgettings.store(forgettings, Ordering::Release);
    }

    /// Whether the file was begun again since names were forgotten for the last time, this often. If not, whoever has forgotten them answers nothing
    /// from it.
    #[must_use]
    pub fn has_forgotten(&self, forgettings: u64) -> bool {
        self.forgettings.load(Ordering::Acquire) == forgettings
    }

    /// Removes the file, which the next query fills anew: it holds what the store has forgotten, and nobody keeps it.
    ///
    /// # Errors
    /// If it cannot be removed.
    pub fn remove(&self) -> Result<(), FileError> {
        self.file.remove()
    }
}

/// On Linux also when its file was replaced by another version.
fn this_program() -> PathBuf {
    let own = Path::new("/proc/self/exe");
    if own.exists() { own.to_owned() } else { env::current_exe().unwrap_or_default() }
}
