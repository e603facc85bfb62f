//! The options of a log source, as strings and as parsed values. They include those options of Spark's own `kafka`
//! source that make sense for files
//! (<https://spark.apache.org/docs/latest/streaming/structured-streaming-kafka-integration.html>).

mod values;

use std::collections::{BTreeMap, BTreeSet};

use regex_lite::Regex;

pub use self::values::{EARLIEST, LATEST, Mode, Offsets, flag, listed, mode, one_of};
use self::values::{assignment, byte_count, ending, path_list, pattern, ranges, starting, whole};
use super::names::suggestion;
use super::times;
use crate::outcome::{Error, Kind, Outcome, fail};
use crate::records::filter::Bounds;

/// The options; `docs/spark.md` explains them.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Options {
    pub paths: Vec<String>,
    pub topics: Option<BTreeSet<String>>,
    pub topics_pattern: Option<Regex>,
    pub partitions: Option<Vec<(i32, i32)>>,
    /// The offsets and timestamps to read.
    pub bounds: Bounds,
    pub assign: Option<BTreeSet<(String, i32)>>,
    pub starting_offsets: Offsets,
    pub ending_offsets: Offsets,
    pub from_log_start: bool,
    pub until_high_watermark: bool,
    pub include_control: bool,
    pub include_segments: bool,
    pub read_committed: bool,
    pub until_last_stable_offset: bool,
    pub include_headers: bool,
    pub columns: Option<Vec<String>>,
    pub mode: Mode,
    pub verify_checksum: bool,
    pub fail_on_data_loss: bool,
    pub max_batch_bytes: usize,
    pub max_partition_bytes: u64,
    pub min_partitions: u64,
    pub max_bytes_per_trigger: Option<u64>,
    pub max_offsets_per_trigger: Option<u64>,
    pub max_records_per_batch: usize,
}

/// Options of Spark's source that have a different name here.
const SAME: [(&str, &str); 3] = [
    ("subscribe", "topics"),
    ("subscribePattern", "topicsPattern"),
    ("kafka.isolation.level", "isolationLevel"),
];
const ONE_OF: [&str; 3] = ["assign", "subscribe", "subscribePattern"];
const NO_MEANING: [&str; 4] = ["groupidprefix", "kafkaconsumer.", "fetchoffset.", "kafka."];

impl Options {
    /// Take all options of a log from `given`; fail if other options remain.
    pub fn take(mut given: Given) -> Outcome<Self> {
        let (path, paths) = (
            given.take("path", |text| Ok(text.to_owned()))?,
            given.take("paths", path_list)?,
        );
        let most_bytes = |text: &str| byte_count(text, None);
        let count = |text: &str| whole(text, 1).map(|count| count as u64);
        let options = Options {
            paths: path.into_iter().chain(paths.unwrap_or_default()).collect(),
            topics: given.take("topics", listed)?.map(BTreeSet::from_iter),
            topics_pattern: given.take("topicsPattern", pattern)?,
            partitions: given.take("partitions", ranges)?,
            bounds: Bounds {
                min_offset: given.take("startingOffset", |text| whole(text, 0))?.unwrap_or(i64::MIN),
                max_offset: given
                    .take("endingOffset", |text| whole(text, 0))?
                    .map_or(i64::MAX, |end| end - 1),
                min_timestamp: given.take("startingTimestamp", times::parse)?.unwrap_or(i64::MIN),
                max_timestamp: given
                    .take("endingTimestamp", times::parse)?
                    .map_or(i64::MAX, |end| end - 1),
            },
            assign: given.take("assign", assignment)?,
            starting_offsets: given.take("startingOffsets", starting)?.unwrap_or(Offsets::Earliest),
            ending_offsets: given.take("endingOffsets", ending)?.unwrap_or(Offsets::Latest),
            from_log_start: given.take("fromLogStart", flag)?.unwrap_or(true),
            until_high_watermark: given.take("untilHighWatermark", flag)?.unwrap_or(false),
            include_control: given.take("includeControl", flag)?.unwrap_or(false),
            include_segments: given.take("includeSegments", flag)?.unwrap_or(false),
            read_committed: given
                .take("isolationLevel", |text| {
                    one_of(text, ["read_uncommitted", "read_committed"])
                })?
                .unwrap_or(false),
            until_last_stable_offset: given.take("untilLastStableOffset", flag)?.unwrap_or(true),
            include_headers: given.take("includeHeaders", flag)?.unwrap_or(true),
            columns: given.take("columns", listed)?,
            mode: given.take("mode", mode)?.unwrap_or(Mode::FailFast),
            verify_checksum: given.take("verifyChecksum", flag)?.unwrap_or(true),
            fail_on_data_loss: given.take("failOnDataLoss", flag)?.unwrap_or(true),
            max_batch_bytes: given
                .take("maxBatchBytes", |text| byte_count(text, Some(i32::MAX as u64)))?
                .map_or(128 << 20, |count| count as usize),
            max_partition_bytes: given.take("maxPartitionBytes", most_bytes)?.unwrap_or(128 << 20),
            min_partitions: given.take("minPartitions", count)?.unwrap_or(1),
            max_bytes_per_trigger: given.take("maxBytesPerTrigger", most_bytes)?,
            max_offsets_per_trigger: given.take("maxOffsetsPerTrigger", count)?,
            max_records_per_batch: given
                .take("maxRecordsPerBatch", count)?
                .map_or(32_768, |most| most.min(i32::MAX as u64) as usize),
        };
        given.finish("kafka-log has")?;
        if options.max_offsets_per_trigger.is_some() && options.max_bytes_per_trigger.is_some() {
            let text = "options maxOffsetsPerTrigger and maxBytesPerTrigger can't be used together";
            return fail(Kind::Option, text);
        }
        Ok(options)
    }
}

