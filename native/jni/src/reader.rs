//! What a task reads: columns of the log, and messages in their values.

use std::sync::Arc;

use arrow_array::{Array, BooleanArray, make_array};
use arrow_data::ArrayData;
use arrow_schema::{DataType, Field, Fields};
use arrow_select::zip::zip;
use jni::JNIEnv;
use jni::objects::{JLongArray, JObjectArray};
use messagegen_core::Error;

use crate::content::{Content, MESSAGE, MessageDecoder, OPTIONS, field};
use crate::door::{Failure, defect, longs, nullable_texts};
use crate::spark_types::struct_json;
use messagegen_core::logs::{self, Bounds, ErrorKind, LogError, Mode, Options, Pushed, Reader, Storage};

const VALUE: &str = "value";
const ERROR: &str = "_error";
const OFFSET: &str = "offset";
/// The bytes of records that are decoded at a time: what was read is still in the caches of the processor then, and the columns are when
/// Spark reads them.
const DECODED_BYTES: usize = 1 << 19;
/// The columns that a schema has unless options choose.
const LOG_COLUMNS: [&str; 20] = [
    "key",
    "value",
    "topic",
    "partition",
    "offset",
    "timestamp",
    "timestampType",
    "headers",
    "leaderEpoch",
    "producerId",
    "producerEpoch",
    "sequence",
    "isTransactional",
    "isControl",
    "codec",
    "path",
    "batchOffset",
    "batchPosition",
    "_error",
    "_raw",
];

/// The columns of options, as Spark's JSON.
pub fn schema(options: &[(String, String)]) -> Result<String, Failure> {
    let mut options = options.to_vec();
    let content = Content::take(&mut options)?;
    let options = Options::parse(&options, &OPTIONS)?;
    let names: Vec<String> = match &options.columns {
        Some(names) => names.clone(),
        None => {
            let has_column = |name: &&str| options.include_headers || *name != "headers";
            LOG_COLUMNS.into_iter().filter(has_column).map(str::to_owned).collect()
        }
    };
    let mut fields = Vec::new();
    for name in names {
        match &content {
            Some(content) if name == VALUE || name == MESSAGE => fields.push(Arc::new(field(content)?)),
            _ => fields.extend(structs(&logs::schema(&[name])?).iter().cloned()),
        }
    }
    let json =
        struct_json(&fields.into()).ok_or_else(|| Error::value("a column has a type that Spark does not have"))?;
    Ok(json.to_string())
}

fn structs(data_type: &DataType) -> &Fields {
    match data_type {
        DataType::Struct(fields) => fields,
        _ => unreachable!("rows are structs"),
    }
}

/// The limits that filters of a query set.
pub fn pushed(
    env: &mut JNIEnv<'_>,
    bounds: &JLongArray<'_>,
    topics: &JObjectArray<'_>,
    partitions: &JObjectArray<'_>,
) -> Result<Pushed, Failure> {
    let bounds = longs(env, bounds)?;
    let [min_offset, max_offset, min_timestamp, max_timestamp] = bounds[..] else {
        return Err(Failure::Failed(defect("four bounds are needed")));
    };
    let topics = nullable_texts(env, topics)?;
    let partitions = nullable_texts(env, partitions)?;
    let partitions = partitions.map(|all| all.into_iter().map(|one| one.and_then(|one| one.parse().ok())).collect());
    let bounds = Bounds { min_offset, max_offset, min_timestamp, max_timestamp };
    Ok(Pushed { bounds, topics, partitions })
}

/// Reads the rows of one task.
pub struct RowReader {
    reader: Reader,
    /// The wanted columns: the number of a column of the log, or `None` for the message.
    wanted: Vec<Option<usize>>,
    content: Option<Messages>,
    mode: Mode,
}

/// The messages of a task: the numbers of the columns of values, errors and offsets.
struct Messages {
    decoder: MessageDecoder,
    value: usize,
    error: Option<usize>,
    offset: usize,
}

