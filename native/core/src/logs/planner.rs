//! Planning a query from its options: the logs to read, their limits, and the tasks.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::Deserialize;

use super::checkpoints::{set_high_watermark, set_log_start};
use super::counts::{Behind, Latest, Planned};
use super::log::Log;
use super::names::{LogName, suggestion};
use super::options::{EARLIEST, LATEST, Offsets, Options};
use super::paths;
use super::ranges::{Range, Task, segments_within, tasks, wanted_bytes};
use super::search::{FoundLogs, check_paths, find_logs};
use super::storage::Storage;
use super::topic_ids::mark_others;
use super::transactions::{Notes, OpenAt, last_stable_offset};
use crate::outcome::{Kind, Outcome, fail};
use crate::records::filter::Bounds;

const MOST_SHOWN: usize = 10;

/// The filters of a query, in addition to the options. Unlike in options, unknown names are not an error.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Pushed {
    /// Offsets and timestamps.
    pub bounds: Bounds,
    /// Topics; `None` among them selects folders whose names contain no topic.
    pub topics: Option<Vec<Option<String>>>,
    /// Numbers of partitions.
    pub partitions: Option<Vec<Option<i32>>>,
}

impl Pushed {
    fn is_wanted(&self, name: Option<&LogName>) -> bool {
        let topic = name.map(|name| &name.topic);
        let number = name.map(|name| name.partition);
        self.topics
            .as_ref()
            .is_none_or(|topics| topics.iter().any(|one| one.as_ref() == topic))
            && self
                .partitions
                .as_ref()
                .is_none_or(|partitions| partitions.contains(&number))
    }
}

/// A planner of queries over logs.
pub struct Planner {
    /// The options.
    pub options: Options,
    /// The number of tasks that run at the same time.
    pub(super) cores: u64,
    pub(super) storage: Arc<Storage>,
    pub(super) notes: Notes,
    /// The offset at which a stream stops in each folder, if its end was pinned.
    pub(super) until: Option<BTreeMap<String, i64>>,
    pub(super) planned: Latest<Planned>,
    pub(super) behind: Latest<Behind>,
}

impl Planner {
    /// Create a planner for `cores` simultaneous tasks. Fail if the options contain no path.
    pub fn new(options: Options, cores: u64, storage: Storage) -> Outcome<Self> {
        if options.paths.is_empty() {
            let text = "no path was given; pass the folder of the logs, such as load(\"/var/lib/kafka/data\")";
            return fail(Kind::Path, text);
        }
        Ok(Planner {
            options,
            cores,
            storage: Arc::new(storage),
            notes: Notes::default(),
            until: None,
            planned: Latest::default(),
            behind: Latest::default(),
        })
    }

    /// Fail if nothing exists at a path of the options that is not a pattern.
    pub fn check_paths(&self) -> Outcome<()> {
        check_paths(&self.storage, &self.options.paths)
    }

    /// Return the names of all topics that exist, whether the options select them or not. Folders of partitions are
    /// not listed.
    pub fn topics(&self) -> Outcome<Vec<String>> {
        let none = Pushed {
            topics: Some(Vec::new()),
            ..Pushed::default()
        };
        let found = self.find(&none, false)?;
        Ok(found.topics().into_iter().map(str::to_owned).collect())
    }

    /// Return the warnings since the last call.
    pub fn take_warnings(&self) -> Vec<String> {
        self.notes.take()
    }

    /// Return the counts of the latest plan; `None` before the first one.
    pub fn planned(&self) -> Option<Planned> {
        self.planned.get()
    }

    /// Return how much data a stream has not read yet; `None` before it first lists its files.
    pub fn behind(&self) -> Option<Behind> {
        self.behind.get()
    }

