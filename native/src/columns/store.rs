//! All columns of a batch being filled; a row that turns out corrupt is taken back.

use super::column::{Column, Cut, UuidForm, Values, extend};
use super::defaults::FieldDefault;
use super::text_uuid;
use crate::plan::Kind;
use crate::wire::{chunk, fixed_int};

/// More than Arrow's 32-bit offsets can tell apart.
#[derive(Debug)]
pub struct TooMuch;

/// All columns of a batch, by number; children have lower numbers than what holds them.
#[derive(Default)]
pub struct Columns {
    pub(super) columns: Vec<Column>,
}

impl Columns {
    /// Adds a column that may have nulls and gives its number.
    pub fn add(&mut self, name: &str, values: Values, default: FieldDefault) -> usize {
        self.columns.push(Column::new(name, values, true, default));
        self.columns.len() - 1
    }

    /// Adds a column that never has nulls and gives its number.
    pub fn add_required(&mut self, name: &str, values: Values) -> usize {
        self.columns.push(Column::new(name, values, false, FieldDefault::Empty));
        self.columns.len() - 1
    }

    /// How many columns there are.
    pub fn count(&self) -> usize {
        self.columns.len()
    }

    /// The number of values and nulls in a column.
    pub fn length(&self, column: usize) -> usize {
        self.columns[column].length()
    }

    /// Makes room for so many elements of an array, in their column and in those of the fields of structs.
    #[cold]
    pub fn reserve(&mut self, list: usize, count: usize) {
        if let Values::List(Cut { content, .. }) = self.columns[list].values {
            reserve(&mut self.columns, content, count);
        }
    }

    /// The bits that one value adds to a column at most, and to those of the fields of a struct, beside texts and bytes of the
    /// message and elements of arrays.
    pub fn bits(&self, column: usize) -> u64 {
        let column = &self.columns[column];
        let fields: u64 = match &column.values {
            Values::Struct(_, fields) => fields.iter().map(|field| self.bits(*field)).sum(),
            _ => 0,
        };
        let default = match (&column.values, &column.default) {
            (Values::Text(_) | Values::Bytes(_), FieldDefault::Bytes(bytes)) => 8 * bytes.len() as u64,
            _ => 0,
        };
        1 + column.values.bits() + default + fields
    }

    /// What a column holds where a field is not on the wire.
    pub fn default_of(&self, column: usize) -> &FieldDefault {
        &self.columns[column].default
    }

    /// Appends an integer, or a truth as 0 or 1, that fits the column's type.
    #[inline]
    pub fn push_int(&mut self, column: usize, value: i64) {
        self.for_values(column, 1).values.push_int(value);
    }

    /// Appends an integer, or a truth, that begins the bytes.
    #[inline(always)]
    pub fn push_fixed(&mut self, column: usize, kind: Kind, bytes: &[u8]) {
        match (&mut self.for_values(column, 1).values, kind) {
            (Values::Int32(values), Kind::Int32) => values.push(i32::from_be_bytes(chunk(bytes, 0))),
            (Values::Int64(values), Kind::Int64) => values.push(i64::from_be_bytes(chunk(bytes, 0))),
            (Values::Int16(values), Kind::Int16) => values.push(i16::from_be_bytes(chunk(bytes, 0))),
            (values, _) => values.push_int(fixed_int(kind, bytes, 0)),
        }
    }

    /// Appends a float.
    #[inline]
    pub fn push_float(&mut self, column: usize, value: f64) {
        match &mut self.for_values(column, 1).values {
            Values::Float64(values) => values.push(value),
            _ => unreachable!("no column of floats"),
        }
    }

    /// Appends a text or bytes.
    #[inline]
    pub fn push_bytes(&mut self, column: usize, value: &[u8]) -> Result<(), TooMuch> {
        match &mut self.for_values(column, 1).values {
            Values::Text(cut) | Values::Bytes(cut) => cut.push(value),
            _ => unreachable!("no column of bytes"),
        }
    }

    /// Appends the 16 bytes of a uuid.
    #[inline]
    pub fn push_uuid(&mut self, column: usize, value: [u8; text_uuid::SIZE]) {
        match &mut self.for_values(column, 1).values {
            Values::Uuid(UuidForm::Text, values) => values.extend_from_slice(&text_uuid::write(value)),
            Values::Uuid(_, values) => values.extend_from_slice(&value),
            _ => unreachable!("no column of uuids"),
        }
    }

    /// Appends so many values of constant size that lie one after the other, as elements of an array.
    #[inline(always)]
    pub fn push_run(&mut self, number: usize, kind: Kind, count: usize, run: &[u8]) {
        match (&mut self.for_values(number, count).values, kind) {
            (Values::Int32(values), Kind::Int32) => extend(values, run, i32::from_be_bytes),
            (values, _) => values.push_run(kind, run),
        }
    }

    /// Ends an array, or a map, of so many elements, which were appended to their own column.
    #[inline]
    pub fn end_list(&mut self, column: usize, count: usize) -> Result<(), TooMuch> {
        match &mut self.for_values(column, 1).values {
            Values::List(cut) | Values::Map(cut) => {
                let end = cut.offsets[cut.offsets.len() - 1] as usize + count;
                cut.offsets.push(i32::try_from(end).map_err(|_| TooMuch)?);
            }
            _ => unreachable!("no column of arrays"),
        }
        Ok(())
    }

