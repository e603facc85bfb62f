//! Micro-batches of streams, which end between batches of records.
//!
//! New segments and new folders are found at each trigger. The place in a folder that is gone is kept, for it may come back. Each record
//! is read once: the checkpoint keeps the places, and reading between two of them again gives the same records.

use std::collections::BTreeSet;

use super::error::{ErrorKind, LogResult, fail};
use super::listing::Log;
use super::options::{EARLIEST, LATEST, Offsets};
use super::planner::{Plan, Planner, Pushed, Task};
use super::positions::{
    Position, Positions, advanced, beginning, between, found_by_offset, from_json, is_other_topic, is_same_place,
    is_there, shares, to_json, unread_bytes, within_batch,
};
use super::ranges::{Range, TaskSize, parts, wanted_bytes};
use super::transactions::last_stable::last_stable_offset;

/// How much a micro-batch reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// All that there is.
    All,
    /// So many bytes.
    Bytes(u64),
    /// So many offsets.
    Offsets(u64),
}

impl Planner {
    /// Where a stream begins: nothing read, everything that there is with `startingOffsets=latest`, or what the options say of each
    /// partition.
    ///
    /// Fails for an offset after the end of a partition, and for one before its beginning.
    pub fn initial(&mut self) -> LogResult<String> {
        self.check_stream()?;
        let found = self.find(&Pushed::default(), true)?;
        if !found.topics.is_empty() {
            self.check_topics(&found)?;
        }
        let options = &self.options;
        if options.starting_offsets == Offsets::Latest && options.starting_offsets_by_timestamp.is_none() {
            return self.latest("{}", Limit::All);
        }
        let logs = self.stream_logs()?;
        let Some(chosen) = self.starting(&logs)? else { return Ok("{}".to_owned()) };
        let mut begins = Positions::new();
        for log in &logs {
            let offset = chosen.get(&log.key()).copied().unwrap_or(EARLIEST);
            if let Some(begin) = self.begin(log, offset)? {
                begins.insert(log.folder.clone(), begin);
            }
        }
        Ok(to_json(&begins))
    }

    /// Fails for options that streams can't have.
    fn check_stream(&self) -> LogResult<()> {
        let options = &self.options;
        if !options.until_last_stable_offset {
            // The records that are left out are decided later, when the stream is behind them.
            let text =
                "option untilLastStableOffset: streams end at the last stable offset, or they would lose records";
            return fail(ErrorKind::Option, text);
        }
        if options.ending_offsets != Offsets::Latest || options.ending_offsets_by_timestamp.is_some() {
            let text = "options endingOffsets, endingOffsetsByTimestamp: a stream does not end; remove them";
            return fail(ErrorKind::Option, text);
        }
        Ok(())
    }

    /// The place of an offset, `None` for the beginning of the log.
    fn begin(&self, log: &Log, offset: i64) -> LogResult<Option<Position>> {
        let storage = self.storage.as_ref();
        let first = beginning(storage, log);
        if offset == EARLIEST || offset == first.offset {
            return Ok(None);
        }
        let end = advanced(storage, log, &first, u64::MAX, i64::MAX)?;
        if offset == LATEST || offset == i64::MAX || offset == end.offset {
            return Ok(Some(end));
        }
        let folder = &log.folder;
        if offset > end.offset {
            let text = format!("option startingOffsets: {folder} ends at offset {}, before {offset}", end.offset);
            return fail(ErrorKind::Option, text);
        }
        if offset < first.offset {
            self.gap(format!("{folder} begins at offset {}, and startingOffsets says {offset}", first.offset))?;
            return Ok(None);
        }
        found_by_offset(storage, log, &Position { offset, ..first }).map(Some)
    }

    /// Takes note of the sizes that files have now; nothing later is read (`Trigger.AvailableNow`).
    pub fn available_now(&mut self) -> LogResult<()> {
        self.until = Some(self.stream_logs()?);
        Ok(())
    }

