//! Statistics are kept up to date beside the server, and made anew by a command.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use archive::{Archive, Projection, Shown, Unread};
use engine::Engine;
use indicatif::ProgressBar;
use journal::Damaged;
use server::{Metrics, Rebuilt};
use tables::Sql;
use tokio::sync::watch;

use crate::background::{Background, is_over};
use crate::failure::{Failure, of_file};

/// How often to look for matches that have ended.
const LOOK: Duration = Duration::from_secs(1);
/// How often the file is written, at most; and that takes no more than so small a part of the time.
const SAVE: Duration = Duration::from_secs(60);
const SAVE_PART: u32 = 20;
/// Where no match ends, the file says again how far it goes only after so many commits: a start looks at those once more.
const FAR: u64 = 100_000;
/// How long to count without showing it.
const SLICE: Duration = Duration::from_millis(200);
/// How often what the disk did not give out is tried again.
const AGAIN: Duration = Duration::from_secs(60);
/// So many times a file that cannot be read is tried at the start.
const TRIES: u32 = 60;

/// Where the statistics of a store are kept. The file may be deleted: it is made anew.
pub(crate) fn file_in(data: &Path) -> PathBuf {
    data.join("statistics.json")
}

/// Starts the thread that counts; it ends when `shutdown` says so. Where a name is forgotten, it removes tables that nobody keeps up, too.
///
/// # Errors
/// If the system gives no thread.
pub(crate) fn start(
    background: &mut Background,
    engine: Arc<Engine>,
    shown: Arc<Shown>,
    file: PathBuf,
    unkept: Option<Sql>,
    metrics: Arc<Metrics>,
    shutdown: watch::Receiver<bool>,
) -> io::Result<()> {
    background.start("statistics", move || async move {
        count(&engine, &shown, &file, unkept.as_ref(), &metrics, shutdown).await;
    })
}

async fn count(
    engine: &Engine,
    shown: &Shown,
    file: &Path,
    unkept: Option<&Sql>,
    metrics: &Metrics,
    mut shutdown: watch::Receiver<bool>,
) {
    let archive = Archive::new(engine.journal());
    // A server that ended at once has left them.
    let older = unkept.inspect(|tables| tables.refuse_older(&archive));
    older.filter(|tables| tables.is_refused()).into_iter().for_each(remove);
    let Some((mut projection, unfit)) = read(engine, &archive, file, &mut shutdown).await else {
        return;
    };
    if let Some(why) = unfit {
        tracing::warn!(file = %file.display(), %why, "the statistics are being counted anew");
        metrics.rebuilt(Rebuilt::Statistics);
        // It may have a name that was forgotten.
        save(&Projection::default(), file);
    }
    projection.mend(&archive);
    let mut tried = Instant::now();
    let mut saved = Saved::of(&projection);
    let (mut saved_at, mut rest) = (Instant::now(), SAVE);
    shown.set(projection.clone());
    // Those of the start, too: what is there may be from before them.
    let (mut forgettings, mut is_away) = (0, false);
    while !*shutdown.borrow() {
        if forgettings != engine.forgettings() {
            forgettings = engine.forgettings();
            tracing::info!("a name was forgotten: the statistics are being counted anew");
            projection = Projection::default();
            shown.begin_again(engine.position(), forgettings);
            save(&projection, file);
            (saved, saved_at) = (Saved::of(&projection), Instant::now());
            unkept.into_iter().for_each(remove);
        }
        let start = Instant::now();
        if tried.elapsed() > AGAIN {
            engine.try_again();
            projection.mend(&archive);
            // What was counted anew is kept anew.
            if projection.position() < saved.position {
                saved = Saved::of(&projection);
            }
            tried = Instant::now();
        }
        let (before, until) = (projection.position(), engine.position());
        // What is damaged is set aside, and logged there.
        let damaged = projection.go_on(&archive, until, &mut |_| start.elapsed() < SLICE);
        is_away = damaged.iter().any(Damaged::is_away);
        let at = projection.position();
        if at != before {
            shown.set(projection.clone());
        }
        let is_due = saved_at.elapsed() > rest && saved.is_behind(&Saved::of(&projection));
        if is_due && !is_away && forgettings == engine.forgettings() {
            let start = Instant::now();
            save(&projection, file);
            rest = SAVE.max(start.elapsed() * SAVE_PART);
            (saved, saved_at) = (Saved::of(&projection), Instant::now());
        }
        // At least half of a core is left to others.
        let wait = if before < at && at < until { start.elapsed() } else { LOOK };
        if is_over(&mut shutdown, wait).await {
            break;
        }
    }
    if forgettings != engine.forgettings() {
        // What was counted has a name that was forgotten, and so have the file and the tables.
        save(&Projection::default(), file);
        unkept.into_iter().for_each(remove);
    } else if !is_away && projection.position() > saved.position {
        save(&projection, file);
    }
}

