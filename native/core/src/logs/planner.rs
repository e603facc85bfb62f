//! From options to what is read: the logs, their limits, and tasks.

use std::collections::HashMap;
use std::sync::Arc;

use super::checkpoints::{set_high_watermark, set_log_start};
use super::error::{ErrorKind, LogResult, fail};
use super::listing::{FoundLogs, Log, find_logs};
use super::names::nearest;
use super::options::Options;
use super::ranges::{Range, TaskSize, parts, segments_within, wanted_bytes, wanted_offsets};
use super::storage::{Folders, Storage};
use super::transactions::Notes;
use super::transactions::last_stable::{OpenAt, last_stable_offset};
use crate::records::filter::Bounds;

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
            text: serde_json::json!(ranges).to_string(),
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
            let text = "missing path of the logs: load(\"/var/lib/kafka/data\")";
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