    /// Return the tasks of a batch query, in the order of topic, partition and offset.
    ///
    /// Large segments are split between batches, and small segments share a task. If a file no longer exists, the task
    /// that reads it reports that.
    pub fn plan(&self, pushed: &Pushed) -> Outcome<Vec<Task>> {
        let FoundLogs {
            mut logs, partitions, ..
        } = self.found(pushed)?;
        self.limit(&mut logs)?;
        self.choose_offsets(&mut logs)?;
        let bounds = self.options.bounds.and(pushed.bounds);
        let mut ranges: Vec<Range> = Vec::new();
        let mut segment_count = 0;
        for log in &logs {
            segment_count += segments_within(log, Bounds::default(), self.options.include_segments).count();
            let within = bounds.within(log.offsets());
            let mut segments = segments_within(log, within, self.options.include_segments).peekable();
            if segments.peek().is_some() {
                let read_until = self.read_until(log, within.max_offset)?;
                ranges.extend(segments.map(|segment| Range::whole(log, segment, read_until)));
            }
        }
        if ranges.iter().all(|each| !paths::is_url(&each.segment.path)) {
            for each in &mut ranges {
                (each.start, each.end) = wanted_bytes(&self.storage, &each.segment, bounds.within(each.offsets))?;
            }
            ranges.retain(|each| each.bytes() > 0 || each.segment.size == 0);
        }
        let read: BTreeSet<(String, i32)> = logs.iter().map(Log::key).collect();
        self.planned.set(Planned {
            segments: ranges.len() as u64,
            skipped_segments: segment_count.saturating_sub(ranges.len()) as u64,
            skipped_partitions: partitions.difference(&read).count() as u64,
        });
        tasks(&self.storage, ranges, &self.options, self.cores, false)
    }

    /// Return the logs to read.
    pub fn logs(&self, pushed: &Pushed) -> Outcome<Vec<Log>> {
        Ok(self.found(pushed)?.logs)
    }

    /// Return the logs to read, together with all partitions that exist.
    fn found(&self, pushed: &Pushed) -> Outcome<FoundLogs> {
        let mut found = self.find(pushed, false)?;
        self.check_topics(&found)?;
        mark_others(&self.storage, &mut found.logs);
        Ok(found)
    }

    pub(super) fn find(&self, pushed: &Pushed, may_be_empty: bool) -> Outcome<FoundLogs> {
        let wanted = |name: Option<&LogName>| self.is_wanted(name) && pushed.is_wanted(name);
        let found = find_logs(&self.storage, &self.options.paths, &wanted, may_be_empty)?;
        for warning in &found.warnings {
            self.notes.add(warning.clone());
        }
        Ok(found)
    }

    /// Whether the options select a topic and partition; the argument is `None` if they are unknown.
    pub(super) fn is_wanted(&self, name: Option<&LogName>) -> bool {
        let Options {
            assign,
            topics,
            topics_pattern,
            partitions,
            ..
        } = &self.options;
        let topic = name.map(|name| &name.topic);
        let number = name.map(|name| name.partition);
        let is_assigned = |pairs: &BTreeSet<(String, i32)>| {
            pairs
                .iter()
                .any(|(one, partition)| Some(one) == topic && Some(*partition) == number)
        };
        let is_within = |(first, last): &(i32, i32)| number.is_some_and(|one| (*first..=*last).contains(&one));
        assign.as_ref().is_none_or(is_assigned)
            && topics
                .as_ref()
                .is_none_or(|topics| topic.is_some_and(|topic| topics.contains(topic)))
            && topics_pattern
                .as_ref()
                .is_none_or(|all| topic.is_some_and(|topic| all.is_match(topic)))
            && partitions.as_ref().is_none_or(|ranges| ranges.iter().any(is_within))
    }

