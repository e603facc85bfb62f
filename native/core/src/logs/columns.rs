//! The columns of a log: those of Spark's own Kafka source, and what only a log knows.

use arrow_data::ArrayData;
use arrow_schema::Field;

use super::names::suggestion;
use super::options::Options;
use super::ranges::Range;
use crate::arrow::builder::{Columns, Overflow, Values};
pub use crate::arrow::errors::ERROR;
use crate::arrow::errors::ErrorColumn;
use crate::outcome::{Error, Kind, Outcome, fail};
use crate::records::codecs;
use crate::records::header::Header;
use crate::records::record::{Record, Span, read_header};
use crate::wire::Cursor;

/// What rows are of.
#[derive(Clone, Copy)]
enum Source<'s> {
    /// The records of a batch.
    Batch(&'s Header),
    /// Bytes that can't be read.
    Damage(&'s Damage<'s>),
    /// A segment, with the offset in its name.
    Segment(i64),
}

impl<'s> Source<'s> {
    fn header(self) -> Option<&'s Header> {
        if let Source::Batch(header) = self {
            Some(header)
        } else {
            None
        }
    }

    fn base_offset(self) -> Option<i64> {
        match self {
            Source::Batch(header) => Some(header.base_offset),
            Source::Damage(damage) => damage.base_offset,
            Source::Segment(base_offset) => Some(base_offset),
        }
    }

    fn position(self) -> u64 {
        match self {
            Source::Batch(header) => header.position,
            Source::Damage(damage) => damage.position,
            Source::Segment(_) => 0,
        }
    }
}