    /// How far to read from `start` on. All partitions get a share of the limit, none less than one batch of records.
    pub fn latest(&mut self, start: &str, limit: Limit) -> LogResult<String> {
        self.check_stream()?;
        let before = from_json(start)?;
        let logs = match &self.until {
            Some(logs) => logs.clone(),
            None => self.stream_logs()?,
        };
        let begins: Vec<Position> =
            logs.iter().map(|log| self.located(log, before.get(&log.folder))).collect::<LogResult<_>>()?;
        let unread: Vec<u64> = logs.iter().zip(&begins).map(|(log, begin)| unread_bytes(log, begin)).collect();
        let shares = shares(&unread, if let Limit::Bytes(most) = limit { most } else { u64::MAX });
        let readable = unread.iter().filter(|bytes| **bytes > 0).count().max(1) as u64;
        let most = match limit {
            Limit::Offsets(most) => i64::try_from((most / readable).max(1)).unwrap_or(i64::MAX),
            _ => i64::MAX,
        };
        let mut reached = before.clone();
        for ((log, begin), share) in logs.iter().zip(&begins).zip(shares) {
            let end = self.end(log, begin, share, most)?;
            // A place that was found again without anything after it is not yet the place to go on from: a log that comes back in
            // parts still lacks records that were read before.
            let is_further = before.get(&log.folder).is_none_or(|known| {
                let learnt_id = known.topic_id.is_none() && begin.topic_id.is_some() && is_same_place(known, begin);
                end != *begin || is_other_topic(known, begin) || learnt_id
            });
            if is_further {
                reached.insert(log.folder.clone(), end);
            }
        }
        Ok(to_json(&reached))
    }

    /// The tasks that read between two offsets of a stream. Fails where what is between is gone.
    pub fn between(&mut self, start: &str, end: &str, pushed: &Pushed) -> LogResult<Plan> {
        let (begins, stops) = (from_json(start)?, from_json(end)?);
        let changed: BTreeSet<&String> = stops
            .iter()
            .filter(|(folder, stop)| begins.get(*folder) != Some(*stop))
            .map(|(folder, _)| folder)
            .collect();
        let logs: Vec<Log> = self.stream_logs()?.into_iter().filter(|log| changed.contains(&log.folder)).collect();
        for folder in changed {
            if !logs.iter().any(|log| log.folder == *folder) {
                self.gap(format!("{} is gone, and a micro-batch was to read it", folder))?;
            }
        }
        let mut reads = Vec::new();
        for log in &logs {
            if let Some(stop) = stops.get(&log.folder) {
                self.reads(log, begins.get(&log.folder), stop, pushed, &mut reads)?;
            }
        }
        let options = &self.options;
        let total = reads.iter().map(|read| read.range.bytes()).sum();
        let size = TaskSize::of(total, reads.len() as u64, options.max_partition_bytes, options.min_partitions);
        let mut ranges = Vec::new();
        for Read { range, first, last } in reads {
            let place = (range.start, range.end);
            let cut = parts(self.storage.as_ref(), &range.segment, place, size.bytes, first, last)?;
            let reached = |start| if start == range.start { range.reached } else { None };
            ranges.extend(cut.into_iter().map(|(start, end, planned)| Range {
                start,
                end,
                planned,
                reached: reached(start),
                ..range.clone()
            }));
        }
        Ok(Plan { tasks: size.packed(ranges).iter().map(|group| Task::of(group)).collect(), nothing: None })
    }

    /// The logs that a stream follows: those with segments.
    fn stream_logs(&self) -> LogResult<Vec<Log>> {
        let mut logs = self.find(&Pushed::default(), true)?.logs;
        logs.retain(|log| log.segments.iter().any(|segment| segment.base_offset.is_some()));
        for log in &mut logs {
            log.segments.retain(|segment| segment.base_offset.is_some());
        }
        self.limit(&mut logs)?;
        Ok(logs)
    }

    /// Fails for unread records that are gone, or warns without `failOnDataLoss`.
    fn gap(&self, reason: String) -> LogResult<()> {
        if self.options.fail_on_data_loss {
            let text = format!("{reason}; option failOnDataLoss=false continues without the missing records");
            return fail(ErrorKind::Gap, text);
        }
        self.notes.add(format!("{reason}; the records that are gone are missing"));
        Ok(())
    }

