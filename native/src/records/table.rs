//! The columns that records make, filled with some records of one batch at a time, column by column.

use arrow_buffer::{BooleanBuffer, NullBuffer};

use super::builders::{Cut, HeaderLists, Values, structure};
use super::codecs;
use super::header::{Header, Place};
use super::record::{Record, read_header};
use crate::columns::Finished;
use crate::wire::Cursor;

/// Where the values of a column come from.
#[derive(Clone, Copy)]
pub enum Origin {
    /// Each record has its own.
    Record64(fn(&Header, &Record) -> i64),
    /// Likewise.
    Record32(fn(&Header, &Record) -> i32),
    /// The keys of records.
    Key,
    /// The values of records.
    Value,
    /// The headers of records.
    Headers,
    /// All records of a batch have the same.
    Batch64(fn(&Header) -> i64),
    /// Likewise.
    Batch32(fn(&Header) -> i32),
    /// Likewise.
    BatchBool(fn(&Header) -> bool),
    /// The name of a batch's compression.
    Codec,
    /// Known of what is no batch, too.
    Place(fn(&Place) -> i64),
}

impl Origin {
    /// An empty column.
    pub fn values(self) -> Values {
        match self {
            Origin::Record64(_) | Origin::Batch64(_) | Origin::Place(_) => Values::int64(),
            Origin::Record32(_) | Origin::Batch32(_) => Values::int32(),
            Origin::BatchBool(_) => Values::bool(),
            Origin::Key | Origin::Value => Values::Cut(Cut::bytes()),
            Origin::Codec => Values::Cut(Cut::text()),
            Origin::Headers => Values::Headers(HeaderLists::new()),
        }
    }

    /// Appends what is known of what is no batch, or nothing.
    pub fn push_place(self, values: &mut Values, place: &Place) {
        match (self, values) {
            (Origin::Place(get), Values::Int64(values)) => values.push(get(place)),
            (_, values) => values.push_nothing(),
        }
    }

    /// Appends what `count` records of a batch have in common.
    pub fn push_batch(self, values: &mut Values, header: &Header, count: usize) {
        match (self, values) {
            (Origin::Batch64(get), Values::Int64(values)) => values.resize(values.len() + count, get(header)),
            (Origin::Batch32(get), Values::Int32(values)) => values.resize(values.len() + count, get(header)),
            (Origin::BatchBool(get), Values::Bool(values)) => values.append_n(count, get(header)),
            (Origin::Codec, Values::Cut(values)) => {
                let name = codecs::name(header.codec()).map(str::as_bytes);
                (0..count).for_each(|_| values.push(name));
            }
            (Origin::Place(get), Values::Int64(values)) => values.resize(values.len() + count, get(&header.place)),
            _ => unreachable!("a column has the values of its origin"),
        }
    }
}

/// All columns but `_error`, in their order.
pub const COLUMNS: [(&str, Origin); 16] = [
    ("offset", Origin::Record64(Header::offset)),
    ("timestamp", Origin::Record64(Header::timestamp)),
    ("timestamp_type", Origin::Batch32(Header::timestamp_type)),
    ("key", Origin::Key),
    ("value", Origin::Value),
    ("headers", Origin::Headers),
    ("leader_epoch", Origin::Batch32(|header| header.leader_epoch)),
    ("producer_id", Origin::Batch64(|header| header.producer_id)),
    ("producer_epoch", Origin::Batch32(|header| header.producer_epoch.into())),
    ("sequence", Origin::Record32(Header::sequence)),
    ("is_transactional", Origin::BatchBool(Header::is_transactional)),
    ("is_control", Origin::BatchBool(Header::is_control)),
    ("codec", Origin::Codec),
    ("batch_offset", Origin::Place(|place| place.base_offset)),
    ("batch_position", Origin::Place(|place| place.position as i64)),
    ("batch_length", Origin::Place(|place| place.length as i64)),
];

/// What is wrong with a batch.
#[derive(Debug)]
pub struct Problem {
    /// What it is.
    pub message: String,
    /// Which part of the batch.
    pub path: String,
    /// The byte where it was seen.
    pub at: usize,
}

