//! Decoding of one message into columns.

use super::schema::{Shape, StructShape};
use crate::arrow::builder::{Columns, Place};
use crate::columns::defaults::{Defaults, FieldDefault};
use crate::error::MessageResult;
use crate::plan::{Codec, Kind, Layout, Member, NullMark, Plan};
use crate::walk::{Leaf, Sink, Skip, Walk};
use crate::wire::text_bytes;

/// The minimum number of structs for reading in two passes: with fewer structs, a second pass takes longer than it
/// saves.
const WORTH_TWO_PASSES: usize = 4;

/// A sink that appends values to columns.
pub struct ColumnSink<'a, 'c> {
    plan: &'a Plan,
    defaults: &'a Defaults,
    pub(super) columns: &'c mut Columns,
    /// The places of values in plain structs; the memory is reused.
    pub(super) places: Vec<Place>,
}

impl<'a, 'c> ColumnSink<'a, 'c> {
    /// Create a sink that appends to columns made for the plan.
    pub fn new(plan: &'a Plan, defaults: &'a Defaults, columns: &'c mut Columns) -> Self {
        ColumnSink {
            plan,
            defaults,
            columns,
            places: Vec::new(),
        }
    }
}

impl<'a, 'data> Sink<'a, 'data> for ColumnSink<'a, '_> {
    /// The columns of the value; `None` if it is not selected.
    type Place = Option<&'a Shape>;
    type Value = ();
    type Fields = &'a StructShape;
    type Items = ();

    #[inline(always)]
    fn value(&mut self, walk: &mut Walk<'a, 'data>, place: Self::Place, codec: Codec) -> MessageResult<()> {
        match place {
            Some(_) => walk.value(self, place, codec),
            None => walk.value(&mut Skip::checked(), (), codec),
        }
    }

    #[inline(always)]
    fn elements(
        &mut self,
        walk: &mut Walk<'a, 'data>,
        place: Self::Place,
        element: Codec,
        count: usize,
    ) -> MessageResult<()> {
        if let Codec::Struct {
            layout,
            null: NullMark::Never,
        } = element
            && let Some(Shape::List(list)) = place
            && let Shape::Struct(shape) = &list.element
            && count >= WORTH_TWO_PASSES
            && shape.plain.contains(&layout)
        {
            self.plain_structs(walk, layout, shape, count)?;
            return Ok(self.columns.end_list(list.column, count)?);
        }
        walk.elements(self, place, element, count)
    }

