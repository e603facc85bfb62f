//! The checkpoint files that a broker keeps beside its logs: the log start offset and the high watermark of each log.
//!
//! Upstream: `OffsetCheckpointFile` (version 0). The lines are a version, a count, and then the topic, partition and
//! offset of each log.

use std::collections::HashMap;

use super::log::Log;
use super::storage::Storage;
use super::{names, paths};
use crate::outcome::{Kind, Outcome, fail};

const LOG_START_OFFSETS: &str = "log-start-offset-checkpoint";
const HIGH_WATERMARKS: &str = "replication-offset-checkpoint";

/// The maximum size of a checkpoint: a line has at most 300 bytes, and a broker at most some 10,000 logs.
const MOST_BYTES: usize = 1 << 24;

type Offsets = HashMap<(String, i32), i64>;

/// Set the log start offsets from the checkpoint in the broker's folder; 0 for logs that it lacks.
///
/// Records before the log start were deleted (DeleteRecords, KIP-107), but may still be in the first segment.
pub fn set_log_start(storage: &Storage, logs: &mut [Log]) -> Outcome<()> {
    each_log(storage, logs, LOG_START_OFFSETS, |log, offsets| {
        log.start_offset = offsets
            .and_then(|offsets| offsets.get(&log.key()).copied())
            .unwrap_or(0);
        Ok(())
    })
}

/// Limit each log to the offsets below its high watermark, from the checkpoint in the broker's folder. A log that the
/// checkpoint lacks ends at 0.
///
/// Fail if the checkpoint is missing.
pub fn set_high_watermark(storage: &Storage, logs: &mut [Log]) -> Outcome<()> {
    each_log(storage, logs, HIGH_WATERMARKS, |log, offsets| {
        let Some(offsets) = offsets else {
            let text = format!(
                "{} has no {HIGH_WATERMARKS} beside it, so the high watermark is not known; \
                 leave out the option untilHighWatermark, or read the folder of a broker",
                log.folder
            );
            return fail(Kind::Path, text);
        };
        log.end_offset = offsets.get(&log.key()).copied().unwrap_or(0);
        Ok(())
    })
}

/// Call `set` for each log, with the offsets in the checkpoint `name` of the broker's folder.
///
/// Pass `None` if the checkpoint is missing. Also pass `None` for folders that a broker marked as deleted or stray,
/// because checkpoints lack them.
fn each_log(
    storage: &Storage,
    logs: &mut [Log],
    name: &str,
    set: impl Fn(&mut Log, Option<&Offsets>) -> Outcome<()>,
) -> Outcome<()> {
    let mut known: HashMap<String, Option<Offsets>> = HashMap::new();
    for log in logs {
        let parsed = names::log_name(&log.folder);
        if parsed.is_none_or(|parsed| matches!(parsed.state, Some("delete" | "stray"))) {
            set(log, None)?;
            continue;
        }
        let file = paths::join(&paths::parent(&log.folder), name);
        if !known.contains_key(&file) {
            known.insert(file.clone(), read(storage, &file)?);
        }
        set(log, known[&file].as_ref())?;
    }
    Ok(())
}

fn read(storage: &Storage, file: &str) -> Outcome<Option<Offsets>> {
    let Some(bytes) = storage.small(file, MOST_BYTES)? else {
        return Ok(None);
    };
    if let Some(found) = parsed(&String::from_utf8_lossy(&bytes)) {
        return Ok(Some(found));
    }
    let text = format!(
        "{file} is not an offset checkpoint: expected a line 0, a line with a count, and so many lines of topic, \
         partition and offset; with fromLogStart=false, and without untilHighWatermark, it is not read"
    );
    fail(Kind::Path, text)
}

fn parsed(text: &str) -> Option<Offsets> {
    let mut lines = text.lines();
    // A new broker creates an empty file.
    let Some(version) = lines.next() else {
        return Some(Offsets::new());
    };
    let version: i64 = version.trim().parse().ok()?;
    let count: usize = lines.next()?.trim().parse().ok()?;
    let mut offsets = Offsets::new();
    for line in lines.filter(|line| !line.trim().is_empty()) {
        let words: Vec<&str> = line.split_whitespace().take(4).collect();
        let [topic, partition, offset] = words[..] else {
            return None;
        };
        offsets.insert((topic.to_owned(), partition.parse().ok()?), offset.parse().ok()?);
    }
    (version == 0 && offsets.len() == count).then_some(offsets)
}
