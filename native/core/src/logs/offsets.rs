//! Where a query begins and ends in each partition, by the offsets and times of the options.

use std::collections::BTreeMap;

use super::error::{ErrorKind, LogError, LogResult, fail, unless_gone};
use super::index::position_of_time;
use super::listing::Log;
use super::options::{EARLIEST, LATEST, Numbers, Offsets};
use super::planner::Planner;
use super::scan::{Scan, first_record};
use super::storage::Opened;
use crate::records::filter::Bounds;

/// A larger batch is not looked into.
const LARGEST: usize = 128 << 20;

impl Planner {
    /// Narrows logs to the starting and ending offsets of the options.
    pub(super) fn choose_offsets(&self, logs: &mut [Log]) -> LogResult<()> {
        let starts = self.starting(logs)?;
        let ends = self.ending(logs)?;
        let is_latest = self.options.starting_offsets == Offsets::Latest && starts.is_none();
        if is_latest || starts.as_ref().is_some_and(|starts| starts.values().any(|offset| *offset == LATEST)) {
            let text = "option startingOffsets: a batch query can't begin at the latest offset; streams can";
            return fail(ErrorKind::Option, text);
        }
        for log in logs {
            let of = |offsets: &Option<Numbers>| offsets.as_ref().and_then(|offsets| offsets.get(&log.key()).copied());
            let start = of(&starts).filter(|offset| *offset != EARLIEST);
            let end = of(&ends).filter(|offset| *offset != LATEST);
            log.start_offset = start.map_or(log.start_offset, |start| start.max(log.start_offset));
            log.end_offset = end.map_or(log.end_offset, |end| end.min(log.end_offset));
        }
        Ok(())
    }

    /// Where each partition begins, also as `EARLIEST` and `LATEST`; `None` where the options don't say. Times win over offsets, as in Spark.
    pub(super) fn starting(&self, logs: &[Log]) -> LogResult<Option<Numbers>> {
        let options = &self.options;
        let Some(times) = &options.starting_offsets_by_timestamp else {
            return checked(logs, &options.starting_offsets, "startingOffsets", "-2 is the earliest offset");
        };
        let found = self.by_time(logs, times, "startingOffsetsByTimestamp")?;
        let missing = found.iter().find(|(_, offset)| offset.is_none()).map(|(key, _)| key);
        if let Some((topic, partition)) = missing.filter(|_| !options.late_times_are_latest) {
            let text = format!(
                "option startingOffsetsByTimestamp: {topic}-{partition} has no record as late as that; \
                 startingOffsetsByTimestampStrategy=latest begins after its last record"
            );
            return fail(ErrorKind::Option, text);
        }
        Ok(Some(found.into_iter().map(|(key, offset)| (key, offset.unwrap_or(i64::MAX))).collect()))
    }

    fn ending(&self, logs: &[Log]) -> LogResult<Option<Numbers>> {
        let options = &self.options;
        let Some(times) = &options.ending_offsets_by_timestamp else {
            return checked(logs, &options.ending_offsets, "endingOffsets", "-1 is the latest offset");
        };
        let found = self.by_time(logs, times, "endingOffsetsByTimestamp")?;
        Ok(Some(found.into_iter().map(|(key, offset)| (key, offset.unwrap_or(LATEST))).collect()))
    }

    fn by_time(&self, logs: &[Log], times: &Numbers, option: &str) -> LogResult<BTreeMap<(String, i32), Option<i64>>> {
        check_partitions(logs, times, option, "all partitions that are read need a time")?;
        let mut found: BTreeMap<(String, i32), Option<i64>> = BTreeMap::new();
        for log in logs {
            let key = log.key();
            let Some(time) = times.get(&key) else { continue };
            let offset = self.offset_for_time(log, *time)?;
            // Of several replicas the one that has more decides.
            let known = found.get(&key).copied().flatten();
            found.insert(key, known.into_iter().chain(offset).min());
        }
        Ok(found)
    }

    /// The offset of the first record that is as late as a timestamp or later, `None` if there is none (KIP-79).
    pub fn offset_for_time(&self, log: &Log, timestamp: i64) -> LogResult<Option<i64>> {
        let storage = self.storage.as_ref();
        let bounds = Bounds { min_offset: log.start_offset, min_timestamp: timestamp, ..Bounds::default() };
        for segment in &log.segments {
            if segment.base_offset.is_none() || segment.end_offset() <= log.start_offset || segment.damage.is_some() {
                continue;
            }
            let Some(file) = unless_gone(Opened::new(storage, &segment.path))? else { continue };
            let start = position_of_time(storage, &file, segment, timestamp)?;
            let mut scan = Scan::past_damage(&file, start, segment.size, segment.is_complete)?;
            while let Some(found) = scan.next()? {
                if found.may_be_as_late_as(timestamp)
                    && let Ok(Some(record)) = first_record(&file, &found, &bounds, LARGEST)?
                {
                    return Ok(Some(record.offset));
                }
            }
        }
        Ok(None)
    }
}

/// The offsets, if they name all partitions and no others. Spark's own source asks for that too.
fn checked(logs: &[Log], offsets: &Offsets, option: &str, advice: &str) -> LogResult<Option<Numbers>> {
    let Offsets::Each(offsets) = offsets else { return Ok(None) };
    check_partitions(logs, offsets, option, advice)?;
    Ok(Some(offsets.clone()))
}

fn check_partitions(logs: &[Log], offsets: &Numbers, option: &str, advice: &str) -> LogResult<()> {
    let there: BTreeMap<(String, i32), i64> = logs.iter().map(|log| (log.key(), 0)).collect();
    let missing =
        there.keys().find(|key| !offsets.contains_key(*key)).map(|key| (key, format!("is missing; {advice}")));
    let unknown = || offsets.keys().find(|key| !there.contains_key(*key)).map(|key| (key, "is not there".to_owned()));
    match missing.or_else(unknown) {
        Some(((topic, partition), reason)) => {
            Err(LogError::new(ErrorKind::Option, format!("option {option}: {topic}-{partition} {reason}")))
        }
        None => Ok(()),
    }
}
