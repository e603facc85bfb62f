//! Reads a message without keeping its values: finds where they end, checks every byte, and counts what objects would cost.
//!
//! It takes the same steps as the reference codec (`runtime/walk.py`), so both report the same error at the same position.

use crate::costs;
use crate::error::{Cause, MessageError, MessageResult, Part, path};
use crate::limits::Limits;
use crate::plan::{Codec, Kind, Layout, Length, NullMark, Plan};
use crate::wire::{Cursor, Reason, WireError, text_bytes};

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
    /// Whether zero-copy fields become views.
    pub views: bool,
    /// The most that structs cost, by layout; only used if `BOUNDED`.
    pub bounds: &'a [u64],
    cost: u64,
    most: u64,
}

impl<'a, 'data, const LEVEL: u8> Skipper<'a, 'data, LEVEL> {
    /// Starts at a cursor.
    pub fn new(plan: &'a Plan, limits: &'a Limits, cursor: Cursor<'data>) -> Self {
        let most = limits.memory(cursor.left());
        Skipper { plan, limits, cursor, start: cursor.at(), views: false, bounds: &[], cost: 0, most }
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
        self.charge(|| if LEVEL == COUNTED { costs::of_struct(plan, layout) } else { bounds[layout as usize] })
    }

    /// Skips a struct.
    pub fn structure(&mut self, number: u32) -> MessageResult<()> {
        self.begin(number)?;
        let layout = &self.plan.layouts[number as usize];
        for run in &layout.runs {
            match run.size {
                // Costs that are exact depend on each value.
                Some(size) if LEVEL != COUNTED && size <= self.cursor.left() => {
                    self.start = self.cursor.at() + run.last;
                    self.cursor.take(size)?;
                }
                _ => {
                    for (field, codec) in &layout.steps[run.steps.clone()] {
                        self.start = self.cursor.at();
                        self.value(*codec).map_err(|error| error.within(Part::Field(number, *field)))?;
                    }
                }
            }
        }
        self.tags(number, layout)
    }

    /// Skips the tag section, if there is one.
    #[inline(always)]
    pub fn tags(&mut self, number: u32, layout: &Layout) -> MessageResult<()> {
        if !layout.flexible {
            return Ok(());
        }
        self.start = self.cursor.at();
        match self.cursor.uvarint()? {
            0 => Ok(()),
            count => self.tag_section(number, layout, count),
        }
    }

    #[inline(never)]
    fn tag_section(&mut self, number: u32, layout: &Layout, count: u32) -> MessageResult<()> {
        self.limits.check_tags(count)?;
        let mut is_first = true;
        for _ in 0..count {
            let (tag, size) = self.tag(layout)?;
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

    /// Reads the number and the size of a tagged field that this version may have.
    pub fn tag(&mut self, layout: &Layout) -> MessageResult<(u32, usize)> {
        let (tag, size) = (self.cursor.uvarint()?, self.cursor.uvarint()? as usize);
        if layout.foreign.contains(&tag) {
            return Err(Box::new(Reason::ForeignTag { tag }).into());
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
            return Err(MessageError::from(Box::new(Reason::TagSize { tag, size, taken })).within(part));
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
            Codec::String(length) => {
                if let Some(text) = self.cursor.string(length)?
                    && LEVEL != KNOWN
                {
                    text_bytes(text)?;
                    self.charge(|| costs::string(text))?;
                }
            }
            Codec::Bytes { length, zero_copy } => {
                if let Some(bytes) = self.cursor.bytes(length)? {
                    let is_view = zero_copy && self.views;
                    self.charge(|| if is_view { costs::VIEW } else { costs::bytes(bytes.len()) })?;
                }
            }
            Codec::Struct { layout, null } => {
                if !self.cursor.is_null(null)? {
                    self.structure(layout)?;
                }
            }
            Codec::Array { length, element } => self.array(length, self.plan.codecs[element as usize])?,
        }
        Ok(())
    }

    fn array(&mut self, length: Length, element: Codec) -> MessageResult<()> {
        let Some(count) = self.count(length)? else { return Ok(()) };
        match element {
            // The exact cost of a uuid is counted one by one.
            Codec::Fixed(kind) if LEVEL != COUNTED || kind != Kind::Uuid => {
                let begin = self.start;
                let run = self.fixed_elements(count, kind)?;
                // The error for an array that exceeds the limit is at its start.
                let last = std::mem::replace(&mut self.start, begin);
                let is_exact = LEVEL == COUNTED;
                self.charge(
                    || {
                        if is_exact { costs::fixed_array(kind, run) } else { costs::most_of_array(kind, count) }
                    },
                )?;
                self.start = last;
                return Ok(());
            }
            // Structs of zero bytes: there is nothing to skip, whatever their number.
            _ if LEVEL < BOUNDED && self.plan.smallest(element) == 0 => return Ok(()),
            _ => {
                let plan = self.plan;
                self.charge(|| costs::array(count, plan.sleeps(element)))?;
            }
        }
        let fixed = self.fixed_struct(element);
        for index in 0..count {
            if let Some((number, size)) = fixed
                && self.cursor.pass_before_zero(size)
            {
                self.start = self.cursor.at() - 1;
                self.begin(number)?;
                continue;
            }
            self.start = self.cursor.at();
            self.value(element).map_err(|error| error.within(Part::Index(index)))?;
        }
        Ok(())
    }

    /// The layout and the number of bytes of structs of constant size before their tag section, which is mostly one byte of zero.
    fn fixed_struct(&self, codec: Codec) -> Option<(u32, usize)> {
        let Codec::Struct { layout: number, null: NullMark::Never } = codec else { return None };
        let layout = &self.plan.layouts[number as usize];
        match layout.runs.as_slice() {
            [run] if LEVEL != COUNTED && layout.flexible => Some((number, run.size?)),
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
        let error = MessageError::from(Box::new(Reason::TooFewBytes { needed: size, left: left % size }));
        Err(error.within(Part::Index(left / size)))
    }
}

/// Checks that the message at a cursor can be read and is within its limits; `views` says whether zero-copy fields become views.
#[cold]
#[inline(never)]
pub fn check(plan: &Plan, layout: u32, cursor: Cursor<'_>, views: bool, limits: &Limits) -> Result<(), Located> {
    let mut skipper = Skipper::<COUNTED>::new(plan, limits, cursor);
    skipper.views = views;
    skipper.message(layout).map_err(|error| match error.cause() {
        Cause::Message(reason, parts) => (reason.text, path(plan, &parts), skipper.start),
        Cause::Batch(reason) => (reason.to_owned(), String::new(), skipper.start),
    })
}
