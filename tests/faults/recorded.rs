//! A server that notes what it writes, and these notes (`recorder.c`).

use std::fs;
use std::path::Path;

use acceptance::process::Process;

/// One call, or what was answered to a client.
#[derive(Clone, Debug)]
pub(crate) struct Note {
    pub(crate) kind: Kind,
    /// The offset or length, or the number of the sync.
    pub(crate) number: usize,
    /// The file or folder, below that of the store.
    pub(crate) path: String,
    pub(crate) bytes: Vec<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A new file.
    Created,
    /// A new folder.
    Folder,
    /// Bytes at an offset.
    Written,
    /// The file has this length now.
    Length,
    /// The file has at least this length now.
    Reserved,
    /// A sync begins: it is of what was written before.
    Begun,
    /// It has ended well.
    Synced,
    /// The file has the name in `bytes` now.
    Renamed,
    Removed,
    /// Bytes are about to be sent to a client.
    Answered,
}

/// Starts a server that continues the notes in `log`.
pub(crate) fn serve(data: &Path, library: &Path, log: &Path) -> Process {
    fs::create_dir_all(data).expect("a folder");
    let data = data.canonicalize().expect("it is there");
    let mut serve = Process::command(&data);
    serve.env("LD_PRELOAD", library).env("RECORD_FOLDER", &data).env("RECORD_LOG", log);
    Process::spawn(&mut serve)
}

/// All notes.
pub(crate) fn read(log: &Path) -> Vec<Note> {
    let bytes = fs::read(log).expect("the server has written");
    let (mut rest, mut notes) = (bytes.as_slice(), Vec::new());
    while let Some(note) = next(&mut rest) {
        notes.push(note);
    }
    notes
}

/// The next note; none at the end, and none where a kill has torn it.
fn next(rest: &mut &[u8]) -> Option<Note> {
    let ([kind], more) = rest.split_first_chunk()?;
    let (number, more) = more.split_first_chunk()?;
    let (path, more) = more.split_first_chunk()?;
    let (length, more) = more.split_first_chunk()?;
    let (path, more) = more.split_at_checked(u32::from_le_bytes(*path) as usize)?;
    let (bytes, more) = more.split_at_checked(u32::from_le_bytes(*length) as usize)?;
    *rest = more;
    let kind = match kind {
        b'c' => Kind::Created,
        b'm' => Kind::Folder,
        b'w' => Kind::Written,
        b't' => Kind::Length,
        b'l' => Kind::Reserved,
        b'b' => Kind::Begun,
        b'e' => Kind::Synced,
        b'r' => Kind::Renamed,
        b'u' => Kind::Removed,
        b'a' => Kind::Answered,
        other => panic!("no note begins with {other}"),
    };
    let number = usize::try_from(u64::from_le_bytes(*number)).expect("64 bits");
    let path = String::from_utf8(path.to_vec()).expect("a name");
    Some(Note { kind, number, path, bytes: bytes.to_vec() })
}
