//! The micro-batches of streams, which end between record batches.
//!
//! New segments and new folders are found at each trigger. Each record is read once: the checkpoint stores the
//! positions, and each attempt finds the same records between two positions.

use std::collections::{BTreeMap, BTreeSet};

use super::counts::{Behind, Planned};
use super::log::Log;
use super::micro_batch::{Limit, MicroBatch};
use super::names::log_name;
use super::options::{EARLIEST, LATEST, Offsets};
use super::planner::{Planner, Pushed};
use super::positions::{Amount, Position, Positions, between, from_json, to_json};
use super::ranges::{Range, Task, tasks, wanted_bytes};
use super::shares::divide;
use super::transactions::{OpenAt, last_stable_offset};
use crate::outcome::{Kind, Outcome, fail};

/// The end of a micro-batch and the ends of the logs, each as the JSON of positions.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Ends {
    pub end: String,
    pub latest: String,
}

impl Planner {
    /// Return the positions at which a stream begins, as JSON. The option `startingOffsets` selects the beginning, the
    /// end (`latest`), or an offset for each partition.
    ///
    /// Fail for an offset after the end of a partition and, unless `failOnDataLoss` is false, for an offset before the
    /// beginning of the partition.
    pub fn initial(&self) -> Outcome<String> {
        self.check_stream()?;
        let found = self.find(&Pushed::default(), true)?;
        if !found.partitions.is_empty() {
            self.check_topics(&found)?;
        }
        match &self.options.starting_offsets {
            Offsets::Latest => Ok(self.latest("{}", Limit::default())?.end),
            Offsets::Earliest => Ok("{}".to_owned()),
            chosen @ Offsets::Each(_) => {
                let logs = self.stream_logs()?;
                chosen.check(&logs, "startingOffsets", "-2 is the earliest offset")?;
                let mut begins = Positions::new();
                for log in &logs {
                    if let Some(begin) = self.begin(log, chosen.of(&log.key()))? {
                        begins.insert(log.folder.clone(), begin);
                    }
                }
                Ok(to_json(&begins, None))
            }
        }
    }

    /// Fail for options that streams can't have.
    fn check_stream(&self) -> Outcome<()> {
        let options = &self.options;
        if !options.until_last_stable_offset {
            // Otherwise, records of transactions that are still undecided would be skipped, although their outcome is
            // known later.
            let text =
                "option untilLastStableOffset: streams end at the last stable offset, or they would lose records";
            return fail(Kind::Option, text);
        }
        if options.include_segments {
            return fail(
                Kind::Option,
                "option includeSegments: a stream has rows of records only; remove it",
            );
        }
        if options.ending_offsets != Offsets::Latest {
            return fail(Kind::Option, "option endingOffsets: a stream does not end; remove it");
        }
        Ok(())
    }

    /// Return the position of an offset; `None` for the beginning of the log.
    fn begin(&self, log: &Log, offset: i64) -> Outcome<Option<Position>> {
        let first = Position::beginning(&self.storage, log);
        if offset == EARLIEST || offset == first.offset {
            return Ok(None);
        }
        let end = first.advanced(&self.storage, log, Amount::All, i64::MAX)?;
        if offset == LATEST || offset == end.offset {
            return Ok(Some(end));
        }
        let folder = &log.folder;
        if offset > end.offset {
            let text = format!(
                "option startingOffsets: {folder} ends at offset {}, before {offset}",
                end.offset
            );
            return fail(Kind::Option, text);
        }
        if offset < first.offset {
            self.gap(format!(
                "{folder} begins at offset {}, and startingOffsets says {offset}",
                first.offset
            ))?;
            return Ok(None);
        }
        Position { offset, ..first }
            .found_by_offset(&self.storage, log)
            .map(Some)
    }

    /// Pin the end of the stream at the current ends of the logs, for `Trigger.AvailableNow`.
    pub fn available_now(&mut self) -> Outcome<()> {
        let mut ends = BTreeMap::new();
        for log in self.stream_logs()? {
            let first = Position::beginning(&self.storage, &log);
            let end = first.advanced(&self.storage, &log, Amount::All, log.end_offset)?;
            ends.insert(log.folder, end.offset);
        }
        self.until = Some(ends);
        Ok(())
    }

