//! Reads messages without creating values: checks them, and finds the ends of their parts.

use messagegen_core::limits::Limits;
use messagegen_core::plan::{Codec, Kind, Length, NullMark};
use messagegen_core::wire::{Cursor, Reason, WireError, text_bytes};

use super::input::Input;
use super::tables::{LayoutTable, Step, Tables};
use messagegen_core::costs;

/// What a scanner checks: nothing, because the bytes were checked before.
pub const KNOWN: u8 = 0;
/// Everything, but costs are upper bounds: a message that exceeds them may still be within its limits.
pub const BOUNDED: u8 = 1;
/// Everything, with the exact costs of the decoder.
pub const COUNTED: u8 = 2;

/// A position in a message.
pub struct Scanner<'a, const LEVEL: u8> {
    tables: &'a Tables,
    limits: &'a Limits,
    /// What is read next.
    pub cursor: Cursor<'a>,
    /// Whether zero-copy fields become views.
    views: bool,
    cost: u64,
    most: u64,
}

type Scanned = Result<(), WireError>;

impl<'a, const LEVEL: u8> Scanner<'a, LEVEL> {
    /// Starts at a cursor.
    pub fn new(tables: &'a Tables, limits: &'a Limits, cursor: Cursor<'a>, views: bool) -> Self {
        Scanner { tables, limits, cursor, views, cost: 0, most: limits.memory(cursor.left()) }
    }

    /// Starts at a message.
    pub fn of(input: &Input<'a, '_>) -> Self {
        Scanner::new(input.tables.get(), input.limits, input.cursor, input.view.is_some())
    }

    /// Fails if the values since `begin` cost more than the limit for a message of this size.
    pub fn check_total(&mut self, begin: usize) -> Scanned {
        self.most = self.limits.memory(self.cursor.at() - begin);
        self.check()
    }

    #[inline(always)]
    fn charge(&mut self, cost: u64) {
        if LEVEL != KNOWN {
            self.cost = self.cost.saturating_add(cost);
        }
    }

    /// Fails if the values so far exceed the limits.
    #[inline(always)]
    pub fn check(&self) -> Scanned {
        if LEVEL != KNOWN && self.cost > self.most { Err(self.limits.too_much_memory()) } else { Ok(()) }
    }

    /// Skips a struct.
    pub fn structure(&mut self, layout: u32) -> Scanned {
        self.structure_of(self.table(layout))
    }

    #[inline(always)]
    fn structure_of(&mut self, table: &'a LayoutTable) -> Scanned {
        self.begin(table);
        for step in &table.steps {
            self.step(step)?;
        }
        self.tags(table)
    }

    /// Begins a struct.
    #[inline(always)]
    pub fn begin(&mut self, table: &LayoutTable) {
        self.charge(if LEVEL == COUNTED { table.cost } else { table.most });
    }

    /// Skips the values of a step.
    #[inline(always)]
    pub fn step(&mut self, step: &Step) -> Scanned {
        match step {
            Step::Run(size, members) => {
                let run = self.cursor.take(*size)?;
                if LEVEL == COUNTED {
                    self.cost += members.iter().map(|member| costs::fixed(member.kind, run, member.at)).sum::<u64>();
                }
                Ok(())
            }
            Step::Value(_, Codec::String(length)) => self.string(*length),
            Step::Value(_, codec) => self.value(*codec),
            Step::Numbers(_, length, kind, _) => match self.cursor.count(*length)? {
                Some(count) => self.fixed_array(*kind, count),
                None => Ok(()),
            },
        }
    }

    /// Skips the tag section, if there is one.
    #[inline(always)]
    pub fn tags(&mut self, table: &LayoutTable) -> Scanned {
        if !table.flexible {
            return Ok(());
        }
        match self.cursor.uvarint()? {
            0 => Ok(()),
            count => self.tag_section(table, count),
        }
    }

    fn tag_section(&mut self, table: &LayoutTable, count: u32) -> Scanned {
        let mut is_first = true;
        if LEVEL != KNOWN {
            self.limits.check_tags(count)?;
        }
        for _ in 0..count {
            let (tag, size) = (self.cursor.uvarint()?, self.cursor.uvarint()? as usize);
            if LEVEL == KNOWN {
                self.cursor.take(size)?;
                continue;
            }
            if table.foreign.contains(&tag) {
                return Err(Box::new(Reason::ForeignTag { tag }));
            }
            let Some(known) = table.tagged.iter().find(|known| known.tag == tag) else {
                self.charge(costs::tag(tag, size) + if is_first { costs::ARRAY } else { 0 });
                self.check()?;
                is_first = false;
                self.cursor.take(size)?;
                continue;
            };
            let start = self.cursor.at();
            self.value(known.codec)?;
            let taken = self.cursor.at() - start;
            if taken != size {
                return Err(Box::new(Reason::TagSize { tag, size, taken }));
            }
        }
        Ok(())
    }

