//! The columns of a log: those of Spark's own Kafka source, and what only a log knows.

use arrow_buffer::{BooleanBufferBuilder, NullBuffer};
use arrow_data::ArrayData;
use arrow_schema::{DataType, Field, Fields, TimeUnit};

use super::error::{ErrorKind, LogError, LogResult};
use super::near::nearest;
use crate::arrow::builder::{Columns, Values};
use crate::records::error::RecordsError;
use crate::records::header::{Header, Place};
use crate::records::record::Record;
use crate::records::table::{Origin, Table};

/// The columns that come from records and batches, with Spark's names.
const OF_RECORDS: [(&str, Origin); 16] = [
    ("key", Origin::Bytes(|record| record.key)),
    ("value", Origin::Bytes(|record| record.value)),
    ("offset", Origin::Record64(Header::offset)),
    (TIMESTAMP, Origin::Record64(|header, record| microseconds(header.timestamp(record)))),
    ("timestampType", Origin::Batch32(Header::timestamp_type)),
    ("headers", Origin::Headers),
    ("leaderEpoch", Origin::Batch32(|header| header.leader_epoch)),
    ("producerId", Origin::Batch64(|header| header.producer_id)),
    ("producerEpoch", Origin::Batch32(|header| header.producer_epoch.into())),
    ("sequence", Origin::Record32(Header::sequence)),
    ("isTransactional", Origin::BatchBool(Header::is_transactional)),
    ("isControl", Origin::BatchBool(Header::is_control)),
    ("codec", Origin::Codec),
    (BATCH_OFFSET, Origin::Place64(|place| place.base_offset)),
    ("batchPosition", Origin::Place64(|place| place.position as i64)),
    ("batchLength", Origin::Place64(|place| place.length as i64)),
];
const TIMESTAMP: &str = "timestamp";
const BATCH_OFFSET: &str = "batchOffset";
/// The columns that are the same for a whole range.
const OF_RANGES: [&str; 3] = ["topic", "partition", "path"];
/// What is wrong.
pub const ERROR: &str = "_error";
/// The bytes of what is wrong.
pub const RAW: &str = "_raw";
const MOST_MILLISECONDS: i64 = i64::MAX / 1000;
/// More bytes of a damaged batch are not shown.
const MOST_RAW: usize = 1 << 28;

/// Kafka's milliseconds as microseconds; what they can't tell (from the year 294247 on) becomes the last moment.
fn microseconds(milliseconds: i64) -> i64 {
    milliseconds.clamp(-MOST_MILLISECONDS, MOST_MILLISECONDS) * 1000
}

fn timestamp_type() -> DataType {
    DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into()))
}

/// What is the same for all rows of a range.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)]
pub struct About {
    pub topic: Option<String>,
    pub partition: Option<i32>,
    pub path: String,
}

/// Fails for the name of a column that there is not.
pub fn check_columns(names: &[String]) -> LogResult<()> {
    let known = || OF_RECORDS.iter().map(|(name, _)| *name).chain(OF_RANGES).chain([ERROR, RAW]);
    for name in names {
        if !known().any(|each| each == name) {
            let near = nearest(name, known());
            let advice = near.map_or_else(
                || format!("the columns are {}", known().collect::<Vec<_>>().join(", ")),
                |near| format!("did you mean {near}?"),
            );
            return Err(LogError::new(ErrorKind::Option, format!("kafka-log has no column {name}; {advice}")));
        }
    }
    Ok(())
}

/// The type of the rows of some columns, a struct.
pub fn schema(names: &[String]) -> LogResult<DataType> {
    check_columns(names)?;
    let rows = LogTable::new(names).finish(&About::default())?;
    Ok(rows.data_type().clone())
}

/// Rows of some columns.
pub struct LogTable {
    names: Vec<String>,
    table: Table,
    /// The bytes of damaged batches by the numbers of their rows.
    raw: Vec<(usize, Vec<u8>)>,
    /// Rows of which not even an offset is known.
    without_offset: Vec<usize>,
}

