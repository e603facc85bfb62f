//! From options to what is read: the logs, their limits, and tasks.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::checkpoints::{set_high_watermark, set_log_start};
use super::error::{ErrorKind, LogError, LogResult, fail, unless_gone};
use super::index::position_of_time;
use super::listing::{FoundLogs, Log, find_logs};
use super::near::nearest;
use super::options::{EARLIEST, LATEST, Numbers, Offsets, Options};
use super::ranges::{Bounds, Range, TaskSize, parts, segments_within, task_text, wanted_bytes, wanted_offsets};
use super::scan::{Found, Scan, frame_of};
use super::storage::{Folders, Opened, Storage};
use super::transactions::Notes;
use super::transactions::last_stable::{OpenAt, last_stable_offset};
use crate::records::batch::{Batch, ReadBudget};
use crate::records::codecs::Decompressor;
use crate::records::filter::Filter;

/// So many segments are opened to plan where their parts begin; of more, the tasks find it.
const MOST_OPENED: usize = 256;
const MOST_SHOWN: usize = 10;

/// What a query filters besides the options. A name that is not there is no error here.
#[derive(Clone, Debug, Default)]
pub struct Pushed {
    /// Offsets and timestamps.
    pub bounds: Bounds,
    /// Topics; `None` among them means folders that do not say theirs.
    pub topics: Option<Vec<Option<String>>>,
    /// Numbers of partitions.
    pub partitions: Option<Vec<Option<i32>>>,
}

impl Pushed {
    fn takes(&self, topic: Option<&str>, partition: Option<i32>) -> bool {
        let has_topic = |topics: &Vec<Option<String>>| topics.iter().any(|each| each.as_deref() == topic);
        let has_partition = |partitions: &Vec<Option<i32>>| partitions.contains(&partition);
        self.topics.as_ref().is_none_or(has_topic) && self.partitions.as_ref().is_none_or(has_partition)
    }
}

/// What one worker reads.
#[derive(Clone, Debug)]
pub struct Task {
    /// The ranges, as JSON.
    pub text: String,
    /// How many bytes of files.
    pub bytes: u64,
    /// How many records at most, as far as names of files tell.
    pub rows: Option<u64>,
    /// How many files are opened.
    pub files: usize,
}

impl Task {
    /// The task that reads some ranges.
    pub fn of(ranges: &[Range]) -> Task {
        Task {
            text: task_text(ranges),
            bytes: ranges.iter().map(Range::bytes).sum(),
            rows: ranges.iter().map(Range::rows).sum(),
            files: ranges.len(),
        }
    }
}

/// What is read.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// In the order of topic, partition and offset.
    pub tasks: Vec<Task>,
    /// If no record comes though there are segments: what may be the reason.
    pub nothing: Option<String>,
}

/// Plans queries over logs.
pub struct Planner {
    /// The options.
    pub options: Options,
    pub(super) storage: Arc<dyn Storage>,
    pub(super) notes: Notes,
    /// What a stream reads no further than.
    pub(super) until: Option<Vec<Log>>,
    /// The transactions that a stream saw open, by folder.
    pub(super) open: HashMap<String, OpenAt>,
}

impl Planner {
    /// Plans with these options. Fails for an invalid pattern, and without a path.
    pub fn new(options: Options, storage: Arc<dyn Storage>) -> LogResult<Self> {
        if let Some(pattern) = &options.topics_pattern
            && let Err(problem) = storage.matches(pattern, "")
        {
            let text = format!("option topicsPattern: invalid regular expression '{pattern}': {problem}");
            return fail(ErrorKind::Option, text);
        }
        if options.paths.is_empty() {
            let text = "missing path of the logs: load(\"/var/lib/kafka/data\"); a table needs it in each query, \
                        SELECT * FROM logs WITH (path '/var/lib/kafka/data'), since Spark keeps its options from the \
                        source; a temporary view does not";
            return fail(ErrorKind::Path, text);
        }
        Ok(Planner { options, storage, notes: Notes::default(), until: None, open: HashMap::new() })
    }

    /// What was noticed since this was asked for the last time.
    pub fn take_warnings(&self) -> Vec<String> {
        self.notes.take()
    }

    /// The tasks of a batch query.
    ///
    /// Large segments are split between batches, small ones share a task. No object of a store is opened, nor are many local files:
    /// then the tasks find where the parts of segments begin. A file that is gone by now is left to the task that reads it.
    pub fn plan(&self, pushed: &Pushed) -> LogResult<Plan> {
        let found = self.find(pushed, false)?;
        self.check_topics(&found)?;
        let mut logs = found.logs;
        self.limit(&mut logs)?;
        self.choose_offsets(&mut logs)?;
        let bounds = self.options.bounds().and(pushed.bounds);
        let tasks = self.tasks(&logs, bounds)?;
        let nothing = self.why_nothing(&logs, bounds);
        Ok(Plan { tasks, nothing })
    }

