//! What a task reads: columns of the log, and messages in their values.

use std::sync::Arc;

use arrow_array::{Array, BinaryArray, BooleanArray, make_array};
use arrow_buffer::NullBuffer;
use arrow_data::ArrayData;
use arrow_schema::{DataType, Field, Fields};
use arrow_select::filter::filter;
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
const RAW: &str = "_raw";
const IS_CONTROL: &str = "isControl";
/// What stands for bytes that may be secret.
const REDACTED: &[u8] = b"<redacted>";
const ADVICE: &str =
    "; mode DROPMALFORMED leaves such records out; mode PERMISSIVE keeps them, with the reason in _error";
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
    for (number, field) in fields.iter().enumerate() {
        if fields[..number].iter().any(|other: &Arc<Field>| other.name() == field.name()) {
            return Err(Error::value(format!("option columns: {} is given twice", field.name())).into());
        }
    }
    // Damage leaves any of them without a value.
    let fields = fields.iter().map(|field| field.as_ref().clone().with_nullable(true));
    let json =
        struct_json(&fields.collect()).ok_or_else(|| Error::value("a column has a type that Spark does not have"))?;
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

/// The messages of a task, with the numbers of columns of the log.
struct Messages {
    decoder: MessageDecoder,
    hides_bytes: bool,
    value: usize,
    offset: usize,
    error: Option<usize>,
    raw: Option<usize>,
    /// Marks of transactions hold no message.
    is_control: Option<usize>,
    left_out: usize,
    warnings: Vec<String>,
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
        let is_asked = |wanted: &str| columns.iter().any(|name| name == wanted);
        let is_decoded = [MESSAGE, ERROR, RAW].into_iter().any(is_asked);
        let content = match content {
            Some(content) if is_decoded => Some(Messages {
                decoder: content.decoder(fields.as_deref())?,
                hides_bytes: content.hides_bytes()?,
                value: place(VALUE),
                offset: place(OFFSET),
                error: is_asked(ERROR).then(|| place(ERROR)),
                raw: is_asked(RAW).then(|| place(RAW)),
                is_control: options.include_control.then(|| place(IS_CONTROL)),
                left_out: 0,
                warnings: Vec::new(),
            }),
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
        let message = match &mut self.content {
            Some(content) => Some(content.message(&mut columns, self.mode, self.reader.path())?),
            None => None,
        };
        let count = message.as_ref().map_or(rows.len(), ArrayData::len);
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
        let built = ArrayData::builder(DataType::Struct(kept.into())).len(count).child_data(data).build();
        Ok(Some(built.map_err(|error| Failure::Failed(defect(&error.to_string())))?))
    }

    /// What was noticed since this was asked for the last time.
    pub fn take_warnings(&mut self) -> Vec<String> {
        let mut all = self.reader.take_warnings();
        all.extend(self.content.iter_mut().flat_map(|content| content.warnings.drain(..)));
        all
    }

    /// What was read so far.
    pub fn tally(&self) -> [i64; 7] {
        let (tally, dropped) =
            (self.reader.tally(), self.content.as_ref().map_or(0, |content| content.left_out as u64));
        let (rows, by_mode) = (tally.rows - dropped, tally.by_mode + dropped);
        let counts = [tally.files, tally.bytes, rows, tally.damaged, tally.control, tally.aborted, by_mode];
        counts.map(|count| count as i64)
    }
}

impl Messages {
    /// The messages of the rows that the mode leaves; columns get what is told of the others.
    fn message(&mut self, columns: &mut Vec<ArrayData>, mode: Mode, path: &str) -> Result<ArrayData, Failure> {
        let (message, errors) = self.decode(columns)?;
        if self.hides_bytes {
            self.hide(columns)?;
        }
        let wrong = errors.len() - errors.null_count();
        if wrong == 0 {
            return Ok(message);
        }
        match mode {
            Mode::Permissive => {
                self.tell(columns, &errors)?;
                Ok(message)
            }
            Mode::FailFast => {
                Err(LogError::new(ErrorKind::Malformed, self.first(columns, &errors, path, ADVICE)).into())
            }
            Mode::DropMalformed => {
                let text = self.first(columns, &errors, path, "");
                self.left_out += wrong;
                self.warnings.push(format!("left out {wrong} values that are no messages; the first: {text}"));
                let keep: BooleanArray = (0..errors.len()).map(|row| Some(errors.is_null(row))).collect();
                *columns = columns.iter().map(|column| filtered(column, &keep)).collect::<Result<_, _>>()?;
                filtered(&message, &keep)
            }
        }
    }