/// Rows of the columns that are wanted.
pub struct Table {
    columns: Vec<(&'static str, Origin, Values)>,
    rows: usize,
    problems: Vec<(usize, Problem)>,
}

impl Table {
    /// No rows of the columns with these numbers.
    pub fn new(wanted: &[usize]) -> Self {
        let columns = wanted.iter().map(|number| {
            let (name, origin) = COLUMNS[*number];
            (name, origin, origin.values())
        });
        Table { columns: columns.collect(), rows: 0, problems: Vec::new() }
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Appends records of a batch, whose bytes lie in `data`.
    pub fn push_records(&mut self, header: &Header, records: &[Record], data: &[u8]) {
        for (_, origin, values) in &mut self.columns {
            match (*origin, values) {
                (Origin::Record64(get), Values::Int64(values)) => {
                    values.extend(records.iter().map(|record| get(header, record)));
                }
                (Origin::Record32(get), Values::Int32(values)) => {
                    values.extend(records.iter().map(|record| get(header, record)));
                }
                (Origin::Key, Values::Cut(values)) => values.extend(records.iter().map(|record| record.key.of(data))),
                (Origin::Value, Values::Cut(values)) => {
                    values.extend(records.iter().map(|record| record.value.of(data)));
                }
                (Origin::Headers, Values::Headers(lists)) => {
                    records.iter().for_each(|record| push_headers(lists, record, data));
                }
                (origin, values) => origin.push_batch(values, header, records.len()),
            }
        }
        self.rows += records.len();
    }

    /// Appends the row of a batch that can't be read.
    pub fn push_problem(&mut self, place: &Place, problem: Problem) {
        for (_, origin, values) in &mut self.columns {
            origin.push_place(values, place);
        }
        self.problems.push((self.rows, problem));
        self.rows += 1;
    }

    /// The columns, `_error` at last.
    pub fn finish(self) -> Finished {
        let nulls = nulls_at(self.rows, &self.problems);
        let mut columns = Vec::with_capacity(self.columns.len() + 1);
        for (name, origin, values) in self.columns {
            let nulls = if matches!(origin, Origin::Place(_)) { None } else { nulls.as_ref() };
            columns.push((name, values.finish(nulls)));
        }
        columns.push(("_error", problem_column(self.rows, self.problems)));
        structure(columns, None)
    }
}

fn push_headers(lists: &mut HeaderLists, record: &Record, data: &[u8]) {
    if record.header_count > 0
        && let Ok(mut cursor) = Cursor::new(data, record.headers_at as usize)
    {
        for _ in 0..record.header_count {
            let Ok((key, value)) = read_header(&mut cursor) else { unreachable!("the record was read before") };
            let key = key.of(data).map(String::from_utf8_lossy);
            lists.keys.push(key.as_ref().map(|key| key.as_bytes()));
            lists.values.push(value.of(data));
        }
    }
    lists.end();
}

/// Null for the rows with a problem; `None` if there is none.
fn nulls_at(rows: usize, problems: &[(usize, Problem)]) -> Option<NullBuffer> {
    if problems.is_empty() {
        return None;
    }
    let mut numbers = problems.iter().map(|(row, _)| *row).peekable();
    Some(NullBuffer::new(BooleanBuffer::collect_bool(rows, |row| numbers.next_if_eq(&row).is_none())))
}

/// Null for the rows without a problem.
fn problem_column(rows: usize, problems: Vec<(usize, Problem)>) -> Finished {
    let (mut messages, mut paths) = (Cut::text(), Cut::text());
    let mut places = vec![0; rows];
    for (row, problem) in &problems {
        messages.push_nulls_up_to(*row);
        paths.push_nulls_up_to(*row);
        messages.push(Some(problem.message.as_bytes()));
        paths.push(Some(problem.path.as_bytes()));
        places[*row] = problem.at as i64;
    }
    messages.push_nulls_up_to(rows);
    paths.push_nulls_up_to(rows);
    let right = nulls_at(rows, &problems);
    let wrong = match right {
        Some(right) => NullBuffer::new(!right.inner()),
        None => NullBuffer::new_null(rows),
    };
    let columns = [
        ("message", Values::Cut(messages).finish(None)),
        ("path", Values::Cut(paths).finish(None)),
        ("offset", Values::Int64(places).finish(Some(&wrong))),
    ];
    structure(columns, Some(wrong))
}
