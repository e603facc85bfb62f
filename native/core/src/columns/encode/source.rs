//! The sources of rows: Arrow columns, or rows in a different format.

use crate::error::MessageResult;

/// The type of a column, with the columns within it.
pub trait ColumnType: Sized {
    /// Whether names are case-insensitive, except for fields whose names differ only in case.
    const IN_ANY_CASE: bool = false;

    /// Return the name of the column in its struct.
    fn name(&self) -> &str;

    /// Whether the column has this name; `IN_ANY_CASE` determines whether case matters.
    fn is_named(&self, name: &str) -> bool {
        self.name() == name || Self::IN_ANY_CASE && self.name().eq_ignore_ascii_case(name)
    }

    /// Return the kind of the column's values.
    fn held(&self) -> Held<Self>;

    /// Return why the column does not fit a field, in the terms of its format: `needs integers, not ...`.
    fn mismatch(&self, needed: Needed) -> String;
}

/// The kind of a column's values.
pub enum Held<C> {
    /// Nulls only.
    Nothing,
    Bool,
    Integers,
    Floats,
    Text,
    Bytes,
    /// Arrays, with the column of their elements.
    List(C),
    /// Maps, with the columns of keys and values.
    Map(C, C),
    /// Structs, with the columns of their fields.
    Struct(Vec<C>),
    /// A type that no field has.
    Other,
}

/// The kind of values that a field needs.
#[derive(Clone, Copy)]
#[allow(missing_docs)]
pub enum Needed {
    Bool,
    Integers,
    Floats,
    /// A uuid as 16 bytes or as text.
    Uuid,
    Text,
    Bytes,
    List,
    Struct,
    /// A map of integers to bytes.
    Tags,
}

/// A tag and its bytes; `None` if one of them is null.
pub type Tag<'d> = Option<(i64, &'d [u8])>;

/// The values of a column. A place is not checked before its value is read.
pub trait Source<'d>: ColumnType {
    /// A row or a struct. Columns read their values from it.
    type Row: Copy;
    /// A value that is not null.
    type Place: Copy;
    /// The elements of an array; `None` for a null element.
    type Elements: ExactSizeIterator<Item = Option<Self::Place>>;

    /// Return the value of this column in a row; `None` for null.
    fn value(&self, row: Self::Row) -> MessageResult<Option<Self::Place>>;

    /// Return the struct at a place.
    fn row(&self, place: Self::Place) -> MessageResult<Self::Row>;

    /// Return the elements of the array at a place.
    fn elements(&self, place: Self::Place) -> MessageResult<Self::Elements>;

    /// Return the entries of the map at a place; a tag beyond int64 becomes the highest int64.
    fn tags(&self, place: Self::Place) -> MessageResult<Vec<Tag<'d>>>;

    /// Return the integer at a place, or the boolean as 0 or 1; `None` for values beyond int64.
    fn int(&self, place: Self::Place) -> Option<i64>;

    /// Return the integer at a place as text.
    fn int_text(&self, place: Self::Place) -> String;

    /// Return the float at a place.
    fn float(&self, place: Self::Place) -> f64;

    /// Whether the values are strings rather than bytes.
    fn is_text(&self) -> bool;

    /// Return the bytes or the string at a place.
    fn bytes(&self, place: Self::Place) -> MessageResult<&'d [u8]>;
}
