//! What a task reads: columns of the log, and messages in their values.

use arrow_array::{Array, BinaryArray, BooleanArray, Int64Array, StringArray};
use arrow_buffer::NullBuffer;
use arrow_data::ArrayData;
use arrow_data::transform::MutableArrayData;
use arrow_schema::Field;
use messagegen_core::logs::{self, ERROR, Given, HEADERS, Mode, Options, Pushed, RAW, Reader, Storage, chosen_columns};
use messagegen_core::outcome::{Kind, fail};
use messagegen_core::{Error, Outcome};
use serde::Deserialize;

use crate::content::{Content, MESSAGE, MessageDecoder};
use crate::door::defect;
use crate::required::Required;
use crate::rows::put_rows;
use crate::spark_types::struct_json;

const VALUE: &str = "value";
const OFFSET: &str = "offset";
const IS_CONTROL: &str = "isControl";
/// What stands for bytes that may be secret.
pub const REDACTED: &[u8] = b"<redacted>";
const ADVICE: &str =
    "; mode DROPMALFORMED leaves such records out; mode PERMISSIVE keeps them, with the reason in _error";
/// The bytes of records that are decoded at a time: what was read is still in the caches of the processor then, and the
/// columns are when Spark reads them.
const DECODED_BYTES: usize = 1 << 19;
/// The same where values stay bytes.
const BATCH_BYTES: usize = 16 << 20;

/// The columns of options, as Spark's JSON.
pub fn schema(mut given: Given) -> Outcome<String> {
    let content = Content::take(&mut given)?;
    let options = Options::take(given)?;
    let mut fields: Vec<Field> = Vec::new();
    for name in chosen_columns(&options) {
        let field = match &content {
            Some(content) if name == VALUE || name == MESSAGE => Field::new(MESSAGE, content.data_type()?, true),
            _ => logs::schema(&name)?,
        };
        if fields.iter().any(|other| other.name() == field.name()) {
            return fail(Kind::Option, format!("option columns: {} is given twice", field.name()));
        }
        fields.push(field);
    }
    // Damage leaves any of them without a value.
    let json = struct_json(&fields.into(), true);
    Ok(json
        .ok_or_else(|| Error::value("a column has a type that Spark does not have"))?
        .to_string())
}

/// What all tasks of a query read, as Java tells it.
#[derive(Deserialize)]
pub struct Request {
    options: String,
    /// The columns that Spark asks for, as its JSON of a struct type.
    required: String,
    filters: Pushed,
}

/// Reads the rows of one task.
pub struct RowReader {
    reader: Reader,
    required: Required,
    /// The numbers of the required columns, among those that are read and the message.
    numbers: Vec<usize>,
    mode: Mode,
    messages: Option<Messages>,
    rows: Vec<u64>,
}

/// Decodes values, and tells of those that are no messages.
struct Messages {
    decoder: MessageDecoder,
    hides_secrets: bool,
    /// Columns by number.
    value: usize,
    offset: usize,
    error: Option<usize>,
    raw: Option<usize>,
    /// Only if records that brokers made are read too, whose values are no messages.
    is_control: Option<usize>,
    left_out: usize,
    warnings: Vec<String>,
}

impl RowReader {
    /// Begins with a task.
    pub fn new(task: &str, request: Request, storage: Storage) -> Outcome<Self> {
        let Request {
            options,
            required,
            filters,
        } = request;
        let required = Required::parse(&required)?;
        let mut given = Given::from_json(&options)?;
        let content = Content::take(&mut given)?;
        let options = Options::take(given)?;
        // The same records are left out whatever columns are read.
        let is_needed =
            options.mode == Mode::DropMalformed || [MESSAGE, ERROR, RAW].iter().any(|name| required.has(name));
        let content = content.filter(|_| is_needed);
        let mut read: Vec<String> = required.names().map(str::to_owned).collect();
        read.retain(|name| name != MESSAGE || content.is_none());
        let mut place = |name: &str| {
            read.iter().position(|known| known == name).unwrap_or_else(|| {
                read.push(name.to_owned());
                read.len() - 1
            })
        };
        let messages = |content: Content| {
            Ok::<_, Error>(Messages {
                decoder: content.decoder(Some(&required.paths(MESSAGE)))?,
                hides_secrets: content.hides_secrets(),
                value: place(VALUE),
                offset: place(OFFSET),
                error: required.has(ERROR).then(|| place(ERROR)),
                raw: required.has(RAW).then(|| place(RAW)),
                is_control: options.include_control.then(|| place(IS_CONTROL)),
                left_out: 0,
                warnings: Vec::new(),
            })
        };
        let messages = content.map(messages).transpose()?;
        // The message comes after the columns that are read.
        let number = |name: &str| read.iter().position(|known| known == name).unwrap_or(read.len());
        let numbers = required.names().map(number).collect();
        let mode = options.mode;
        let batch_bytes = if messages.is_some() { DECODED_BYTES } else { BATCH_BYTES };
        let paths = with_fields_of_headers(&read, &required);
        let reader = Reader::new(task, &paths, options, &filters, true, batch_bytes, storage)?;
        Ok(RowReader {
            reader,
            required,
            numbers,
            mode,
            messages,
            rows: Vec::new(),
        })
    }

    /// The next rows: their number, and the required columns.
    pub fn next(&mut self) -> Outcome<Option<(usize, Vec<ArrayData>)>> {
        let Some(rows) = self.reader.next()? else {
            return Ok(None);
        };
        let mut count = rows.len();
        let mut columns = rows.child_data().to_vec();
        if let Some(messages) = &mut self.messages {
            messages.decode(&mut columns, self.mode, self.reader.path())?;
            count = columns[messages.value].len();
        }
        let required = self.numbers.iter().map(|number| columns[*number].clone()).collect();
        Ok(Some((count, self.required.arranged(required)?)))
    }

