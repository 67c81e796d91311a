//! What may be on a disk when the power is cut: all that was synced, and of all that was written after that anything, in any order, whole or in
//! pieces. Names (new files and folders, renames, removals) are a journal, as in all file systems of Linux: of those that no sync of their folder
//! has made sure, the last ones may be lost.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::Path;

use crate::recorded::{Kind, Note};
use acceptance::Dice;

/// What a name stands for.
#[derive(Clone, Copy, Debug)]
enum Entry {
    Folder,
    /// A file, by its number.
    File(usize),
}

type Names = BTreeMap<String, Entry>;

/// What is kept of the writes that no sync has made sure.
#[derive(Clone, Copy, Debug)]
enum Kept {
    Nothing,
    All,
    /// Each call or not.
    Calls,
    /// Each piece of so many bytes or not.
    Pieces(usize),
    /// All up to one, of which a part.
    Beginning,
}

const KEPT: [Kept; 6] =
    [Kept::Nothing, Kept::All, Kept::Calls, Kept::Pieces(512), Kept::Pieces(4096), Kept::Beginning];

/// A folder on a disk, as it was written.
#[derive(Default)]
pub(crate) struct Disk {
    /// The names as they were at the beginning, and what was in the files.
    names: Names,
    files: Vec<Vec<u8>>,
}

/// The changes to one file, by the index of their notes.
type Writes<'a> = HashMap<usize, Vec<(usize, &'a Note)>>;

impl Disk {
    /// What is in a folder, and was synced long ago.
    pub(crate) fn of(folder: &Path) -> Self {
        let mut disk = Disk::default();
        disk.read(folder, "");
        disk
    }

    fn read(&mut self, folder: &Path, below: &str) {
        for entry in fs::read_dir(folder.join(below)).expect("a folder") {
            let name = entry.expect("an entry").file_name().into_string().expect("a name");
            let name = if below.is_empty() { name } else { format!("{below}/{name}") };
            if folder.join(&name).is_dir() {
                self.names.insert(name.clone(), Entry::Folder);
                self.read(folder, &name);
            } else {
                self.names.insert(name.clone(), Entry::File(self.files.len()));
                self.files.push(fs::read(folder.join(&name)).expect("readable"));
            }
        }
    }

    /// Writes to `folder` what may be left when the power is cut after these notes; says what was kept.
    pub(crate) fn cut(&self, notes: &[Note], dice: &mut Dice, folder: &Path) -> String {
        let (mut names, mut writes) = (self.names.clone(), Writes::new());
        // By file: up to which note it is on disk. By folder likewise, of its names.
        let (mut synced, mut sure) = (HashMap::<usize, usize>::new(), 0);
        let (mut begun, mut changes) = (HashMap::new(), Vec::new());
        let mut count = self.files.len();
        for (index, note) in notes.iter().enumerate() {
            match note.kind {
                Kind::Created | Kind::Folder | Kind::Renamed | Kind::Removed => {
                    changes.push((index, note, count));
                    count += usize::from(note.kind == Kind::Created);
                    change(&mut names, changes.last().expect("it was just pushed"));
                }
                Kind::Written | Kind::Length | Kind::Reserved => {
                    if let Some(Entry::File(file)) = names.get(&note.path) {
                        writes.entry(*file).or_default().push((index, note));
                    }
                }
                Kind::Begun => {
                    begun.insert(note.number, (index, names.get(&note.path).copied()));
                }
                Kind::Synced => match begun.get(&note.number) {
                    Some((from, Some(Entry::File(file)))) => {
                        let known = synced.entry(*file).or_default();
                        *known = (*known).max(*from);
                    }
                    Some((from, _)) => sure = sure.max(*from),
                    None => {}
                },
                Kind::Answered => {}
            }
        }
        // A journal: what came before something that is on disk is on disk.
        let pending = changes.iter().filter(|(index, ..)| *index >= sure).count();
        let lost = dice.below(pending + 1);
        let mut names = self.names.clone();
        changes[..changes.len() - lost].iter().for_each(|one| change(&mut names, one));
        let kept = KEPT[dice.below(KEPT.len())];
        for (name, entry) in &names {
            let path = folder.join(name);
            let Entry::File(file) = entry else {
                fs::create_dir_all(path).expect("writable");
                continue;
            };
            let empty = Vec::new();
            let first = self.files.get(*file).unwrap_or(&empty).clone();
            let all = writes.get(file).map_or(&[][..], Vec::as_slice);
            let from = synced.get(file).copied().unwrap_or(0);
            let (old, new) = all.split_at(all.partition_point(|(index, _)| *index < from));
            fs::write(path, content(first, old, new, kept, dice)).expect("writable");
        }
        format!("{kept:?} kept of what was not synced, {lost} of {pending} names lost")
    }
}

fn change(names: &mut Names, (_, note, file): &(usize, &Note, usize)) {
    if note.kind == Kind::Created {
        names.insert(note.path.clone(), Entry::File(*file));
    } else if note.kind == Kind::Folder {
        names.insert(note.path.clone(), Entry::Folder);
    } else if let Some(entry) = names.remove(&note.path)
        && note.kind == Kind::Renamed
    {
        names.insert(String::from_utf8(note.bytes.clone()).expect("a name"), entry);
    }
}

/// A file with all of `old` and something of `new`.
fn content(
    mut bytes: Vec<u8>,
    old: &[(usize, &Note)],
    new: &[(usize, &Note)],
    kept: Kept,
    dice: &mut Dice,
) -> Vec<u8> {
    old.iter().for_each(|(_, note)| write(&mut bytes, note, 0..note.bytes.len()));
    let sure = bytes.len();
    let last = dice.below(new.len() + 1);
    for ((_, note), number) in new.iter().zip(0..) {
        let length = note.bytes.len();
        match kept {
            Kept::Nothing => {}
            Kept::All => write(&mut bytes, note, 0..length),
            Kept::Beginning if number < last => write(&mut bytes, note, 0..length),
            Kept::Beginning if number == last => write(&mut bytes, note, 0..dice.below(length + 1)),
            Kept::Beginning => {}
            Kept::Calls | Kept::Pieces(_) if note.kind != Kind::Written => {
                if dice.below(2) == 0 {
                    write(&mut bytes, note, 0..length);
                }
            }
            Kept::Calls => match dice.below(3) {
                0 => write(&mut bytes, note, 0..length),
                // The length is there, the bytes are not.
                1 => bytes.resize(bytes.len().max(note.number + length), 0),
                _ => {}
            },
            Kept::Pieces(size) => {
                let mut at = 0;
                while at < length {
                    // Pieces of the disk, not of the call.
                    let end = length.min(at + size - (note.number + at) % size);
                    if dice.below(2) == 0 {
                        write(&mut bytes, note, at..end);
                    }
                    at = end;
                }
            }
        }
    }
    if bytes.len() > sure && dice.below(3) == 0 {
        bytes.truncate(sure + dice.below(bytes.len() - sure + 1));
    }
    bytes
}

/// A part of a call takes effect.
fn write(bytes: &mut Vec<u8>, note: &Note, part: std::ops::Range<usize>) {
    let end = note.number + part.end;
    if note.kind == Kind::Length {
        bytes.resize(note.number, 0);
    } else {
        bytes.resize(bytes.len().max(end), 0);
        bytes[note.number + part.start..end].copy_from_slice(&note.bytes[part]);
    }
}
