//! The options of a log source, as texts and as values: those of `kafka-log`, and those of Spark's own `kafka` source that make sense
//! for files (<https://spark.apache.org/docs/latest/streaming/structured-streaming-kafka-integration.html>).

mod values;

use std::collections::BTreeSet;

pub use self::values::{EARLIEST, LATEST, Mode, Numbers, Offsets, flag, one_of};
use self::values::{assignment, by_time, byte_count, ending, listed, mode, path_list, ranges, starting, whole};
use super::error::{ErrorKind, LogResult, fail};
use super::names::nearest;
use super::times;
use crate::records::filter::Bounds;

/// The options; `docs/spark.md` explains them.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Options {
    pub paths: Vec<String>,
    pub topics: Option<BTreeSet<String>>,
    pub topics_pattern: Option<String>,
    pub partitions: Option<Vec<(i32, i32)>>,
    pub starting_offset: Option<i64>,
    pub ending_offset: Option<i64>,
    pub starting_timestamp: Option<i64>,
    pub ending_timestamp: Option<i64>,
    pub assign: Option<BTreeSet<(String, i32)>>,
    pub starting_offsets: Offsets,
    pub ending_offsets: Offsets,
    pub starting_offsets_by_timestamp: Option<Numbers>,
    pub ending_offsets_by_timestamp: Option<Numbers>,
    pub late_times_are_latest: bool,
    pub include_headers: bool,
    pub from_log_start: bool,
    pub until_high_watermark: bool,
    pub include_control: bool,
    pub read_committed: bool,
    pub until_last_stable_offset: bool,
    pub columns: Option<Vec<String>>,
    pub mode: Mode,
    pub verify_checksum: bool,
    pub fail_on_truncated: bool,
    pub fail_on_data_loss: bool,
    pub max_batch_bytes: usize,
    pub max_partition_bytes: u64,
    pub min_partitions: u64,
    pub max_bytes_per_trigger: Option<u64>,
    pub max_offsets_per_trigger: Option<u64>,
    pub max_records_per_batch: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            paths: Vec::new(),
            topics: None,
            topics_pattern: None,
            partitions: None,
            starting_offset: None,
            ending_offset: None,
            starting_timestamp: None,
            ending_timestamp: None,
            assign: None,
            starting_offsets: Offsets::Earliest,
            ending_offsets: Offsets::Latest,
            starting_offsets_by_timestamp: None,
            ending_offsets_by_timestamp: None,
            late_times_are_latest: false,
            include_headers: true,
            from_log_start: true,
            until_high_watermark: false,
            include_control: false,
            read_committed: false,
            until_last_stable_offset: true,
            columns: None,
            mode: Mode::FailFast,
            verify_checksum: true,
            fail_on_truncated: false,
            fail_on_data_loss: true,
            max_batch_bytes: 128 << 20,
            max_partition_bytes: 128 << 20,
            min_partitions: 1,
            max_bytes_per_trigger: None,
            max_offsets_per_trigger: None,
            max_records_per_batch: 32_768,
        }
    }
}

/// How an option is set by its text.
type Set = fn(&mut Options, &str) -> Result<(), String>;