    /// The logs that are wanted.
    pub fn logs(&self, pushed: &Pushed) -> LogResult<Vec<Log>> {
        let found = self.find(pushed, false)?;
        self.check_topics(&found)?;
        Ok(found.logs)
    }

    pub(super) fn find(&self, pushed: &Pushed, may_be_empty: bool) -> LogResult<FoundLogs> {
        let options = &self.options;
        let folders = Folders::new(self.storage.as_ref());
        let wanted = |topic: Option<&str>, partition: Option<i32>| {
            let is_assigned = |pairs: &std::collections::BTreeSet<(String, i32)>| {
                topic.zip(partition).is_some_and(|(topic, partition)| pairs.contains(&(topic.to_owned(), partition)))
            };
            options.assign.as_ref().is_none_or(is_assigned)
                && options.topics.as_ref().is_none_or(|topics| topic.is_some_and(|topic| topics.contains(topic)))
                && options.topics_pattern.as_ref().is_none_or(|pattern| {
                    topic.is_some_and(|topic| self.storage.matches(pattern, topic).unwrap_or(false))
                })
                && options.takes_number(partition)
                && pushed.takes(topic, partition)
        };
        find_logs(&folders, &options.paths, &wanted, may_be_empty)
    }

    /// Fails for a topic of the options that is not there.
    pub(super) fn check_topics(&self, found: &FoundLogs) -> LogResult<()> {
        let options = &self.options;
        let assigned = options.assign.iter().flatten().map(|(topic, _)| topic.as_str());
        let named = options.topics.iter().flatten().map(String::as_str).chain(assigned);
        let there = || {
            let shown: Vec<&str> = found.topics.iter().take(MOST_SHOWN).map(String::as_str).collect();
            match (shown.len(), found.topics.len()) {
                (0, _) => "there are no topics".to_owned(),
                (few, all) if few == all => format!("the topics are {}", shown.join(", ")),
                (_, all) => format!("there are {all} topics, such as {}", shown.join(", ")),
            }
        };
        for topic in named {
            if found.topics.contains(topic) {
                continue;
            }
            let near = nearest(topic, found.topics.iter().map(String::as_str));
            let advice = near.map_or_else(there, |near| format!("did you mean {near}?"));
            let places = options.paths.join(", ");
            return fail(ErrorKind::Path, format!("{places}: no topic {topic}; {advice}"));
        }
        if let Some(pattern) = &options.topics_pattern {
            let matches = |topic: &String| self.storage.matches(pattern, topic).unwrap_or(false);
            if !found.topics.iter().any(matches) {
                return fail(
                    ErrorKind::Path,
                    format!("option topicsPattern: no topic matches '{pattern}'; {}", there()),
                );
            }
        }
        if let Some((topic, partition)) = options.assign.iter().flatten().find(|each| !found.partitions.contains(*each))
        {
            return fail(ErrorKind::Path, format!("option assign: {topic}-{partition} is not there"));
        }
        Ok(())
    }

    /// Bounds logs by their log start offsets and high watermarks, as wanted.
    pub(super) fn limit(&self, logs: &mut [Log]) -> LogResult<()> {
        if self.options.from_log_start {
            set_log_start(self.storage.as_ref(), logs)?;
        }
        if self.options.until_high_watermark {
            set_high_watermark(self.storage.as_ref(), logs)?;
        }
        Ok(())
    }

    fn tasks(&self, logs: &[Log], bounds: Bounds) -> LogResult<Vec<Task>> {
        let mut chosen: Vec<Range> = Vec::new();
        for log in logs {
            let within = bounds.within(Some((log.start_offset, log.end_offset.saturating_sub(1))));
            let mut segments = segments_within(log, within).peekable();
            if segments.peek().is_none() {
                continue;
            }
            let read_until = self.read_until(log, bounds)?;
            chosen.extend(segments.map(|segment| Range {
                segment: segment.clone(),
                topic: log.topic.clone(),
                partition: log.partition,
                start: 0,
                end: segment.size,
                read_until,
                offsets: wanted_offsets(log, segment),
                planned: segment.base_offset.map(|base| (base, segment.end_offset().saturating_sub(1))),
                reached: None,
                has_goals: true,
            }));
        }
        let is_local = chosen.iter().all(|each| self.storage.is_local(&each.segment.path));
        let mut ranges = Vec::new();
        if is_local {
            for each in chosen {
                let (start, end) = wanted_bytes(self.storage.as_ref(), &each.segment, bounds.within(each.offsets))?;
                let has_bytes = start < end || each.segment.size == 0;
                ranges.extend(has_bytes.then_some(Range { start, end, has_goals: false, ..each }));
            }
        } else {
            ranges = chosen;
        }
        let options = &self.options;
        let total = ranges.iter().map(Range::bytes).sum();
        let size = TaskSize::of(total, ranges.len() as u64, options.max_partition_bytes, options.min_partitions);
        let opened = ranges.iter().filter(|each| each.bytes() > size.bytes).count();
        let has_goals = !is_local || opened > MOST_OPENED;
        let mut cut = Vec::new();
        for each in ranges {
            if has_goals {
                cut_by_size(each, size.bytes, &mut cut);
            } else {
                self.cut(each, size.bytes, bounds, &mut cut)?;
            }
        }
        Ok(size.packed(cut).iter().map(|group| Task::of(group)).collect())
    }