/// Removes the tables of an earlier query, which have a name that was forgotten.
fn remove(tables: &Sql) {
    if let Err(error) = tables.remove() {
        tracing::warn!(%error, "the tables of an earlier query still have a name that was forgotten");
    }
}

/// What the file has, as [`Projection::read`] says it, if it can be read now. One that could not be read [`TRIES`] times is no use.
pub(crate) fn try_read(
    file: &Path,
    archive: &Archive,
    tries: &mut u32,
) -> Result<(Projection, Option<String>), Unread> {
    let read = Projection::read(file, archive);
    let Err(Unread::File { path: _, source }) = &read else { return read };
    *tries += 1;
    if *tries < TRIES {
        return read;
    }
    Ok((Projection::default(), Some(source.to_string())))
}

/// The same; file and database are waited for. Nothing if the program ends meanwhile.
async fn read(
    engine: &Engine,
    archive: &Archive,
    file: &Path,
    shutdown: &mut watch::Receiver<bool>,
) -> Option<(Projection, Option<String>)> {
    let mut tries = 0;
    loop {
        match try_read(file, archive, &mut tries) {
            Ok(read) => return Some(read),
            // Whatever it has is older.
            Err(_) if engine.forgettings() > 0 => return Some((Projection::default(), None)),
            Err(error) if tries == 1 => {
                tracing::warn!(%error, "waiting for the statistics of before");
            }
            Err(error) => tracing::debug!(%error, "waiting for the statistics of before"),
        }
        if is_over(shutdown, LOOK).await {
            return None;
        }
    }
}

/// What the file has.
struct Saved {
    position: u64,
    size: usize,
}

impl Saved {
    fn of(projection: &Projection) -> Self {
        Saved { position: projection.position(), size: projection.size() }
    }

    /// Has a match ended since, or is it very far back?
    fn is_behind(&self, now: &Saved) -> bool {
        now.size != self.size || now.position.saturating_sub(self.position) >= FAR
    }
}

pub(crate) fn save(projection: &Projection, file: &Path) {
    if let Err(error) = projection.write(file) {
        tracing::warn!(file = %file.display(), %error, "the statistics cannot be stored");
    }
}

/// The statistics of a store that no server uses.
pub(crate) struct Updated {
    pub(crate) projection: Projection,
    /// What is damaged and left out.
    pub(crate) damaged: Vec<Damaged>,
    /// Why the file that was there was not used.
    pub(crate) unfit: Option<String>,
}

/// Brings the statistics of a store that no server uses up to date, from nothing if `rebuild` says so.
///
/// # Errors
/// If the database does not answer, so that only a part can be counted, or the file cannot be read now; then it stays as it is. If it cannot be written.
pub(crate) fn update(
    archive: &Archive,
    data: &Path,
    rebuild: bool,
    progress: &ProgressBar,
) -> Result<Updated, Failure> {
    let file = file_in(data);
    let (mut projection, unfit) =
        if rebuild { (Projection::default(), None) } else { Projection::read(&file, archive)? };
    let mut damaged = projection.mend(archive);
    let until = archive.position();
    damaged.extend(projection.go_on(archive, until, &mut |counted| {
        progress.set_position(counted.position());
        true
    }));
    if let Some(away) = damaged.iter().find(|damage| damage.is_away()) {
        return Err(away.clone().into());
    }
    projection.write(&file).map_err(of_file(&file))?;
    let damaged = archive.journal().each_once(damaged);
    Ok(Updated { projection, damaged, unfit })
}

#[cfg(test)]
mod tests {
    use super::{FAR, Saved};

    #[test]
    fn the_file_is_not_written_while_no_match_ends() {
        let saved = Saved { position: 10, size: 3 };
        let is_behind = |position, size| saved.is_behind(&Saved { position, size });
        assert!(!is_behind(10, 3) && !is_behind(FAR, 3));
        assert!(is_behind(11, 4) && is_behind(10 + FAR, 3));
    }
}
