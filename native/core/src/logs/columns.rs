//! The columns of a log: the columns of Spark's own Kafka source, and columns that only a log can fill.

use super::names::suggestion;
use super::options::Options;
use super::ranges::Range;
use crate::arrow::builder::Values;
pub use crate::arrow::errors::ERROR;
use crate::outcome::{Kind, Outcome, fail};
use crate::records::codecs;
use crate::records::header::Header;
use crate::records::record::{Record, Span};

/// The column of the damaged bytes.
pub const RAW: &str = "_raw";
/// The column of the headers.
pub const HEADERS: &str = "headers";
/// The fields of each header, in order.
pub const HEADER_FIELDS: [&str; 2] = ["key", "value"];

/// The values that all rows of a range share.
#[derive(Default)]
pub struct About {
    topic: Option<String>,
    partition: Option<i32>,
    path: String,
}

impl About {
    /// Return the values of a range.
    pub fn of(range: &Range) -> Self {
        About {
            topic: range.topic.clone(),
            partition: range.partition,
            path: range.segment.path.clone(),
        }
    }
}

/// Bytes that can't be read as a batch.
#[allow(missing_docs)]
pub struct Damage<'d> {
    pub position: u64,
    pub base_offset: Option<i64>,
    pub message: String,
    pub part: &'d str,
    pub at: u64,
    pub raw: &'d [u8],
}

impl<'d> Damage<'d> {
    /// Describe damage in the part of a batch that is named `part` and begins `at` bytes after the batch's start.
    pub fn of_batch(header: &Header, message: String, part: &'d str, at: usize, raw: &'d [u8]) -> Self {
        let Header {
            position, base_offset, ..
        } = *header;
        Damage {
            position,
            base_offset: Some(base_offset),
            message,
            part,
            at: position + at as u64,
            raw,
        }
    }
}

/// The source of one or more rows.
#[derive(Clone, Copy)]
pub enum Source<'s> {
    /// The records of a batch, whose bytes are in `data`.
    Batch {
        header: &'s Header,
        records: &'s [Record],
        data: &'s [u8],
    },
    /// Bytes that can't be read.
    Damage(&'s Damage<'s>),
    /// A segment, given by the offset in its name.
    Segment(i64),
}

impl<'s> Source<'s> {
    /// Return the number of rows.
    pub fn rows(self) -> usize {
        match self {
            Source::Batch { records, .. } => records.len(),
            Source::Damage(_) | Source::Segment(_) => 1,
        }
    }

    fn header(self) -> Option<&'s Header> {
        if let Source::Batch { header, .. } = self {
            Some(header)
        } else {
            None
        }
    }

    fn base_offset(self) -> Option<i64> {
        match self {
            Source::Batch { header, .. } => Some(header.base_offset),
            Source::Damage(damage) => damage.base_offset,
            Source::Segment(base_offset) => Some(base_offset),
        }
    }

    fn position(self) -> u64 {
        match self {
            Source::Batch { header, .. } => header.position,
            Source::Damage(damage) => damage.position,
            Source::Segment(_) => 0,
        }
    }
}

/// The origin of a column's values.
#[derive(Clone, Copy)]
pub enum Origin {
    /// A number for each record; the first function creates the column.
    Each(fn() -> Values, fn(&Header, &Record) -> i64),
    /// Key or value of the record.
    Bytes(fn(&Record) -> Span),
    /// The headers of the record.
    Headers,
    /// One number for all rows of a source; the first function creates the column. Booleans are 0 and 1.
    Number(fn() -> Values, fn(&About, Source<'_>) -> Option<i64>),
    /// One string for all rows of a source.
    Text(for<'a> fn(&'a About, Source<'_>) -> Option<&'a str>),
    /// The error of damaged bytes.
    Error,
    /// The damaged bytes themselves.
    Raw,
}

/// All columns, in order.
const COLUMNS: [(&str, Origin); 20] = [
    ("key", Origin::Bytes(|record| record.key)),
    ("value", Origin::Bytes(|record| record.value)),
    ("topic", Origin::Text(|about, _| about.topic.as_deref())),
    (
        "partition",
        Origin::Number(int32, |about, _| about.partition.map(i64::from)),
    ),
    ("offset", Origin::Each(int64, Header::offset)),
    (
        "timestamp",
        Origin::Each(time, |header, record| microseconds(header.timestamp(record))),
    ),
    (
        "timestampType",
        Origin::Number(int32, |_, source| Some(source.header()?.timestamp_type())),
    ),
    (HEADERS, Origin::Headers),
    (
        "leaderEpoch",
        Origin::Number(int32, |_, source| Some(source.header()?.leader_epoch.into())),
    ),
    (
        "producerId",
        Origin::Number(int64, |_, source| Some(source.header()?.producer_id)),
    ),
    (
        "producerEpoch",
        Origin::Number(int32, |_, source| Some(source.header()?.producer_epoch.into())),
    ),
    (
        "sequence",
        Origin::Each(int32, |header, record| header.sequence(record).into()),
    ),
    (
        "isTransactional",
        Origin::Number(Values::bool, |_, source| {
            Some(source.header()?.is_transactional().into())
        }),
    ),
    (
        "isControl",
        Origin::Number(Values::bool, |_, source| Some(source.header()?.is_control().into())),
    ),
    (
        "codec",
        Origin::Text(|_, source| codecs::name(source.header()?.codec())),
    ),
    ("path", Origin::Text(|about, _| Some(&about.path))),
    ("batchOffset", Origin::Number(int64, |_, source| source.base_offset())),
    (
        "batchPosition",
        Origin::Number(int64, |_, source| Some(source.position() as i64)),
    ),
    (ERROR, Origin::Error),
    (RAW, Origin::Raw),
];
/// Return Kafka's milliseconds as microseconds, clamped to the range of int64 (up to the year 294247).
fn microseconds(milliseconds: i64) -> i64 {
    const MOST: i64 = i64::MAX / 1000;
    milliseconds.clamp(-MOST, MOST) * 1000
}

fn int64() -> Values {
    Values::Int64(Vec::new())
}

fn time() -> Values {
    Values::Time(Vec::new())
}

fn int32() -> Values {
    Values::Int32(Vec::new())
}

/// Return the names of the columns that the options select.
pub fn chosen_columns(options: &Options) -> Vec<String> {
    let all = COLUMNS
        .iter()
        .map(|(name, _)| *name)
        .filter(|name| options.include_headers || *name != HEADERS);
    options
        .columns
        .clone()
        .unwrap_or_else(|| all.map(str::to_owned).collect())
}

/// Return the name of a column and the origin of its values; `None` for an unknown name.
pub fn column(name: &str) -> Option<(&'static str, Origin)> {
    COLUMNS.iter().find(|(known, _)| *known == name).copied()
}

/// Fail for an unknown column, and for a path that does not lead to a field of `headers`.
pub fn check_columns(paths: &[String]) -> Outcome<()> {
    let is_known = |path: &str| match path.split_once('.') {
        Some((column, field)) => column == HEADERS && HEADER_FIELDS.contains(&field),
        None => column(path).is_some(),
    };
    paths
        .iter()
        .find(|path| !is_known(path))
        .map_or(Ok(()), |path| unknown_column(path))
}

/// Return the error for an unknown column, with a suggestion.
pub fn unknown_column<T>(name: &str) -> Outcome<T> {
    let known = COLUMNS.map(|(name, _)| name);
    let advice = suggestion(name, &known, || format!("the columns are {}", known.join(", ")));
    fail(Kind::Option, format!("kafka-log has no column {name}; {advice}"))
}
