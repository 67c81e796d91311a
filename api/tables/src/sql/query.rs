//! A query, asked of a process of its own: that can be ended whatever it does, and its memory is bounded without a bound for ours.

use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use derived::{Held, Known, Stamp, Sums, Trouble};

use super::answer::Shape;
use super::file::Sql;
use super::process::{Asked, GO, Head, Job, LOOK, Process, Report};
use super::question::Question;
use super::statement::is_one;
use super::terms::{LONGEST, Limits, ONE, QueryError};

/// So long after the end of a transaction its checksums are there.
const SETTLED: Duration = Duration::from_secs(2);

/// A process that has not looked at the file after this never will.
const STARTED: Duration = Duration::from_secs(30);

/// A query ends by itself when its time is over, unless one of its steps is longer than this.
const GRACE: Duration = Duration::from_millis(300);

/// The result of a query.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The rows in the shape that was asked for.
    pub body: Vec<u8>,
    /// How many they are.
    pub rows: usize,
    /// Were there more rows than the limits allow?
    pub truncated: bool,
    /// The feed position up to which the tables were filled.
    pub position: u64,
    /// The number of matches that are damaged and left out, in the span of the question; they are in the table `damaged`.
    pub damaged: u64,
    /// How long it took.
    pub time: Duration,
}

/// The file as it was after one transaction, which the process holds, and the checksums of that moment.
struct Snapshot {
    file: Arc<Held>,
    sums: Sums,
    position: u64,
    damaged: u64,
    /// Which file it is, of those that were made one after the other.
    anew: u64,
    /// How often its log had been cut.
    cuts: u64,
}

impl Sql {
    /// Answers a query from a file that matches its checksums: it is compared with them after the rows are read, and before they are
    /// returned. A large file is not compared for each answer, but when it looks different, and periodically by the process that fills it.
    ///
    /// The process of the query has ended when this returns.
    ///
    /// # Errors
    /// As [`QueryError`] says.
    pub fn query(
        &self,
        question: &Question,
        shape: Shape,
        limits: &Limits,
        asked: Asked,
    ) -> Result<Answer, QueryError> {
        let sql = &question.sql;
        if sql.len() > LONGEST {
            let what = format!("the query is longer than {LONGEST} bytes");
            return Err(QueryError::TooMuch(what));
        }
        if !is_one(sql) || sql.contains('\0') {
            let what = ONE.to_owned();
            return Err(QueryError::Wrong { what, at: None });
        }
        let job = Job { question: question.clone(), shape, limits: *limits };
        let process = Process::start(&self.program, self.path(), &job, asked);
        let mut process = process.map_err(|error| {
            QueryError::Unread(format!("a process for the query cannot be started: {error}"))
        })?;
        let snapshot = self.snapshot(&mut process)?;
        let start = Instant::now();
        let (report, body) = process.tell(GO, limits.time + GRACE)?.ok_or_else(|| {
            // Nothing was read from the file that anybody gets.
            QueryError::too_long(limits)
        })?;
        let time = start.elapsed();
        let answered = match report {
            Report::Answered(head) => Ok(head),
            Report::Refused(error) => Err(error),
            Report::Begun { .. } | Report::Damaged(_) | Report::Unread(_) => {
                Err(QueryError::Failed(format!("{report:?}")))
            }
        };
        // A damaged file may also have been the reason of a refusal.
        let is_doubted = matches!(answered, Err(QueryError::Failed(_) | QueryError::Unread(_)));
        self.check(&snapshot, is_doubted)?;
        let Snapshot { file: _, sums: _, position, damaged, anew: _, cuts: _ } = snapshot;
        let Head { columns, rows, truncated, bytes: _ } = answered?;
        Ok(Answer { columns, body, rows, truncated, position, damaged, time })
    }

