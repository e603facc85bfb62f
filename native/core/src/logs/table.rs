//! The rows of a log in the selected columns, filled from batches and damage.

use arrow_data::ArrayData;
use arrow_schema::Field;

use super::columns::{About, Damage, HEADER_FIELDS, HEADERS, Origin, Source, column, unknown_column};
use crate::arrow::builder::{Columns, Overflow, Values};
use crate::arrow::errors::ErrorColumn;
use crate::outcome::{Error, Kind, Outcome};
use crate::records::header::Header;
use crate::records::record::{Record, read_header};
use crate::wire::Cursor;

/// The maximum number of bytes of a damaged batch that are shown.
const MOST_RAW: usize = 1 << 28;

/// Rows of some columns.
#[derive(Default)]
pub struct LogTable {
    about: About,
    columns: Columns,
    wanted: Vec<Column>,
    rows: usize,
}

impl LogTable {
    /// Return an empty table. `paths` are names of columns, or paths of fields such as `headers.key`; unknown names are
    /// ignored.
    pub fn new(paths: &[String], about: About) -> Self {
        let mut columns = Columns::default();
        let names = paths
            .iter()
            .map(|path| path.split_once('.').map_or(path.as_str(), |(name, _)| name));
        let mut wanted: Vec<Column> = Vec::new();
        for (name, origin) in names.filter_map(column) {
            if !wanted.iter().any(|column| column.name == name) {
                wanted.push(Column::add(&mut columns, name, origin, paths));
            }
        }
        LogTable {
            about,
            columns,
            wanted,
            rows: 0,
        }
    }

    /// Return the number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Append records of a batch, whose bytes are in `data`.
    pub fn push_records(&mut self, header: &Header, records: &[Record], data: &[u8]) -> Outcome<()> {
        self.push(Source::Batch { header, records, data })
    }

    /// Append a row for damage.
    pub fn push_error(&mut self, damage: &Damage<'_>) -> Outcome<()> {
        self.push(Source::Damage(damage))
    }

    /// Append a row for a segment.
    pub fn push_segment(&mut self, base_offset: i64) -> Outcome<()> {
        self.push(Source::Segment(base_offset))
    }

    fn push(&mut self, source: Source<'_>) -> Outcome<()> {
        for column in &self.wanted {
            column.push(&mut self.columns, &self.about, source).map_err(too_large)?;
        }
        self.rows += source.rows();
        Ok(())
    }

    /// Return the rows as a struct array.
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

/// Return the Arrow field of a whole column; fail for an unknown name.
pub fn schema(name: &str) -> Outcome<Field> {
    if column(name).is_none() {
        return unknown_column(name);
    }
    let rows = LogTable::new(&[name.to_owned()], About::default()).finish();
    Ok(Field::new(name, rows.child_data()[0].data_type().clone(), true))
}

/// A column of the table.
struct Column {
    name: &'static str,
    origin: Origin,
    /// The column's number among the Arrow columns.
    number: usize,
    /// The inner columns, if this is the column of headers.
    headers: Option<HeaderColumns>,
    errors: Option<ErrorColumn>,
}

impl Column {
    /// Add a column; `paths` select the fields of headers.
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

    /// Append the rows of a source.
    fn push(&self, columns: &mut Columns, about: &About, source: Source<'_>) -> Result<(), Overflow> {
        let number = self.number;
        let count = source.rows();
        match (self.origin, source) {
            (Origin::Each(_, get), Source::Batch { header, records, .. }) => {
                columns.extend_ints(number, records.iter().map(|record| get(header, record)));
            }
            (Origin::Bytes(get), Source::Batch { records, data, .. }) => {
                columns.extend_bytes(number, records.iter().map(|record| get(record).of(data)))?;
            }
            (Origin::Headers, Source::Batch { records, data, .. }) => {
                let Some(headers) = self.headers else {
                    unreachable!("the columns of headers were added")
                };
                records
                    .iter()
                    .try_for_each(|record| headers.push(columns, number, record, data))?;
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
                let mut errors = self.errors.iter();
                errors.try_for_each(|errors| errors.push(columns, &damage.message, damage.part, damage.at))?;
            }
            (Origin::Raw, Source::Damage(damage)) => {
                columns.push_bytes(number, &damage.raw[..damage.raw.len().min(MOST_RAW)])?
            }
            _ => columns.push_nulls(number, count),
        }
        Ok(())
    }
}

/// The columns of the headers themselves, and of their keys and values if these are selected.
#[derive(Clone, Copy)]
struct HeaderColumns {
    header: usize,
    key: Option<usize>,
    value: Option<usize>,
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

    /// Append the headers of a record as an element of the column `list`.
    fn push(&self, columns: &mut Columns, list: usize, record: &Record, data: &[u8]) -> Result<(), Overflow> {
        if record.header_count > 0
            && let Ok(mut cursor) = Cursor::new(data, record.headers_at as usize)
        {
            for _ in 0..record.header_count {
                let Ok((key, value)) = read_header(&mut cursor) else {
                    unreachable!("the record was read before")
                };
                columns.begin_struct(self.header);
                if let Some(column) = self.key {
                    // A header's key is never null. Bytes that are not UTF-8 are replaced, as in Kafka's Java client.
                    let key = String::from_utf8_lossy(key.of(data).unwrap_or_default());
                    columns.push_bytes(column, key.as_bytes())?;
                }
                if let Some(column) = self.value {
                    columns.push_nullable_bytes(column, value.of(data))?;
                }
            }
        }
        columns.end_list(list, record.header_count as usize)
    }
}

fn too_large(_: Overflow) -> Error {
    Error::new(
        Kind::Malformed,
        "a column would have more than 2 GiB: lower maxRecordsPerBatch",
    )
}