    fn value(&mut self, codec: Codec) -> Scanned {
        match codec {
            Codec::Fixed(kind) => {
                let bytes = self.cursor.take(kind.size())?;
                self.charge(costs::fixed(kind, bytes, 0));
            }
            Codec::Packed(bits) => {
                let value = self.cursor.packed(bits)?;
                self.charge(costs::int(value, bits));
            }
            Codec::Upacked(bits) => {
                let value = self.cursor.upacked(bits)?;
                self.charge(costs::int(value, bits));
            }
            Codec::String(length) => self.string(length)?,
            Codec::Bytes { length, zero_copy } => {
                if let Some(bytes) = self.cursor.bytes(length)? {
                    let is_view = zero_copy && self.views;
                    self.charge(if is_view { costs::VIEW } else { costs::bytes(bytes.len()) });
                }
            }
            Codec::Struct { layout, null } => {
                if !self.cursor.is_null(null)? {
                    self.structure(layout)?;
                }
            }
            Codec::Array { length, element } => self.array(length, element)?,
        }
        Ok(())
    }

    #[inline(always)]
    fn string(&mut self, length: Length) -> Scanned {
        if let Some(text) = self.cursor.string(length)?
            && LEVEL != KNOWN
        {
            text_bytes(text)?;
            self.charge(costs::string(text));
        }
        Ok(())
    }

    fn array(&mut self, length: Length, element: u32) -> Scanned {
        let codec = self.tables.codecs[element as usize];
        if let Codec::Fixed(kind) = codec {
            return match self.cursor.count(length)? {
                Some(count) => self.fixed_array(kind, count),
                None => Ok(()),
            };
        }
        let Some(count) = self.count(length, element)? else {
            return Ok(());
        };
        if let Codec::Struct { layout, null: NullMark::Never } = codec {
            return self.structures(self.table(layout), count);
        }
        for _ in 0..count {
            self.value(codec)?;
            self.check()?;
        }
        Ok(())
    }

    fn structures(&mut self, table: &'a LayoutTable, count: usize) -> Scanned {
        if LEVEL != COUNTED
            && let Some(bytes) = table.bytes
        {
            if !table.flexible {
                self.charge(table.most.saturating_mul(count as u64));
                self.cursor.take(count.saturating_mul(bytes))?;
                return self.check();
            }
            // Most tag sections are empty, which is one byte of zero.
            for _ in 0..count {
                if self.cursor.pass_before_zero(bytes) {
                    self.begin(table);
                } else {
                    self.structure_of(table)?;
                    self.check()?;
                }
            }
            return self.check();
        }
        for _ in 0..count {
            self.structure_of(table)?;
            self.check()?;
        }
        Ok(())
    }

    /// Begins an array of values without constant size: returns the number of elements, `None` for null.
    pub fn count(&mut self, length: Length, element: u32) -> Result<Option<usize>, WireError> {
        let Some(count) = self.cursor.count(length)? else {
            return Ok(None);
        };
        if LEVEL != KNOWN {
            self.cursor.check_elements(count, self.tables.smallest[element as usize])?;
            self.limits.check_elements(count)?;
        }
        self.charge(costs::array(count, self.tables.sleeps[element as usize]));
        self.check()?;
        Ok(Some(count))
    }

    #[inline(always)]
    fn fixed_array(&mut self, kind: Kind, count: usize) -> Scanned {
        if LEVEL != KNOWN {
            self.limits.check_elements(count)?;
        }
        let run = self.cursor.take(count.saturating_mul(kind.size()))?;
        if LEVEL == KNOWN {
            return Ok(());
        }
        self.charge(if LEVEL == COUNTED { costs::fixed_array(kind, run) } else { costs::most_of_array(kind, count) });
        self.check()
    }

    #[inline(always)]
    fn table(&self, layout: u32) -> &'a LayoutTable {
        &self.tables.layouts[layout as usize]
    }
}
