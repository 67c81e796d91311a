//! Durable appends: each record is on disk before its writer goes on.
//!
//! One writer alone writes by itself. Many share syncs: one thread takes the records that wait, writes them as one batch and answers; Muninn's
//! store does that by itself. Afterwards the store is opened anew, and what was acknowledged must be in it.

use std::fs;
use std::iter;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::Instant;

use serde_json::{Value, json};

use crate::clock::{percentiles, span};
use crate::engines::{self, Engine, Key};

/// The length of a stream: about that of a match.
const STREAM: u64 = 100;
/// One of so many records is read again at the end.
const READ_AGAIN: u64 = 17;
/// How many records one batch has at most.
const BATCH: usize = 1024;

/// A record that waits, and whom to tell when it is on disk.
type Waiting<'a> = (Key, &'a [u8], Sender<()>);

pub(crate) fn measure(
    name: &str,
    writers: u64,
    times: [f64; 2],
    folder: &Path,
    records: &Path,
) -> Value {
    fs::create_dir_all(folder).expect("a folder can be made");
    let records = fs::read_to_string(records).expect("a file with a record in each line");
    let records: Vec<&[u8]> = records.lines().map(str::as_bytes).collect();
    assert!(!records.is_empty(), "there are records");
    let engine = engines::open(name, folder);
    let (done, is_measuring, is_over) =
        (AtomicU64::new(0), AtomicBool::new(false), AtomicBool::new(false));
    let (mut figures, written) = thread::scope(|scope| {
        let engine: &dyn Engine = engine.as_ref();
        let queue = (writers > 1 && !engine.groups()).then(|| {
            let (queue, waiting) = mpsc::channel();
            scope.spawn(move || write_in_groups(engine, &waiting));
            queue
        });
        let writers: Vec<_> = (0..writers)
            .map(|writer| {
                let (records, queue) = (&records, queue.clone());
                let (done, is_measuring, is_over) = (&done, &is_measuring, &is_over);
                scope.spawn(move || {
                    let (mut own, mut number) = (Vec::new(), 0);
                    while !is_over.load(Ordering::Relaxed) {
                        let (key, record) = (key(writer, number), record(records, writer, number));
                        let start = Instant::now();
                        match &queue {
                            None => engine.write(&[(key, record)]),
                            Some(queue) => {
                                let (answer, answered) = mpsc::channel();
                                queue.send((key, record, answer)).expect("there is a writer");
                                answered.recv().expect("an answer");
                            }
                        }
                        if is_measuring.load(Ordering::Relaxed) {
                            own.push(start.elapsed());
                        }
                        number += 1;
                        done.fetch_add(1, Ordering::Relaxed);
                    }
                    (number, own)
                })
            })
            .collect();
        drop(queue);
        let figures = span(
            "self",
            times,
            || done.load(Ordering::Relaxed),
            || is_measuring.store(true, Ordering::Relaxed),
        );
        is_over.store(true, Ordering::Relaxed);
        let written = writers.into_iter().map(|writer| writer.join().expect("a writer ends"));
        (figures, written.collect::<Vec<_>>())
    });
    drop(engine);
    let (counts, latencies): (Vec<u64>, Vec<_>) = written.into_iter().unzip();
    let total: u64 = counts.iter().sum();
    assert_eq!(total, done.into_inner());
    let [p50, p99] = percentiles(latencies.concat());
    figures.insert("p50".to_owned(), json!(p50));
    figures.insert("p99".to_owned(), json!(p99));
    figures.insert("disk_bytes".to_owned(), json!(size(folder) / total));
    let bytes: usize = records.iter().map(|record| record.len()).sum();
    figures.insert("record_bytes".to_owned(), json!(bytes / records.len()));
    figures.insert("read_again".to_owned(), json!(read_again(name, folder, &counts, &records)));
    Value::Object(figures)
}

/// Writes what waits as one batch, and then tells all.
fn write_in_groups(engine: &dyn Engine, waiting: &Receiver<Waiting<'_>>) {
    while let Ok(first) = waiting.recv() {
        let group = iter::once(first).chain(waiting.try_iter()).take(BATCH);
        let (records, answers): (Vec<_>, Vec<_>) =
            group.map(|(key, record, answer)| ((key, record), answer)).unzip();
        engine.write(&records);
        for answer in answers {
            answer.send(()).expect("the writer waits");
        }
    }
}

/// The place of a writer's record: streams have ids in which time comes first, as in a UUIDv7.
fn key(writer: u64, number: u64) -> Key {
    let stream = (number / STREAM) << 16 | writer;
    let mut key = [0; 24];
    key[..8].copy_from_slice(&stream.to_be_bytes());
    key[8..16].copy_from_slice(&stream.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_be_bytes());
    key[16..].copy_from_slice(&(number % STREAM + 1).to_be_bytes());
    key
}

fn record<'a>(records: &[&'a [u8]], writer: u64, number: u64) -> &'a [u8] {
    records[((writer * 7919 + number) % records.len() as u64) as usize]
}

/// Opens the store anew, and looks for what was acknowledged: samples, and each writer's last record. Returns how many were read.
fn read_again(name: &str, folder: &Path, counts: &[u64], records: &[&[u8]]) -> u64 {
    let engine = engines::open(name, folder);
    let mut read = 0;
    for (writer, count) in iter::zip(0.., counts) {
        let samples = (0..*count).step_by(READ_AGAIN as usize);
        for number in samples.chain(count.checked_sub(1)) {
            let found = engine.read(&key(writer, number));
            assert_eq!(
                found.as_deref(),
                Some(record(records, writer, number)),
                "{name}: record {number} of writer {writer}"
            );
            read += 1;
        }
    }
    read
}

/// What the files in a folder take of the disk, in bytes.
fn size(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("an entry"));
    let sizes = entries.map(|entry| {
        let path = entry.path();
        if path.is_dir() {
            size(&path)
        } else {
            entry.metadata().map_or(0, |file| 512 * file.blocks())
        }
    });
    sizes.sum()
}
