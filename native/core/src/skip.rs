//! Reads a message without keeping its values: finds where they end, checks every byte, and counts what objects would
//! cost.
//!
//! It takes the same steps as the reference codec (`runtime/walk.py`), so both report the same error at the same
//! position.

use crate::costs;
use crate::error::{Cause, MessageError, MessageResult, Part, path};
use crate::limits::Limits;
use crate::plan::{Codec, Kind, Layout, Length, Member, NullMark, Plan, Step};
use crate::tags::SeenTags;
use crate::wire::{Cursor, WireError, foreign_tag, repeated_tag, text_bytes, too_few_bytes, wrong_tag_size};

/// Nothing is checked, because the bytes were checked before.
pub const KNOWN: u8 = 0;
/// Everything is checked, and nothing counted.
pub const CHECKED: u8 = 1;
/// Everything is checked, but costs are upper bounds: a message that exceeds them may still be within its limits.
pub const BOUNDED: u8 = 2;
/// Everything is checked, with the exact costs of decoding.
pub const COUNTED: u8 = 3;

/// The error of a message: the reason, the field, such as `topics[3].name`, and where it begins.
pub type Located = (String, String, usize);

/// A position in a message, and the cost of the objects before it.
pub struct Skipper<'a, 'data, const LEVEL: u8> {
    pub plan: &'a Plan,
    pub limits: &'a Limits,
    pub cursor: Cursor<'data>,
    /// Where the latest field or element began.
    pub start: usize,
    /// The most that structs cost, by layout; only used if `BOUNDED`.
    pub bounds: &'a [u64],
    cost: u64,
    most: u64,
}

impl<'a, 'data, const LEVEL: u8> Skipper<'a, 'data, LEVEL> {
    /// Starts at a cursor.
    pub fn new(plan: &'a Plan, limits: &'a Limits, cursor: Cursor<'data>) -> Self {
        let most = limits.memory(cursor.left());
        Skipper {
            plan,
            limits,
            cursor,
            start: cursor.at(),
            bounds: &[],
            cost: 0,
            most,
        }
    }

    /// Skips a message.
    pub fn message(&mut self, layout: u32) -> MessageResult<()> {
        let begin = self.cursor.at();
        self.structure(layout)?;
        self.end(begin)
    }

    /// Ends a message that began there. Bytes after the message must not affect whether it is accepted.
    pub fn end(&mut self, begin: usize) -> MessageResult<()> {
        self.start = begin;
        self.most = self.limits.memory(self.cursor.at() - begin);
        Ok(self.charge(|| 0)?)
    }

    /// Notes where a field or element begins, if an error here is reported as it is.
    #[inline(always)]
    fn mark(&mut self, start: usize) {
        if LEVEL == CHECKED || LEVEL == COUNTED {
            self.start = start;
        }
    }

    #[inline(always)]
    fn charge(&mut self, cost: impl FnOnce() -> u64) -> Result<(), WireError> {
        if LEVEL >= BOUNDED {
            self.cost = self.cost.saturating_add(cost());
            if self.cost > self.most {
                return Err(self.limits.too_much_memory());
            }
        }
        Ok(())
    }

    /// Begins a struct.
    #[inline(always)]
    pub fn begin(&mut self, layout: u32) -> Result<(), WireError> {
        let (plan, bounds) = (self.plan, self.bounds);
        self.charge(|| {
            if LEVEL == COUNTED {
                costs::of_struct(plan, layout)
            } else {
                bounds[layout as usize]
            }
        })
    }

    /// Skips a struct.
    pub fn structure(&mut self, number: u32) -> MessageResult<()> {
        self.structure_of(number, &self.plan.layouts[number as usize])
    }

    #[inline(always)]
    fn structure_of(&mut self, number: u32, layout: &Layout) -> MessageResult<()> {
        self.begin(number)?;
        for step in &layout.steps {
            self.step(number, step)?;
        }
        self.tags(number, layout)
    }

    /// Skips the values of a step.
    #[inline(always)]
    pub fn step(&mut self, number: u32, step: &Step) -> MessageResult<()> {
        match step {
            Step::Run { size, members } => {
                if !self.pass(*size, members) {
                    for member in members {
                        self.field(number, member.field, Codec::Fixed(member.kind))?;
                    }
                }
                Ok(())
            }
            Step::Value { field, codec } => self.field(number, *field, *codec),
        }
    }

