//! The trait of sinks, and the values that they receive.

use super::Walk;
use crate::error::MessageResult;
use crate::plan::{Codec, Kind, Layout, Member};

/// A value without parts, as it is on the wire.
#[derive(Clone, Copy)]
pub enum Leaf<'data> {
    /// Null instead of a text, bytes, a struct or an array.
    Null,
    /// A value of constant size.
    Fixed(Kind, &'data [u8]),
    /// An integer of variable size.
    Int(i64),
    /// The bytes of a text, which may not be UTF-8.
    String(&'data [u8]),
    /// Bytes, or records.
    Bytes(&'data [u8]),
    /// An array of `count` values of constant size, with the bytes of all of them.
    FixedArray {
        kind: Kind,
        count: usize,
        bytes: &'data [u8],
    },
}

/// A receiver of the values that a walk finds.
///
/// Each method receives the place of the value, its destination. Every value becomes a `Value`, which is then passed to
/// the struct or the array that contains it.
pub trait Sink<'a, 'data>: Sized {
    /// The destination of a value.
    type Place: Copy;
    /// The result of reading a value.
    type Value;
    /// A struct while its fields are read.
    type Fields;
    /// An array while its elements are read.
    type Items;

    /// Read a value. A sink may read some values itself, or skip them.
    #[inline(always)]
    fn value(&mut self, walk: &mut Walk<'a, 'data>, place: Self::Place, codec: Codec) -> MessageResult<Self::Value> {
        walk.value(self, place, codec)
    }

    /// Read the elements of an array. A sink may read many of them at once.
    #[inline(always)]
    fn elements(
        &mut self,
        walk: &mut Walk<'a, 'data>,
        place: Self::Place,
        element: Codec,
        count: usize,
    ) -> MessageResult<Self::Value> {
        walk.elements(self, place, element, count)
    }

    /// Receive a value without parts.
    fn leaf(&mut self, place: Self::Place, leaf: Leaf<'data>) -> MessageResult<Self::Value>;

    /// Begin an array.
    fn begin_array(&mut self, place: Self::Place, count: usize) -> MessageResult<Self::Items>;

    /// Return the place of the elements of an array that was begun.
    fn place_of_elements(&self, place: Self::Place, items: &Self::Items) -> Self::Place;

    /// Append an element.
    fn push(&mut self, items: &mut Self::Items, value: Self::Value);

    /// End an array that has all its elements.
    fn end_array(&mut self, place: Self::Place, items: Self::Items, count: usize) -> MessageResult<Self::Value>;

    /// Begin a struct.
    fn begin_struct(&mut self, place: Self::Place, layout: &'a Layout) -> MessageResult<Self::Fields>;

    /// Return the place of a field.
    fn place_of_field(&self, fields: &Self::Fields, field: usize) -> Self::Place;

    /// Receive consecutive fields of constant size: their bytes, which begin at this offset.
    fn run(
        &mut self,
        fields: &mut Self::Fields,
        members: &'a [Member],
        bytes: &'data [u8],
        offset: usize,
    ) -> MessageResult<()>;

    /// Set a field, tagged or not.
    fn set(&mut self, fields: &mut Self::Fields, field: usize, value: Self::Value);

    /// Add a tagged field that the layout does not have.
    fn unknown_tag(&mut self, fields: &mut Self::Fields, tag: u32, data: &'data [u8]) -> MessageResult<()>;

    /// End a struct. Tagged fields that were not sent were not set.
    fn end_struct(&mut self, fields: Self::Fields, layout: &'a Layout) -> MessageResult<Self::Value>;
}
