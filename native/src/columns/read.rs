//! Bytes to columns, one row after the other, without the interpreter.

use super::program::{Program, StructTarget, Target};
use super::store::{Columns, TooMuch};
use crate::plan::{Codec, Kind, Length, NullMark, Plan};
use crate::wire::{Cursor, Reason, Refused, fixed_int, utf8};

/// Why a row ended early; boxed, so that a result fits in registers.
pub struct Stop(Box<Cause>);

enum Cause {
    Wire(Refused, Vec<Part>),
    TooMuch,
}

enum Part {
    Field(usize, usize),
    Index(usize),
}

type Outcome<T> = Result<T, Stop>;

impl From<Refused> for Stop {
    #[cold]
    fn from(reason: Refused) -> Self {
        Stop(Box::new(Cause::Wire(reason, Vec::new())))
    }
}

impl From<TooMuch> for Stop {
    #[cold]
    fn from(_: TooMuch) -> Self {
        Stop(Box::new(Cause::TooMuch))
    }
}

impl Stop {
    /// Adds, on the way out, where it happened.
    #[cold]
    fn within(mut self, part: Part) -> Self {
        if let Cause::Wire(_, path) = &mut *self.0 {
            path.push(part);
        }
        self
    }
}

/// Reads one row after the other into the columns of a program.
pub struct RowReader<'a> {
    plan: &'a Plan,
    program: &'a Program,
    columns: &'a mut Columns,
    marks: Vec<usize>,
}

impl<'a> RowReader<'a> {
    /// A reader that appends to empty columns.
    pub fn new(plan: &'a Plan, program: &'a Program, columns: &'a mut Columns) -> Self {
        RowReader { plan, program, columns, marks: Vec::new() }
    }

    /// Appends a row. It must be one message and nothing else, or the columns say what is wrong; `None` is a row of nulls.
    pub fn row(&mut self, data: Option<&[u8]>) -> Result<(), TooMuch> {
        self.columns.mark(&mut self.marks);
        let Some(data) = data else {
            self.null();
            return Ok(());
        };
        match self.message(data) {
            Ok(()) => {
                self.columns.push_null(self.program.errors.whole);
                Ok(())
            }
            Err((stop, offset)) => match *stop.0 {
                Cause::TooMuch => Err(TooMuch),
                Cause::Wire(reason, path) => self.corrupt(&reason.to_string(), &self.path(&path), offset),
            },
        }
    }

    fn null(&mut self) {
        self.program.top.iter().for_each(|column| self.columns.push_null(*column));
        self.columns.push_null(self.program.errors.whole);
        self.columns.end_struct(self.program.root_column);
    }

    /// A row of nulls and of what is wrong, the offset being where the field begins that can't be read.
    fn corrupt(&mut self, message: &str, path: &str, offset: usize) -> Result<(), TooMuch> {
        self.columns.take_back(&self.marks);
        self.program.top.iter().for_each(|column| self.columns.push_null(*column));
        let errors = &self.program.errors;
        self.columns.push_bytes(errors.message, message.as_bytes())?;
        self.columns.push_bytes(errors.path, path.as_bytes())?;
        self.columns.push_int(errors.offset, offset as i64);
        self.columns.end_struct(errors.whole);
        self.columns.end_struct(self.program.root_column);
        Ok(())
    }

    fn message(&mut self, data: &[u8]) -> Result<(), (Stop, usize)> {
        let cursor = Cursor::new(data, 0).map_err(|reason| (reason.into(), 0))?;
        let mut walk = Walk { plan: self.plan, program: self.program, columns: self.columns, cursor, start: 0 };
        match walk.target(self.program.root()) {
            Err(stop) => Err((stop, walk.start)),
            Ok(()) if walk.cursor.left() > 0 => {
                let reason = Box::new(Reason::BytesLeft { left: walk.cursor.left() });
                Err((reason.into(), walk.cursor.at()))
            }
            Ok(()) => Ok(()),
        }
    }

