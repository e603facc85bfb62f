//! Columns that are filled value by value and then become one Arrow array.
//!
//! Decoding must remove half-read rows and count nulls lazily, which Arrow's builders do not support. The finished
//! columns become Arrow's own schemas and arrays, which Arrow's code passes to Python.

mod bulk;
mod column;
mod finish;
mod values;

use arrow_data::ArrayData;

use self::column::Column;
use self::values::extend;
pub use self::values::{Overflow, Place, UuidForm, Values};
use crate::plan::Kind;
use crate::wire::{chunk, fixed_int};

/// The columns of an array, by number. Children have lower numbers than the columns that hold them.
#[derive(Default)]
pub struct Columns {
    columns: Vec<Column>,
}

impl Columns {
    /// Add a column and return its number.
    pub fn add(&mut self, name: &str, values: Values, nullable: bool) -> usize {
        self.columns.push(Column::new(name, values, nullable));
        self.columns.len() - 1
    }

    /// Return empty columns of the same schema.
    pub fn empty(&self) -> Self {
        let columns = self
            .columns
            .iter()
            .map(|column| Column::new(&column.name, column.values.empty(), column.nullable));
        Columns {
            columns: columns.collect(),
        }
    }

    /// Return the number of columns.
    pub fn count(&self) -> usize {
        self.columns.len()
    }

    /// Return the number of values and nulls in a column.
    pub fn length(&self, column: usize) -> usize {
        self.columns[column].length()
    }

    /// Return the values of a column.
    pub fn values(&self, column: usize) -> &Values {
        &self.columns[column].values
    }

    /// Append an integer, or a boolean as 0 or 1, that fits the type of the column.
    #[inline]
    pub fn push_int(&mut self, column: usize, value: i64) {
        self.for_values(column, 1).push_int(value);
    }

    /// Append the same integer, or boolean as 0 or 1, several times.
    pub fn push_repeated(&mut self, column: usize, value: i64, count: usize) {
        self.for_values(column, count).push_repeated(value, count);
    }

    /// Append the fixed-size value at the start of the bytes.
    #[inline(always)]
    pub fn push_fixed(&mut self, column: usize, kind: Kind, bytes: &[u8]) -> Result<(), Overflow> {
        match (self.for_values(column, 1), kind) {
            (Values::Int32(values), Kind::Int32) => values.push(i32::from_be_bytes(chunk(bytes, 0))),
            (Values::Int64(values), Kind::Int64) => values.push(i64::from_be_bytes(chunk(bytes, 0))),
            (Values::Int16(values), Kind::Int16) => values.push(i16::from_be_bytes(chunk(bytes, 0))),
            (values, Kind::Float64 | Kind::Uuid) => values.push_run(kind, &bytes[..kind.size()])?,
            (
                values,
                Kind::Bool | Kind::Int8 | Kind::Int16 | Kind::UInt16 | Kind::Int32 | Kind::UInt32 | Kind::Int64,
            ) => values.push_int(fixed_int(kind, bytes, 0)),
        }
        Ok(())
    }

    /// Append integers that fit the type of the column.
    #[inline]
    pub fn extend_ints(&mut self, column: usize, items: impl ExactSizeIterator<Item = i64>) {
        match self.for_values(column, items.len()) {
            Values::Int32(values) => values.extend(items.map(|item| item as i32)),
            Values::Int64(values) | Values::Time(values) => values.extend(items),
            values => items.for_each(|item| values.push_int(item)),
        }
    }

    /// Append a string or bytes.
    #[inline]
    pub fn push_bytes(&mut self, column: usize, value: &[u8]) -> Result<(), Overflow> {
        match self.for_values(column, 1) {
            Values::Text(values) | Values::Bytes(values) => values.push(value),
            _ => unreachable!("not a column of bytes"),
        }
    }

    /// Append a string or bytes, or null.
    #[inline]
    pub fn push_nullable_bytes(&mut self, column: usize, value: Option<&[u8]>) -> Result<(), Overflow> {
        match value {
            Some(value) => self.push_bytes(column, value)?,
            None => self.push_null(column),
        }
        Ok(())
    }

    /// Append strings or bytes, or nulls.
    #[inline]
    pub fn extend_bytes<'v>(
        &mut self,
        column: usize,
        mut items: impl Iterator<Item = Option<&'v [u8]>>,
    ) -> Result<(), Overflow> {
        items.try_for_each(|item| self.push_nullable_bytes(column, item))
    }

    /// Append consecutive fixed-size values, the elements of an array.
    #[inline(always)]
    pub fn push_run(&mut self, column: usize, kind: Kind, count: usize, run: &[u8]) -> Result<(), Overflow> {
        match (self.for_values(column, count), kind) {
            (Values::Int32(values), Kind::Int32) => extend(values, run, i32::from_be_bytes),
            (values, _) => values.push_run(kind, run)?,
        }
        Ok(())
    }

    /// End an array or a map whose `count` elements were already appended to the column of elements.
    #[inline]
    pub fn end_list(&mut self, column: usize, count: usize) -> Result<(), Overflow> {
        match self.for_values(column, 1) {
            Values::List(lists) | Values::Map(lists) => {
                let end = lists.offsets[lists.offsets.len() - 1] as usize + count;
                lists.offsets.push(i32::try_from(end).map_err(|_| Overflow)?);
            }
            _ => unreachable!("not a column of arrays"),
        }
        Ok(())
    }

    /// End an array or a map that consists of all elements appended since the previous array or map ended.
    pub fn end_list_with_all(&mut self, column: usize) -> Result<(), Overflow> {
        let (Values::List(lists) | Values::Map(lists)) = &self.columns[column].values else {
            unreachable!("not a column of arrays")
        };
        let before = lists.offsets[lists.offsets.len() - 1] as usize;
        let count = self.length(lists.content) - before;
        self.end_list(column, count)
    }

    /// Begin a struct, whose fields are then appended to their own columns.
    #[inline]
    pub fn begin_struct(&mut self, column: usize) {
        self.begin_structs(column, 1);
    }

    /// Begin several structs.
    #[inline]
    pub fn begin_structs(&mut self, column: usize, count: usize) {
        if let Values::Struct(length, _) = self.for_values(column, count) {
            *length += count;
        }
    }

    /// Append a null.
    #[inline]
    pub fn push_null(&mut self, column: usize) {
        self.columns[column].push_nulls(1);
    }

    /// Append nulls.
    pub fn push_nulls(&mut self, column: usize, count: usize) {
        self.columns[column].push_nulls(count);
    }

    /// Return the values of a column, ready for the caller to append `count` values.
    #[inline(always)]
    fn for_values(&mut self, number: usize, count: usize) -> &mut Values {
        if self.columns[number].sparse {
            self.before_values(number, count);
        }
        &mut self.columns[number].values
    }

    #[inline(never)]
    fn before_values(&mut self, number: usize, count: usize) {
        let (below, rest) = self.columns.split_at_mut(number);
        rest[0].before_values(below, count);
    }

    /// Shorten a column to an earlier length, together with all columns below it.
    pub fn truncate(&mut self, number: usize, length: usize) {
        let (below, rest) = self.columns.split_at_mut(number);
        rest[0].truncate(below, length);
    }

    /// Return the array of a column with all columns below it. The column is usually the struct that contains all
    /// others.
    pub fn finish(mut self, root: usize) -> ArrayData {
        finish::array(&mut self.columns, root).1
    }
}