    /// Lets the process begin to read. Whoever fills may just have ended a transaction and be writing its checksums: in this process that is
    /// waited for, of another one it takes moments.
    ///
    /// The process may be long in starting, or hang: whoever fills does not wait for that. Only where something was written during its first look
    /// is nothing written during the next ones.
    fn snapshot(&self, process: &mut Process) -> Result<Snapshot, QueryError> {
        let start = Instant::now();
        let mut has_started = false;
        loop {
            let state = self.file.state();
            if let Some(damaged) = &state.damaged {
                return Err(QueryError::Damaged(damaged.clone()));
            }
            if !self.path().exists() {
                return Err(QueryError::NotReady);
            }
            let (anew, cuts) = (state.anew, state.cuts);
            // Before its checksums are read: if another one is put there meanwhile, they are not of what the process sees.
            let file = self.file.held();
            let kept = has_started.then_some(state);
            let Some((look, _)) = process.tell(LOOK, STARTED)? else {
                return Err(QueryError::Unread("it takes too long to open it".to_owned()));
            };
            let state = kept.unwrap_or_else(|| self.file.state());
            let is_same = state.damaged.is_none() && (state.anew, state.cuts) == (anew, cuts);
            let seen = if is_same {
                file.map_err(Trouble::from).and_then(|file| self.seen(look, file, anew, cuts))
            } else {
                Err(Trouble::Unread("it was made anew meanwhile".to_owned()))
            };
            drop(state);
            match seen {
                Ok(snapshot) => return Ok(snapshot),
                Err(_) if !has_started => has_started = true,
                Err(_) if start.elapsed() < SETTLED => sleep(SETTLED / 50),
                Err(trouble) => return Err(self.told(trouble, anew)),
            }
        }
    }

    /// What the process sees, with its checksums.
    fn seen(
        &self,
        look: Report,
        file: Arc<Held>,
        anew: u64,
        cuts: u64,
    ) -> Result<Snapshot, Trouble> {
        match look {
            Report::Begun { generation, position, damaged } => {
                let sums = Sums::read(self.path())?;
                if generation == sums.generation + 1 {
                    // Whoever filled could not write them, or was killed: whoever opens the file next takes the transaction out again.
                    return Err(Trouble::Unread("its last rows have no checksums yet".to_owned()));
                }
                if sums.generation != generation {
                    return Err(Trouble::Damaged("its checksums are of another state".to_owned()));
                }
                sums.cover_log(self.path())?;
                let position = self.reaches(generation, position);
                Ok(Snapshot { file, sums, position, damaged, anew, cuts })
            }
            Report::Damaged(differs) => Err(Trouble::Damaged(differs)),
            Report::Unread(why) => Err(Trouble::Unread(why)),
            Report::Refused(_) | Report::Answered(_) => {
                Err(Trouble::Unread("its process says what it was not asked".to_owned()))
            }
        }
    }

    /// Compares the file with its checksums, unless that takes long and it was done lately; always if `doubted`.
    fn check(&self, snapshot: &Snapshot, doubted: bool) -> Result<(), QueryError> {
        let stamp = Stamp::of(self.path());
        let known = {
            let mut state = self.file.state();
            if state.cuts != snapshot.cuts {
                return Err(QueryError::Unread("its log was cut meanwhile".to_owned()));
            }
            state.recall(self.path());
            state.known.clone().filter(|known| known.stamp == stamp)
        };
        // What is known of a new file says nothing of the one that was read.
        if !snapshot.file.is_at(self.path()) {
            return Err(QueryError::Unread("it was made anew meanwhile".to_owned()));
        }
        if !doubted && known.is_some_and(|known| known.is_trusted()) {
            return Ok(());
        }
        let at = Instant::now();
        let checked = self.file.check(&snapshot.sums);
        checked.map_err(|trouble| self.told(trouble, snapshot.anew))?;
        let mut state = self.file.state();
        if !stamp.is_fresh() && Stamp::of(self.path()) == stamp {
            let known = Known { stamp, at, took: at.elapsed() };
            known.leave(self.path());
            state.known = Some(known);
        }
        Ok(())
    }

    /// Nothing more is answered from a file that is damaged.
    fn told(&self, trouble: Trouble, anew: u64) -> QueryError {
        match trouble {
            Trouble::Damaged(differs) => {
                self.file.state().found_damaged(&differs, anew);
                QueryError::Damaged(differs)
            }
            Trouble::Unread(why) => QueryError::Unread(why),
        }
    }
}
