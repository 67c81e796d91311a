//! `muninn backup` and `muninn restore`: a store into an archive, and back.

use std::fs::File;
use std::io::{self, PipeWriter, Write};
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;

use archive::portable::{
    Failed, Manifest, Repaired, Restored, SetAside, Until, back_up, back_up_file,
    manifest as of_file, manifest_in, repair as mend, restore as make, verify,
};
use chrono::{DateTime, Datelike, SecondsFormat, Utc};
use clap::Args;
use journal::{Home, Journal};
use server::{Listen, step_back};

use crate::door::post;
use crate::failure::{Failure, note, print, tell_done, usage};
use crate::games::Games;
use crate::place::{StoreArgs, is_at, stored};
use crate::progress::Progress;

pub(crate) const BACKUP_HELP: &str = "\
Examples:
  muninn backup --data ./data --out monday.muninn                           no server may use the store meanwhile; the store is only read
  muninn backup --data /mnt/old --out old.muninn --scratch /var/tmp         reads a copy, which takes as much space as the store
  muninn backup --data ./data --out tuesday.muninn --since monday.muninn    only what came after that archive
  muninn backup --operator unix:/run/muninn/operator.sock --out now.muninn  while the server runs: see --operator-listen of serve
  muninn backup --store postgres://muninn@db/muninn --out monday.muninn     while servers use it
  muninn backup --verify monday.muninn tuesday.muninn                       needs no store; if a line is wrong, names the first one and exits with 1";

pub(crate) const RESTORE_HELP: &str = "\
Examples:
  muninn restore --from monday.muninn --data ./data
  muninn restore --from monday.muninn tuesday.muninn --data ./data
  muninn restore --from monday.muninn --data ./data --until 2026-11-20T18:00:00Z
  muninn restore --from monday.muninn --data ./data --until 4711            up to this feed position
  muninn restore --from monday.muninn --store postgres://muninn@db/muninn   into an empty store: see muninn migrate";

pub(crate) const REPAIR_HELP: &str = "\
Exits with 0 if nothing was damaged, and with 1 if anything was. Each damaged match, and anything else that is damaged, is listed on
standard output.

Examples:
  muninn repair --data ./data --out ./repaired
  muninn repair --data ./data --out ./repaired --scratch /var/tmp    the copy takes as much space as the store";

/// Bytes of cache that the store gets: it is read once, in order.
const CACHE: u64 = 64 << 20;
/// Of an archive that arrives from a running server so many bytes are synced at once. What a server on the same disk has to sync waits for them,
/// and would wait for all of the archive if that were synced at its end.
const SYNC: usize = 4 << 20;

/// Arguments of `muninn backup`.
#[derive(Clone, Debug, Args)]
pub struct BackupArgs {
    /// The store, which is only read.
    // The first field, as what was said is read with it.
    #[command(flatten)]
    pub store: StoreArgs,
    /// The operator's door of a running server, as in --operator-listen: back up the store of that server as it is now
    #[arg(long, env = "MUNINN_OPERATOR", value_name = "ADDRESS|unix:PATH")]
    pub operator: Option<Listen>,
    /// The file of the archive; it must not exist
    #[arg(long, env = "MUNINN_OUT", required_unless_present = "verify")]
    pub out: Option<PathBuf>,
    /// An earlier archive of the same store: back up only what came after it
    #[arg(long, env = "MUNINN_SINCE")]
    pub since: Option<PathBuf>,
    /// The folder for the copy of the store that is read; by default the system's folder for temporary files
    #[arg(long, env = "MUNINN_SCRATCH")]
    pub scratch: Option<PathBuf>,
    /// Verify archives, each of which continues the one before
    #[arg(long, env = "MUNINN_VERIFY", value_name = "FILE", num_args = 1..)]
    pub verify: Vec<PathBuf>,
}

/// Arguments of `muninn restore`.
#[derive(Clone, Debug, Args)]
pub struct RestoreArgs {
    /// The archives: a full one, followed by those that continue it, in order
    #[arg(long, env = "MUNINN_FROM", value_name = "FILE", num_args = 1.., required = true)]
    pub from: Vec<PathBuf>,
    /// Where the new store is to be: a folder that is empty or does not exist, or a database with an empty store.
    #[command(flatten)]
    pub store: StoreArgs,
    /// Stop after this feed position, or before the first commit that was recorded later than this time
    #[arg(long, env = "MUNINN_UNTIL", value_name = "TIME|POSITION", value_parser = until)]
    pub until: Option<Until>,
}

/// Arguments of `muninn repair`.
#[derive(Clone, Debug, Args)]
pub struct RepairArgs {
    /// The folder of the damaged store; it is only read
    #[arg(long, env = "MUNINN_DATA")]
    pub data: PathBuf,
    /// The folder of the new store: empty, or one that does not exist
    #[arg(long, env = "MUNINN_OUT")]
    pub out: PathBuf,
    /// The folder for the copy that is read; by default the system's folder for temporary files
    #[arg(long, env = "MUNINN_SCRATCH")]
    pub scratch: Option<PathBuf>,
}

