//! One message into columns.

use super::schema::{ListShape, Shape, StructShape};
use crate::arrow::builder::{Columns, Place};
use crate::columns::budget::{Budget, Cost};
use crate::columns::defaults::{Defaults, FieldDefault};
use crate::error::{MessageResult, Part};
use crate::limits::Limits;
use crate::plan::{Codec, Kind, Layout, Length, NullMark, Plan, Step};
use crate::skip::{CHECKED, Skipper};
use crate::tags::SeenTags;
use crate::wire::{Cursor, text_bytes};

/// What an unknown tagged field costs: at least two bytes for tag and size; in columns a tag, an offset, and three
/// validity bits.
const UNKNOWN_COST: Cost = Cost {
    bits: 2 * 32 + 3,
    smallest: 2,
};

/// Fewer structs are read one by one: a second pass over them takes longer.
const WORTH_TWO_PASSES: usize = 4;

/// Reads one message.
pub struct MessageReader<'a, 'data> {
    defaults: &'a Defaults,
    pub(super) columns: &'a mut Columns,
    budget: Budget,
    /// Memory to be used again.
    pub(super) places: Vec<Place>,
    /// The position in the message, and how to skip what is not selected.
    pub wire: Skipper<'a, 'data, CHECKED>,
}

impl<'a, 'data> MessageReader<'a, 'data> {
    /// Starts at a cursor.
    pub fn new(
        plan: &'a Plan,
        defaults: &'a Defaults,
        columns: &'a mut Columns,
        limits: &'a Limits,
        cursor: Cursor<'data>,
    ) -> Self {
        let (budget, wire) = (Budget::new(limits, cursor.left()), Skipper::new(plan, limits, cursor));
        MessageReader {
            defaults,
            columns,
            budget,
            places: Vec::new(),
            wire,
        }
    }

    #[inline(always)]
    fn value(&mut self, codec: Codec, shape: &'a Shape) -> MessageResult<()> {
        match (codec, shape) {
            // Large messages are mostly arrays of integers.
            (Codec::FixedArray { length, kind }, Shape::List(list)) => {
                let Some(count) = self.wire.count(length)? else {
                    self.columns.push_null(list.column);
                    return Ok(());
                };
                let run = self.wire.fixed_elements(count, kind)?;
                self.columns.push_run(list.element.column(), kind, count, run)?;
                Ok(self.columns.end_list(list.column, count)?)
            }
            (Codec::Array { length, element }, Shape::List(list)) => {
                self.list(length, self.wire.plan.codecs[element as usize], list)
            }
            (Codec::Struct { layout, null }, Shape::Struct(shape)) => {
                if self.wire.cursor.is_null(null)? {
                    self.columns.push_null(shape.column);
                    return Ok(());
                }
                self.structure(layout, shape)
            }
            (codec, Shape::Leaf(column)) => self.leaf(codec, *column),
            _ => unreachable!("not the shape of the codec"),
        }
    }

    #[inline(never)]
    fn list(&mut self, length: Length, element: Codec, list: &'a ListShape) -> MessageResult<()> {
        let Some(count) = self.wire.count(length)? else {
            self.columns.push_null(list.column);
            return Ok(());
        };
        let cost = Cost {
            bits: list.bits,
            smallest: self.wire.plan.smallest(element),
        };
        self.charge(count, cost)?;
        if let (
            Codec::Struct {
                layout,
                null: NullMark::Never,
            },
            Shape::Struct(shape),
        ) = (element, &list.element)
            && count >= WORTH_TWO_PASSES
            && shape.plain.contains(&layout)
        {
            self.plain_structs(layout, shape, count)?;
            return Ok(self.columns.end_list(list.column, count)?);
        }
        for index in 0..count {
            self.wire.start = self.wire.cursor.at();
            self.value(element, &list.element)
                .map_err(|error| error.within(Part::Index(index)))?;
        }
        Ok(self.columns.end_list(list.column, count)?)
    }

    /// Charges elements that will be appended.
    #[inline(always)]
    fn charge(&mut self, count: usize, cost: Cost) -> MessageResult<()> {
        if self.budget.charge(count, cost, self.wire.cursor.left()) {
            return Ok(());
        }
        Err(self.wire.limits.too_much_memory().into())
    }

