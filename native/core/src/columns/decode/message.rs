//! One message into columns.

use super::program::{Element, Program, Run, StructTarget, Target, UNKNOWN_COST};
use crate::arrow::builder::{Columns, Place, Values};
use crate::columns::budget::{Budget, Cost, LARGE};
use crate::columns::defaults::FieldDefault;
use crate::error::{MessageResult, Part, fail};
use crate::limits::Limits;
use crate::plan::{Codec, Kind, Length, NullMark, Plan};
use crate::skip::{Free, Skipper};
use crate::wire::{Cursor, chunk, fixed_int, text_bytes};

/// Reads one message.
pub struct MessageReader<'a, 'data> {
    pub(super) program: &'a Program,
    pub(super) columns: &'a mut Columns,
    budget: Budget,
    /// Memory to be used again.
    pub(super) places: Vec<Place>,
    /// The position in the message, and how to skip what is not selected.
    pub wire: Skipper<'a, 'data, Free>,
}

impl<'a, 'data> MessageReader<'a, 'data> {
    /// Starts at a cursor.
    pub fn new(
        plan: &'a Plan,
        program: &'a Program,
        columns: &'a mut Columns,
        limits: &'a Limits,
        cursor: Cursor<'data>,
    ) -> Self {
        let budget = Budget::new(limits, cursor.left());
        MessageReader { program, columns, budget, places: Vec::new(), wire: Skipper::new(plan, limits, cursor, Free) }
    }

    fn value(&mut self, target: Target) -> MessageResult<()> {
        match target {
            Target::Skip(codec) => self.wire.value(codec),
            Target::Leaf { codec, column } => self.leaf(codec, column),
            Target::Struct { null, column, number } => {
                if self.wire.cursor.is_null(null)? {
                    self.columns.push_null(column);
                    return Ok(());
                }
                self.structure(column, number)
            }
            Target::FixedList { length, column, kind, items } => self.fixed_list(length, column, kind, items),
            Target::List { length, column, element } => self.list(length, column, self.program.elements[element]),
        }
    }

    #[inline(always)]
    fn fixed_list(&mut self, length: Length, column: usize, kind: Kind, items: usize) -> MessageResult<()> {
        let Some(count) = self.wire.count(length)? else {
            self.columns.push_null(column);
            return Ok(());
        };
        let run = self.wire.fixed_elements(count, kind)?;
        self.columns.push_run(items, kind, count, run);
        Ok(self.columns.end_list(column, count)?)
    }

    fn list(&mut self, length: Length, column: usize, element: Element) -> MessageResult<()> {
        let Some(count) = self.wire.count(length)? else {
            self.columns.push_null(column);
            return Ok(());
        };
        self.charge(count, element.cost)?;
        if count >= LARGE {
            self.columns.reserve(column, element.cost.possible(count, self.wire.cursor.left()));
        }
        if let Target::Struct { null: NullMark::Never, column: structs, number } = element.target
            && self.program.structs[number].plain
        {
            self.plain_structs(structs, &self.program.structs[number], count)?;
            return Ok(self.columns.end_list(column, count)?);
        }
        for index in 0..count {
            self.wire.start = self.wire.cursor.at();
            self.value(element.target).map_err(|error| error.within(Part::Index(index)))?;
        }
        Ok(self.columns.end_list(column, count)?)
    }

    /// Charges elements that will be appended.
    #[inline(always)]
    fn charge(&mut self, count: usize, cost: Cost) -> MessageResult<()> {
        if self.budget.charge(count, cost, self.wire.cursor.left()) {
            return Ok(());
        }
        Err(self.wire.limits.too_much_memory().into())
    }

    #[inline]
    fn leaf(&mut self, codec: Codec, column: usize) -> MessageResult<()> {
        let (columns, cursor) = (&mut *self.columns, &mut self.wire.cursor);
        match codec {
            Codec::Fixed(Kind::Uuid) => columns.push_uuid(column, cursor.array()?),
            Codec::Fixed(Kind::Float64) => columns.push_float(column, f64::from_be_bytes(cursor.array()?)),
            Codec::Fixed(kind) => columns.push_int(column, fixed_int(kind, cursor.take(kind.size())?, 0)),
            Codec::Packed(bits) => columns.push_int(column, cursor.packed(bits)?),
            Codec::Upacked(bits) => columns.push_int(column, cursor.upacked(bits)?),
            Codec::String(length) => match cursor.string(length)? {
                Some(text) => columns.push_bytes(column, text_bytes(text)?)?,
                None => columns.push_null(column),
            },
            Codec::Bytes { length, .. } => columns.push_nullable_bytes(column, cursor.bytes(length)?)?,
            Codec::Struct { .. } | Codec::Array { .. } => unreachable!("not a leaf"),
        }
        Ok(())
    }

    /// Reads a struct into a column.
    pub fn structure(&mut self, column: usize, number: usize) -> MessageResult<()> {
        let target = &self.program.structs[number];
        self.columns.begin_struct(column);
        for run in &target.runs {
            self.run(target.layout, run)?;
        }
        if target.flexible {
            self.tag_section(target)?;
        }
        target.absent.iter().for_each(|column| self.columns.push_null(*column));
        Ok(())
    }