impl LogTable {
    /// No rows of columns that there are.
    pub fn new(names: &[String]) -> Self {
        let wanted: Vec<(&str, Origin)> =
            OF_RECORDS.into_iter().filter(|(known, _)| names.iter().any(|name| name == known)).collect();
        let table = Table::new(&wanted);
        let table = if names.iter().any(|name| name == ERROR) { table.with_errors() } else { table };
        LogTable { names: names.to_vec(), table, raw: Vec::new(), without_offset: Vec::new() }
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.table.rows()
    }

    /// Appends records of a batch, whose bytes are in `data`.
    pub fn push_records(&mut self, header: &Header, records: &[Record], data: &[u8]) {
        self.table.push_records(header, records, data);
    }

    /// Appends the row of damage.
    pub fn push_error(&mut self, place: &Place, error: &RecordsError, has_offset: bool, mut raw: Vec<u8>) {
        if !has_offset {
            self.without_offset.push(self.rows());
        }
        if self.names.iter().any(|name| name == RAW) {
            raw.truncate(MOST_RAW);
            self.raw.push((self.rows(), raw));
        }
        self.table.push_error(place, error);
    }

    /// The rows as a struct array.
    pub fn finish(self, about: &About) -> LogResult<ArrayData> {
        let LogTable { names, table, raw, without_offset } = self;
        let rows = table.rows();
        let of_records = table.finish();
        let constants = constants(about, raw, rows)?;
        let mut fields: Vec<Field> = Vec::with_capacity(names.len());
        let mut children: Vec<ArrayData> = Vec::with_capacity(names.len());
        for name in &names {
            let mut data = [&of_records, &constants]
                .iter()
                .find_map(|group| child(group, name))
                .ok_or_else(|| LogError::new(ErrorKind::Option, format!("kafka-log has no column {name}")))?;
            if name == TIMESTAMP {
                data = built(data.into_builder().data_type(timestamp_type()))?;
            } else if name == BATCH_OFFSET && !without_offset.is_empty() {
                let mut validity = BooleanBufferBuilder::new(rows);
                (0..rows).for_each(|row| validity.append(!without_offset.contains(&row)));
                data = built(data.into_builder().nulls(Some(NullBuffer::new(validity.build()))))?;
            }
            fields.push(Field::new(name, data.data_type().clone(), true));
            children.push(data);
        }
        built(ArrayData::builder(DataType::Struct(Fields::from(fields))).len(rows).child_data(children))
    }
}

fn child(group: &ArrayData, name: &str) -> Option<ArrayData> {
    let DataType::Struct(fields) = group.data_type() else { return None };
    let number = fields.iter().position(|field| field.name() == name)?;
    group.child_data().get(number).cloned()
}

fn built(builder: arrow_data::ArrayDataBuilder) -> LogResult<ArrayData> {
    builder.build().map_err(|error| LogError::new(ErrorKind::Malformed, error.to_string()))
}

/// The columns that do not come from records: made for all, and cheap, as rows of a range are few at a time.
fn constants(about: &About, raw: Vec<(usize, Vec<u8>)>, rows: usize) -> LogResult<ArrayData> {
    let too_large =
        |_| LogError::new(ErrorKind::Malformed, "a column would have more than 2 GiB: lower maxRecordsPerBatch");
    let mut columns = Columns::default();
    let topic = columns.add("topic", Values::text(), true);
    let partition = columns.add("partition", Values::Int32(Vec::new()), true);
    let path = columns.add("path", Values::text(), true);
    let bytes = columns.add(RAW, Values::bytes(), true);
    let topic_bytes = about.topic.as_deref().map(str::as_bytes);
    columns.extend_bytes(topic, (0..rows).map(|_| topic_bytes)).map_err(too_large)?;
    match about.partition {
        Some(number) => columns.push_repeated(partition, number.into(), rows),
        None => columns.push_nulls(partition, rows),
    }
    columns.extend_bytes(path, (0..rows).map(|_| Some(about.path.as_bytes()))).map_err(too_large)?;
    let mut next = 0;
    for (row, data) in raw {
        columns.push_nulls(bytes, row - next);
        columns.push_bytes(bytes, &data).map_err(too_large)?;
        next = row + 1;
    }
    columns.push_nulls(bytes, rows - next);
    let root = columns.add("", Values::structs(vec![topic, partition, path, bytes]), false);
    columns.begin_structs(root, rows);
    columns.finish(root).map_err(too_large)
}
