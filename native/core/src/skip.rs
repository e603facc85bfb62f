//! Reads a message without keeping its values, and checks every byte of it.
//!
//! It takes the same steps as the reference codec (`runtime/walk/`), so both report the same error at the same position.

use crate::costs;
use crate::error::{MessageError, MessageResult, Part};
use crate::limits::Limits;
use crate::plan::{Codec, Kind, Layout, Length, Plan};
use crate::wire::{Cursor, Reason, WireError, text_bytes};

/// Counts the memory of values.
pub trait Meter {
    /// Whether anything is counted.
    const COUNTS: bool;
    /// Whether zero-copy fields become views.
    fn has_views(&self) -> bool;
    /// Counts a cost of `costs.rs`.
    fn charge(&mut self, cost: impl FnOnce() -> u64) -> Result<(), WireError>;
}

/// Counts nothing.
pub struct Free;

impl Meter for Free {
    const COUNTS: bool = false;
    fn has_views(&self) -> bool {
        false
    }
    fn charge(&mut self, _: impl FnOnce() -> u64) -> Result<(), WireError> {
        Ok(())
    }
}

/// A position in a message.
pub struct Skipper<'a, 'data, M> {
    pub plan: &'a Plan,
    pub limits: &'a Limits,
    pub cursor: Cursor<'data>,
    /// Where the latest field or element began.
    pub start: usize,
    pub meter: M,
}

impl<'a, 'data, M: Meter> Skipper<'a, 'data, M> {
    /// Starts at a cursor.
    pub fn new(plan: &'a Plan, limits: &'a Limits, cursor: Cursor<'data>, meter: M) -> Self {
        Skipper { plan, limits, cursor, start: cursor.at(), meter }
    }

    /// Skips a struct.
    pub fn structure(&mut self, number: u32) -> MessageResult<()> {
        let plan = self.plan;
        let layout = &plan.layouts[number as usize];
        self.meter.charge(|| costs::structure(plan.structs[layout.struct_number].fields.len()))?;
        for (field, codec) in &layout.steps {
            self.start = self.cursor.at();
            let codec = plan.codecs[*codec as usize];
            self.value(codec).map_err(|error| error.within(Part::Field(number, *field)))?;
        }
        if layout.flexible { self.tag_section(number, layout) } else { Ok(()) }
    }

    fn tag_section(&mut self, number: u32, layout: &Layout) -> MessageResult<()> {
        self.start = self.cursor.at();
        let count = self.cursor.uvarint()?;
        self.limits.check_tags(count)?;
        let mut unknown = 0;
        for _ in 0..count {
            let (tag, size) = self.tag(layout)?;
            match layout.tagged.iter().find(|known| known.tag == tag) {
                Some(known) => {
                    self.tagged(number, tag, known.field, self.plan.codecs[known.codec as usize], size)?;
                }
                None => {
                    self.cursor.take(size)?;
                    self.meter.charge(|| costs::tag(tag, size) + if unknown == 0 { costs::ARRAY } else { 0 })?;
                    unknown += 1;
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
                self.meter.charge(|| costs::fixed(kind, bytes, 0))?;
            }
            Codec::Packed(bits) => {
                let value = self.cursor.packed(bits)?;
                self.meter.charge(|| costs::int(value, bits))?;
            }
            Codec::Upacked(bits) => {
                let value = self.cursor.upacked(bits)?;
                self.meter.charge(|| costs::int(value, bits))?;
            }
            Codec::String(length) => {
                if let Some(text) = self.cursor.string(length)? {
                    text_bytes(text)?;
                    self.meter.charge(|| costs::string(text))?;
                }
            }
            Codec::Bytes { length, zero_copy } => {
                if let Some(bytes) = self.cursor.bytes(length)? {
                    let is_view = zero_copy && self.meter.has_views();
                    self.meter.charge(|| if is_view { costs::VIEW } else { costs::bytes(bytes.len()) })?;
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
            // A uuid is not a number.
            Codec::Fixed(kind) if !M::COUNTS || kind != Kind::Uuid => {
                let begin = self.start;
                let run = self.fixed_elements(count, kind)?;
                // The error for an array that exceeds the limit is at its start.
                let last = std::mem::replace(&mut self.start, begin);
                self.meter.charge(|| costs::numbers(kind, run))?;
                self.start = last;
                return Ok(());
            }
            // Structs of zero bytes: there is nothing to skip, whatever their number.
            _ if !M::COUNTS && self.plan.smallest(element) == 0 => return Ok(()),
            _ => {
                let plan = self.plan;
                self.meter.charge(|| costs::array(count, plan.sleeps(element)))?;
            }
        }
        for index in 0..count {
            self.start = self.cursor.at();
            self.value(element).map_err(|error| error.within(Part::Index(index)))?;
        }
        Ok(())
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
