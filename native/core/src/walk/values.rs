//! The walk through values, and the trait that sinks implement.

use crate::budget::Budget;
use crate::error::{MessageError, MessageResult, Part};
use crate::limits::Limits;
use crate::plan::{Codec, Element, Kind, Layout, Length, Member, NullMark, Plan, Step};
use crate::wire::{Cursor, WireError, too_few_bytes};

/// A value without parts, in its wire format.
#[derive(Clone, Copy)]
pub enum Leaf<'data> {
    /// Null in place of a string, bytes, a struct or an array.
    Null,
    /// A fixed-size value.
    Fixed(Kind, &'data [u8]),
    /// An integer of variable size.
    Int(i64),
    /// The bytes of a string, which have not been checked to be UTF-8.
    String(&'data [u8]),
    /// Bytes, or records.
    Bytes(&'data [u8]),
    /// An array of `count` fixed-size values, with the bytes of all of them.
    FixedArray {
        kind: Kind,
        count: usize,
        bytes: &'data [u8],
    },
}

/// A receiver of the values that a walk finds.
///
/// A value is read into a `Place`, its destination. It becomes a `Value`, which is then passed to the struct or the
/// array that contains it.
pub trait Sink<'a, 'data>: Sized {
    /// The destination of a value.
    type Place: Copy;
    /// The result of reading a value.
    type Value;
    /// A struct whose fields are being read.
    type Fields;
    /// An array whose elements are being read.
    type Items;

    /// Read a value. A sink may read some values itself, or skip them.
    #[inline(always)]
    fn value(&mut self, walk: &mut Walk<'a, 'data>, place: Self::Place, codec: Codec) -> MessageResult<Self::Value> {
        walk.value(self, place, codec)
    }

    /// Read the elements of an array. A sink may read many elements together.
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

    /// Return the place for the elements of an array that has begun.
    fn place_of_elements(&self, place: Self::Place, items: &Self::Items) -> Self::Place;

    /// Append an element to an array.
    fn push(&mut self, items: &mut Self::Items, value: Self::Value);

    /// End an array, which now has all its elements.
    fn end_array(&mut self, place: Self::Place, items: Self::Items, count: usize) -> MessageResult<Self::Value>;

    /// Begin a struct.
    fn begin_struct(&mut self, place: Self::Place, layout: &'a Layout) -> MessageResult<Self::Fields>;

    /// Return the place of a field.
    fn place_of_field(&self, fields: &Self::Fields, field: usize) -> Self::Place;

    /// Receive consecutive fixed-size fields: their bytes, and the offset at which these begin.
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

    /// End a struct. Tagged fields that were not sent have not been set.
    fn end_struct(&mut self, fields: Self::Fields, layout: &'a Layout) -> MessageResult<Self::Value>;
}

/// A position in the bytes of a message.
pub struct Walk<'a, 'data> {
    pub plan: &'a Plan,
    pub cursor: Cursor<'data>,
    /// The start of the latest field, element or tag, which an error reports as its offset.
    pub start: usize,
    pub(super) limits: Limits,
    budget: Budget,
}

impl<'a, 'data> Walk<'a, 'data> {
    /// Begin at the start of a message, which may extend to the end of the buffer.
    pub fn new(plan: &'a Plan, limits: Limits, cursor: Cursor<'data>) -> Self {
        Walk {
            plan,
            cursor,
            start: cursor.at(),
            limits,
            budget: Budget::new(&limits, cursor.left()),
        }
    }

    /// Begin at a part of a message that has already been read within its limits.
    pub fn again(plan: &'a Plan, cursor: Cursor<'data>) -> Self {
        Walk {
            plan,
            cursor,
            start: cursor.at(),
            limits: Limits::NONE,
            budget: Budget::UNLIMITED,
        }
    }

    /// Read a message.
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

    /// End the message that began at offset `begin`. Fail if it exceeds its memory limit.
    pub fn end_message(&mut self, begin: usize) -> MessageResult<()> {
        if self.budget.suffices(&self.limits, self.cursor.at() - begin) {
            return Ok(());
        }
        self.start = begin;
        Err(self.limits.too_much_memory().into())
    }

    /// Read a struct.
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

    /// Read the fields of a struct that a sink has begun.
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

    /// Read a value.
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
            Codec::Array { length, element } => {
                let Element { codec, charge } = self.plan.elements[element as usize];
                if let Some(count) = self.count(length, charge)? {
                    return sink.elements(self, place, codec, count);
                }
                Leaf::Null
            }
        };
        sink.leaf(place, leaf)
    }

    /// Read the elements of an array, one by one.
    #[inline(never)]
    pub fn elements<S: Sink<'a, 'data>>(
        &mut self,
        sink: &mut S,
        place: S::Place,
        element: Codec,
        count: usize,
    ) -> MessageResult<S::Value> {
        let mut items = sink.begin_array(place, count)?;
        let inner = sink.place_of_elements(place, &items);
        for index in 0..count {
            self.start = self.cursor.at();
            let value = sink
                .value(self, inner, element)
                .map_err(|error| error.within(Part::Index(index)))?;
            sink.push(&mut items, value);
        }
        sink.end_array(place, items, count)
    }

    /// Read the number of elements in an array, and take their charges from the budget; return `None` for null.
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
    pub(super) fn take(&mut self, count: usize, charge: u32) -> Result<(), WireError> {
        if self.budget.take(count, charge) {
            Ok(())
        } else {
            Err(self.limits.too_much_memory())
        }
    }

    /// Read the number and the bytes of fixed-size elements; return `None` for null. If elements are missing, the error
    /// is at the first missing element.
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

    /// Fail at the first incomplete member of a run.
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

    /// Return the number of bytes before the tag section of a flexible struct, if all fields there have a fixed size;
    /// `None` for other values.
    pub(super) fn constant_size(&self, codec: Codec) -> Option<usize> {
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

#[cfg(test)]
mod tests {
    use super::super::skip::Skip;
    use super::*;
    use crate::columns::Names;
    use crate::error::Cause;

    /// The plan of a message with a number, an array of structs, and a tag section. Each struct has a string and
    /// numbers.
    const PLAN: &str = "\
messagegen-plan 3
message Order data 0
struct Order
 number number int32 0
 lines lines []Line []
 note note string \"\"
struct Line
 name name string \"\"
 sizes sizes []int16 []
layout 0 Line 0 flexible 50
 name compact_string
 sizes compact_array(int16,10)
layout 1 Order 0 flexible 50
 number int32
 lines compact_array(struct(0),100)
 :tag 3 note compact_string
 :foreign 5
";

    /// Walk through a message; return its end, or the reason, the path and the offset of the error.
    fn skipped(bytes: &[u8], limits: Limits) -> Result<usize, (String, String, usize)> {
        let plan = Plan::parse(PLAN).expect("a valid plan");
        let cursor = Cursor::new(bytes, 0).expect("an offset within the bytes");
        let mut walk = Walk::new(&plan, limits, cursor);
        match walk.message(&mut Skip::checked(), (), 1) {
            Ok(()) => Ok(walk.cursor.at()),
            Err(error) => match error.cause() {
                Cause::Message(reason, parts) => Err((reason.text, Names::Attributes.path(&plan, &parts), walk.start)),
                Cause::Other(error) => panic!("{error}"),
            },
        }
    }

    fn found(bytes: &[u8]) -> (String, String, usize) {
        skipped(bytes, Limits::DEFAULT).expect_err("bytes that are refused")
    }

    #[test]
    fn a_message_ends_after_its_tag_section() {
        let bytes = [0, 0, 0, 1, 2, 2, b'a', 3, 0, 1, 0, 2, 0, 0, 99];
        assert_eq!(skipped(&bytes, Limits::DEFAULT), Ok(14));
    }

    #[test]
    fn an_error_has_the_path_and_the_offset_of_its_field() {
        let text_is_cut_off = [0, 0, 0, 1, 2, 9, b'a'];
        let (reason, path, offset) = found(&text_is_cut_off);
        assert!(reason.starts_with("invalid number of bytes, 8"), "{reason}");
        assert_eq!((path.as_str(), offset), ("lines[0].name", 5));
    }

    #[test]
    fn a_missing_element_of_constant_size_is_named_by_its_index() {
        let second_size_is_cut_off = [0, 0, 0, 1, 2, 1, 3, 0, 1, 0];
        let (reason, path, offset) = found(&second_size_is_cut_off);
        assert_eq!(reason, "the bytes end early: 2 needed, 1 left");
        assert_eq!((path.as_str(), offset), ("lines[0].sizes[1]", 9));
    }

    #[test]
    fn a_missing_member_of_a_run_is_named() {
        let (reason, path, offset) = found(&[0, 0]);
        assert_eq!(reason, "the bytes end early: 4 needed, 2 left");
        assert_eq!((path.as_str(), offset), ("number", 0));
    }

    #[test]
    fn tags_are_checked() {
        let foreign = [0, 0, 0, 1, 1, 1, 5, 0];
        assert_eq!(found(&foreign).0, "tag 5 is not valid in this version");
        let twice = [0, 0, 0, 1, 1, 2, 3, 1, 1, 3, 1, 1];
        assert_eq!(found(&twice), ("tag 3 comes twice".to_owned(), "note".to_owned(), 9));
        let longer_than_announced = [0, 0, 0, 1, 1, 1, 3, 1, 2, b'a'];
        assert_eq!(
            found(&longer_than_announced).0,
            "tag 3 has 1 bytes, but its value has 2"
        );
        let unknown = [0, 0, 0, 1, 1, 1, 9, 2, 7, 7];
        assert_eq!(skipped(&unknown, Limits::DEFAULT), Ok(10));
    }

    #[test]
    fn charges_are_taken_before_the_first_element() {
        let limits = Limits {
            memory_factor: 12,
            memory_constant: 200,
            ..Limits::DEFAULT
        };
        let two_lines = [0, 0, 0, 1, 3, 1, 1, 0, 1, 1, 0, 0];
        assert_eq!(skipped(&two_lines, limits), Ok(12));
        // The element bytes are invalid, but the walk never reads them.
        let three_lines = [0, 0, 0, 1, 4, 0xFF, 0xFF, 0xFF];
        let (reason, path, offset) = skipped(&three_lines, limits).expect_err("too much memory");
        assert!(
            reason.starts_with("decoding takes more memory than 12 times"),
            "{reason}"
        );
        assert_eq!((path.as_str(), offset), ("lines", 4));
        let three_sizes = [0, 0, 0, 1, 2, 1, 4, 0, 0, 0, 0, 0, 0, 0, 0];
        assert_eq!(skipped(&three_sizes, limits), Ok(15));
    }

    #[test]
    fn tagged_fields_are_charged_and_limited() {
        let limits = Limits {
            memory_factor: 12,
            memory_constant: 99,
            ..Limits::DEFAULT
        };
        let two_tags = [0, 0, 0, 1, 1, 2, 7, 0, 8, 0];
        let (reason, path, offset) = skipped(&two_tags, limits).expect_err("too much memory");
        assert!(reason.starts_with("decoding takes more memory"), "{reason}");
        assert_eq!((path.as_str(), offset), ("", 5));
        let limits = Limits {
            tagged_field_count: 1,
            ..Limits::DEFAULT
        };
        let (reason, ..) = skipped(&two_tags, limits).expect_err("too many tags");
        assert!(reason.starts_with("2 tagged fields are more than 1"), "{reason}");
    }
}