    /// Return where the next micro-batch ends, and where the logs end, as JSON.
    pub fn latest(&self, start: &str, limit: Limit) -> Outcome<Ends> {
        self.check_stream()?;
        let (before, next) = from_json(start)?;
        let mut logs = self.stream_logs()?;
        self.check_folders(&logs, &before)?;
        if let Some(until) = &self.until {
            // Only offsets remain valid if the log cleaner merges segments while the stream reads to its pinned end.
            logs.retain(|log| until.contains_key(&log.folder));
            for log in &mut logs {
                log.end_offset = log.end_offset.min(until[&log.folder]);
            }
        }
        logs.sort_by(|one, other| one.folder.cmp(&other.folder));
        let begins: Vec<Position> = logs
            .iter()
            .map(|log| self.located(log, before.get(&log.folder)))
            .collect::<Outcome<_>>()?;
        let lasts: Vec<Position> = logs
            .iter()
            .zip(&begins)
            .map(|(log, begin)| begin.advanced(&self.storage, log, Amount::All, log.end_offset))
            .collect::<Outcome<_>>()?;
        let (ends, next) = self.ends(&logs, &begins, &lasts, limit, next)?;
        let (mut reached, mut behind) = (before.clone(), Behind::default());
        for ((log, begin), end) in logs.iter().zip(&begins).zip(&ends) {
            behind.add(end.unread_bytes(log));
            // If a position was only found again, without new records after it, keep the known position. A log that is
            // being restored in parts may still lack records that have already been read.
            let is_further = before.get(&log.folder).is_none_or(|known| {
                let learnt_id = known.topic_id.is_none() && begin.topic_id.is_some() && known.is_same_place(begin);
                end != begin || known.is_other_topic(begin) || learnt_id
            });
            if is_further {
                reached.insert(log.folder.clone(), end.clone());
            }
        }
        self.behind.set(behind);
        let mut latest = reached.clone();
        for ((log, end), last) in logs.iter().zip(&ends).zip(lasts) {
            if *end != last {
                latest.insert(log.folder.clone(), last);
            }
        }
        Ok(Ends {
            end: to_json(&reached, next.as_ref()),
            latest: to_json(&latest, next.as_ref()),
        })
    }

    /// Return where a micro-batch ends in each log, and the folder at which the next turn begins, if any.
    fn ends(
        &self,
        logs: &[Log],
        begins: &[Position],
        lasts: &[Position],
        limit: Limit,
        next: Option<String>,
    ) -> Outcome<(Vec<Position>, Option<String>)> {
        let mut part = MicroBatch {
            planner: self,
            logs,
            ends: begins.to_vec(),
            limit,
        };
        let mut turn = None;
        if let Some(most) = limit.bytes.or(limit.offsets) {
            let backlog: Vec<u64> = (0..logs.len()).map(|log| part.size(log, &lasts[log])).collect();
            let first = logs
                .iter()
                .position(|log| Some(&log.folder) >= next.as_ref())
                .unwrap_or(0);
            turn = divide(most, &backlog, first, &mut part)?;
        } else {
            for (log, last) in lasts.iter().enumerate() {
                part.ends[log] = self.committed(&logs[log], &begins[log], last, Amount::All)?;
            }
        }
        if part.ends == begins {
            return Ok((part.ends, next));
        }
        let turn = turn.filter(|_| part.ends != lasts).map(|log| logs[log].folder.clone());
        Ok((part.ends, turn))
    }

    /// Return the tasks that read between two offsets of a stream. Fail if records between them are gone.
    pub fn between(&self, start: &str, end: &str, pushed: &Pushed) -> Outcome<Vec<Task>> {
        let ((begins, _), (stops, _)) = (from_json(start)?, from_json(end)?);
        let changed: BTreeSet<&String> = stops
            .iter()
            .filter(|(folder, stop)| begins.get(*folder) != Some(*stop))
            .map(|(folder, _)| folder)
            .collect();
        let logs: Vec<Log> = self
            .stream_logs()?
            .into_iter()
            .filter(|log| changed.contains(&log.folder))
            .collect();
        for folder in changed {
            if !logs.iter().any(|log| log.folder == *folder) {
                self.gap(format!("{} is gone, and a micro-batch was to read it", folder))?;
            }
        }
        let mut ranges = Vec::new();
        let mut planned = Planned::default();
        for log in &logs {
            if let Some(stop) = stops.get(&log.folder) {
                planned.skipped_segments += self.reads(log, begins.get(&log.folder), stop, pushed, &mut ranges)?;
            }
        }
        planned.segments = ranges.len() as u64;
        self.planned.set(planned);
        tasks(&self.storage, ranges, &self.options, self.cores, true)
    }

    /// Return the logs that a stream follows: logs with segments whose names contain offsets.
    fn stream_logs(&self) -> Outcome<Vec<Log>> {
        let mut logs = self.find(&Pushed::default(), true)?.logs;
        logs.retain(|log| log.segments.iter().any(|segment| segment.base_offset.is_some()));
        for log in &mut logs {
            log.segments.retain(|segment| segment.base_offset.is_some());
        }
        self.limit(&mut logs)?;
        Ok(logs)
    }

    /// Fail if the folder of a log that the stream has read, or is to read, is gone. Its position is kept, because the
    /// folder may come back.
    fn check_folders(&self, logs: &[Log], before: &Positions) -> Outcome<()> {
        let found: BTreeSet<&String> = logs.iter().map(|log| &log.folder).collect();
        let pinned = self.until.iter().flatten().map(|(folder, _)| folder);
        for folder in before.keys().chain(pinned) {
            if !found.contains(folder) && self.is_wanted(log_name(folder).as_ref()) {
                let read = before.get(folder).map_or(0, |position| position.offset);
                self.gap(format!(
                    "{folder} is gone, and its records from offset {read} on may be unread"
                ))?;
            }
        }
        Ok(())
    }

