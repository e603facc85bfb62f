//! What a broker writes down of its logs beside them: the log start offsets and the high watermarks.
//!
//! Upstream: `OffsetCheckpointFile` (version 0): a version, a count, and then a line of topic, partition and offset for each log.

use std::collections::HashMap;

use super::error::{ErrorKind, LogError, LogResult, fail};
use super::listing::Log;
use super::storage::{Storage, read_small};
use super::{names, paths};

const LOG_START_OFFSETS: &str = "log-start-offset-checkpoint";
const HIGH_WATERMARKS: &str = "replication-offset-checkpoint";

type Offsets = HashMap<(String, i32), i64>;

/// Files that were read before.
#[derive(Default)]
struct Known(HashMap<String, Option<Offsets>>);

impl Known {
    /// The checkpoint that knows a log; none knows a folder that a broker marked as deleted or stray.
    fn of(&mut self, storage: &dyn Storage, log: &Log, name: &str) -> LogResult<Option<&Offsets>> {
        let parsed = names::log_name(&log.folder);
        if parsed.is_none_or(|parsed| matches!(parsed.state, Some("delete" | "stray"))) {
            return Ok(None);
        }
        let file = paths::join(&paths::parent(&log.folder), name);
        if !self.0.contains_key(&file) {
            let read = read(storage, &file)?;
            self.0.insert(file.clone(), read);
        }
        Ok(self.0.get(&file).and_then(Option::as_ref))
    }
}

/// Sets the log start offsets, where the folder of a log's broker has them.
///
/// Records before it were deleted (DeleteRecords, KIP-107) and may still be in the first segment.
pub fn set_log_start(storage: &dyn Storage, logs: &mut [Log]) -> LogResult<()> {
    let mut known = Known::default();
    for log in logs {
        let offset = known.of(storage, log, LOG_START_OFFSETS)?.and_then(|offsets| offsets.get(&log.key()));
        log.start_offset = offset.copied().unwrap_or(0);
    }
    Ok(())
}

/// Ends each log at its high watermark as the folder of its broker has it; at 0 where that does not know the log.
pub fn set_high_watermark(storage: &dyn Storage, logs: &mut [Log]) -> LogResult<()> {
    let mut known = Known::default();
    for log in logs {
        let Some(offsets) = known.of(storage, log, HIGH_WATERMARKS)? else {
            let text = format!(
                "{} has no {HIGH_WATERMARKS} beside it, so the high watermark is not known; \
                 leave out the option untilHighWatermark, or read the folder of a broker",
                &log.folder
            );
            return fail(ErrorKind::Path, text);
        };
        log.end_offset = offsets.get(&log.key()).copied().unwrap_or(0);
    }
    Ok(())
}

fn read(storage: &dyn Storage, file: &str) -> LogResult<Option<Offsets>> {
    let Some(bytes) = read_small(storage, file)? else { return Ok(None) };
    let found = std::str::from_utf8(&bytes).ok().and_then(parsed);
    let problem = || {
        format!(
            "{} is not an offset checkpoint: expected a line 0, a line with a count, and so many lines of topic, \
             partition and offset; with fromLogStart=false, and without untilHighWatermark, it is not read",
            file
        )
    };
    found.map(Some).ok_or_else(|| LogError::new(ErrorKind::Path, problem()))
}

fn parsed(text: &str) -> Option<Offsets> {
    let mut lines = text.lines();
    let version: i64 = lines.next()?.trim().parse().ok()?;
    let count: usize = lines.next()?.trim().parse().ok()?;
    let mut offsets = Offsets::new();
    for line in lines.filter(|line| !line.trim().is_empty()) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [topic, partition, offset] = words[..] else { return None };
        offsets.insert((topic.to_owned(), partition.parse().ok()?), offset.parse().ok()?);
    }
    (version == 0 && offsets.len() == count).then_some(offsets)
}