/// The folder for copies of stores: the one that was asked for, or the system's.
pub(crate) fn scratch_folder(asked: Option<&PathBuf>) -> Result<PathBuf, Failure> {
    let scratch = asked.cloned().unwrap_or_else(std::env::temp_dir);
    is_at("--scratch", &scratch, "there is no such folder", |folder| {
        Ok(folder.metadata()?.is_dir())
    })?;
    Ok(scratch)
}

fn until(text: &str) -> Result<Until, String> {
    if let Ok(position) = text.parse() {
        return Ok(Until::Position(position));
    }
    let time = DateTime::parse_from_rfc3339(text);
    let time =
        time.map_err(|_| "expected a feed position, or a time such as 2026-11-20T18:00:00Z")?;
    let time = time.with_timezone(&Utc);
    // Times are compared as texts.
    if !(0..=9999).contains(&time.year()) {
        return Err("in UTC its year does not have four digits".to_owned());
    }
    Ok(Until::Time(time.to_rfc3339_opts(SecondsFormat::Millis, true)))
}

/// What is in an archive, in one line.
fn told(file: &Path, manifest: &Manifest) -> String {
    let Manifest { after, position, commits, matches, notes, sha256, .. } = manifest;
    format!(
        "{}: positions {} to {position}, {commits} commits, {matches} new matches, {notes} notes, SHA-256 {}\n",
        file.display(),
        after + 1,
        sha256.hex()
    )
}

/// What a backup is asked to do.
enum Asked<'a> {
    /// Verify archives.
    Verify,
    /// Have a running server write one.
    Door(&'a Listen),
    /// Write one of this store.
    Store(Home),
}

/// The environment may be that of a server, so what was said in the command goes first, and of two things that were said neither is left out.
fn asked(args: &BackupArgs) -> Result<Asked<'_>, Failure> {
    let BackupArgs { store, operator, verify, .. } = args;
    let said = &store.said;
    let together =
        |one: &str, other: &str| usage(format!("{one} and {other} cannot be used together"));
    let other = said.first(&["--operator", "--data", "--store", "--out", "--since", "--scratch"]);
    if said.has("--verify") || !verify.is_empty() && other.is_none() {
        return other.map_or(Ok(Asked::Verify), |other| Err(together("--verify", other)));
    }
    match (operator, said.first(&["--data", "--store", "--scratch"])) {
        (Some(_), Some(other)) if said.has("--operator") => Err(together("--operator", other)),
        // A copy is made of a store, and not at the door of the environment.
        (Some(door), None) => Ok(Asked::Door(door)),
        (Some(_) | None, _) => Ok(Asked::Store(store.home()?)),
    }
}

pub(crate) fn backup(args: &BackupArgs) -> Result<ExitCode, Failure> {
    let asked = asked(args)?;
    let mut progress = Progress::new();
    if let Asked::Verify = asked {
        come_last();
        let manifests = verify(&args.verify, &mut |at, last| progress.show(at, last))?;
        drop(progress);
        let lines = args.verify.iter().zip(&manifests);
        return print(&lines.map(|(file, manifest)| told(file, manifest)).collect::<String>());
    }
    let Some(out) = &args.out else { return Err(usage("--out is needed")) };
    let since = || args.since.as_ref().map(|since| of_file(since)).transpose();
    let manifest = match asked {
        Asked::Verify => return Err(usage("--verify and --out cannot be used together")),
        Asked::Door(door) => back_up_file(out, |file| ask(door, out, since()?.as_ref(), file))?,
        Asked::Store(home) => {
            if let Home::Folder(folder) = &home {
                stored(folder)?;
            }
            let scratch = scratch_folder(args.scratch.as_ref())?;
            let journal = Journal::open_copy(&home, &scratch, &[], CACHE)?;
            back_up_file(out, |file| {
                let (store, since) = (journal.store(), since()?);
                let show = &mut |at, last| progress.show(at, last);
                // In a folder nobody plays meanwhile.
                let step_back = || {
                    if store.is_shared() {
                        come_last()
                    }
                };
                back_up(store, since.as_ref(), file, step_back, show).map(|(manifest, _)| manifest)
            })?
        }
    };
    drop(progress);
    Ok(tell_done(&told(out, &manifest)))
}

/// Whoever plays on this machine comes first: a backup of a running server is made there, and verified.
fn come_last() {
    if let Err(error) = step_back() {
        // Where nobody hears it, the backup matters more.
        note(&format!(
            "note: the priority of this command cannot be lowered ({error}): it takes cores from players"
        ));
    }
}