    /// Fail because unread records are gone, or only warn if `failOnDataLoss` is false.
    fn gap(&self, reason: String) -> Outcome<()> {
        if self.options.fail_on_data_loss {
            let text = format!("{reason}; option failOnDataLoss=false continues without the missing records");
            return fail(Kind::Gap, text);
        }
        self.notes
            .add_once(format!("{reason}; the records that are gone are missing"));
        Ok(())
    }

    /// Return the position at which to continue in a log: `before`, unless segments have been cleaned, merged,
    /// truncated or deleted since.
    ///
    /// Fail if unread records are gone. If `failOnDataLoss` is false, continue after the gap, or at the beginning of
    /// another topic with the same name.
    fn located(&self, log: &Log, before: Option<&Position>) -> Outcome<Position> {
        let storage = &self.storage;
        let first = Position::beginning(storage, log);
        let Some(before) = before else { return Ok(first) };
        let folder = &log.folder;
        if first.is_other_topic(before) {
            let read = before.offset;
            self.gap(format!(
                "{folder} belongs to another topic of the same name now, and records of the earlier topic from offset \
                 {read} on may be unread"
            ))?;
            return Ok(first);
        }
        let topic_id = before.topic_id.clone().or_else(|| first.topic_id.clone());
        let before = Position {
            topic_id,
            ..before.clone()
        };
        if first.offset > before.offset {
            let (now, then) = (first.offset, before.offset);
            self.gap(format!(
                "{folder} now begins at offset {now}, but was read only up to {then}"
            ))?;
            return Ok(first);
        }
        let found = before.found(storage, log)?;
        if found == before {
            return Ok(found);
        }
        let end = first.advanced(storage, log, Amount::All, i64::MAX)?;
        if end.offset < before.offset {
            let (now, then) = (end.offset, before.offset);
            self.gap(format!(
                "{folder} now ends at offset {now}, but was read up to {then}: it was cut off, \
                 or belongs to another topic"
            ))?;
        }
        Ok(found)
    }

    /// Return `end`, where a read of `amount` ends, or an earlier position if records before it are undecided.
    pub(super) fn committed(&self, log: &Log, begin: &Position, end: &Position, amount: Amount) -> Outcome<Position> {
        if !self.options.read_committed || end == begin {
            return Ok(end.clone());
        }
        let storage = &self.storage;
        let from = OpenAt::place(begin.segment, begin.position);
        let undecided = last_stable_offset(storage, log, from, end.offset.saturating_sub(1), &self.notes)?;
        match undecided.filter(|undecided| *undecided < end.offset) {
            Some(undecided) => begin.advanced(storage, log, amount, undecided.min(log.end_offset)),
            None => Ok(end.clone()),
        }
    }

    /// Add the ranges that a micro-batch reads from a log. Return how many segments the filters exclude.
    fn reads(
        &self,
        log: &Log,
        before: Option<&Position>,
        stop: &Position,
        pushed: &Pushed,
        ranges: &mut Vec<Range>,
    ) -> Outcome<u64> {
        let storage = &self.storage;
        let begin = self.located(log, before)?;
        let folder = &log.folder;
        if begin.is_other_topic(stop) {
            let text = format!("{folder} belongs to another topic of the same name since a micro-batch was planned");
            self.gap(text)?;
            return Ok(0);
        }
        if begin.offset > stop.offset {
            let (now, then) = (begin.offset, stop.offset);
            let text = format!("{folder} now begins at offset {now}, but a micro-batch was to read up to {then}");
            self.gap(text)?;
            return Ok(0);
        }
        // Segments that have been cleaned or merged since then contain the same records at different positions.
        let end = stop.found(storage, log)?;
        let is_same = before.is_none_or(|before| before.is_same_place(&begin)) && stop.is_same_place(&end);
        let is_within = is_same && begin.is_within_batch(storage, log)?;
        let first = log.start_offset.max(if is_within { begin.offset } else { 0 });
        let read = (begin.offset, stop.offset.saturating_sub(1));
        let offsets = if is_same {
            (first > 0).then_some((first, i64::MAX))
        } else {
            Some(read)
        };
        let bounds = self.options.bounds.and(pushed.bounds).within(log.offsets());
        let mut skipped = 0;
        for (segment, range_start, range_end) in between(log, &begin, &end) {
            let (wanted_start, wanted_stop) = wanted_bytes(storage, segment, bounds)?;
            let (start, end) = (range_start.max(wanted_start), range_end.min(wanted_stop));
            if start >= end && segment.size > 0 {
                skipped += u64::from(range_start < range_end);
                continue;
            }
            let is_first = segment.base_offset == Some(begin.segment) && start == range_start;
            // A micro-batch ends before undecided records.
            let read_until = self.options.read_committed.then_some(i64::MAX);
            let whole = Range::whole(log, segment, read_until);
            ranges.push(Range {
                start,
                end,
                offsets,
                planned: whole.planned.map(|(least, most)| (least.max(read.0), most.min(read.1))),
                reached: (is_first && is_same && start > 0 && !is_within).then_some(begin.offset),
                ..whole
            });
        }
        Ok(skipped)
    }
}