    fn path(&self, parts: &[Part]) -> String {
        let mut text = String::new();
        for part in parts.iter().rev() {
            match part {
                Part::Field(layout, field) => {
                    let owner = &self.plan.structs[self.plan.layouts[*layout].struct_number];
                    if !text.is_empty() {
                        text.push('.');
                    }
                    text.push_str(&owner.fields[*field].attribute);
                }
                Part::Index(index) => text.push_str(&format!("[{index}]")),
            }
        }
        text
    }
}

/// One row being read. `start` is where the latest field or element began.
struct Walk<'a, 'data> {
    plan: &'a Plan,
    program: &'a Program,
    columns: &'a mut Columns,
    cursor: Cursor<'data>,
    start: usize,
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
                self.structure(&self.program.structs[number])?;
                self.columns.end_struct(column);
                Ok(())
            }
            Target::List { length, column, element } => self.list(length, column, self.program.elements[element]),
        }
    }

    fn list(&mut self, length: Length, column: usize, element: Target) -> Outcome<()> {
        let Some(count) = self.cursor.count(length)? else {
            self.columns.push_null(column);
            return Ok(());
        };
        match element {
            Target::Leaf { codec: Codec::Fixed(kind), column: items } if self.holds(count, kind) => {
                let run = self.fixed_elements(count, kind)?;
                self.columns.push_run(items, kind, run);
            }
            _ => {
                for index in 0..count {
                    self.start = self.cursor.at();
                    self.target(element).map_err(|stop| stop.within(Part::Index(index)))?;
                }
            }
        }
        Ok(self.columns.end_list(column)?)
    }

    /// Whether so many values are there, without a look at each.
    fn holds(&self, count: usize, kind: Kind) -> bool {
        self.cursor.check_elements(count, kind.size()).is_ok()
    }

    fn fixed_elements(&mut self, count: usize, kind: Kind) -> Outcome<&'data [u8]> {
        if count > 0 {
            self.start = self.cursor.at() + (count - 1) * kind.size();
        }
        Ok(self.cursor.take(count * kind.size())?)
    }

    #[inline]
    fn leaf(&mut self, codec: Codec, column: usize) -> Outcome<()> {
        match codec {
            Codec::Fixed(Kind::Uuid) => self.columns.push_bytes(column, &self.cursor.array::<16>()?)?,
            Codec::Fixed(Kind::Float64) => self.columns.push_float(column, f64::from_be_bytes(self.cursor.array()?)),
            Codec::Fixed(kind) => {
                let run = self.cursor.take(kind.size())?;
                self.columns.push_int(column, fixed_int(kind, run, 0));
            }
            Codec::Packed(bits) => self.columns.push_int(column, self.cursor.packed(bits)?),
            Codec::Upacked(bits) => self.columns.push_int(column, self.cursor.upacked(bits)?),
            Codec::String(length) => match self.cursor.string(length)? {
                Some(text) => self.columns.push_bytes(column, utf8(text)?.as_bytes())?,
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

    fn is_null(&mut self, null: NullMark) -> Outcome<bool> {
        Ok(match null {
            NullMark::Never => false,
            NullMark::Int8 => self.cursor.array::<1>()?[0] > 0x7F,
            NullMark::Varint => self.cursor.uvarint()? == 0,
        })
    }

    fn structure(&mut self, target: &'a StructTarget) -> Outcome<()> {
        let layout = target.layout as usize;
        for run in &target.runs {
            match &run.fixed {
                Some(fixed) if fixed.size <= self.cursor.left() => {
                    self.start = self.cursor.at() + fixed.last;
                    let bytes = self.cursor.take(fixed.size)?;
                    for member in &fixed.members {
                        self.columns.push_int(member.column, fixed_int(member.kind, bytes, member.at));
                    }
                }
                _ => self.fields(layout, &run.fields)?,
            }
        }
        if self.plan.layouts[layout].flexible { self.tag_section(target) } else { Ok(()) }
    }

    fn fields(&mut self, layout: usize, fields: &[(usize, Target)]) -> Outcome<()> {
        for (field, step) in fields {
            self.start = self.cursor.at();
            self.target(*step).map_err(|stop| stop.within(Part::Field(layout, *field)))?;
        }
        Ok(())
    }

    /// Known fields are first passed over, for one may come twice: the last one counts.
    fn tag_section(&mut self, target: &'a StructTarget) -> Outcome<()> {
        self.start = self.cursor.at();
        let count = self.cursor.uvarint()?;
        let mut places: Vec<Option<Cursor<'_>>> = Vec::new();
        for _ in 0..count {
            let (tag, size) = self.tag(target.layout)?;
            let Some(number) = target.tagged.iter().position(|known| known.tag == tag) else {
                self.cursor.take(size)?;
                continue;
            };
            places.resize(target.tagged.len(), None);
            places[number] = Some(self.cursor);
            self.skip_tagged(target.layout, tag, target.tagged[number].field, target.tagged[number].codec, size)?;
        }
        let (end, start) = (self.cursor, self.start);
        for (number, known) in target.tagged.iter().enumerate() {
            let Some((column, wanted)) = known.wanted else { continue };
            match places.get(number).copied().flatten() {
                Some(place) => {
                    self.cursor = place;
                    self.target(wanted)?;
                }
                None => self.columns.push_default(column)?,
            }
        }
        (self.cursor, self.start) = (end, start);
        Ok(())
    }

    /// The number and size of a tagged field that this version may have.
    fn tag(&mut self, layout: u32) -> Outcome<(u32, usize)> {
        let (tag, size) = (self.cursor.uvarint()?, self.cursor.uvarint()? as usize);
        if self.plan.layouts[layout as usize].foreign.contains(&tag) {
            return Err(Box::new(Reason::ForeignTag { tag }).into());
        }
        Ok((tag, size))
    }

    fn skip_tagged(&mut self, layout: u32, tag: u32, field: usize, codec: Codec, size: usize) -> Outcome<()> {
        let part = || Part::Field(layout as usize, field);
        self.start = self.cursor.at();
        let start = self.start;
        self.skip(codec).map_err(|stop| stop.within(part()))?;
        let taken = self.cursor.at() - start;
        if taken != size {
            return Err(Stop::from(Box::new(Reason::TagSize { tag, size, taken })).within(part()));
        }
        Ok(())
    }

    /// Passes over a value, whose every byte is checked as if it were wanted.
    fn skip(&mut self, codec: Codec) -> Outcome<()> {
        match codec {
            Codec::Fixed(kind) => {
                self.cursor.take(kind.size())?;
            }
            Codec::Packed(bits) => {
                self.cursor.packed(bits)?;
            }
            Codec::Upacked(bits) => {
                self.cursor.upacked(bits)?;
            }
            Codec::String(length) => {
                if let Some(text) = self.cursor.string(length)? {
                    utf8(text)?;
                }
            }
            Codec::Bytes { length, .. } => {
                self.cursor.bytes(length)?;
            }
            Codec::Struct { layout, null } => {
                if !self.is_null(null)? {
                    self.skip_struct(layout)?;
                }
            }
            Codec::Array { length, element } => {
                let codec = self.plan.codecs[element as usize];
                let count = self.cursor.count(length)?.unwrap_or(0);
                if let Codec::Fixed(kind) = codec
                    && self.holds(count, kind)
                {
                    self.fixed_elements(count, kind)?;
                    return Ok(());
                }
                for index in 0..count {
                    self.start = self.cursor.at();
                    self.skip(codec).map_err(|stop| stop.within(Part::Index(index)))?;
                }
            }
        }
        Ok(())
    }

    fn skip_struct(&mut self, number: u32) -> Outcome<()> {
        let layout = &self.plan.layouts[number as usize];
        for (field, codec) in &layout.steps {
            self.start = self.cursor.at();
            let part = || Part::Field(number as usize, *field);
            self.skip(self.plan.codecs[*codec as usize]).map_err(|stop| stop.within(part()))?;
        }
        if !layout.flexible {
            return Ok(());
        }
        self.start = self.cursor.at();
        for _ in 0..self.cursor.uvarint()? {
            let (tag, size) = self.tag(number)?;
            match layout.tagged.iter().find(|known| known.tag == tag) {
                Some(known) => {
                    let codec = self.plan.codecs[known.codec as usize];
                    self.skip_tagged(number, tag, known.field, codec, size)?;
                }
                None => {
                    self.cursor.take(size)?;
                }
            }
        }
        Ok(())
    }
}