    /// The next rows as Spark keeps them: the bytes of all of them, then each behind its number of bytes. They are here
    /// until this is asked again.
    pub fn next_rows(&mut self) -> Outcome<Option<&[u64]>> {
        let Some((count, columns)) = self.next()? else {
            return Ok(None);
        };
        self.rows.clear();
        self.rows.push(0);
        put_rows(count, &columns, &mut self.rows)?;
        self.rows[0] = size_of_val(&self.rows[1..]) as u64;
        Ok(Some(&self.rows))
    }

    /// What was noticed since this was asked for the last time.
    pub fn take_warnings(&mut self) -> Vec<String> {
        let mut all = self.reader.take_warnings();
        all.extend(
            self.messages
                .iter_mut()
                .flat_map(|messages| messages.warnings.drain(..)),
        );
        all
    }

    /// What was read so far.
    pub fn tally(&self) -> [i64; 7] {
        let mut tally = self.reader.tally();
        let dropped = self.messages.as_ref().map_or(0, |messages| messages.left_out as u64);
        tally.rows -= dropped;
        tally.by_mode += dropped;
        tally.counts().map(|count| count as i64)
    }
}

/// The columns that are read, with the paths of the fields that are required in place of `headers`.
fn with_fields_of_headers(read: &[String], required: &Required) -> Vec<String> {
    let fields = required.paths(HEADERS);
    let mut paths = Vec::new();
    for name in read {
        if name == HEADERS && !fields.is_empty() {
            paths.extend(fields.iter().map(|field| format!("{HEADERS}.{field}")));
        } else {
            paths.push(name.clone());
        }
    }
    paths
}

impl Messages {
    /// Adds the messages to columns of the rows that the mode leaves; the columns for errors get what is told of the
    /// others.
    fn decode(&mut self, columns: &mut Vec<ArrayData>, mode: Mode, path: &str) -> Outcome<()> {
        let (message, errors) = self.decoded(columns)?;
        if let Some(number) = self.raw.filter(|_| self.hides_secrets) {
            columns[number] = chosen(&columns[number], &redacted(errors.len()), &columns[number])?;
        }
        columns.push(message);
        let wrong = errors.len() - errors.null_count();
        if wrong == 0 {
            return Ok(());
        }
        match mode {
            Mode::Permissive => self.tell(columns, &errors),
            Mode::FailFast => fail(Kind::Malformed, self.first(columns, &errors, path) + ADVICE),
            Mode::DropMalformed => {
                let text = self.first(columns, &errors, path);
                self.left_out += wrong;
                self.warnings.push(format!(
                    "left out {wrong} values that are no messages; the first: {text}"
                ));
                for column in columns {
                    *column = gathered(&[column], errors.len(), |row| errors.is_null(row).then_some(0))?;
                }
                Ok(())
            }
        }
    }

    /// The messages and the errors of values.
    fn decoded(&self, columns: &[ArrayData]) -> Outcome<(ArrayData, ArrayData)> {
        let values = &columns[self.value];
        let Some(is_control) = self.is_control else {
            return self.decoder.decode(values);
        };
        let is_control = BooleanArray::from(columns[is_control].clone());
        let is_data: NullBuffer = is_control.iter().map(|mark| mark != Some(true)).collect();
        let nulls = NullBuffer::union(values.nulls(), Some(&is_data));
        self.decoder
            .decode(&values.clone().into_builder().nulls(nulls).build().map_err(defect)?)
    }

    /// What is wrong with the first value that is no message.
    fn first(&self, columns: &[ArrayData], errors: &ArrayData, path: &str) -> String {
        let row = (0..errors.len()).find(|row| errors.is_valid(*row)).unwrap_or(0);
        let offset = Int64Array::from(columns[self.offset].clone()).value(row);
        let [reasons, fields] = [0, 1].map(|child| StringArray::from(errors.child_data()[child].clone()));
        let reason = reasons.value(row);
        let field = fields.value(row);
        let place = if field.is_empty() {
            String::new()
        } else {
            format!("{field}: ")
        };
        format!("{path}: the value of the record at offset {offset} can't be decoded: {place}{reason}")
    }

    /// Puts errors and bytes of values into the columns for those of batches.
    fn tell(&self, columns: &mut [ArrayData], errors: &ArrayData) -> Outcome<()> {
        if let Some(number) = self.error {
            columns[number] = chosen(errors, errors, &columns[number])?;
        }
        if let Some(number) = self.raw {
            let shown = if self.hides_secrets {
                redacted(errors.len())
            } else {
                columns[self.value].clone()
            };
            columns[number] = chosen(errors, &shown, &columns[number])?;
        }
        Ok(())
    }
}

fn redacted(count: usize) -> ArrayData {
    BinaryArray::from_iter_values(std::iter::repeat_n(REDACTED, count)).into_data()
}

/// The rows of one column where a third one has values, of another one elsewhere.
fn chosen(where_valid: &ArrayData, one: &ArrayData, other: &ArrayData) -> Outcome<ArrayData> {
    gathered(&[one, other], other.len(), |row| {
        Some(usize::from(where_valid.is_null(row)))
    })
}

/// Each row of the source that is named for it; rows without one are left out.
fn gathered(sources: &[&ArrayData], rows: usize, source: impl Fn(usize) -> Option<usize>) -> Outcome<ArrayData> {
    let mut kept = MutableArrayData::new(sources.to_vec(), false, rows);
    for row in 0..rows {
        if let Some(number) = source(row) {
            kept.try_extend(number, row, row + 1).map_err(defect)?;
        }
    }
    Ok(kept.freeze())
}
