//! Where rows come from: columns of Arrow, or rows of another format.

use crate::error::MessageResult;

/// The type of a column, with the columns within it.
pub trait ColumnType: Sized {
    /// Whether the upper and lower case of names does not count, except for fields that differ in nothing else.
    const IN_ANY_CASE: bool = false;

    /// Its name in its struct.
    fn name(&self) -> &str;

    /// Whether this is its name, in the case that counts.
    fn is_named(&self, name: &str) -> bool {
        self.name() == name || Self::IN_ANY_CASE && self.name().eq_ignore_ascii_case(name)
    }

    /// What its values are.
    fn held(&self) -> Held<Self>;

    /// Why it does not fit a field, in words of the format: `needs integers, not ...`.
    fn mismatch(&self, needed: Needed) -> String;
}

/// What the values of a column are.
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
    /// Types that fields do not have.
    Other,
}

/// What a field takes.
#[derive(Clone, Copy)]
#[allow(missing_docs)]
pub enum Needed {
    Bool,
    Integers,
    Floats,
    /// Its 16 bytes, or its text.
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

/// The values of a column. Where they are is checked when they are read.
pub trait Source<'d>: ColumnType {
    /// A struct whose columns are read.
    type Row: Copy;
    /// A value that is not null.
    type Place: Copy;
    /// The elements of an array, `None` for null.
    type Elements: ExactSizeIterator<Item = Option<Self::Place>>;

    /// The value of this column in a row; `None` for null.
    fn value(&self, row: Self::Row) -> MessageResult<Option<Self::Place>>;

    /// The struct at a place.
    fn row(&self, place: Self::Place) -> MessageResult<Self::Row>;

    /// The elements of the array at a place.
    fn elements(&self, place: Self::Place) -> MessageResult<Self::Elements>;

    /// The entries of the map at a place; a tag that is no int64 is the highest one.
    fn tags(&self, place: Self::Place) -> MessageResult<Vec<Tag<'d>>>;

    /// The integer at a place, or the boolean as 0 or 1; `None` for what int64 can't hold.
    fn int(&self, place: Self::Place) -> Option<i64>;

    /// The integer at a place as text.
    fn int_text(&self, place: Self::Place) -> String;

    /// The float at a place.
    fn float(&self, place: Self::Place) -> f64;

    /// Whether the values are texts, and not bytes.
    fn is_text(&self) -> bool;

    /// The bytes or the text at a place.
    fn bytes(&self, place: Self::Place) -> MessageResult<&'d [u8]>;
}