/// Has a running server write an archive, and looks as it comes whether all of it does.
fn ask(
    door: &Listen,
    out: &Path,
    since: Option<&Manifest>,
    file: &mut File,
) -> Result<Manifest, Failed> {
    let failed = |source| Failed::File { path: out.to_owned(), source };
    let body = serde_json::json!({ "since": since }).to_string();
    come_last();
    let (reader, pipe) = io::pipe().map_err(failed)?;
    thread::scope(|scope| {
        let checked = scope.spawn(move || manifest_in(out, reader));
        let mut arriving = Arriving { file, unsynced: 0, pipe, is_wrong: false, is_full: false };
        let arrived = post(door, "/backup", &body, &mut arriving);
        let (is_wrong, is_full) = (arriving.is_wrong, arriving.is_full);
        // Nothing more comes.
        drop(arriving);
        let checked = checked.join().unwrap_or_else(|panic| resume_unwind(panic));
        let place = if is_full { out.to_owned() } else { door.to_string().into() };
        let failed = |source: io::Error| {
            let is_cut_off = source.kind() == io::ErrorKind::UnexpectedEof
                || source.kind() == io::ErrorKind::ConnectionReset;
            let why = "the server broke off; its log says why";
            let source = if is_cut_off { io::Error::other(why) } else { source };
            Failed::File { path: place, source }
        };
        if is_wrong { checked } else { arrived.map_err(failed).and(checked) }
    })
}

/// An archive that arrives from a server on this machine.
struct Arriving<'a> {
    file: &'a mut File,
    /// So many bytes of it have not been synced.
    unsynced: usize,
    /// To who checks it.
    pipe: PipeWriter,
    /// Who checks it has found that it is no archive, and reads no more.
    is_wrong: bool,
    /// The file does not take it.
    is_full: bool,
}

impl Write for Arriving<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.pipe.write_all(bytes).inspect_err(|_| self.is_wrong = true)?;
        self.file.write_all(bytes).inspect_err(|_| self.is_full = true)?;
        self.unsynced += bytes.len();
        if self.unsynced >= SYNC {
            self.file.sync_data().inspect_err(|_| self.is_full = true)?;
            self.unsynced = 0;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Refuses what has its bytes only once, like a pipe. What is not there, or is no archive, whoever opens it says.
fn read_twice(file: &Path) -> Result<(), Failure> {
    let is_once = file.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir());
    if is_once {
        let file = file.display();
        return Err(usage(format!(
            "--until reads the archives twice: {file} must be a file, not a pipe"
        )));
    }
    Ok(())
}

pub(crate) fn restore(args: &RestoreArgs) -> Result<ExitCode, Failure> {
    let RestoreArgs { from, store, until } = args;
    let home = store.home()?;
    if until.is_some() {
        from.iter().try_for_each(|file| read_twice(file))?;
    }
    let mut progress = Progress::new();
    let restored = make(from, &home, until.as_ref(), &mut |at, last| progress.show(at, last))?;
    drop(progress);
    let Restored { manifests, position, early } = restored;
    if early > 0 {
        note(&format!(
            "note: {early} commits behind position {position} were recorded or imported at or before that time, as where a clock was set ahead and back: --until POSITION chooses another end"
        ));
    }
    let archives = manifests.len();
    let text = format!("{home}: restored up to position {position} from {archives} archives\n");
    Ok(tell_done(&text))
}

pub(crate) fn repair(args: &RepairArgs, games: Games) -> Result<ExitCode, Failure> {
    let RepairArgs { data, out, scratch } = args;
    let scratch = scratch_folder(scratch.as_ref())?;
    let mut progress = Progress::new();
    let repaired = mend(data, out, &scratch, games, &mut |at, last| progress.show(at, last))?;
    drop(progress);
    let Repaired { matches, position, moved, lost, aside, unnamed, damage } = repaired;
    let mut text: String = damage.iter().map(|what| format!("damaged: {what}\n")).collect();
    for SetAside { r#match, commit, what, readable, known } in &aside {
        let commit = commit.map_or_else(String::new, |commit| format!(", commit {commit}"));
        text.push_str(&format!(
            "match {match}{commit}: {what}; set aside, {readable} of {known} commits are in {}\n",
            out.join("aside").join(format!("{match}.ndjson.zst")).display()
        ));
    }
    for (id, names) in &unnamed {
        text.push_str(&format!(
            "match {id}: a name was forgotten in it, and what was read may be older; {names} names left out\n"
        ));
    }
    if let Some(moved) = moved {
        text.push_str(&format!("from feed position {moved} on, commits have other positions\n"));
    }
    if lost > 0 {
        text.push_str(&format!(
            "{lost} commits are lost, and nobody knows of which matches: any match may lack its last commits, and continues without them\n"
        ));
    }
    let count = aside.len();
    text.push_str(&format!(
        "{}: {matches} matches, {position} commits; {count} matches set aside\n",
        out.display()
    ));
    let done = tell_done(&text);
    Ok(if aside.is_empty() && damage.is_empty() && lost == 0 { done } else { ExitCode::from(1) })
}
