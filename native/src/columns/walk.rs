//! One message being read into columns.

use super::defaults::FieldDefault;
use super::fault::{Outcome, Part, refuse};
use super::limits::{Budget, Cost, LARGE, Limits};
use super::program::{Element, Program, Run, StructTarget, Target, UNKNOWN_COST};
use super::store::Columns;
use crate::plan::{Codec, Kind, Length, NullMark, Plan};
use crate::wire::{Cursor, fixed_int, text_bytes};

/// One row being read. `start` is where the latest field or element began.
pub struct Walk<'a, 'data> {
    pub plan: &'a Plan,
    pub program: &'a Program,
    pub columns: &'a mut Columns,
    pub limits: &'a Limits,
    /// The most elements of an array, here because every array is held against it.
    pub longest: usize,
    pub budget: Budget,
    pub cursor: Cursor<'data>,
    pub start: usize,
}

impl<'a, 'data> Walk<'a, 'data> {
    fn target(&mut self, target: Target) -> Outcome<()> {
        match target {
            Target::Skip(codec) => self.skip(codec),
            Target::Leaf { codec, column } => self.leaf(codec, column),
            Target::Struct { null, column, number } => {
                if self.is_null(null)? {
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
    fn fixed_list(&mut self, length: Length, column: usize, kind: Kind, items: usize) -> Outcome<()> {
        let Some(count) = self.count(length)? else {
            self.columns.push_null(column);
            return Ok(());
        };
        if self.holds(count, kind) {
            let run = self.fixed_elements(count, kind)?;
            self.columns.push_run(items, kind, count, run);
        } else {
            // One by one, so that it is known which of them is cut off.
            self.elements(count, Target::Leaf { codec: Codec::Fixed(kind), column: items })?;
        }
        Ok(self.columns.end_list(column, count)?)
    }

    fn elements(&mut self, count: usize, element: Target) -> Outcome<()> {
        for index in 0..count {
            self.start = self.cursor.at();
            self.target(element).map_err(|stop| stop.within(Part::Index(index)))?;
        }
        Ok(())
    }

    fn list(&mut self, length: Length, column: usize, element: Element) -> Outcome<()> {
        let Some(count) = self.count(length)? else {
            self.columns.push_null(column);
            return Ok(());
        };
        self.charge(count, element.cost)?;
        if count >= LARGE {
            self.reserve(column, count, element.cost);
        }
        self.elements(count, element.target)?;
        Ok(self.columns.end_list(column, count)?)
    }

    /// The number of an array's elements, within its limit; `None` for null.
    #[inline(always)]
    pub fn count(&mut self, length: Length) -> Outcome<Option<usize>> {
        match self.cursor.count(length)? {
            Some(count) if count > self.longest => Err(self.limits.too_long(count)),
            count => Ok(count),
        }
    }

    #[cold]
    #[inline(never)]
    fn reserve(&mut self, column: usize, count: usize, cost: Cost) {
        self.columns.reserve(column, cost.possible(count, self.cursor.left()));
    }

    /// Charges what elements will append.
    #[inline(always)]
    fn charge(&mut self, count: usize, cost: Cost) -> Outcome<()> {
        if self.budget.charge(count, cost, self.cursor.left()) {
            return Ok(());
        }
        Err(self.limits.too_large())
    }

    /// Whether so many values are there, without a look at each.
    #[inline]
    pub fn holds(&self, count: usize, kind: Kind) -> bool {
        self.cursor.check_elements(count, kind.size()).is_ok()
    }

    /// The bytes of values that are there.
    #[inline]
    pub fn fixed_elements(&mut self, count: usize, kind: Kind) -> Outcome<&'data [u8]> {
        if count > 0 {
            self.start = self.cursor.at() + (count - 1) * kind.size();
        }
        Ok(self.cursor.take(count * kind.size())?)
    }

    #[inline]
    fn leaf(&mut self, codec: Codec, column: usize) -> Outcome<()> {
        match codec {
            Codec::Fixed(Kind::Uuid) => self.columns.push_uuid(column, self.cursor.array()?),
            Codec::Fixed(Kind::Float64) => self.columns.push_float(column, f64::from_be_bytes(self.cursor.array()?)),
            Codec::Fixed(kind) => {
                let run = self.cursor.take(kind.size())?;
                self.columns.push_int(column, fixed_int(kind, run, 0));
            }
            Codec::Packed(bits) => self.columns.push_int(column, self.cursor.packed(bits)?),
            Codec::Upacked(bits) => self.columns.push_int(column, self.cursor.upacked(bits)?),
            Codec::String(length) => match self.cursor.string(length)? {
                Some(text) => self.columns.push_bytes(column, text_bytes(text)?)?,
                None => self.columns.push_null(column),
            },
            Codec::Bytes { length, .. } => match self.cursor.bytes(length)? {
                Some(bytes) => self.columns.push_bytes(column, bytes)?,
                None => self.columns.push_null(column),
            },
            Codec::Struct { .. } | Codec::Array { .. } => unreachable!("no leaf"),
        }
        Ok(())
    }

    /// Whether a struct is null, by what stands before it.
    pub fn is_null(&mut self, null: NullMark) -> Outcome<bool> {
        Ok(match null {
            NullMark::Never => false,
            NullMark::Int8 => self.cursor.array::<1>()?[0] > 0x7F,
            NullMark::Varint => self.cursor.uvarint()? == 0,
        })
    }

    /// Reads the struct of that number into a column.
    pub fn structure(&mut self, column: usize, number: usize) -> Outcome<()> {
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
    fn run(&mut self, layout: u32, run: &Run) -> Outcome<()> {
        match &run.fixed {
            Some(fixed) if fixed.size <= self.cursor.left() => {
                self.start = self.cursor.at() + fixed.last;
                let bytes = self.cursor.take(fixed.size)?;
                for member in &fixed.members {
                    self.columns.push_fixed(member.column, member.kind, &bytes[member.at..]);
                }
                Ok(())
            }
            _ => self.fields(layout, &run.fields),
        }
    }

    #[inline]
    fn fields(&mut self, layout: u32, fields: &[(usize, Target)]) -> Outcome<()> {
        for (field, target) in fields {
            self.start = self.cursor.at();
            // Large messages are arrays of integers for the most part, so these are read right here.
            let read = match *target {
                Target::FixedList { length, column, kind, items } => self.fixed_list(length, column, kind, items),
                target => self.target(target),
            };
            read.map_err(|stop| stop.within(Part::Field(layout, *field)))?;
        }
        Ok(())
    }

    /// Known fields are first passed over, for one may come twice: the last one counts.
    #[inline]
    fn tag_section(&mut self, target: &'a StructTarget) -> Outcome<()> {
        self.start = self.cursor.at();
        let count = self.cursor.uvarint()?;
        self.limits.check_tags(count)?;
        if count == 0 && target.tagged.is_empty() && target.unknown.is_none() {
            return Ok(());
        }
        self.tagged_fields(target, count)
    }

    #[inline(never)]
    fn tagged_fields(&mut self, target: &'a StructTarget, count: u32) -> Outcome<()> {
        let mut places: Vec<Option<Cursor<'_>>> = Vec::new();
        let mut unknown = 0;
        if target.unknown.is_some() {
            self.charge(count as usize, UNKNOWN_COST)?;
        }
        for _ in 0..count {
            let (tag, size) = self.tag(target.layout)?;
            let Some(number) = target.tagged.iter().position(|known| known.tag == tag) else {
                self.unknown(target, tag, size)?;
                unknown += 1;
                continue;
            };
            places.resize(target.tagged.len(), None);
            places[number] = Some(self.cursor);
            self.skip_tagged(target.layout, tag, target.tagged[number].field, target.tagged[number].codec, size)?;
        }
        let (end, start) = (self.cursor, self.start);
        for (number, known) in target.tagged.iter().enumerate() {
            let Some(wanted) = known.wanted else { continue };
            match places.get(number).copied().flatten() {
                Some(place) => {
                    self.cursor = place;
                    self.target(wanted)?;
                }
                None => self.default(wanted)?,
            }
        }
        (self.cursor, self.start) = (end, start);
        if let Some(map) = &target.unknown {
            self.columns.end_list(map.whole, unknown)?;
        }
        Ok(())
    }

    fn unknown(&mut self, target: &StructTarget, tag: u32, size: usize) -> Outcome<()> {
        let data = self.cursor.take(size)?;
        let Some(map) = &target.unknown else { return Ok(()) };
        if i32::try_from(tag).is_err() {
            return refuse(format!("tag {tag} does not fit in int32"));
        }
        self.columns.begin_struct(map.entries);
        self.columns.push_int(map.tag, i64::from(tag));
        self.columns.push_bytes(map.data, data)?;
        Ok(())
    }

    /// What a field holds that is not on the wire: its default, and in a struct those of the fields that the version has.
    fn default(&mut self, target: Target) -> Outcome<()> {
        match target {
            Target::Skip(_) => (),
            Target::Leaf { column, .. } => self.columns.push_default(column)?,
            Target::FixedList { column, .. } | Target::List { column, .. }
                if *self.columns.default_of(column) == FieldDefault::Null =>
            {
                self.columns.push_null(column)
            }
            Target::FixedList { column, .. } | Target::List { column, .. } => self.columns.end_list(column, 0)?,
            Target::Struct { column, .. } if *self.columns.default_of(column) == FieldDefault::Null => {
                self.columns.push_null(column);
            }
            Target::Struct { column, number, .. } => self.default_struct(column, &self.program.structs[number])?,
        }
        Ok(())
    }

    fn default_struct(&mut self, column: usize, target: &'a StructTarget) -> Outcome<()> {
        self.columns.begin_struct(column);
        for (_, field) in target.runs.iter().flat_map(|run| &run.fields) {
            self.default(*field)?;
        }
        target.tagged.iter().filter_map(|known| known.wanted).try_for_each(|wanted| self.default(wanted))?;
        target.absent.iter().for_each(|column| self.columns.push_null(*column));
        match &target.unknown {
            Some(map) => Ok(self.columns.end_list(map.whole, 0)?),
            None => Ok(()),
        }
    }
}