const TABLE: [(&str, Set); 32] = [
    ("assign", |options, text| put(&mut options.assign, assignment(text).map(Some))),
    ("columns", |options, text| put(&mut options.columns, listed(text).map(Some))),
    ("endingOffset", |options, text| put(&mut options.ending_offset, whole(text, 0).map(Some))),
    ("endingOffsets", |options, text| put(&mut options.ending_offsets, ending(text))),
    ("endingOffsetsByTimestamp", |options, text| {
        put(&mut options.ending_offsets_by_timestamp, by_time(text).map(Some))
    }),
    ("endingTimestamp", |options, text| put(&mut options.ending_timestamp, times::parse(text).map(Some))),
    ("failOnDataLoss", |options, text| put(&mut options.fail_on_data_loss, flag(text))),
    ("failOnTruncated", |options, text| put(&mut options.fail_on_truncated, flag(text))),
    ("fromLogStart", |options, text| put(&mut options.from_log_start, flag(text))),
    ("includeControl", |options, text| put(&mut options.include_control, flag(text))),
    ("includeHeaders", |options, text| put(&mut options.include_headers, flag(text))),
    ("isolationLevel", |options, text| {
        put(&mut options.read_committed, one_of(text, ["read_uncommitted", "read_committed"]))
    }),
    ("maxBatchBytes", |options, text| {
        put(&mut options.max_batch_bytes, byte_count(text, Some(i32::MAX as u64)).map(|count| count as usize))
    }),
    ("maxBytesPerTrigger", |options, text| put(&mut options.max_bytes_per_trigger, byte_count(text, None).map(Some))),
    ("maxOffsetsPerTrigger", |options, text| {
        put(&mut options.max_offsets_per_trigger, whole(text, 1).map(|most| Some(most as u64)))
    }),
    ("maxPartitionBytes", |options, text| put(&mut options.max_partition_bytes, byte_count(text, None))),
    ("maxRecordsPerBatch", |options, text| {
        put(&mut options.max_records_per_batch, whole(text, 1).map(|most| most.min(i32::MAX.into()) as usize))
    }),
    ("minPartitions", |options, text| put(&mut options.min_partitions, whole(text, 1).map(|least| least as u64))),
    ("mode", |options, text| put(&mut options.mode, mode(text))),
    ("partitions", |options, text| put(&mut options.partitions, ranges(text).map(Some))),
    ("path", |options, text| {
        options.paths.insert(0, text.to_owned());
        Ok(())
    }),
    ("paths", |options, text| {
        options.paths.extend(path_list(text)?);
        Ok(())
    }),
    ("startingOffset", |options, text| put(&mut options.starting_offset, whole(text, 0).map(Some))),
    ("startingOffsets", |options, text| put(&mut options.starting_offsets, starting(text))),
    ("startingOffsetsByTimestamp", |options, text| {
        put(&mut options.starting_offsets_by_timestamp, by_time(text).map(Some))
    }),
    ("startingOffsetsByTimestampStrategy", |options, text| {
        put(&mut options.late_times_are_latest, one_of(text, ["error", "latest"]))
    }),
    ("startingTimestamp", |options, text| put(&mut options.starting_timestamp, times::parse(text).map(Some))),
    ("topics", |options, text| put(&mut options.topics, listed(text).map(|topics| Some(topics.into_iter().collect())))),
    ("topicsPattern", |options, text| put(&mut options.topics_pattern, Ok(Some(text.to_owned())))),
    ("untilHighWatermark", |options, text| put(&mut options.until_high_watermark, flag(text))),
    ("untilLastStableOffset", |options, text| put(&mut options.until_last_stable_offset, flag(text))),
    ("verifyChecksum", |options, text| put(&mut options.verify_checksum, flag(text))),
];

fn put<T>(place: &mut T, value: Result<T, String>) -> Result<(), String> {
    *place = value?;
    Ok(())
}

/// Options of Spark's source which have another name here.
const SAME: [(&str, &str); 3] =
    [("subscribe", "topics"), ("subscribePattern", "topicsPattern"), ("kafka.isolation.level", "isolationLevel")];
const ONE_OF: [&str; 3] = ["assign", "subscribe", "subscribePattern"];
const NO_MEANING: [&str; 4] = ["groupidprefix", "kafkaconsumer.", "fetchoffset.", "kafka."];
const INSTEAD: [(&str, &str); 3] = [
    ("minoffsetspertrigger", "a trigger takes what is available"),
    ("maxtriggerdelay", "a trigger takes what is available"),
    ("maxrecordsperpartition", "maxPartitionBytes sets how much a task reads"),
];