impl RowReader {
    /// A reader of some columns; `fields` are the paths of the message that are wanted, `None` for all.
    pub fn new(
        task: &str,
        mut options: Vec<(String, String)>,
        columns: Vec<String>,
        fields: Option<Vec<String>>,
        pushed: &Pushed,
        storage: Arc<dyn Storage>,
    ) -> Result<Self, Failure> {
        let content = Content::take(&mut options)?;
        let options = Options::parse(&options, &OPTIONS)?;
        let mut read: Vec<String> =
            columns.iter().filter(|name| *name != MESSAGE || content.is_none()).cloned().collect();
        let mut place = |name: &str| {
            read.iter().position(|known| known == name).unwrap_or_else(|| {
                read.push(name.to_owned());
                read.len() - 1
            })
        };
        let is_decoded = columns.iter().any(|name| name == MESSAGE || name == ERROR);
        let content = match content {
            Some(content) if is_decoded => {
                let error = columns.iter().any(|name| name == ERROR).then(|| place(ERROR));
                let (value, offset) = (place(VALUE), place(OFFSET));
                Some(Messages { decoder: content.decoder(fields.as_deref())?, value, error, offset })
            }
            _ => None,
        };
        let number = |name: &String| read.iter().position(|known| known == name);
        let wanted = columns.iter().map(|name| if content.is_some() && name == MESSAGE { None } else { number(name) });
        let wanted = wanted.collect();
        let mode = options.mode;
        let mut reader = Reader::new(task, &read, &options, pushed, true, storage)?;
        if content.is_some() {
            reader = reader.with_batch_bytes(DECODED_BYTES);
        }
        Ok(RowReader { reader, wanted, content, mode })
    }

    /// The next rows.
    pub fn next(&mut self) -> Result<Option<ArrayData>, Failure> {
        let Some(rows) = self.reader.next()? else { return Ok(None) };
        let mut columns: Vec<ArrayData> = rows.child_data().to_vec();
        let message = match &self.content {
            Some(content) => Some(content.decode(&mut columns, self.mode)?),
            None => None,
        };
        let fields = structs(rows.data_type());
        let (mut kept, mut data) = (Vec::new(), Vec::new());
        for wanted in &self.wanted {
            let (name, column) = match (wanted, &message) {
                (Some(number), _) => (fields[*number].name().as_str(), &columns[*number]),
                (None, Some(message)) => (MESSAGE, message),
                (None, None) => return Err(Failure::Failed(defect("there is no message"))),
            };
            kept.push(Field::new(name, column.data_type().clone(), true));
            data.push(column.clone());
        }
        let built = ArrayData::builder(DataType::Struct(kept.into())).len(rows.len()).child_data(data).build();
        Ok(Some(built.map_err(|error| Failure::Failed(defect(&error.to_string())))?))
    }

    /// What was noticed since this was asked for the last time.
    pub fn take_warnings(&mut self) -> Vec<String> {
        self.reader.take_warnings()
    }

    /// What was read so far.
    pub fn tally(&self) -> [i64; 7] {
        let tally = self.reader.tally();
        let counts = [tally.files, tally.bytes, tally.rows, tally.damaged, tally.control, tally.aborted, tally.by_mode];
        counts.map(|count| count as i64)
    }
}

impl Messages {
    fn decode(&self, columns: &mut [ArrayData], mode: Mode) -> Result<ArrayData, Failure> {
        let (message, errors) = self.decoder.decode(&columns[self.value])?;
        if errors.null_count() == errors.len() {
            return Ok(message);
        }
        if mode != Mode::Permissive {
            let row = (0..errors.len()).find(|row| errors.is_valid(*row)).unwrap_or(0);
            let offsets: &[i64] = columns[self.offset].buffers()[0].typed_data();
            let (reason, path) = (text_at(&errors.child_data()[0], row), text_at(&errors.child_data()[1], row));
            let place = if path.is_empty() { String::new() } else { format!("{path}: ") };
            let text = format!("the value of the record at offset {} can't be decoded: {place}{reason}", offsets[row]);
            return Err(LogError::new(ErrorKind::Malformed, text).into());
        }
        if let Some(number) = self.error {
            columns[number] = merged(&columns[number], &errors)?;
        }
        Ok(message)
    }
}

fn text_at(texts: &ArrayData, row: usize) -> String {
    let offsets: &[i32] = texts.buffers()[0].typed_data();
    let bytes = texts.buffers()[1].get(offsets[row] as usize..offsets[row + 1] as usize);
    String::from_utf8_lossy(bytes.unwrap_or_default()).into_owned()
}

/// The errors of batches, and of messages where there is none.
fn merged(batches: &ArrayData, messages: &ArrayData) -> Result<ArrayData, Failure> {
    let of_batches: BooleanArray = (0..batches.len()).map(|row| Some(batches.is_valid(row))).collect();
    let found = zip(&of_batches, &make_array(batches.clone()), &make_array(messages.clone()));
    Ok(found.map_err(|error| Failure::Failed(defect(&error.to_string())))?.into_data())
}
