//! Passing over what nobody wants; every byte of it is checked as if somebody did.

use super::fault::{Outcome, Part, Stop};
use super::walk::Walk;
use crate::plan::Codec;
use crate::wire::{Reason, text_bytes};

impl Walk<'_, '_> {
    /// Passes over a value.
    pub fn skip(&mut self, codec: Codec) -> Outcome<()> {
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
                    text_bytes(text)?;
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
                let count = self.count(length)?.unwrap_or(0);
                self.skip_elements(count, self.plan.codecs[element as usize])?;
            }
        }
        Ok(())
    }

    fn skip_elements(&mut self, count: usize, codec: Codec) -> Outcome<()> {
        if let Codec::Fixed(kind) = codec
            && self.holds(count, kind)
        {
            self.fixed_elements(count, kind)?;
            return Ok(());
        }
        if self.plan.smallest(codec) == 0 {
            // Structs without a byte: there is nothing to pass over, however many are announced.
            return Ok(());
        }
        for index in 0..count {
            self.start = self.cursor.at();
            self.skip(codec).map_err(|stop| stop.within(Part::Index(index)))?;
        }
        Ok(())
    }

    fn skip_struct(&mut self, number: u32) -> Outcome<()> {
        let layout = &self.plan.layouts[number as usize];
        for (field, codec) in &layout.steps {
            self.start = self.cursor.at();
            let part = || Part::Field(number, *field);
            self.skip(self.plan.codecs[*codec as usize]).map_err(|stop| stop.within(part()))?;
        }
        if !layout.flexible {
            return Ok(());
        }
        self.start = self.cursor.at();
        let count = self.cursor.uvarint()?;
        self.limits.check_tags(count)?;
        for _ in 0..count {
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

    /// The number and size of a tagged field that this version may have.
    pub fn tag(&mut self, layout: u32) -> Outcome<(u32, usize)> {
        let (tag, size) = (self.cursor.uvarint()?, self.cursor.uvarint()? as usize);
        if self.plan.layouts[layout as usize].foreign.contains(&tag) {
            return Err(Box::new(Reason::ForeignTag { tag }).into());
        }
        Ok((tag, size))
    }

    /// Passes over a tagged field, which must have the size that was announced.
    pub fn skip_tagged(&mut self, layout: u32, tag: u32, field: usize, codec: Codec, size: usize) -> Outcome<()> {
        let part = || Part::Field(layout, field);
        self.start = self.cursor.at();
        let start = self.start;
        self.skip(codec).map_err(|stop| stop.within(part()))?;
        let taken = self.cursor.at() - start;
        if taken != size {
            return Err(Stop::from(Box::new(Reason::TagSize { tag, size, taken })).within(part()));
        }
        Ok(())
    }
}