    /// Begins a struct, whose fields are then appended to their own columns.
    #[inline]
    pub fn begin_struct(&mut self, column: usize) {
        if let Values::Struct(length, _) = &mut self.for_values(column, 1).values {
            *length += 1;
        }
    }

    /// Appends a null.
    #[inline]
    pub fn push_null(&mut self, column: usize) {
        self.columns[column].nulls(1);
    }

    /// Appends what a field that is neither array nor struct holds where it is not on the wire.
    pub fn push_default(&mut self, column: usize) -> Result<(), TooMuch> {
        match (self.columns[column].default.clone(), &self.columns[column].values) {
            (FieldDefault::Int(value), _) => self.push_int(column, value),
            (FieldDefault::Float(value), _) => self.push_float(column, value),
            (FieldDefault::Bytes(value), Values::Uuid(..)) => self.push_uuid(column, chunk(&value, 0)),
            (FieldDefault::Bytes(value), _) => self.push_bytes(column, &value)?,
            (FieldDefault::Null | FieldDefault::Empty, _) => self.push_null(column),
        }
        Ok(())
    }

    /// A column to which so many values are appended next.
    #[inline(always)]
    fn for_values(&mut self, number: usize, count: usize) -> &mut Column {
        if self.columns[number].sparse {
            self.mend(number, count);
        }
        &mut self.columns[number]
    }

    #[inline(never)]
    fn mend(&mut self, number: usize, count: usize) {
        self.settle(number);
        self.columns[number].valid(count);
    }

    /// Gives the nulls at the end of a column their values, in the columns of a struct's fields too.
    pub(super) fn settle(&mut self, number: usize) {
        let (below, rest) = self.columns.split_at_mut(number);
        let (count, fields) = rest[0].settle();
        if count > 0 {
            fields.iter().for_each(|field| below[*field].nulls(count));
        }
    }

    /// Makes a column, and all below it, as long as it was.
    pub fn take_back(&mut self, number: usize, length: usize) {
        take_back(&mut self.columns, number, length);
    }
}

fn reserve(columns: &mut [Column], number: usize, count: usize) {
    let (below, rest) = columns.split_at_mut(number);
    match &mut rest[0].values {
        Values::Struct(_, fields) => fields.iter().for_each(|field| reserve(below, *field, count)),
        values => values.reserve(count),
    }
}

fn take_back(columns: &mut [Column], number: usize, length: usize) {
    let (below, rest) = columns.split_at_mut(number);
    let (length, fields) = rest[0].truncate(length);
    fields.iter().for_each(|field| take_back(below, *field, length));
}

impl Cut<Vec<u8>> {
    #[inline]
    fn push(&mut self, value: &[u8]) -> Result<(), TooMuch> {
        self.content.extend_from_slice(value);
        self.offsets.push(i32::try_from(self.content.len()).map_err(|_| TooMuch)?);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A list of structs of a text and an int8, as a column of the root.
    fn columns() -> (Columns, [usize; 4]) {
        let mut columns = Columns::default();
        let text = columns.add("text", Values::text(), FieldDefault::Null);
        let number = columns.add("number", Values::Int8(Vec::new()), FieldDefault::Int(7));
        let element = columns.add("item", Values::Struct(0, vec![text, number]), FieldDefault::Empty);
        let list = columns.add("list", Values::list(element), FieldDefault::Empty);
        (columns, [text, number, element, list])
    }

    #[test]
    fn a_row_that_is_taken_back_leaves_nothing() {
        let (mut columns, [text, number, element, list]) = columns();
        columns.begin_struct(element);
        columns.push_null(text);
        columns.push_int(number, 7);
        columns.end_list(list, 1).expect("room");
        columns.push_null(list);
        columns.begin_struct(element);
        columns.push_bytes(text, b"half").expect("room");
        columns.push_int(number, 3);
        columns.take_back(list, 2);
        assert_eq!([text, number, element, list].map(|column| columns.length(column)), [1, 1, 1, 2]);
        let finished = columns.finish(list).expect("room");
        assert_eq!(finished.buffers[0].typed_data::<i32>(), [0, 1, 1]);
        assert_eq!(finished.children[0].children[1].buffers[0].as_slice(), [7]);
        assert_eq!(finished.children[0].children[0].buffers[1].len(), 0);
    }

    #[test]
    fn nulls_take_their_place_among_values_and_below_structs() {
        let (mut columns, [text, number, element, _]) = columns();
        columns.push_null(element);
        columns.push_null(element);
        columns.begin_struct(element);
        columns.push_bytes(text, b"a").expect("room");
        columns.push_int(number, 3);
        columns.push_null(element);
        let finished = columns.finish(element).expect("room");
        assert_eq!(finished.nulls.map(|nulls| nulls.iter().collect::<Vec<_>>()), Some(vec![false, false, true, false]));
        assert_eq!(finished.children[0].buffers[0].typed_data::<i32>(), [0, 0, 0, 1, 1]);
        assert_eq!(finished.children[1].buffers[0].as_slice(), [0, 0, 3, 0]);
        assert_eq!(finished.children[1].nulls.as_ref().map(arrow_buffer::NullBuffer::null_count), Some(3));
    }

    #[test]
    fn columns_without_nulls_have_no_validity() {
        let (mut columns, [_, number, ..]) = columns();
        columns.push_int(number, 1);
        assert!(columns.finish(number).expect("room").nulls.is_none());
    }
}
