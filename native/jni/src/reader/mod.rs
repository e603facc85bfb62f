//! Reads one task: the columns of a log, and the messages in its values.

mod decoder;
mod messages;
mod schema;

use arrow_data::ArrayData;
use messagegen_core::Outcome;
use messagegen_core::logs::{ERROR, Given, HEADERS, Mode, Options, Pushed, RAW, Reader, Storage};
use serde::Deserialize;

use self::decoder::{MessageDecoder, ROWS};
use self::messages::{Messages, Numbers};
pub use self::schema::schema;
use crate::content::{Content, MESSAGE, VALUE, fields_of_messages};
use crate::required::Required;

const OFFSET: &str = "offset";
const IS_CONTROL: &str = "isControl";
/// The number of record bytes that are decoded at a time. It is so small that the processor caches still contain the
/// input when it is decoded, and the columns when Spark reads them.
const DECODED_BYTES: usize = 1 << 19;
/// The number of record bytes that are read at a time if values stay bytes.
const BATCH_BYTES: usize = 16 << 20;

/// The part of a request that all tasks of a query share, as JSON from Java.
#[derive(Deserialize)]
pub struct Request {
    options: String,
    /// The columns that Spark requires, as a struct type in Spark's JSON.
    required: String,
    filters: Pushed,
}

/// Reads the rows of one task.
pub struct RowReader {
    reader: Reader,
    required: Required,
    /// The positions of the required columns among the columns that are read; the message column follows these.
    numbers: Vec<usize>,
    mode: Mode,
    messages: Option<Messages>,
}

impl RowReader {
    /// Create a reader for a task.
    pub fn new(task: &str, request: Request, storage: Storage) -> Outcome<Self> {
        let mut required = Required::parse(&request.required)?;
        let mut given = Given::from_json(&request.options)?;
        let content = Content::take(&mut given)?;
        let options = Options::take(given)?;
        // DROPMALFORMED must drop the same records whichever columns are read, so it always decodes messages.
        let is_needed =
            options.mode == Mode::DropMalformed || [MESSAGE, ERROR, RAW].iter().any(|name| required.has(name));
        let content = content.filter(|_| is_needed);
        let mut read: Vec<String> = required.names().map(str::to_owned).collect();
        read.retain(|name| name != MESSAGE || content.is_none());
        let mut messages = None;
        if let Some(content) = content {
            let numbers = numbers_for_messages(&mut read, &required, &options);
            let decoder = content.decoder(content.versions().as_deref(), Some(&required.paths(MESSAGE)))?;
            let wanted = required.fields(MESSAGE, &fields_of_messages(&decoder)?)?;
            required = required.with_type(MESSAGE, &ROWS);
            let decoder = MessageDecoder::new(decoder, &wanted, content.version())?;
            messages = Some(Messages::new(decoder, content.hides_secrets(), numbers));
        }
        // The message is not read from the log, so it gets the next free number.
        let number = |name: &str| read.iter().position(|known| known == name).unwrap_or(read.len());
        let numbers = required.names().map(number).collect();
        let mode = options.mode;
        let batch_bytes = if messages.is_some() { DECODED_BYTES } else { BATCH_BYTES };
        let paths = with_fields_of_headers(&read, &required);
        let reader = Reader::new(task, &paths, options, &request.filters, true, batch_bytes, storage)?;
        Ok(RowReader {
            reader,
            required,
            numbers,
            mode,
            messages,
        })
    }

    /// Return the number of rows in the next batch, and the required columns. Messages are Spark rows of type [`ROWS`].
    pub fn next(&mut self) -> Outcome<Option<(usize, Vec<ArrayData>)>> {
        let Some(rows) = self.reader.next()? else {
            return Ok(None);
        };
        let mut count = rows.len();
        let mut columns = rows.child_data().to_vec();
        if let Some(messages) = &mut self.messages {
            messages.decode(&mut columns, self.mode, self.reader.path())?;
            count = columns[messages.numbers.value].len();
        }
        let required = self.numbers.iter().map(|number| columns[*number].clone()).collect();
        Ok(Some((count, self.required.arranged(required)?)))
    }

    /// Return the warnings since the last call.
    pub fn take_warnings(&mut self) -> Vec<String> {
        let mut all = self.reader.take_warnings();
        all.extend(
            self.messages
                .iter_mut()
                .flat_map(|messages| messages.warnings.drain(..)),
        );
        all
    }

    /// Return the current counts.
    pub fn tally(&self) -> [i64; 7] {
        let mut tally = self.reader.tally();
        let dropped = self.messages.as_ref().map_or(0, |messages| messages.left_out as u64);
        tally.rows -= dropped;
        tally.by_mode += dropped;
        tally.counts().map(|count| count as i64)
    }
}

/// Add to `read` the columns that are needed to decode messages, and return their positions.
fn numbers_for_messages(read: &mut Vec<String>, required: &Required, options: &Options) -> Numbers {
    let mut number = |name: &str| {
        read.iter().position(|known| known == name).unwrap_or_else(|| {
            read.push(name.to_owned());
            read.len() - 1
        })
    };
    Numbers {
        value: number(VALUE),
        offset: number(OFFSET),
        error: required.has(ERROR).then(|| number(ERROR)),
        raw: required.has(RAW).then(|| number(RAW)),
        is_control: options.include_control.then(|| number(IS_CONTROL)),
    }
}

/// Return the columns to read, with `headers` replaced by the paths of its required fields.
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