    /// Fail if the options name a topic or partition that does not exist.
    pub(super) fn check_topics(&self, found: &FoundLogs) -> Outcome<()> {
        let options = &self.options;
        let topics = found.topics();
        let there = || match topics.len() {
            0 => "there are no topics".to_owned(),
            count if count <= MOST_SHOWN => format!("the topics are {}", topics.join(", ")),
            count => format!("there are {count} topics, such as {}", topics[..MOST_SHOWN].join(", ")),
        };
        let assigned = options.assign.iter().flatten().map(|(topic, _)| topic);
        let mut named = options.topics.iter().flatten().chain(assigned);
        if let Some(topic) = named.find(|topic| !topics.contains(&topic.as_str())) {
            let (places, advice) = (options.paths.join(", "), suggestion(topic, &topics, there));
            return fail(Kind::Path, format!("{places}: no topic {topic}; {advice}"));
        }
        if let Some(pattern) = options
            .topics_pattern
            .as_ref()
            .filter(|all| !topics.iter().any(|one| all.is_match(one)))
        {
            return fail(
                Kind::Path,
                format!("option topicsPattern: no topic matches '{pattern}'; {}", there()),
            );
        }
        if let Some((topic, partition)) = options
            .assign
            .iter()
            .flatten()
            .find(|each| !found.partitions.contains(*each))
        {
            return fail(
                Kind::Path,
                format!("option assign: the logs have no {topic}-{partition}"),
            );
        }
        Ok(())
    }

    /// Limit logs to their log start offsets and high watermarks, if the options request that.
    pub(super) fn limit(&self, logs: &mut [Log]) -> Outcome<()> {
        if self.options.from_log_start {
            set_log_start(&self.storage, logs)?;
        }
        if self.options.until_high_watermark {
            set_high_watermark(&self.storage, logs)?;
        }
        Ok(())
    }

    /// Narrow logs to the starting and ending offsets in the options.
    fn choose_offsets(&self, logs: &mut [Log]) -> Outcome<()> {
        let (starts, ends) = (&self.options.starting_offsets, &self.options.ending_offsets);
        starts.check(logs, "startingOffsets", "-2 is the earliest offset")?;
        ends.check(logs, "endingOffsets", "-1 is the latest offset")?;
        for log in logs {
            let (start, end) = (starts.of(&log.key()), ends.of(&log.key()));
            if start == LATEST {
                let text = "option startingOffsets: a batch query can't begin at the latest offset; streams can";
                return fail(Kind::Option, text);
            }
            if start != EARLIEST {
                log.start_offset = start.max(log.start_offset);
            }
            if end != LATEST {
                log.end_offset = end.min(log.end_offset);
            }
        }
        Ok(())
    }

    fn read_until(&self, log: &Log, last: i64) -> Outcome<Option<i64>> {
        if !self.options.read_committed {
            return Ok(None);
        }
        if !self.options.until_last_stable_offset {
            return Ok(Some(i64::MAX));
        }
        let known = OpenAt::known(&self.storage, log);
        let stable = last_stable_offset(&self.storage, log, known, last, &self.notes)?;
        Ok(Some(stable.unwrap_or(i64::MAX)))
    }
}

impl Offsets {
    /// Fail unless the offsets name all partitions, and only these. Spark's own source also requires that.
    pub(super) fn check(&self, logs: &[Log], option: &str, advice: &str) -> Outcome<()> {
        let Offsets::Each(offsets) = self else { return Ok(()) };
        let there: BTreeMap<(String, i32), ()> = logs.iter().map(|log| (log.key(), ())).collect();
        let missing = there.keys().find(|key| !offsets.contains_key(*key));
        let unknown = offsets.keys().find(|key| !there.contains_key(*key));
        match (missing, unknown) {
            (Some((topic, number)), _) => fail(
                Kind::Option,
                format!("option {option}: {topic}-{number} is missing; {advice}"),
            ),
            (_, Some((topic, number))) => fail(
                Kind::Option,
                format!("option {option}: the query reads no {topic}-{number}; remove its offset"),
            ),
            _ => Ok(()),
        }
    }

    /// Return the offset of a partition, which may be `EARLIEST` or `LATEST`.
    pub(super) fn of(&self, partition: &(String, i32)) -> i64 {
        match self {
            Offsets::Earliest => EARLIEST,
            Offsets::Latest => LATEST,
            Offsets::Each(offsets) => offsets.get(partition).copied().unwrap_or(EARLIEST),
        }
    }
}