/// Where the values of a column come from.
#[derive(Clone, Copy)]
enum Origin {
    /// A number of each record, of some type.
    Each(fn() -> Values, fn(&Header, &Record) -> i64),
    /// Key or value of the record.
    Bytes(fn(&Record) -> Span),
    /// The headers of the record.
    Headers,
    /// The same number for all, of some type; 0 and 1 for a bool.
    Number(fn() -> Values, fn(&About, Source<'_>) -> Option<i64>),
    /// The same text for all.
    Text(for<'a> fn(&'a About, Source<'_>) -> Option<&'a str>),
    /// What is wrong with the batch.
    Error,
    /// The bytes of a batch that can't be read.
    Raw,
}

/// All columns, in their order.
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
/// The column of the bytes of what is wrong.
pub const RAW: &str = "_raw";
/// The column of the headers, and the fields of each of them, in their order.
pub const HEADERS: &str = "headers";
const HEADER_FIELDS: [&str; 2] = ["key", "value"];
/// More bytes of a damaged batch are not shown.
const MOST_RAW: usize = 1 << 28;

/// Kafka's milliseconds as microseconds; what they can't tell (from the year 294247 on) becomes the last moment.
fn microseconds(milliseconds: i64) -> i64 {
    const MOST: i64 = i64::MAX / 1000;
    milliseconds.clamp(-MOST, MOST) * 1000
}

/// What is the same for all rows of a range.
#[derive(Default)]
pub struct About {
    topic: Option<String>,
    partition: Option<i32>,
    path: String,
}

impl About {
    /// What a range says.
    pub fn of(range: &Range) -> Self {
        About {
            topic: range.topic.clone(),
            partition: range.partition,
            path: range.segment.path.clone(),
        }
    }
}

/// The columns that options choose.
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
    /// What is wrong in a part of a batch, at a byte of it.
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

/// Fails for the name of a column that there is not, and for the path of a field that `headers` do not have.
pub fn check_columns(paths: &[String]) -> Outcome<()> {
    let is_known = |path: &str| match path.split_once('.') {
        Some((column, field)) => column == HEADERS && HEADER_FIELDS.contains(&field),
        None => COLUMNS.iter().any(|(name, _)| *name == path),
    };
    paths
        .iter()
        .find(|path| !is_known(path))
        .map_or(Ok(()), |path| unknown_column(path))
}

fn unknown_column<T>(name: &str) -> Outcome<T> {
    let known = COLUMNS.map(|(name, _)| name);
    let advice = suggestion(name, &known, || format!("the columns are {}", known.join(", ")));
    fail(Kind::Option, format!("kafka-log has no column {name}; {advice}"))
}

/// The type of a whole column.
pub fn schema(name: &str) -> Outcome<Field> {
    if !COLUMNS.iter().any(|(known, _)| *known == name) {
        return unknown_column(name);
    }
    let rows = LogTable::new(&[name.to_owned()], About::default()).finish();
    Ok(Field::new(name, rows.child_data()[0].data_type().clone(), true))
}

/// A column.
struct Column {
    name: &'static str,
    origin: Origin,
    number: usize,
    headers: Option<HeaderColumns>,
    /// Of errors.
    errors: Option<ErrorColumn>,
}

/// The columns of headers, and those of keys and of values if they are wanted.
#[derive(Clone, Copy)]
struct HeaderColumns {
    header: usize,
    key: Option<usize>,
    value: Option<usize>,
}

/// Rows of some columns.
#[derive(Default)]
pub struct LogTable {
    about: About,
    columns: Columns,
    wanted: Vec<Column>,
    rows: usize,
}

impl LogTable {
    /// No rows of columns that there are: names, or in place of `headers` the paths of its fields that are wanted.
    pub fn new(paths: &[String], about: About) -> Self {
        let mut columns = Columns::default();
        let names = paths
            .iter()
            .map(|path| path.split_once('.').map_or(path.as_str(), |(name, _)| name));
        let known = names.filter_map(|name| COLUMNS.iter().find(|(known, _)| *known == name));
        let mut wanted: Vec<Column> = Vec::new();
        for (name, origin) in known {
            if !wanted.iter().any(|column| column.name == *name) {
                wanted.push(add(&mut columns, name, *origin, paths));
            }
        }
        LogTable {
            about,
            columns,
            wanted,
            rows: 0,
        }
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Appends records of a batch, whose bytes are in `data`.
    pub fn push_records(&mut self, header: &Header, records: &[Record], data: &[u8]) -> Outcome<()> {
        self.push(Source::Batch(header), records, data, records.len())
    }

    /// Appends the row of damage.
    pub fn push_error(&mut self, damage: &Damage<'_>) -> Outcome<()> {
        self.push(Source::Damage(damage), &[], &[], 1)
    }

    /// Appends the row of a segment.
    pub fn push_segment(&mut self, base_offset: i64) -> Outcome<()> {
        self.push(Source::Segment(base_offset), &[], &[], 1)
    }

    fn push(&mut self, source: Source<'_>, records: &[Record], data: &[u8], count: usize) -> Outcome<()> {
        for wanted in &self.wanted {
            push_rows(&mut self.columns, wanted, &self.about, source, records, data, count).map_err(too_large)?;
        }
        self.rows += count;
        Ok(())
    }

    /// The rows as a struct array.
    pub fn finish(mut self) -> ArrayData {
        let root = self.columns.add(
            "",
            Values::structs(self.wanted.iter().map(|each| each.number).collect()),
            false,
        );
        self.columns.begin_structs(root, self.rows);
        self.columns.finish(root)
    }
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

fn add(columns: &mut Columns, name: &'static str, origin: Origin, paths: &[String]) -> Column {
    let mut headers = None;
    let values = match origin {
        Origin::Each(values, _) | Origin::Number(values, _) => values(),
        Origin::Bytes(_) | Origin::Raw => Values::bytes(),
        Origin::Text(_) => Values::text(),
        Origin::Headers => {
            let added = HeaderColumns::add(columns, paths);
            headers = Some(added);
            Values::list(added.header)
        }
        Origin::Error => {
            let errors = ErrorColumn::add(columns, true);
            return Column {
                name,
                origin,
                number: errors.column,
                headers,
                errors: Some(errors),
            };
        }
    };
    Column {
        name,
        origin,
        number: columns.add(name, values, true),
        headers,
        errors: None,
    }
}

impl HeaderColumns {
    fn add(columns: &mut Columns, paths: &[String]) -> Self {
        let [key, value] = HEADER_FIELDS;
        let is_wanted = |field: &str| {
            let mut wanted = paths.iter().map(|path| path.split_once('.').unwrap_or((path, field)));
            wanted.any(|path| path == (HEADERS, field))
        };
        let keys = is_wanted(key).then(|| columns.add(key, Values::text(), true));
        let values = is_wanted(value).then(|| columns.add(value, Values::bytes(), true));
        let fields = keys.into_iter().chain(values).collect();
        HeaderColumns {
            header: columns.add("item", Values::structs(fields), true),
            key: keys,
            value: values,
        }
    }
}

fn push_rows(
    columns: &mut Columns,
    wanted: &Column,
    about: &About,
    source: Source<'_>,
    records: &[Record],
    data: &[u8],
    count: usize,
) -> Result<(), Overflow> {
    let number = wanted.number;
    match (wanted.origin, source) {
        (Origin::Each(_, get), Source::Batch(header)) => {
            columns.extend_ints(number, records.iter().map(|record| get(header, record)));
        }
        (Origin::Bytes(get), Source::Batch(_)) => {
            columns.extend_bytes(number, records.iter().map(|record| get(record).of(data)))?;
        }
        (Origin::Headers, Source::Batch(_)) => {
            let Some(headers) = wanted.headers else {
                unreachable!("the columns of headers were added")
            };
            records
                .iter()
                .try_for_each(|record| push_headers(columns, number, headers, record, data))?;
        }
        (Origin::Number(_, get), _) => match get(about, source) {
            Some(value) => columns.push_repeated(number, value, count),
            None => columns.push_nulls(number, count),
        },
        (Origin::Text(get), _) => {
            let text = get(about, source).map(str::as_bytes);
            columns.extend_bytes(number, (0..count).map(|_| text))?;
        }
        (Origin::Error, Source::Damage(damage)) => {
            let mut errors = wanted.errors.iter();
            errors.try_for_each(|errors| errors.push(columns, &damage.message, damage.part, damage.at))?;
        }
        (Origin::Raw, Source::Damage(damage)) => {
            columns.push_bytes(number, &damage.raw[..damage.raw.len().min(MOST_RAW)])?
        }
        _ => columns.push_nulls(number, count),
    }
    Ok(())
}

fn push_headers(
    columns: &mut Columns,
    list: usize,
    headers: HeaderColumns,
    record: &Record,
    data: &[u8],
) -> Result<(), Overflow> {
    if record.header_count > 0
        && let Ok(mut cursor) = Cursor::new(data, record.headers_at as usize)
    {
        for _ in 0..record.header_count {
            let Ok((key, value)) = read_header(&mut cursor) else {
                unreachable!("the record was read before")
            };
            columns.begin_struct(headers.header);
            if let Some(column) = headers.key {
                // Keys are never null; Kafka's Java client replaces bytes that are not UTF-8, too.
                let key = String::from_utf8_lossy(key.of(data).unwrap_or_default());
                columns.push_bytes(column, key.as_bytes())?;
            }
            if let Some(column) = headers.value {
                columns.push_nullable_bytes(column, value.of(data))?;
            }
        }
    }
    columns.end_list(list, record.header_count as usize)
}

fn too_large(_: Overflow) -> Error {
    Error::new(
        Kind::Malformed,
        "a column would have more than 2 GiB: lower maxRecordsPerBatch",
    )
}