    #[inline(always)]
    fn field(&mut self, number: u32, field: usize, codec: Codec) -> MessageResult<()> {
        self.mark(self.cursor.at());
        // Most values are strings, or arrays of numbers.
        let skipped = match codec {
            Codec::String(length) => self.string(length),
            Codec::FixedArray { length, kind } => self.fixed_array(length, kind),
            codec => self.value(codec),
        };
        skipped.map_err(|error| error.within(Part::Field(number, field)))
    }

    /// Skips values of constant size at once; `false` if one is missing or costs too much, so that they are skipped one
    /// by one.
    #[inline(always)]
    fn pass(&mut self, size: usize, members: &[Member]) -> bool {
        let begin = self.cursor;
        let Ok(bytes) = self.cursor.take(size) else {
            return false;
        };
        if LEVEL == COUNTED {
            let costs = members.iter().map(|member| costs::fixed(member.kind, bytes, member.at));
            let cost = self.cost.saturating_add(costs.sum());
            if cost > self.most {
                self.cursor = begin;
                return false;
            }
            self.cost = cost;
        }
        self.mark(begin.at() + members.last().map_or(0, |member| member.at));
        true
    }

    /// Skips the tag section, if there is one.
    #[inline(always)]
    pub fn tags(&mut self, number: u32, layout: &Layout) -> MessageResult<()> {
        if !layout.flexible {
            return Ok(());
        }
        self.mark(self.cursor.at());
        match self.cursor.tag_count()? {
            0 => Ok(()),
            count => self.tag_section(number, layout, count),
        }
    }

    #[inline(never)]
    fn tag_section(&mut self, number: u32, layout: &Layout, count: u32) -> MessageResult<()> {
        self.limits.check_tags(count)?;
        let mut is_first = true;
        let mut seen = SeenTags::new(self.cursor);
        for _ in 0..count {
            let (tag, size) = self.tag(number, layout, &mut seen)?;
            match layout.tagged.iter().find(|known| known.tag == tag) {
                Some(known) => self.tagged(number, tag, known.field, known.codec, size)?,
                None => {
                    self.cursor.take(size)?;
                    self.charge(|| costs::tag(tag, size) + if is_first { costs::ARRAY } else { 0 })?;
                    is_first = false;
                }
            }
        }
        Ok(())
    }

    /// Reads the number and the size of a tagged field that this version may have, and that has not come before.
    pub fn tag(&mut self, number: u32, layout: &Layout, seen: &mut SeenTags<'data>) -> MessageResult<(u32, usize)> {
        self.start = self.cursor.at();
        let (tag, size) = self.cursor.tag()?;
        if layout.foreign.contains(&tag) {
            return Err(foreign_tag(tag).into());
        }
        if LEVEL != KNOWN && !seen.add(tag) {
            let error = MessageError::from(repeated_tag(tag));
            return Err(match layout.tagged.iter().find(|known| known.tag == tag) {
                Some(known) => error.within(Part::Field(number, known.field)),
                None => error,
            });
        }
        Ok((tag, size))
    }

    /// Skips a tagged field, which must have the announced size.
    pub fn tagged(&mut self, layout: u32, tag: u32, field: usize, codec: Codec, size: usize) -> MessageResult<()> {
        let part = Part::Field(layout, field);
        self.start = self.cursor.at();
        let start = self.start;
        self.value(codec).map_err(|error| error.within(part))?;
        let taken = self.cursor.at() - start;
        if taken != size {
            return Err(MessageError::from(wrong_tag_size(tag, size, taken)).within(part));
        }
        Ok(())
    }