/// The names and values of options, by lower-case name.
type Texts = BTreeMap<String, (String, String)>;

/// Return the options in a JSON object.
fn by_lower_case(text: &str) -> Outcome<Texts> {
    let given: BTreeMap<String, String> = serde_json::from_str(text)
        .map_err(|problem| Error::new(Kind::Option, format!("expected options as JSON: {problem}")))?;
    let named = given
        .into_iter()
        .map(|(name, text)| (name.to_lowercase(), (name, text)));
    Ok(named.collect())
}

/// Options from the host; names are case-insensitive.
pub struct Given {
    left: Texts,
    /// The names of all options that have been passed to `take`, for suggestions in errors.
    known: Vec<&'static str>,
}

impl Given {
    /// Return all options in a JSON object unchanged, for components other than logs.
    pub fn not_of_a_log(text: &str) -> Outcome<Self> {
        Ok(Given {
            left: by_lower_case(text)?,
            known: Vec::new(),
        })
    }

    /// Return log options from a JSON object. Fail for options that have no meaning for files, and if two options have
    /// the same meaning.
    ///
    /// Options that Spark adds for a table are dropped. `CREATE TABLE ... USING` passes `provider`, `owner`,
    /// `location`, `comment` and all TBLPROPERTIES, and it passes OPTIONS a second time, as `option.NAME`.
    pub fn from_json(text: &str) -> Outcome<Self> {
        let mut left = by_lower_case(text)?;
        if left.contains_key("provider") {
            let own = left
                .into_iter()
                .filter_map(|(name, each)| match name.strip_prefix("option.") {
                    Some(own) => Some((own.to_owned(), (each.0["option.".len()..].to_owned(), each.1))),
                    None => (name == "path").then_some((name, each)),
                });
            left = own.collect();
        }
        let chosen: Vec<&str> = ONE_OF
            .into_iter()
            .filter(|name| left.contains_key(&name.to_lowercase()))
            .collect();
        if chosen.len() > 1 {
            let text = format!(
                "options {}: give only one of {}",
                chosen.join(" and "),
                ONE_OF.join(", ")
            );
            return fail(Kind::Option, text);
        }
        for (other, own) in SAME {
            let Some((name, text)) = left.remove(&other.to_lowercase()) else {
                continue;
            };
            if left.insert(own.to_lowercase(), (own.to_owned(), text)).is_some() {
                let text = format!("options {name} and {own} mean the same; give only one of them");
                return fail(Kind::Option, text);
            }
        }
        let has_no_meaning = |lowered: &&String| NO_MEANING.iter().any(|start| lowered.starts_with(start));
        if let Some((name, _)) = left.keys().find(has_no_meaning).and_then(|lowered| left.get(lowered)) {
            let text = format!("kafka-log reads files and does not connect to a broker; remove the option {name}");
            return fail(Kind::Option, text);
        }
        Ok(Given {
            left,
            known: Vec::new(),
        })
    }

    /// Whether an option is present and has not been taken yet.
    pub fn has(&self, name: &str) -> bool {
        self.left.contains_key(&name.to_lowercase())
    }

    /// Take an option and return its parsed value; `None` if it is missing.
    pub fn take<T>(&mut self, name: &'static str, parse: impl Fn(&str) -> Result<T, String>) -> Outcome<Option<T>> {
        self.known.push(name);
        let Some((_, text)) = self.left.remove(&name.to_lowercase()) else {
            return Ok(None);
        };
        parse(&text)
            .map(Some)
            .map_err(|problem| Error::new(Kind::Option, format!("option {name}: {problem}")))
    }

    /// Fail if any option has not been taken. `owner` is the start of the error text, such as `kafka-log has`.
    pub fn finish(mut self, owner: &str) -> Outcome<()> {
        let Some((_, (name, _))) = self.left.first_key_value() else {
            return Ok(());
        };
        self.known.sort_by_key(|name| name.to_lowercase());
        let advice = suggestion(name, &self.known, || {
            format!("known options: {}", self.known.join(", "))
        });
        fail(Kind::Option, format!("{owner} no option {name}; {advice}"))
    }
}