    #[inline(always)]
    fn leaf(&mut self, place: Self::Place, leaf: Leaf<'data>) -> MessageResult<()> {
        let Some(shape) = place else { return Ok(()) };
        let (columns, column) = (&mut *self.columns, shape.column());
        match leaf {
            Leaf::Null => columns.push_null(column),
            Leaf::Fixed(kind, bytes) => columns.push_fixed(column, kind, bytes)?,
            Leaf::Int(value) => columns.push_int(column, value),
            Leaf::String(text) => columns.push_bytes(column, text_bytes(text)?)?,
            Leaf::Bytes(bytes) => columns.push_bytes(column, bytes)?,
            Leaf::FixedArray { kind, count, bytes } => {
                let Shape::List(list) = shape else {
                    unreachable!("not the columns of an array")
                };
                columns.push_run(list.element.column(), kind, count, bytes)?;
                columns.end_list(list.column, count)?;
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn begin_array(&mut self, _: Self::Place, _: usize) -> MessageResult<()> {
        Ok(())
    }

    #[inline(always)]
    fn place_of_elements(&self, place: Self::Place, (): &()) -> Self::Place {
        match place {
            Some(Shape::List(list)) => Some(&list.element),
            _ => None,
        }
    }

    #[inline(always)]
    fn push(&mut self, (): &mut (), (): ()) {}

    #[inline(always)]
    fn end_array(&mut self, place: Self::Place, (): (), count: usize) -> MessageResult<()> {
        if let Some(shape) = place {
            self.columns.end_list(shape.column(), count)?;
        }
        Ok(())
    }

    #[inline(always)]
    fn begin_struct(&mut self, place: Self::Place, _: &'a Layout) -> MessageResult<&'a StructShape> {
        let Some(Shape::Struct(shape)) = place else {
            unreachable!("not the columns of a struct")
        };
        self.columns.begin_struct(shape.column);
        Ok(shape)
    }

    #[inline(always)]
    fn place_of_field(&self, fields: &&'a StructShape, field: usize) -> Self::Place {
        fields.fields[field].as_ref()
    }

    #[inline(always)]
    fn run(
        &mut self,
        fields: &mut &'a StructShape,
        members: &'a [Member],
        bytes: &'data [u8],
        _: usize,
    ) -> MessageResult<()> {
        for member in members {
            if let Some(Shape::Leaf(column)) = &fields.fields[member.field] {
                self.columns.push_fixed(*column, member.kind, &bytes[member.at..])?;
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn set(&mut self, _: &mut &'a StructShape, _: usize, (): ()) {}

    fn unknown_tag(&mut self, fields: &mut &'a StructShape, tag: u32, data: &'data [u8]) -> MessageResult<()> {
        let Some(map) = &fields.unknown else { return Ok(()) };
        self.columns.begin_struct(map.entries);
        self.columns.push_int(map.tag, i64::from(tag));
        Ok(self.columns.push_bytes(map.data, data)?)
    }

    #[inline(always)]
    fn end_struct(&mut self, shape: &'a StructShape, layout: &'a Layout) -> MessageResult<()> {
        if layout.flexible {
            self.missing_tagged_fields(shape, layout)?;
        }
        self.absent(layout, shape, 1);
        Ok(())
    }
}

impl<'a> ColumnSink<'a, '_> {
    /// Append the defaults of missing tagged fields, and end the map of unknown tagged fields.
    #[inline(always)]
    fn missing_tagged_fields(&mut self, shape: &'a StructShape, layout: &'a Layout) -> MessageResult<()> {
        for known in &layout.tagged {
            if let Some(field) = &shape.fields[known.field] {
                let was_sent = self.columns.length(field.column()) == self.columns.length(shape.column);
                if !was_sent {
                    self.default(layout.struct_number, known.field, known.codec, field)?;
                }
            }
        }
        match &shape.unknown {
            Some(map) => Ok(self.columns.end_list_with_all(map.map)?),
            None => Ok(()),
        }
    }

    /// Append nulls to `count` structs, for the fields that the version lacks.
    #[inline]
    pub(super) fn absent(&mut self, layout: &Layout, shape: &StructShape, count: usize) {
        for field in &layout.absent {
            if let Some(shape) = &shape.fields[*field] {
                self.columns.push_nulls(shape.column(), count);
            }
        }
        if let Some(map) = shape.unknown
            && !layout.flexible
        {
            self.columns.push_nulls(map.map, count);
        }
    }

    /// Append the default of a missing tagged field, identified by struct and number. If the field is a struct, append
    /// the defaults of the fields that it has in this version.
    fn default(&mut self, owner: usize, field: usize, codec: Codec, shape: &'a Shape) -> MessageResult<()> {
        let (column, defaults) = (shape.column(), self.defaults);
        match (defaults.get(owner, field), codec, shape) {
            (FieldDefault::Int(value), ..) => self.columns.push_int(column, *value),
            (FieldDefault::Float(value), ..) => self.columns.push_fixed(column, Kind::Float64, &value.to_be_bytes())?,
            (FieldDefault::Uuid(value), ..) => self.columns.push_fixed(column, Kind::Uuid, value)?,
            (FieldDefault::Bytes(value), ..) => self.columns.push_bytes(column, value)?,
            (FieldDefault::Empty, Codec::FixedArray { .. } | Codec::Array { .. }, _) => {
                self.columns.end_list(column, 0)?
            }
            (FieldDefault::Empty, Codec::Struct { layout, .. }, Shape::Struct(shape)) => {
                self.default_struct(layout, shape)?;
            }
            (FieldDefault::Null | FieldDefault::Empty, ..) => self.columns.push_null(column),
        }
        Ok(())
    }

    fn default_struct(&mut self, number: u32, shape: &'a StructShape) -> MessageResult<()> {
        let layout = &self.plan.layouts[number as usize];
        self.columns.begin_struct(shape.column);
        for (field, codec) in layout.fields().chain(layout.tagged()) {
            if let Some(shape) = &shape.fields[field] {
                self.default(layout.struct_number, field, codec, shape)?;
            }
        }
        self.absent(layout, shape, 1);
        match &shape.unknown {
            Some(map) if layout.flexible => Ok(self.columns.end_list(map.map, 0)?),
            _ => Ok(()),
        }
    }
}
