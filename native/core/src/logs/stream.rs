//! How far a stream has come in the logs, and how far it may go: micro-batches that end between batches of records.
//!
//! New segments and new folders are found at each trigger. The place in a folder that is gone is kept, for it may come back. Each record
//! is read once: the checkpoint keeps the places, and reading between two of them again gives the same records.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde_json::Value;

use super::error::{ErrorKind, LogError, LogResult, fail, unless_gone};
use super::index::{last_indexed, position_before};
use super::listing::{Log, Segment};
use super::options::{EARLIEST, LATEST, Offsets};
use super::paths;
use super::planner::{Plan, Planner, Pushed, Task};
use super::ranges::{Range, TaskSize, parts, wanted_bytes};
use super::scan::{Found, Scan, Tail};
use super::storage::{Opened, Storage, read_small};
use super::transactions::{is_readable, last_stable_offset};
use crate::records::header::{HEADER, Stopped, header_at, place_at, size_at};

const METADATA_FILE: &str = "partition.metadata";
const MOST_SHOWN: usize = 100;

/// A place between two batches of a partition's log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// The base offset of the segment.
    pub segment: i64,
    /// The byte in it.
    pub position: u64,
    /// The offset after the last record before it: finds the place again when segments were cleaned, merged or deleted.
    pub offset: i64,
    /// Tells a topic from one that had its name before.
    pub topic_id: Option<String>,
}

type Positions = BTreeMap<String, Position>;

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

/// The positions as JSON, with the keys in the order that they always had.
fn to_json(positions: &Positions) -> String {
    let mut text = String::from("{");
    for (number, (folder, at)) in positions.iter().enumerate() {
        let comma = if number == 0 { "" } else { ", " };
        let id =
            at.topic_id.as_ref().map_or(String::new(), |id| format!(", \"topicId\": {}", Value::from(id.as_str())));
        let (segment, position, offset) = (at.segment, at.position, at.offset);
        let folder = Value::from(folder.as_str());
        let _ = write!(
            text,
            "{comma}{folder}: {{\"segment\": {segment}, \"position\": {position}, \"offset\": {offset}{id}}}"
        );
    }
    text + "}"
}

fn from_json(text: &str) -> LogResult<Positions> {
    let other_version = |found: &str| {
        let shown: String = found.chars().take(MOST_SHOWN).collect();
        let text = format!(
            "the checkpoint has {shown} as the place in a log: another version of messagegen wrote it; \
             start with a new checkpoint folder (option checkpointLocation)"
        );
        LogError::new(ErrorKind::Checkpoint, text)
    };
    let Ok(Value::Object(found)) = serde_json::from_str(text) else { return Err(other_version(text)) };
    let position = |value: &Value| {
        let fields = value.as_object()?;
        let topic_id = match fields.get("topicId") {
            Some(id) => Some(id.as_str()?.to_owned()),
            None => None,
        };
        let at = Position {
            segment: fields.get("segment")?.as_i64()?,
            position: fields.get("position")?.as_u64()?,
            offset: fields.get("offset")?.as_i64()?,
            topic_id,
        };
        (fields.len() == 3 + usize::from(at.topic_id.is_some())).then_some(at)
    };
    found
        .iter()
        .map(|(folder, value)| match position(value) {
            Some(at) => Ok((folder.clone(), at)),
            None => Err(other_version(&value.to_string())),
        })
        .collect()
}

/// Whether two places belong to different topics of the same name. An id that is not known tells nothing.
fn is_other_topic(one: &Position, other: &Position) -> bool {
    one.topic_id.is_some() && other.topic_id.is_some() && one.topic_id != other.topic_id
}

fn is_same_place(one: &Position, other: &Position) -> bool {
    (one.segment, one.position, one.offset) == (other.segment, other.position, other.offset)
        && !is_other_topic(one, other)
}

/// The topic's id, which brokers write beside the segments since Kafka 2.8; `None` where it is not known.
///
/// That it can't be read says nothing of the topic: the file may be copied later, or the disk may have failed just now.
fn topic_id(storage: &dyn Storage, folder: &str) -> Option<String> {
    let data = read_small(storage, &paths::join(folder, METADATA_FILE)).ok()??;
    let text = String::from_utf8_lossy(&data).into_owned();
    let id = text.lines().find_map(|line| line.strip_prefix("topic_id: "))?.trim_end();
    (!id.is_empty() && !id.contains(char::is_whitespace)).then(|| id.to_owned())
}

/// The place before all that a log still has.
fn beginning(storage: &dyn Storage, log: &Log) -> Position {
    let bases = || log.segments.iter().map(|segment| segment.base_offset.unwrap_or(0));
    let base = bases().filter(|base| *base <= log.start_offset).max().or_else(|| bases().next()).unwrap_or(0);
    Position {
        segment: base,
        position: 0,
        offset: base.max(log.start_offset),
        topic_id: topic_id(storage, &log.folder),
    }
}

