//! The walk over the bytes of a message.
//!
//! It is the only reader of the wire format: it knows where each value of a layout begins and ends, what is refused,
//! and where an error is. What is made of the values is up to a [`Sink`]: nothing ([`Skip`]), columns, or objects of a
//! host's language. The compiler makes a walk for each sink.
//!
//! The walk takes the same steps as the reference codec (`runtime/walk.py`), so both report the same error at the same
//! position.

mod skip;
mod tags;

pub use self::skip::Skip;
use crate::budget::Budget;
use crate::error::{MessageError, MessageResult, Part};
use crate::limits::Limits;
use crate::plan::{Codec, Kind, Layout, Length, Member, NullMark, Plan, Step};
use crate::wire::{Cursor, WireError, too_few_bytes};

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

    /// The place of the elements of an array.
    fn place_of_elements(&self, place: Self::Place) -> Self::Place;

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

/// A position in the bytes of a message.
pub struct Walk<'a, 'data> {
    pub plan: &'a Plan,
    pub cursor: Cursor<'data>,
    /// Where the latest field, element or tag began: the offset of an error.
    pub start: usize,
    limits: Limits,
    budget: Budget,
}

impl<'a, 'data> Walk<'a, 'data> {
    /// Begins at a message, which may extend to the end of the buffer.
    pub fn new(plan: &'a Plan, limits: Limits, cursor: Cursor<'data>) -> Self {
        Walk {
            plan,
            cursor,
            start: cursor.at(),
            limits,
            budget: Budget::new(&limits, cursor.left()),
        }
    }

    /// Begins at a part of a message that was read, within its limits, before.
    pub fn again(plan: &'a Plan, cursor: Cursor<'data>) -> Self {
        Walk {
            plan,
            cursor,
            start: cursor.at(),
            limits: Limits::NONE,
            budget: Budget::UNLIMITED,
        }
    }

    /// Reads a message.
    pub fn message<S: Sink<'a, 'data>>(
        &mut self,
        sink: &mut S,
        place: S::Place,
        layout: u32,
    ) -> MessageResult<S::Value> {
        let begin = self.cursor.at();
        let message = self.structure(sink, place, layout)?;
        self.end_message(begin)?;
        Ok(message)
    }

    /// Ends a message that began at an offset.
    pub fn end_message(&mut self, begin: usize) -> MessageResult<()> {
        if self.budget.suffices(&self.limits, self.cursor.at() - begin) {
            return Ok(());
        }
        self.start = begin;
        Err(self.limits.too_much_memory().into())
    }

    /// Reads a struct.
    pub fn structure<S: Sink<'a, 'data>>(
        &mut self,
        sink: &mut S,
        place: S::Place,
        number: u32,
    ) -> MessageResult<S::Value> {
        let plan = self.plan;
        let layout = &plan.layouts[number as usize];
        let mut fields = sink.begin_struct(place, layout)?;
        self.fields(sink, &mut fields, number, layout)?;
        sink.end_struct(fields, layout)
    }

    /// Reads the fields of a struct that a sink has begun.
    #[inline(always)]
    pub fn fields<S: Sink<'a, 'data>>(
        &mut self,
        sink: &mut S,
        fields: &mut S::Fields,
        number: u32,
        layout: &'a Layout,
    ) -> MessageResult<()> {
        for step in &layout.steps {
            match step {
                Step::Run { size, members } => {
                    let offset = self.cursor.at();
                    let Ok(bytes) = self.cursor.take(*size) else {
                        return self.missing_member(number, members);
                    };
                    sink.run(fields, members, bytes, offset)?;
                }
                Step::Value { field, codec } => {
                    self.start = self.cursor.at();
                    let place = sink.place_of_field(fields, *field);
                    let value = sink
                        .value(self, place, *codec)
                        .map_err(|error| error.within(Part::Field(number, *field)))?;
                    sink.set(fields, *field, value);
                }
            }
        }
        if layout.flexible {
            self.tag_section(sink, fields, number, layout)?;
        }
        Ok(())
    }