    #[inline]
    fn run(&mut self, layout: u32, run: &Run) -> MessageResult<()> {
        match &run.fixed {
            Some(fixed) if fixed.size <= self.wire.cursor.left() => {
                self.wire.start = self.wire.cursor.at() + fixed.last;
                let bytes = self.wire.cursor.take(fixed.size)?;
                for member in &fixed.members {
                    self.columns.push_fixed(member.column, member.kind, &bytes[member.at..]);
                }
                Ok(())
            }
            _ => self.fields(layout, &run.fields),
        }
    }

    #[inline]
    pub(super) fn fields(&mut self, layout: u32, fields: &[(usize, Target)]) -> MessageResult<()> {
        for (field, target) in fields {
            self.wire.start = self.wire.cursor.at();
            let read = match *target {
                // Large messages are mostly arrays of integers, so these are read without a call.
                Target::FixedList { length, column, kind, items } => self.fixed_list(length, column, kind, items),
                target => self.value(target),
            };
            read.map_err(|error| error.within(Part::Field(layout, *field)))?;
        }
        Ok(())
    }

    #[inline]
    pub(super) fn tag_section(&mut self, target: &'a StructTarget) -> MessageResult<()> {
        self.wire.start = self.wire.cursor.at();
        let count = self.wire.cursor.uvarint()?;
        self.wire.limits.check_tags(count)?;
        if count == 0 && target.tagged.is_empty() && target.unknown.is_none() {
            return Ok(());
        }
        self.tagged_fields(target, count)
    }

    /// Known fields are skipped first and read at the end, because one may come twice: the last one counts.
    #[inline(never)]
    fn tagged_fields(&mut self, target: &'a StructTarget, count: u32) -> MessageResult<()> {
        let mut places: Vec<Option<Cursor<'_>>> = Vec::new();
        let mut unknown = 0;
        if target.unknown.is_some() {
            self.charge(count as usize, UNKNOWN_COST)?;
        }
        let layout = &self.wire.plan.layouts[target.layout as usize];
        for _ in 0..count {
            let (tag, size) = self.wire.tag(layout)?;
            let Some(number) = target.tagged.iter().position(|known| known.tag == tag) else {
                self.unknown(target, tag, size)?;
                unknown += 1;
                continue;
            };
            places.resize(target.tagged.len(), None);
            places[number] = Some(self.wire.cursor);
            self.wire.tagged(target.layout, tag, target.tagged[number].field, target.tagged[number].codec, size)?;
        }
        let (end, start) = (self.wire.cursor, self.wire.start);
        for (number, known) in target.tagged.iter().enumerate() {
            let Some(selected) = known.selected else { continue };
            match places.get(number).copied().flatten() {
                Some(place) => {
                    self.wire.cursor = place;
                    self.value(selected)?;
                }
                None => self.default(selected)?,
            }
        }
        (self.wire.cursor, self.wire.start) = (end, start);
        match &target.unknown {
            Some(map) => Ok(self.columns.end_list(map.map, unknown)?),
            None => Ok(()),
        }
    }

    fn unknown(&mut self, target: &StructTarget, tag: u32, size: usize) -> MessageResult<()> {
        let data = self.wire.cursor.take(size)?;
        let Some(map) = &target.unknown else { return Ok(()) };
        if i32::try_from(tag).is_err() {
            return fail(format!("tag {tag} does not fit in int32"));
        }
        self.columns.begin_struct(map.entries);
        self.columns.push_int(map.tag, i64::from(tag));
        Ok(self.columns.push_bytes(map.data, data)?)
    }

    /// Appends what a field holds that is not on the wire: its default, and in a struct the defaults of the fields that the
    /// version has.
    fn default(&mut self, target: Target) -> MessageResult<()> {
        let (Target::Leaf { column, .. }
        | Target::FixedList { column, .. }
        | Target::List { column, .. }
        | Target::Struct { column, .. }) = target
        else {
            return Ok(());
        };
        let is_uuid = matches!(self.columns.values(column), Values::Uuid(..));
        match (&self.program.defaults[column], target) {
            (FieldDefault::Int(value), _) => self.columns.push_int(column, *value),
            (FieldDefault::Float(value), _) => self.columns.push_float(column, *value),
            (FieldDefault::Bytes(value), _) if is_uuid => self.columns.push_uuid(column, chunk(value, 0)),
            (FieldDefault::Bytes(value), _) => self.columns.push_bytes(column, value)?,
            (FieldDefault::Null, _) | (FieldDefault::Empty, Target::Leaf { .. }) => self.columns.push_null(column),
            (FieldDefault::Empty, Target::Struct { number, .. }) => {
                self.default_struct(column, &self.program.structs[number])?;
            }
            (FieldDefault::Empty, _) => self.columns.end_list(column, 0)?,
        }
        Ok(())
    }

    fn default_struct(&mut self, column: usize, target: &'a StructTarget) -> MessageResult<()> {
        self.columns.begin_struct(column);
        for (_, field) in target.runs.iter().flat_map(|run| &run.fields) {
            self.default(*field)?;
        }
        target.tagged.iter().filter_map(|known| known.selected).try_for_each(|selected| self.default(selected))?;
        target.absent.iter().for_each(|column| self.columns.push_null(*column));
        match &target.unknown {
            Some(map) => Ok(self.columns.end_list(map.map, 0)?),
            None => Ok(()),
        }
    }
}
