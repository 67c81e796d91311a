//! sled's settings, a small file. It is the first that sled writes, in two steps and without a sync, and sled does not start where a crash left
//! a part of it.

use std::fs;
use std::path::Path;

use crate::error::OpenError;
use crate::local::folder::io_error;

pub(crate) const NAME: &str = "conf";
/// What they say in every store, before a checksum.
const SETTINGS: &[u8] = b"segment_size: 524288\nuse_compression: false\nversion: 0.34\n";
const CHECKSUM: usize = 4;

/// Removes settings that are not whole: sled writes them anew. Returns what is wrong in a store that holds something; one that was killed while
/// it was made is as it may be.
pub(crate) fn mend(log: &Path) -> Result<Option<String>, OpenError> {
    let settings = log.join(NAME);
    let Ok(found) = fs::read(&settings) else {
        return Ok(None);
    };
    if found.starts_with(SETTINGS) && found.len() == SETTINGS.len() + CHECKSUM {
        return Ok(None);
    }
    fs::remove_file(&settings).map_err(io_error("remove", &settings))?;
    let is_begun = fs::metadata(log.join("db")).is_ok_and(|db| db.len() > 0);
    Ok(is_begun.then(|| format!("the file log/{NAME} is damaged, which is derived")))
}