    /// Where to go on in a log as it is now: `before`, unless segments were cleaned, merged, truncated or deleted since.
    ///
    /// Fails where unread records are gone; without `failOnDataLoss` it goes on after the gap.
    fn located(&self, log: &Log, before: Option<&Position>) -> LogResult<Position> {
        let storage = self.storage.as_ref();
        let first = beginning(storage, log);
        let Some(before) = before else { return Ok(first) };
        let folder = &log.folder;
        if is_other_topic(&first, before) {
            let text =
                format!("{folder} belongs to another topic of the same name now, and is read from its beginning");
            self.notes.add(text);
            return Ok(first);
        }
        let topic_id = before.topic_id.clone().or_else(|| first.topic_id.clone());
        let before = Position { topic_id, ..before.clone() };
        if first.offset > before.offset {
            let (now, then) = (first.offset, before.offset);
            self.gap(format!("{folder} begins at offset {now} now, and was read up to {then}"))?;
            return Ok(first);
        }
        if is_there(storage, log, &before)? {
            return Ok(before);
        }
        let end = advanced(storage, log, &first, u64::MAX, i64::MAX)?;
        if end.offset < before.offset {
            let (now, then) = (end.offset, before.offset);
            self.gap(format!(
                "{folder} ends at offset {now} now, and was read up to {then}: it was cut off, or belongs to another topic"
            ))?;
        }
        found_by_offset(storage, log, &before)
    }

    fn end(&mut self, log: &Log, begin: &Position, share: u64, most: i64) -> LogResult<Position> {
        let storage = self.storage.clone();
        let storage = storage.as_ref();
        let limit = log.end_offset.min(begin.offset.saturating_add(most));
        let mut end = advanced(storage, log, begin, share, limit)?;
        if end == *begin && share > 0 && limit < log.end_offset {
            // The next offset that there is is further than so many.
            end = advanced(storage, log, begin, 1, log.end_offset)?;
        }
        if !self.options.read_committed || end == *begin {
            return Ok(end);
        }
        let known = self.open.get(&log.folder);
        let (undecided, open) = last_stable_offset(storage, log, end.offset.saturating_sub(1), known, &self.notes)?;
        self.open.insert(log.folder.clone(), open);
        match undecided.filter(|undecided| *undecided < end.offset) {
            Some(undecided) => advanced(storage, log, begin, share, undecided.min(limit)),
            None => Ok(end),
        }
    }

    /// Adds what a micro-batch reads of the segments of a log.
    fn reads(
        &self,
        log: &Log,
        before: Option<&Position>,
        stop: &Position,
        pushed: &Pushed,
        reads: &mut Vec<Read>,
    ) -> LogResult<()> {
        let storage = self.storage.as_ref();
        let begin = self.located(log, before)?;
        let folder = &log.folder;
        if is_other_topic(&begin, stop) {
            let text = format!("{folder} belongs to another topic of the same name since a micro-batch was planned");
            return self.gap(text);
        }
        if begin.offset > stop.offset {
            let (now, then) = (begin.offset, stop.offset);
            let text = format!("{folder} begins at offset {now} now, and a micro-batch was to read up to {then}");
            return self.gap(text);
        }
        // Segments that were cleaned or merged since hold the same records at other positions.
        let is_same = before.is_none_or(|before| is_same_place(before, &begin)) && is_there(storage, log, stop)?;
        let mut offsets = if is_same { None } else { Some((begin.offset, stop.offset.saturating_sub(1))) };
        let within = if is_same { within_batch(storage, log, &begin)? } else { 0 };
        if is_same {
            let first = log.start_offset.max(within);
            offsets = (first > 0).then_some((first, i64::MAX));
        }
        let bounds = self.options.bounds().and(pushed.bounds);
        let bounds = bounds.within(Some((log.start_offset, log.end_offset.saturating_sub(1))));
        for (segment, range_start, range_end) in between(log, &begin, stop) {
            let (wanted_start, wanted_stop) = wanted_bytes(storage, segment, bounds)?;
            let (start, end) = (range_start.max(wanted_start), range_end.min(wanted_stop));
            let is_first = segment.base_offset == Some(begin.segment) && start == range_start;
            let is_last = segment.base_offset == Some(stop.segment) && end == range_end;
            if start >= end && segment.size > 0 {
                continue;
            }
            let range = Range {
                segment: segment.clone(),
                topic: log.topic.clone(),
                partition: log.partition,
                start,
                end,
                // A micro-batch ends before what is undecided.
                read_until: self.options.read_committed.then_some(i64::MAX),
                offsets,
                planned: None,
                reached: (is_first && is_same && start > 0 && within == 0).then_some(begin.offset),
                has_goals: false,
            };
            reads.push(Read {
                range,
                first: is_first.then_some(begin.offset),
                last: is_last.then_some(stop.offset.saturating_sub(1)),
            });
        }
        Ok(())
    }
}

/// A part of a segment that a micro-batch reads, and its first and last offset where places say them.
struct Read {
    range: Range,
    first: Option<i64>,
    last: Option<i64>,
}