    /// Skips a value.
    pub fn value(&mut self, codec: Codec) -> MessageResult<()> {
        match codec {
            Codec::Fixed(kind) => {
                let bytes = self.cursor.take(kind.size())?;
                self.charge(|| costs::fixed(kind, bytes, 0))?;
            }
            Codec::Packed(bits) => {
                let value = self.cursor.packed(bits)?;
                self.charge(|| costs::int(value, bits))?;
            }
            Codec::Upacked(bits) => {
                let value = self.cursor.upacked(bits)?;
                self.charge(|| costs::int(value, bits))?;
            }
            Codec::String(length) => self.string(length)?,
            Codec::Bytes(length) => {
                if let Some(bytes) = self.cursor.bytes(length)? {
                    self.charge(|| costs::bytes(bytes.len()))?;
                }
            }
            Codec::Struct { layout, null } => {
                if !self.cursor.is_null(null)? {
                    self.structure(layout)?;
                }
            }
            Codec::FixedArray { length, kind } => self.fixed_array(length, kind)?,
            Codec::Array { length, element } => {
                if let Some(count) = self.count(length)? {
                    self.elements(count, self.plan.codecs[element as usize])?;
                }
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn string(&mut self, length: Length) -> MessageResult<()> {
        if let Some(text) = self.cursor.string(length)?
            && LEVEL != KNOWN
        {
            text_bytes(text)?;
            self.charge(|| costs::string(text))?;
        }
        Ok(())
    }

    #[inline(always)]
    fn fixed_array(&mut self, length: Length, kind: Kind) -> MessageResult<()> {
        let Some(count) = self.count(length)? else {
            return Ok(());
        };
        if LEVEL == KNOWN || LEVEL == BOUNDED {
            self.cursor.take(count.saturating_mul(kind.size()))?;
            return Ok(self.charge(|| costs::array(count, false) + costs::most(kind) * count as u64)?);
        }
        if LEVEL == COUNTED && kind == Kind::Uuid {
            // These are counted one by one.
            return self.elements(count, Codec::Fixed(kind));
        }
        let begin = self.start;
        let run = self.fixed_elements(count, kind)?;
        // The error for an array that exceeds the limit is at its start.
        let last = std::mem::replace(&mut self.start, begin);
        self.charge(|| costs::fixed_array(kind, run))?;
        self.start = last;
        Ok(())
    }

    fn elements(&mut self, count: usize, element: Codec) -> MessageResult<()> {
        let plan = self.plan;
        if LEVEL < BOUNDED && plan.smallest(element) == 0 {
            // Structs of zero bytes: there is nothing to skip, whatever their number.
            return Ok(());
        }
        self.charge(|| costs::array(count, plan.sleeps(element)))?;
        let Codec::Struct {
            layout: number,
            null: NullMark::Never,
        } = element
        else {
            for index in 0..count {
                self.mark(self.cursor.at());
                self.value(element).map_err(|error| error.within(Part::Index(index)))?;
            }
            return Ok(());
        };
        let layout = &plan.layouts[number as usize];
        let fixed = self.fixed_size(layout);
        for index in 0..count {
            self.mark(self.cursor.at());
            if let Some(size) = fixed
                && self.cursor.pass_before_zero(size)
            {
                self.mark(self.cursor.at() - 1);
                self.begin(number)?;
                continue;
            }
            self.structure_of(number, layout)
                .map_err(|error| error.within(Part::Index(index)))?;
        }
        Ok(())
    }

    /// The number of bytes of structs of constant size before their tag section, which is mostly one byte of zero.
    fn fixed_size(&self, layout: &Layout) -> Option<usize> {
        match layout.steps.as_slice() {
            [Step::Run { size, .. }] if LEVEL != COUNTED && layout.flexible => Some(*size),
            _ => None,
        }
    }

    /// The number of elements of an array, within its limit; `None` for null.
    #[inline(always)]
    pub fn count(&mut self, length: Length) -> Result<Option<usize>, WireError> {
        let count = self.cursor.count(length)?;
        if let Some(count) = count {
            self.limits.check_elements(count)?;
        }
        Ok(count)
    }

    /// The bytes of elements of constant size. If some are missing, the error says which is the first.
    #[inline(always)]
    pub fn fixed_elements(&mut self, count: usize, kind: Kind) -> MessageResult<&'data [u8]> {
        let size = kind.size();
        if self.cursor.check_elements(count, size).is_err() {
            return self.missing_element(size);
        }
        if count > 0 {
            self.start = self.cursor.at() + (count - 1) * size;
        }
        Ok(self.cursor.take(count * size)?)
    }

    #[cold]
    #[inline(never)]
    fn missing_element<T>(&mut self, size: usize) -> MessageResult<T> {
        let left = self.cursor.left();
        self.start = self.cursor.at() + left / size * size;
        let error = MessageError::from(too_few_bytes(size, left % size));
        Err(error.within(Part::Index(left / size)))
    }
}

/// Checks that the message at a cursor can be read and is within its limits.
#[cold]
#[inline(never)]
pub fn check(plan: &Plan, layout: u32, cursor: Cursor<'_>, limits: &Limits) -> Result<(), Located> {
    let mut skipper = Skipper::<COUNTED>::new(plan, limits, cursor);
    skipper.message(layout).map_err(|error| match error.cause() {
        Cause::Message(reason, parts) => (reason.text, path(plan, &parts), skipper.start),
        Cause::Batch(reason) => (reason.to_owned(), String::new(), skipper.start),
    })
}