impl Options {
    /// The options as a host hands them over; case of names does not count. `also` are names of options that the host has itself,
    /// for suggestions.
    pub fn parse(given: &[(String, String)], also: &[&str]) -> LogResult<Self> {
        let given = without_table_properties(given);
        check_names(&given)?;
        let mut options = Options::default();
        for (name, text) in &given {
            let own =
                SAME.iter().find(|(other, _)| other.eq_ignore_ascii_case(name)).map_or(name.as_str(), |(_, own)| own);
            let Some((known, set)) = TABLE.iter().find(|(known, _)| known.eq_ignore_ascii_case(own)) else {
                return fail(ErrorKind::Option, unknown(own, also));
            };
            if let Err(problem) = set(&mut options, text) {
                return fail(ErrorKind::Option, format!("option {known}: {problem}"));
            }
        }
        if options.max_offsets_per_trigger.is_some() && options.max_bytes_per_trigger.is_some() {
            let text = "options maxOffsetsPerTrigger and maxBytesPerTrigger can't be used together";
            return fail(ErrorKind::Option, text);
        }
        Ok(options)
    }

    /// The offsets and timestamps that are wanted.
    pub fn bounds(&self) -> Bounds {
        Bounds {
            min_offset: self.starting_offset.unwrap_or(i64::MIN),
            max_offset: self.ending_offset.map_or(i64::MAX, |end| end - 1),
            min_timestamp: self.starting_timestamp.unwrap_or(i64::MIN),
            max_timestamp: self.ending_timestamp.map_or(i64::MAX, |end| end.saturating_sub(1)),
        }
    }

    /// Whether the number of a partition is wanted; `None` where it is not known.
    pub fn takes_number(&self, partition: Option<i32>) -> bool {
        self.partitions.as_ref().is_none_or(|ranges| {
            partition.is_some_and(|number| ranges.iter().any(|(first, last)| (*first..=*last).contains(&number)))
        })
    }
}

fn unknown(name: &str, also: &[&str]) -> String {
    let mut known: Vec<&str> = TABLE.iter().map(|(name, _)| *name).chain(also.iter().copied()).collect();
    known.sort_by_key(|name| name.to_lowercase());
    let advice = match nearest(name, known.iter().copied()) {
        Some(near) => format!("did you mean {near}?"),
        None => format!("known options: {}", known.join(", ")),
    };
    format!("kafka-log has no option {name}; {advice}")
}

/// The options without those that Spark adds for a table: `CREATE TABLE ... USING` passes `provider`, `owner`, `location`, `comment` and all
/// of TBLPROPERTIES; it passes OPTIONS a second time as `option.NAME`.
pub fn without_table_properties(given: &[(String, String)]) -> Vec<(String, String)> {
    if !given.iter().any(|(name, _)| name.eq_ignore_ascii_case("provider")) {
        return given.to_vec();
    }
    let own = given.iter().filter_map(|(name, text)| {
        let prefix = name.get(..7).filter(|prefix| prefix.eq_ignore_ascii_case("option."))?;
        Some((name[prefix.len()..].to_owned(), text.clone()))
    });
    let path = given.iter().find(|(name, _)| name.eq_ignore_ascii_case("path")).cloned();
    path.into_iter().chain(own).collect()
}

/// Refuses what can't be meant, and two options that say the same.
fn check_names(given: &[(String, String)]) -> LogResult<()> {
    let is_given = |wanted: &str| given.iter().any(|(name, _)| name.eq_ignore_ascii_case(wanted));
    let chosen: Vec<&str> = ONE_OF.into_iter().filter(|name| is_given(name)).collect();
    if chosen.len() > 1 {
        let text = format!("options {}: give only one of {}", chosen.join(" and "), ONE_OF.join(", "));
        return fail(ErrorKind::Option, text);
    }
    for (name, _) in given {
        let lowered = name.to_lowercase();
        if let Some((_, own)) = SAME.iter().find(|(other, _)| other.eq_ignore_ascii_case(name)) {
            if is_given(own) {
                return fail(
                    ErrorKind::Option,
                    format!("options {name} and {own} mean the same; give only one of them"),
                );
            }
        } else if NO_MEANING.iter().any(|start| lowered.starts_with(start)) {
            let text = format!("kafka-log reads files and does not connect to a broker; remove the option {name}");
            return fail(ErrorKind::Option, text);
        } else if let Some((_, reason)) = INSTEAD.iter().find(|(other, _)| *other == lowered) {
            return fail(ErrorKind::Option, format!("kafka-log has no option {name}: {reason}; remove it"));
        }
    }
    Ok(())
}
