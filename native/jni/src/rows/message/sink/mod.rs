//! Decodes one message to a Spark row. Each value is written once, in its final place.
//!
//! The bytes are the same as Spark itself would write for the same values, because Spark compares rows by their bytes.

mod structs;
mod values;

use messagegen_core::error::MessageResult;
use messagegen_core::plan::{Codec, Layout, Member};
use messagegen_core::walk::{Leaf, Sink, Skip, Walk};

pub use self::structs::RowSink;
use self::structs::{OpenStruct, Place};
pub use self::values::word_of_place;
use self::values::{OpenArray, int_word};
use super::shape::{Shape, StructShape};

impl<'a> RowSink<'a, '_> {
    /// Decode a message to a row that begins at the next word.
    pub fn message<'data>(
        &mut self,
        walk: &mut Walk<'a, 'data>,
        shape: &'a StructShape,
        layout: u32,
    ) -> MessageResult<()> {
        let begin = walk.cursor.at();
        let described = &self.plan.layouts[layout as usize];
        let mut row = self.open_struct(shape, self.row.words.len(), described);
        walk.fields(self, &mut row, layout, described)?;
        self.end_struct(row, described)?;
        walk.end_message(begin)
    }
}

impl<'a, 'data> Sink<'a, 'data> for RowSink<'a, '_> {
    /// `None` for a value that is not selected.
    type Place = Option<Place<'a>>;
    /// The word of the value; `None` for null.
    type Value = Option<u64>;
    type Fields = OpenStruct<'a, 'data>;
    type Items = OpenArray;

    #[inline(always)]
    fn value(&mut self, walk: &mut Walk<'a, 'data>, place: Self::Place, codec: Codec) -> MessageResult<Option<u64>> {
        if place.is_some() {
            return walk.value(self, place, codec);
        }
        walk.value(&mut Skip::checked(), (), codec)?;
        Ok(None)
    }

    #[inline(always)]
    fn leaf(&mut self, place: Self::Place, leaf: Leaf<'data>) -> MessageResult<Option<u64>> {
        let Some(Place { shape, holder }) = place else {
            return Ok(None);
        };
        Ok(match (leaf, shape) {
            (Leaf::Null, _) => None,
            (Leaf::Fixed(kind, bytes), Shape::Leaf(leaf)) => Some(self.row.fixed(*leaf, kind, bytes, holder)),
            (Leaf::Int(value), Shape::Leaf(leaf)) => Some(int_word(*leaf, value)),
            (Leaf::String(text), _) => Some(self.row.text(text, holder)?),
            (Leaf::Bytes(bytes), _) => Some(self.row.bytes(bytes, holder)),
            (Leaf::FixedArray { kind, count, bytes }, Shape::List(element)) => {
                Some(self.row.fixed_array(element, kind, count, bytes, holder))
            }
            _ => unreachable!("the shape is that of another value"),
        })
    }

    #[inline(always)]
    fn begin_array(&mut self, place: Self::Place, count: usize) -> MessageResult<OpenArray> {
        let Some(Place {
            shape: Shape::List(element),
            ..
        }) = place
        else {
            unreachable!("not the shape of an array")
        };
        Ok(self.row.open_array(element.width(), count))
    }

    #[inline(always)]
    fn place_of_elements(&self, place: Self::Place, items: &OpenArray) -> Self::Place {
        match place {
            Some(Place {
                shape: Shape::List(element),
                ..
            }) => Some(Place {
                shape: element,
                holder: items.start,
            }),
            _ => None,
        }
    }

    #[inline(always)]
    fn push(&mut self, items: &mut OpenArray, value: Option<u64>) {
        self.row.set_element(items, value);
    }

    #[inline(always)]
    fn end_array(&mut self, place: Self::Place, items: OpenArray, _: usize) -> MessageResult<Option<u64>> {
        Ok(place.map(|place| self.row.reference(items.start, place.holder)))
    }

    #[inline(always)]
    fn begin_struct(&mut self, place: Self::Place, layout: &'a Layout) -> MessageResult<OpenStruct<'a, 'data>> {
        let Some(Place {
            shape: Shape::Struct(shape),
            holder,
        }) = place
        else {
            unreachable!("not the shape of a struct")
        };
        Ok(self.open_struct(shape, holder, layout))
    }

    #[inline(always)]
    fn place_of_field(&self, fields: &OpenStruct<'a, 'data>, field: usize) -> Self::Place {
        fields.shape.fields[field].as_ref().map(|described| Place {
            shape: &described.shape,
            holder: fields.start,
        })
    }

    #[inline(always)]
    fn run(
        &mut self,
        fields: &mut OpenStruct<'a, 'data>,
        members: &'a [Member],
        bytes: &'data [u8],
        _: usize,
    ) -> MessageResult<()> {
        for member in members {
            if let Some(field) = &fields.shape.fields[member.field]
                && let Shape::Leaf(leaf) = &field.shape
            {
                let word = self.row.fixed(*leaf, member.kind, &bytes[member.at..], fields.start);
                self.set_slot(fields, field.slot, Some(word));
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn set(&mut self, fields: &mut OpenStruct<'a, 'data>, field: usize, value: Option<u64>) {
        if let Some(field) = &fields.shape.fields[field] {
            self.set_slot(fields, field.slot, value);
        }
    }

    fn unknown_tag(&mut self, fields: &mut OpenStruct<'a, 'data>, tag: u32, data: &'data [u8]) -> MessageResult<()> {
        fields.add_unknown(tag, data);
        Ok(())
    }

    #[inline(always)]
    fn end_struct(&mut self, fields: OpenStruct<'a, 'data>, layout: &'a Layout) -> MessageResult<Option<u64>> {
        Ok(Some(self.finish_struct(&fields, layout)))
    }
}
