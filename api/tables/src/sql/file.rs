//! The file.

use std::path::Path;

use derived::Derived;

use super::layout::Layout;
use crate::catalogue::Catalogue;

/// The tables in a SQLite file.
#[derive(Debug)]
pub struct Sql {
    pub(super) file: Derived,
    pub(super) layout: Layout,
    pub(super) catalogue: Catalogue,
}

impl Sql {
    /// The tables of the store in `data`; nothing is opened yet.
    #[must_use]
    pub fn beside(data: &Path, catalogue: Catalogue) -> Self {
        let layout = Layout::new(&catalogue);
        Sql { file: Derived::new("tables", data.join("tables.sqlite")), layout, catalogue }
    }

    /// Where the file is.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// Whether the file has to be prepared again although the feed has not grown: it was found damaged, was changed by another program, or
    /// has not been compared with its checksums for a long time.
    #[must_use]
    pub fn is_suspect(&self) -> bool {
        self.file.is_suspect()
    }

    /// Lets the file be made anew when it is next prepared, and answers nothing from it until then: it holds what the store has forgotten.
    pub fn begin_again(&self) {
        self.file.begin_again("a name was forgotten");
    }
}
