//! What a walk gives its values to.

use super::values::Walk;
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
    /// The bytes of a text, which are not known to be UTF-8.
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

/// What is made of the values that a walk finds.
///
/// Each method gets the place of the value: where it goes. Every value becomes a `Value`, which is then given to the
/// struct or the array that it is in.
pub trait Sink<'a, 'data>: Sized {
    /// Where a value goes.
    type Place: Copy;
    /// What a value becomes.
    type Value;
    /// A struct some of whose fields were read.
    type Fields;
    /// An array some of whose elements were read.
    type Items;

    /// Reads a value. A sink may read some values itself, or skip them.
    #[inline(always)]
    fn value(&mut self, walk: &mut Walk<'a, 'data>, place: Self::Place, codec: Codec) -> MessageResult<Self::Value> {
        walk.value(self, place, codec)
    }

    /// Reads the elements of an array. A sink may read many of them at once.
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

    /// A value without parts.
    fn leaf(&mut self, place: Self::Place, leaf: Leaf<'data>) -> MessageResult<Self::Value>;

    /// Begins an array.
    fn begin_array(&mut self, place: Self::Place, count: usize) -> MessageResult<Self::Items>;

    /// The place of the elements of an array that was begun.
    fn place_of_elements(&self, place: Self::Place, items: &Self::Items) -> Self::Place;

    /// Appends an element.
    fn push(&mut self, items: &mut Self::Items, value: Self::Value);

    /// Ends an array that has all its elements.
    fn end_array(&mut self, place: Self::Place, items: Self::Items, count: usize) -> MessageResult<Self::Value>;

    /// Begins a struct.
    fn begin_struct(&mut self, place: Self::Place, layout: &'a Layout) -> MessageResult<Self::Fields>;

    /// The place of a field.
    fn place_of_field(&self, fields: &Self::Fields, field: usize) -> Self::Place;

    /// Consecutive fields of constant size: their bytes, which begin at this offset.
    fn run(
        &mut self,
        fields: &mut Self::Fields,
        members: &'a [Member],
        bytes: &'data [u8],
        offset: usize,
    ) -> MessageResult<()>;

    /// Sets a field, tagged or not.
    fn set(&mut self, fields: &mut Self::Fields, field: usize, value: Self::Value);

    /// Adds a tagged field that the layout does not have.
    fn unknown_tag(&mut self, fields: &mut Self::Fields, tag: u32, data: &'data [u8]) -> MessageResult<()>;

    /// Ends a struct. Tagged fields that were not sent were not set.
    fn end_struct(&mut self, fields: Self::Fields, layout: &'a Layout) -> MessageResult<Self::Value>;
}