fn segments_from(log: &Log, start: i64) -> impl Iterator<Item = &Segment> {
    log.segments.iter().filter(move |segment| segment.base_offset.is_some_and(|base| base >= start))
}

/// The place up to which a log can be read from `start` on.
///
/// At most `budget` bytes further, but at least a batch, and before the first batch that begins at `limit_offset` or after it. What is
/// not yet a whole batch at the end of the last segment is left for later.
fn advanced(storage: &dyn Storage, log: &Log, start: &Position, budget: u64, limit_offset: i64) -> LogResult<Position> {
    let (mut at, mut left) = (start.clone(), budget);
    for segment in segments_from(log, start.segment) {
        let base = segment.base_offset.unwrap_or(0);
        if base != at.segment {
            at = Position { segment: base, position: 0, offset: base, ..at };
        }
        let size = segment.size.saturating_sub(at.position);
        let is_whole = segment.next_base_offset.filter(|next| size <= left && *next <= limit_offset);
        match is_whole {
            Some(next) => {
                at = Position { position: segment.size, offset: at.offset.max(next), ..at };
                left -= size;
            }
            None if segment.damage.is_some() => return Ok(at),
            None => return hop(storage, segment, at, left, limit_offset, left == budget),
        }
    }
    Ok(at)
}

/// The furthest place in one segment. Headers are looked at from what the index names last of all that may be taken.
fn hop(
    storage: &dyn Storage,
    segment: &Segment,
    start: Position,
    budget: u64,
    limit_offset: i64,
    mut is_one_needed: bool,
) -> LogResult<Position> {
    let end = start.position.saturating_add(budget);
    let Some(file) = unless_gone(Opened::new(storage, &segment.path))? else { return Ok(start) };
    let named = last_indexed(storage, &file, segment, start.position, end.min(segment.size), limit_offset)?;
    let first = named.unwrap_or(start.position);
    let least = start.offset;
    let mut at = start;
    let mut scan = Scan::past_damage(&file, first, segment.size, segment.is_complete)?;
    let mut last = None;
    while let Some(found) = scan.next()? {
        let base = found.place.base_offset;
        if base >= limit_offset || (found.end() > end && !is_one_needed) {
            // A base offset may be wrong, which the next one shows.
            let offset = at.offset.min(base).max(least);
            return Ok(Position { offset, ..at });
        }
        is_one_needed = false;
        at = Position { position: found.end(), offset: least.max(found.last_offset().saturating_add(1)), ..at };
        last = Some(found);
    }
    at_tail(&file, segment, at, last, scan.tail())
}

/// The place at the end of a segment: what is damaged or will never be a batch is read too, as an error.
fn at_tail(
    file: &Opened,
    segment: &Segment,
    at: Position,
    last: Option<Found>,
    tail: Option<Tail>,
) -> LogResult<Position> {
    let Some(tail) = tail.filter(|tail| tail.stopped != Stopped::End) else { return Ok(at) };
    if segment.is_complete || tail.stopped == Stopped::Damaged {
        return Ok(Position { position: segment.size, ..at });
    }
    if let Some(found) = last.filter(|_| tail.stopped == Stopped::Preallocated)
        && !is_readable(file, &found)?
    {
        // A broker has not written all of its bytes into preallocated zeros yet.
        return Ok(Position { position: found.position(), offset: found.place.base_offset, ..at });
    }
    Ok(at)
}

/// The segments between two places, each with the positions from and to which it is to be read.
fn between<'l>(log: &'l Log, start: &Position, end: &Position) -> Vec<(&'l Segment, u64, u64)> {
    let mut found = Vec::new();
    for segment in segments_from(log, start.segment) {
        let base = segment.base_offset.unwrap_or(0);
        if base > end.segment {
            break;
        }
        let first = if base == start.segment { start.position } else { 0 };
        let stop = if base == end.segment { end.position } else { segment.size };
        let is_lost = base < end.segment && segment.size == 0 && (segment.damage.is_some() || segment.is_indexed);
        if stop > first || is_lost {
            found.push((segment, first, stop));
        }
    }
    found
}

/// How many bytes follow a place.
fn unread_bytes(log: &Log, start: &Position) -> u64 {
    segments_from(log, start.segment).map(|segment| segment.size).sum::<u64>().saturating_sub(start.position)
}