    /// Adds the parts of a range which begin where batches do, without those outside the bounds by their offsets.
    fn cut(&self, each: Range, target: u64, bounds: Bounds, cut: &mut Vec<Range>) -> LogResult<()> {
        let bounds = bounds.within(each.offsets);
        let place = (each.start, each.end);
        for (start, end, planned) in parts(self.storage.as_ref(), &each.segment, place, target, None, None)? {
            let is_outside = planned.is_some_and(|(first, last)| first > bounds.max_offset || last < bounds.min_offset);
            if !is_outside {
                cut.push(Range { start, end, planned, ..each.clone() });
            }
        }
        Ok(())
    }

    fn read_until(&self, log: &Log, bounds: Bounds) -> LogResult<Option<i64>> {
        if !self.options.read_committed {
            return Ok(None);
        }
        if !self.options.until_last_stable_offset {
            return Ok(Some(i64::MAX));
        }
        let last = bounds.max_offset.min(log.end_offset.saturating_sub(1));
        let (stable, _) = last_stable_offset(self.storage.as_ref(), log, last, None, &self.notes)?;
        Ok(Some(stable.unwrap_or(i64::MAX)))
    }

    fn why_nothing(&self, logs: &[Log], bounds: Bounds) -> Option<String> {
        let name = |log: &Log| {
            let (topic, partition) = log.key();
            format!("{topic}-{partition}")
        };
        let mut reasons = Vec::new();
        if let Some(log) = logs.iter().find(|log| log.start_offset > 0) {
            let (name, start) = (name(log), log.start_offset);
            reasons
                .push(format!("{name} begins at offset {start}: records before it were deleted, or are not requested"));
        }
        if let Some(log) = logs.iter().find(|log| log.end_offset < i64::MAX) {
            let (name, end) = (name(log), log.end_offset);
            reasons.push(format!("{name} is read up to offset {end}, the high watermark or the requested end"));
        }
        if bounds != Bounds::default() {
            reasons.push("no record has one of the wanted offsets and times".to_owned());
        }
        if self.options.read_committed {
            reasons.push("transactions were aborted, or are not at their end".to_owned());
        }
        let is_there = logs.iter().any(|log| log.segments.iter().any(|segment| segment.size > 0));
        (is_there && !reasons.is_empty()).then(|| reasons.join("; "))
    }

    /// Narrows logs to the starting and ending offsets of the options.
    fn choose_offsets(&self, logs: &mut [Log]) -> LogResult<()> {
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
        let filter = Filter { min_offset: log.start_offset, min_timestamp: timestamp, ..Filter::ALL };
        for segment in &log.segments {
            if segment.base_offset.is_none() || segment.end_offset() <= log.start_offset || segment.damage.is_some() {
                continue;
            }
            let Some(file) = unless_gone(Opened::new(storage, &segment.path))? else { continue };
            let start = position_of_time(storage, &file, segment, timestamp)?;
            let mut scan = Scan::past_damage(&file, start, segment.size, segment.is_complete)?;
            while let Some(found) = scan.next()? {
                if found.may_be_as_late_as(timestamp)
                    && let Some(offset) = first_offset(&file, &found, &filter)?
                {
                    return Ok(Some(offset));
                }
            }
        }
        Ok(None)
    }
}

/// The offset of the first record of a batch that a filter takes.
fn first_offset(file: &Opened, found: &Found, filter: &Filter) -> LogResult<Option<i64>> {
    let data = file.bytes(found.position(), found.place.length)?;
    let Some(frame) = frame_of(&data) else { return Ok(None) };
    let mut decompressor = Decompressor::new(128 << 20);
    let Ok(Some(mut batch)) = Batch::open(&frame, filter, &mut decompressor) else { return Ok(None) };
    let bytes = batch.bytes(&frame, &decompressor);
    let mut budget = ReadBudget { records: 1, bytes: usize::MAX, is_empty: true };
    let mut records = Vec::new();
    if batch.read(bytes, filter, &mut budget, &mut records).is_err() {
        return Ok(None);
    }
    Ok(records.first().map(|record| batch.header.offset(record)))
}

/// Adds the parts of a range, cut by their size alone, if an index will tell where batches begin there.
fn cut_by_size(each: Range, target: u64, cut: &mut Vec<Range>) {
    let count = if each.segment.is_indexed { each.bytes().div_ceil(target.max(1)).max(1) } else { 1 };
    let share = each.bytes().div_ceil(count);
    for number in 0..count {
        let start = each.start + number * share;
        let end = (start + share).min(each.end);
        if start < end || count == 1 {
            cut.push(Range { start, end, has_goals: true, ..each.clone() });
        }
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
