//! Whether what is stored fits together: a short look at every start, a long one on demand.

use crate::engine::Engine;
use crate::error::{Damage, ReadError};
use crate::layout;
use crate::stream::StreamId;

/// How many of the last commits are looked at when a store is opened.
const RECENT: usize = 2_000;
/// How many commits lie between two reports of progress.
const STEP: u64 = 1_000;

/// Checks the last commits against the feed; returns the last position.
pub(crate) fn recent(engine: &Engine) -> Result<u64, ReadError> {
    let mut position = None;
    let mut expected_end = None;
    let mut seen = 0;
    for record in engine.feed_back() {
        let record = record?;
        let (first, end) = (record.first, record.end() - 1);
        if expected_end.is_some_and(|expected| expected != end) {
            return Err(ReadError::Damaged(format!("the feed has a gap after position {end}")));
        }
        position.get_or_insert(end);
        expected_end = first.checked_sub(1);
        seen += record.commits.len();
        for ((stream, number), position) in record.commits.into_iter().zip(first..) {
            if let Some(what) = wrong(engine, stream, number, position)? {
                return Err(ReadError::Damaged(format!(
                    "commit {number} of stream {stream} {what}"
                )));
            }
        }
        if seen >= RECENT {
            break;
        }
    }
    if seen < RECENT && expected_end.is_some_and(|left| left != 0) {
        return Err(ReadError::Damaged("the beginning of the feed is missing".to_owned()));
    }
    Ok(position.unwrap_or(0))
}

/// What is wrong with the commit that the feed has at `position`.
fn wrong(
    engine: &Engine,
    stream: StreamId,
    number: u64,
    position: u64,
) -> Result<Option<String>, ReadError> {
    match engine.record(&layout::commit_key(stream, number)) {
        Ok(Some((found, _))) if found == position => Ok(None),
        Ok(Some((found, _))) => {
            Ok(Some(format!("is at feed position {position}, but says {found}")))
        }
        Ok(None) => Ok(Some(format!("is missing (feed position {position})"))),
        Err(ReadError::Damaged(what)) => Ok(Some(what)),
        Err(error) => Err(error),
    }
}

/// Checks everything up to `durable`.
pub(crate) fn all(
    engine: &Engine,
    durable: u64,
    progress: &mut dyn FnMut(u64),
) -> Result<Vec<Damage>, ReadError> {
    let mut damage = Vec::new();
    feed(engine, durable, &mut damage)?;
    commits(engine, durable, &mut damage, progress)?;
    for prefix in layout::RECORDS.into_iter().filter(|prefix| [*prefix] != layout::COMMITS) {
        for entry in engine.range(vec![prefix]..vec![prefix + 1]) {
            let (key, _) = entry?;
            // Read again by key, which takes care of what is replaced meanwhile.
            if let Err(error) = engine.record(&key) {
                damage.push(Damage::Record {
                    record: key.escape_ascii().to_string(),
                    what: error.to_string(),
                });
            }
        }
    }
    Ok(damage)
}

/// Every position up to `durable` is in the feed once, and its commit knows it.
fn feed(engine: &Engine, durable: u64, damage: &mut Vec<Damage>) -> Result<(), ReadError> {
    let mut next = 1;
    for entry in engine.range(layout::FEEDS.to_vec()..vec![layout::FEEDS[0] + 1]) {
        let (key, value) = entry?;
        let Some(record) =
            layout::feed_of_value(&value).filter(|feed| *key == *layout::feed_key(feed.first))
        else {
            damage.push(Damage::Feed {
                position: next,
                what: format!("the record {} is damaged", key.escape_ascii()),
            });
            continue;
        };
        let first = record.first;
        if first > durable {
            break;
        }
        if first != next {
            damage.push(Damage::Feed {
                position: next,
                what: format!("the next record begins at {first}"),
            });
        }
        next = record.end();
        for ((stream, number), position) in record.commits.into_iter().zip(first..=durable) {
            if let Some(what) = wrong(engine, stream, number, position)? {
                damage.push(Damage::Commit { stream, number, what });
            }
        }
    }
    if next <= durable {
        damage.push(Damage::Feed {
            position: next,
            what: format!("it and all up to {durable} are missing"),
        });
    }
    Ok(())
}

/// Every stream's numbers are contiguous, and there are as many commits as positions.
///
/// With [`feed`] that means: the feed and the streams hold the same commits.
fn commits(
    engine: &Engine,
    durable: u64,
    damage: &mut Vec<Damage>,
    progress: &mut dyn FnMut(u64),
) -> Result<(), ReadError> {
    let mut count = 0;
    let mut expected: Option<(StreamId, u64)> = None;
    for entry in engine.range(layout::COMMITS.to_vec()..vec![layout::COMMITS[0] + 1]) {
        let (key, value) = entry?;
        let Some((stream, number)) = layout::commit_of_key(&key) else {
            let record = key.escape_ascii().to_string();
            damage.push(Damage::Record { record, what: "is no commit's key".to_owned() });
            continue;
        };
        let what = match engine.decode(&key, &value) {
            Ok((position, _)) if position > durable => continue,
            Ok(_) => None,
            Err(error) => Some(error.to_string()),
        };
        count += 1;
        damage.extend(what.map(|what| Damage::Commit { stream, number, what }));
        let next = expected.filter(|(last, _)| *last == stream).map_or(1, |(_, next)| next);
        if number != next {
            let what = format!("missing; the next is {number}");
            damage.push(Damage::Commit { stream, number: next, what });
        }
        expected = number.checked_add(1).map(|next| (stream, next));
        if count % STEP == 0 {
            progress(count);
        }
    }
    progress(count);
    if count != durable {
        let what = format!("the feed ends here, but {count} commits are in the streams");
        damage.push(Damage::Feed { position: durable, what });
    }
    Ok(())
}
