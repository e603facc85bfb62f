//! The columns of records, filled for some records of one batch at a time.

use arrow_data::ArrayData;

use super::codecs;
use super::error::RecordsError;
use super::header::{Header, Place};
use super::record::{Record, Span, read_header};
use crate::arrow::builder::{Columns, Overflow, Values};
use crate::wire::Cursor;

/// Where the values of a column come from.
#[derive(Clone, Copy)]
pub enum Origin {
    /// The record.
    Record64(fn(&Header, &Record) -> i64),
    /// The record.
    Record32(fn(&Header, &Record) -> i32),
    /// Key or value of the record.
    Bytes(fn(&Record) -> Span),
    /// The headers of the record.
    Headers,
    /// The batch.
    Batch64(fn(&Header) -> i64),
    /// The batch.
    Batch32(fn(&Header) -> i32),
    /// The batch.
    BatchBool(fn(&Header) -> bool),
    /// The name of the batch's compression; null for an unknown one.
    Codec,
    /// The place of the batch, which is known of a batch that can't be read, too.
    Place64(fn(&Place) -> i64),
}

const WITHIN_LIMITS: &str = "the limits of the reader keep columns below 2 GiB";

/// Rows of some columns.
pub struct Table {
    columns: Columns,
    /// Origins with the number of their column.
    origins: Vec<(Origin, usize)>,
    /// The columns of the headers of records.
    headers: Option<HeaderColumns>,
    errors: Option<ErrorColumns>,
    rows: usize,
}

#[derive(Clone, Copy)]
struct HeaderColumns {
    pair: usize,
    key: usize,
    value: usize,
}

struct ErrorColumns {
    error: usize,
    message: usize,
    path: usize,
    offset: usize,
}

impl Table {
    /// No rows of some columns.
    pub fn new(wanted: &[(&str, Origin)]) -> Self {
        let mut table =
            Table { columns: Columns::default(), origins: Vec::new(), headers: None, errors: None, rows: 0 };
        for (name, origin) in wanted {
            let values = match origin {
                Origin::Record64(_) | Origin::Batch64(_) | Origin::Place64(_) => Values::Int64(Vec::new()),
                Origin::Record32(_) | Origin::Batch32(_) => Values::Int32(Vec::new()),
                Origin::BatchBool(_) => Values::bool(),
                Origin::Bytes(_) => Values::bytes(),
                Origin::Codec => Values::text(),
                Origin::Headers => {
                    let key = table.columns.add("key", Values::text(), true);
                    let value = table.columns.add("value", Values::bytes(), true);
                    let pair = table.columns.add("item", Values::structs(vec![key, value]), true);
                    table.headers = Some(HeaderColumns { pair, key, value });
                    Values::list(pair)
                }
            };
            table.origins.push((*origin, table.columns.add(name, values, true)));
        }
        table
    }

    /// The same with a column for errors.
    pub fn with_errors(mut self) -> Self {
        let message = self.columns.add("message", Values::text(), true);
        let path = self.columns.add("path", Values::text(), true);
        let offset = self.columns.add("offset", Values::Int64(Vec::new()), true);
        let error = self.columns.add("_error", Values::structs(vec![message, path, offset]), true);
        self.errors = Some(ErrorColumns { error, message, path, offset });
        self
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Appends records of a batch, whose bytes are in `data`.
    pub fn push_records(&mut self, header: &Header, records: &[Record], data: &[u8]) {
        self.push_rows(header, records.len(), records, data).expect(WITHIN_LIMITS);
    }

    fn push_rows(&mut self, header: &Header, count: usize, records: &[Record], data: &[u8]) -> Result<(), Overflow> {
        let columns = &mut self.columns;
        for (origin, column) in &self.origins {
            let column = *column;
            match origin {
                Origin::Record64(get) => columns.extend_int64(column, records.iter().map(|record| get(header, record))),
                Origin::Record32(get) => columns.extend_int32(column, records.iter().map(|record| get(header, record))),
                Origin::Bytes(get) => {
                    columns.extend_bytes(column, records.iter().map(|record| get(record).of(data)))?
                }
                Origin::Headers => {
                    let Some(headers) = self.headers else { unreachable!("added with their column") };
                    records.iter().try_for_each(|record| push_headers(columns, column, headers, record, data))?;
                }
                Origin::Batch64(get) => columns.push_repeated(column, get(header), count),
                Origin::Batch32(get) => columns.push_repeated(column, get(header).into(), count),
                Origin::BatchBool(get) => columns.push_repeated(column, get(header).into(), count),
                Origin::Place64(get) => columns.push_repeated(column, get(&header.place), count),
                Origin::Codec => match codecs::name(header.codec()) {
                    Some(name) => columns.extend_bytes(column, (0..count).map(|_| Some(name.as_bytes())))?,
                    None => columns.push_nulls(column, count),
                },
            }
        }
        if let Some(errors) = &self.errors {
            columns.push_nulls(errors.error, count);
        }
        self.rows += count;
        Ok(())
    }

    /// Appends a row for a batch that can't be read.
    pub fn push_error(&mut self, place: &Place, error: &RecordsError) {
        for (origin, column) in &self.origins {
            match origin {
                Origin::Place64(get) => self.columns.push_int(*column, get(place)),
                _ => self.columns.push_null(*column),
            }
        }
        self.rows += 1;
        if let Some(errors) = &self.errors {
            self.columns.begin_struct(errors.error);
            self.columns.push_bytes(errors.message, error.message.as_bytes()).expect(WITHIN_LIMITS);
            self.columns.push_bytes(errors.path, error.path.as_bytes()).expect(WITHIN_LIMITS);
            self.columns.push_int(errors.offset, error.at as i64);
        }
    }

    /// The rows as a struct array.
    pub fn finish(mut self) -> ArrayData {
        let fields = self.origins.iter().map(|(_, column)| *column);
        let fields = fields.chain(self.errors.iter().map(|errors| errors.error)).collect();
        let root = self.columns.add("", Values::structs(fields), false);
        self.columns.begin_structs(root, self.rows);
        self.columns.finish(root).expect(WITHIN_LIMITS)
    }
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
            let Ok((key, value)) = read_header(&mut cursor) else { unreachable!("the record was read before") };
            columns.begin_struct(headers.pair);
            // Keys are never null; Kafka's Java client replaces bytes that are not UTF-8, too.
            let key = String::from_utf8_lossy(key.of(data).unwrap_or_default());
            columns.push_bytes(headers.key, key.as_bytes())?;
            columns.push_nullable_bytes(headers.value, value.of(data))?;
        }
    }
    columns.end_list(list, record.header_count as usize)
}