    #[inline(always)]
    fn leaf(&mut self, codec: Codec, column: usize) -> MessageResult<()> {
        let (columns, cursor) = (&mut *self.columns, &mut self.wire.cursor);
        match codec {
            Codec::Fixed(kind) => columns.push_fixed(column, kind, cursor.take(kind.size())?)?,
            Codec::Packed(bits) => columns.push_int(column, cursor.packed(bits)?),
            Codec::Upacked(bits) => columns.push_int(column, cursor.upacked(bits)?),
            Codec::String(length) => match cursor.string(length)? {
                Some(text) => columns.push_bytes(column, text_bytes(text)?)?,
                None => columns.push_null(column),
            },
            Codec::Bytes(length) => columns.push_nullable_bytes(column, cursor.bytes(length)?)?,
            Codec::Struct { .. } | Codec::FixedArray { .. } | Codec::Array { .. } => unreachable!("not a leaf"),
        }
        Ok(())
    }

    /// Reads a struct into its columns.
    pub fn structure(&mut self, number: u32, shape: &'a StructShape) -> MessageResult<()> {
        let layout = &self.wire.plan.layouts[number as usize];
        self.columns.begin_struct(shape.column);
        for step in &layout.steps {
            match step {
                Step::Run { size, members } if *size <= self.wire.cursor.left() => {
                    let begin = self.wire.cursor.at();
                    let bytes = self.wire.cursor.take(*size)?;
                    for member in members {
                        if let Some(Shape::Leaf(column)) = &shape.fields[member.field] {
                            self.columns.push_fixed(*column, member.kind, &bytes[member.at..])?;
                        }
                        self.wire.start = begin + member.at;
                    }
                }
                // It fails, and knows at which field.
                Step::Run { .. } => self.wire.step(number, step)?,
                Step::Value { field, codec } => {
                    self.wire.start = self.wire.cursor.at();
                    let read = match &shape.fields[*field] {
                        Some(shape) => self.value(*codec, shape),
                        None => self.wire.value(*codec),
                    };
                    read.map_err(|error| error.within(Part::Field(number, *field)))?;
                }
            }
        }
        if layout.flexible {
            self.tag_section(number, layout, shape)?;
        }
        self.absent(layout, shape, 1);
        Ok(())
    }

    /// Appends nulls for what the version of some structs does not have.
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

    #[inline]
    pub(super) fn tag_section(&mut self, number: u32, layout: &'a Layout, shape: &'a StructShape) -> MessageResult<()> {
        self.wire.start = self.wire.cursor.at();
        let count = self.wire.cursor.tag_count()?;
        self.wire.limits.check_tags(count)?;
        if count == 0 && layout.tagged.is_empty() && shape.unknown.is_none() {
            return Ok(());
        }
        self.tagged_fields(number, layout, shape, count)
    }

    /// Known fields are skipped first, which checks them, and read at the end, in the order of the columns.
    #[inline(never)]
    fn tagged_fields(
        &mut self,
        number: u32,
        layout: &'a Layout,
        shape: &'a StructShape,
        count: u32,
    ) -> MessageResult<()> {
        let mut places: Vec<Option<Cursor<'_>>> = Vec::new();
        let mut unknown = 0;
        if shape.unknown.is_some() {
            self.charge(count as usize, UNKNOWN_COST)?;
        }
        let mut seen = SeenTags::new(self.wire.cursor);
        for _ in 0..count {
            let (tag, size) = self.wire.tag(number, layout, &mut seen)?;
            let Some(at) = layout.tagged.iter().position(|known| known.tag == tag) else {
                self.unknown(shape, tag, size)?;
                unknown += 1;
                continue;
            };
            places.resize(layout.tagged.len(), None);
            places[at] = Some(self.wire.cursor);
            self.wire
                .tagged(number, tag, layout.tagged[at].field, layout.tagged[at].codec, size)?;
        }
        let (end, start) = (self.wire.cursor, self.wire.start);
        for (at, known) in layout.tagged.iter().enumerate() {
            let Some(shape) = &shape.fields[known.field] else {
                continue;
            };
            match places.get(at).copied().flatten() {
                Some(place) => {
                    self.wire.cursor = place;
                    self.value(known.codec, shape)?;
                }
                None => self.default(layout.struct_number, known.field, known.codec, shape)?,
            }
        }
        (self.wire.cursor, self.wire.start) = (end, start);
        match &shape.unknown {
            Some(map) => Ok(self.columns.end_list(map.map, unknown)?),
            None => Ok(()),
        }
    }

    fn unknown(&mut self, shape: &StructShape, tag: u32, size: usize) -> MessageResult<()> {
        let data = self.wire.cursor.take(size)?;
        let Some(map) = &shape.unknown else { return Ok(()) };
        self.columns.begin_struct(map.entries);
        self.columns.push_int(map.tag, i64::from(tag));
        Ok(self.columns.push_bytes(map.data, data)?)
    }

    /// Appends what a tagged field, given by struct and number, holds that was not sent: its default, and in a struct
    /// the defaults of the fields that the version has.
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
        let layout = &self.wire.plan.layouts[number as usize];
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