/// Whether the segment of a place is there and, as far as the next header tells, is what it was.
fn is_there(storage: &dyn Storage, log: &Log, place: &Position) -> LogResult<bool> {
    let segment = log.segments.iter().find(|segment| segment.base_offset == Some(place.segment));
    let Some(segment) = segment.filter(|segment| place.position <= segment.size) else { return Ok(false) };
    if place.position == segment.size
        && let Some(next) = segment.next_base_offset
    {
        // After a copy that came back in parts, the next segment may hold what was read before.
        return Ok(next >= place.offset);
    }
    if place.position == 0 || place.position == segment.size {
        return Ok(true);
    }
    let Some(file) = unless_gone(Opened::new(storage, &segment.path))? else { return Ok(false) };
    let start = file.bytes(place.position, HEADER)?;
    match size_at(&start, segment.size - place.position) {
        Ok(size) => {
            let found = place_at(&start, 0, size);
            Ok(found.base_offset >= place.offset && (0..=2).contains(&found.magic))
        }
        // A tail that is no batch yet is where the last segment was left.
        Err(stopped) => Ok(!segment.is_complete || matches!(stopped, Stopped::Truncated | Stopped::Preallocated)),
    }
}

/// The first batch that has the offset a place reached, or a later one.
fn found_by_offset(storage: &dyn Storage, log: &Log, before: &Position) -> LogResult<Position> {
    let segments = log.segments.iter().filter(|segment| segment.base_offset.unwrap_or(0) <= before.offset);
    let Some(segment) = segments.last() else { return Ok(before.clone()) };
    let base = segment.base_offset.unwrap_or(0);
    let at = |position| Position { segment: base, position, ..before.clone() };
    let file = if segment.damage.is_some() { None } else { unless_gone(Opened::new(storage, &segment.path))? };
    let Some(file) = file else { return Ok(at(segment.size)) };
    let mut position = position_before(storage, &file, segment, before.offset)?;
    let mut scan = Scan::past_damage(&file, position, segment.size, segment.is_complete)?;
    while let Some(found) = scan.next()? {
        if found.last_offset() >= before.offset {
            return Ok(at(found.position()));
        }
        position = found.end();
    }
    if segment.base_offset == Some(before.segment) && position < before.position && before.position <= segment.size {
        // Hopping met damage that was reported before.
        position = before.position;
    }
    Ok(at(position))
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

    /// The tasks that read between two offsets of a stream. Fails where what lies between is gone.
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
            // The next offset that there is lies further than so many.
            end = advanced(storage, log, begin, 1, log.end_offset)?;
        }
        if !self.options.read_committed || end == *begin {
            return Ok(end);
        }
        let known = self.open.get(&log.folder);
        let (undecided, open) = last_stable_offset(storage, log, end.offset - 1, known, &self.notes)?;
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
        let mut offsets = if is_same { None } else { Some((begin.offset, stop.offset - 1)) };
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

/// The offset of a place if it lies within the batch there, as one that an option names may; otherwise 0.
fn within_batch(storage: &dyn Storage, log: &Log, begin: &Position) -> LogResult<i64> {
    let segment = log.segments.iter().find(|segment| segment.base_offset == Some(begin.segment));
    let Some(segment) = segment.filter(|segment| segment.damage.is_none()) else { return Ok(0) };
    let Some(file) = unless_gone(Opened::new(storage, &segment.path))? else { return Ok(0) };
    let start = file.bytes(begin.position, HEADER)?;
    let header = size_at(&start, u64::MAX).ok().and_then(|size| header_at(&start, place_at(&start, 0, size)));
    let is_within =
        header.is_some_and(|header| header.place.base_offset < begin.offset && begin.offset <= header.last_offset());
    Ok(if is_within { begin.offset } else { 0 })
}

/// How many bytes of each log may be read, the same for all that have so many, so that none has to wait.
fn shares(unread: &[u64], limit: u64) -> Vec<u64> {
    let mut order: Vec<usize> = (0..unread.len()).collect();
    order.sort_by_key(|number| unread[*number]);
    let (mut shares, mut left) = (vec![0; unread.len()], limit);
    for (number, log) in order.into_iter().enumerate() {
        shares[log] = unread[log].min(left / (unread.len() - number) as u64);
        left -= shares[log];
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_keep_their_json() {
        let text = r#"{"/logs/a-0": {"segment": 0, "position": 85, "offset": 3}, "/logs/b-0": {"segment": 7, "position": 0, "offset": 7, "topicId": "x"}}"#;
        let positions = from_json(text).expect("positions");
        assert_eq!(to_json(&positions), text);
        for other in [
            "[]",
            "{\"a\": 1}",
            "{\"a\": {\"segment\": 0, \"position\": 1}}",
            "{\"a\": {\"segment\": 0, \"position\": 1, \"offset\": \"3\"}}",
            "{\"a\": {\"segment\": 0, \"position\": 1, \"offset\": 3, \"leaderEpoch\": 1}}",
            "{\"a\": {\"segment\": 0, \"position\": 1, \"offset\": 3, \"topicId\": 7}}",
        ] {
            assert_eq!(from_json(other).map_err(|error| error.kind).err(), Some(ErrorKind::Checkpoint), "{other}");
        }
    }

    #[test]
    fn a_limit_is_shared() {
        assert_eq!(shares(&[255, 0, 85, 300], 300), [107, 0, 85, 108]);
        assert_eq!(shares(&[10, 20], u64::MAX), [10, 20]);
    }
}