    /// Reads a value.
    #[inline(always)]
    pub fn value<S: Sink<'a, 'data>>(
        &mut self,
        sink: &mut S,
        place: S::Place,
        codec: Codec,
    ) -> MessageResult<S::Value> {
        let leaf = match codec {
            Codec::Fixed(kind) => Leaf::Fixed(kind, self.cursor.take(kind.size())?),
            Codec::Packed(bits) => Leaf::Int(self.cursor.packed(bits)?),
            Codec::Upacked(bits) => Leaf::Int(self.cursor.upacked(bits)?),
            Codec::String(length) => self.cursor.string(length)?.map_or(Leaf::Null, Leaf::String),
            Codec::Bytes(length) => self.cursor.bytes(length)?.map_or(Leaf::Null, Leaf::Bytes),
            Codec::Struct { layout, null } => {
                if !self.cursor.is_null(null)? {
                    return self.structure(sink, place, layout);
                }
                Leaf::Null
            }
            Codec::FixedArray { length, kind, charge } => match self.fixed_array(length, kind, charge)? {
                Some((count, bytes)) => Leaf::FixedArray { kind, count, bytes },
                None => Leaf::Null,
            },
            Codec::Array {
                length,
                element,
                charge,
            } => {
                if let Some(count) = self.count(length, charge)? {
                    return sink.elements(self, place, self.plan.codecs[element as usize], count);
                }
                Leaf::Null
            }
        };
        sink.leaf(place, leaf)
    }

    /// Reads the elements of an array, one by one.
    #[inline(never)]
    pub fn elements<S: Sink<'a, 'data>>(
        &mut self,
        sink: &mut S,
        place: S::Place,
        element: Codec,
        count: usize,
    ) -> MessageResult<S::Value> {
        let mut items = sink.begin_array(place, count)?;
        let inner = sink.place_of_elements(place);
        for index in 0..count {
            self.start = self.cursor.at();
            let value = sink
                .value(self, inner, element)
                .map_err(|error| error.within(Part::Index(index)))?;
            sink.push(&mut items, value);
        }
        sink.end_array(place, items, count)
    }

    /// The number of elements of an array, for which there is enough in the budget; `None` for null.
    #[inline(always)]
    fn count(&mut self, length: Length, charge: u32) -> Result<Option<usize>, WireError> {
        let count = self.cursor.count(length)?;
        if let Some(count) = count {
            self.limits.check_elements(count)?;
            self.take(count, charge)?;
        }
        Ok(count)
    }

    #[inline(always)]
    fn take(&mut self, count: usize, charge: u32) -> Result<(), WireError> {
        if self.budget.take(count, charge) {
            Ok(())
        } else {
            Err(self.limits.too_much_memory())
        }
    }

    /// The number and the bytes of elements of constant size; `None` for null. If some are missing, the error says
    /// which is the first.
    #[inline(always)]
    pub fn fixed_array(
        &mut self,
        length: Length,
        kind: Kind,
        charge: u32,
    ) -> MessageResult<Option<(usize, &'data [u8])>> {
        let Some(count) = self.count(length, charge)? else {
            return Ok(None);
        };
        let size = kind.size();
        let begin = self.cursor.at();
        let Ok(bytes) = self.cursor.take(count.saturating_mul(size)) else {
            return self.missing_element(size);
        };
        if count > 0 {
            self.start = begin + bytes.len() - size;
        }
        Ok(Some((count, bytes)))
    }

    /// The error for the first member of a run that has not all its bytes.
    #[cold]
    #[inline(never)]
    fn missing_member(&mut self, number: u32, members: &[Member]) -> MessageResult<()> {
        for member in members {
            self.start = self.cursor.at();
            self.cursor
                .take(member.kind.size())
                .map_err(|error| MessageError::from(error).within(Part::Field(number, member.field)))?;
        }
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn missing_element<T>(&mut self, size: usize) -> MessageResult<T> {
        let left = self.cursor.left();
        let complete = left / size;
        self.start = self.cursor.at() + complete * size;
        let error = MessageError::from(too_few_bytes(size, left % size));
        Err(error.within(Part::Index(complete)))
    }

    /// The number of bytes of a struct of constant size before its tag section; `None` for other structs.
    fn constant_size(&self, codec: Codec) -> Option<usize> {
        let Codec::Struct {
            layout,
            null: NullMark::Never,
        } = codec
        else {
            return None;
        };
        let layout = &self.plan.layouts[layout as usize];
        match layout.steps.as_slice() {
            [Step::Run { size, .. }] if layout.flexible => Some(*size),
            _ => None,
        }
    }
}