    /// The messages and the errors of values.
    fn decode(&self, columns: &[ArrayData]) -> Result<(ArrayData, ArrayData), Failure> {
        let values = &columns[self.value];
        let Some(is_control) = self.is_control else { return Ok(self.decoder.decode(values)?) };
        let is_control = BooleanArray::from(columns[is_control].clone());
        let is_data: NullBuffer = is_control.iter().map(|mark| mark != Some(true)).collect();
        let nulls = NullBuffer::union(values.nulls(), Some(&is_data));
        let masked = values.clone().into_builder().nulls(nulls).build();
        Ok(self.decoder.decode(&masked.map_err(|error| Failure::Failed(defect(&error.to_string())))?)?)
    }

    /// What is wrong with the first value that is no message.
    fn first(&self, columns: &[ArrayData], errors: &ArrayData, path: &str, advice: &str) -> String {
        let row = (0..errors.len()).find(|row| errors.is_valid(*row)).unwrap_or(0);
        let offsets: &[i64] = columns[self.offset].buffers()[0].typed_data();
        let (reason, field) = (text_at(&errors.child_data()[0], row), text_at(&errors.child_data()[1], row));
        let place = if field.is_empty() { String::new() } else { format!("{field}: ") };
        format!("{path}: the value of the record at offset {} can't be decoded: {place}{reason}{advice}", offsets[row])
    }

    /// Puts errors and bytes of values into the columns for those of batches.
    fn tell(&self, columns: &mut [ArrayData], errors: &ArrayData) -> Result<(), Failure> {
        let is_wrong = valid(errors);
        if let Some(number) = self.error {
            columns[number] = chosen(&is_wrong, errors, &columns[number])?;
        }
        if let Some(number) = self.raw {
            let shown = if self.hides_bytes { redacted(errors.len()) } else { columns[self.value].clone() };
            columns[number] = chosen(&is_wrong, &shown, &columns[number])?;
        }
        Ok(())
    }

    /// Hides the bytes of batches that can't be read.
    fn hide(&self, columns: &mut [ArrayData]) -> Result<(), Failure> {
        let Some(number) = self.raw else { return Ok(()) };
        let column = &columns[number];
        if column.null_count() < column.len() {
            columns[number] = chosen(&valid(column), &redacted(column.len()), column)?;
        }
        Ok(())
    }
}

/// Which rows are not null.
fn valid(column: &ArrayData) -> BooleanArray {
    (0..column.len()).map(|row| Some(column.is_valid(row))).collect()
}

fn redacted(count: usize) -> ArrayData {
    BinaryArray::from_iter_values(std::iter::repeat_n(REDACTED, count)).into_data()
}

/// The rows of one column where a mask is true, of another one elsewhere.
fn chosen(mask: &BooleanArray, one: &ArrayData, other: &ArrayData) -> Result<ArrayData, Failure> {
    let found = zip(mask, &make_array(one.clone()), &make_array(other.clone()));
    Ok(found.map_err(|error| Failure::Failed(defect(&error.to_string())))?.into_data())
}

fn filtered(column: &ArrayData, keep: &BooleanArray) -> Result<ArrayData, Failure> {
    let found = filter(&make_array(column.clone()), keep);
    Ok(found.map_err(|error| Failure::Failed(defect(&error.to_string())))?.into_data())
}

fn text_at(texts: &ArrayData, row: usize) -> String {
    let offsets: &[i32] = texts.buffers()[0].typed_data();
    let bytes = texts.buffers()[1].get(offsets[row] as usize..offsets[row + 1] as usize);
    String::from_utf8_lossy(bytes.unwrap_or_default()).into_owned()
}
