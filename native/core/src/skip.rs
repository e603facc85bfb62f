//! Reads a message without keeping its values, and checks every byte of it.
//!
//! It takes the same steps as the reference codec (`runtime/walk/`), so both report the same error at the same position.

use crate::error::{MessageError, MessageResult, Part};
use crate::limits::Limits;
use crate::plan::{Codec, Kind, Layout, Length, Plan};
use crate::wire::{Cursor, Reason, WireError, text_bytes};

/// Counts the memory of values.
pub trait Meter {
    /// Whether anything is counted.
    const COUNTS: bool;
    /// A struct with so many fields.
    fn structure(&mut self, fields: usize) -> Result<(), WireError>;
    /// A value of constant size.
    fn fixed(&mut self, kind: Kind, bytes: &[u8]) -> Result<(), WireError>;
    /// An integer of so many bits.
    fn int(&mut self, value: i64, bits: u32) -> Result<(), WireError>;
    /// A string.
    fn string(&mut self, text: &[u8]) -> Result<(), WireError>;
    /// Bytes.
    fn bytes(&mut self, length: usize, zero_copy: bool) -> Result<(), WireError>;
    /// An array of anything but numbers, without its elements; `sleeps` if these may be asleep in a lazily decoded message.
    fn array(&mut self, count: usize, sleeps: bool) -> Result<(), WireError>;
    /// An array of numbers of constant size.
    fn numbers(&mut self, kind: Kind, run: &[u8]) -> Result<(), WireError>;
    /// An unknown tagged field.
    fn tag(&mut self, tag: u32, size: usize, is_first: bool) -> Result<(), WireError>;
}

/// Counts nothing.
pub struct Free;

impl Meter for Free {
    const COUNTS: bool = false;
    fn structure(&mut self, _: usize) -> Result<(), WireError> {
        Ok(())
    }
    fn fixed(&mut self, _: Kind, _: &[u8]) -> Result<(), WireError> {
        Ok(())
    }
    fn int(&mut self, _: i64, _: u32) -> Result<(), WireError> {
        Ok(())
    }
    fn string(&mut self, _: &[u8]) -> Result<(), WireError> {
        Ok(())
    }
    fn bytes(&mut self, _: usize, _: bool) -> Result<(), WireError> {
        Ok(())
    }
    fn array(&mut self, _: usize, _: bool) -> Result<(), WireError> {
        Ok(())
    }
    fn numbers(&mut self, _: Kind, _: &[u8]) -> Result<(), WireError> {
        Ok(())
    }
    fn tag(&mut self, _: u32, _: usize, _: bool) -> Result<(), WireError> {
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
        self.meter.structure(plan.structs[layout.struct_number].fields.len())?;
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
        let mut is_first = true;
        for _ in 0..count {
            let (tag, size) = self.tag(layout)?;
            match layout.tagged.iter().find(|known| known.tag == tag) {
                Some(known) => {
                    self.tagged(number, tag, known.field, self.plan.codecs[known.codec as usize], size)?;
                }
                None => {
                    self.cursor.take(size)?;
                    self.meter.tag(tag, size, is_first)?;
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
                self.meter.fixed(kind, bytes)?;
            }
            Codec::Packed(bits) => {
                let value = self.cursor.packed(bits)?;
                self.meter.int(value, bits)?;
            }
            Codec::Upacked(bits) => {
                let value = self.cursor.upacked(bits)?;
                self.meter.int(value, bits)?;
            }
            Codec::String(length) => {
                if let Some(text) = self.cursor.string(length)? {
                    self.meter.string(text_bytes(text)?)?;
                }
            }
            Codec::Bytes { length, zero_copy } => {
                if let Some(bytes) = self.cursor.bytes(length)? {
                    self.meter.bytes(bytes.len(), zero_copy)?;
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
            Codec::Fixed(kind) if !M::COUNTS || is_number(element) => {
                let begin = self.start;
                let run = self.fixed_elements(count, kind)?;
                if M::COUNTS {
                    // The error for an array that exceeds the limit is at its start.
                    let last = std::mem::replace(&mut self.start, begin);
                    self.meter.numbers(kind, run)?;
                    self.start = last;
                }
                return Ok(());
            }
            // Structs of zero bytes: there is nothing to skip, whatever their number.
            _ if !M::COUNTS && self.plan.smallest(element) == 0 => return Ok(()),
            _ => self.meter.array(count, M::COUNTS && self.plan.sleeps(element))?,
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

/// Whether a value is a number of constant size. A uuid is not a number.
fn is_number(codec: Codec) -> bool {
    matches!(codec, Codec::Fixed(kind) if kind != Kind::Uuid)
}
