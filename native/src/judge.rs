//! Passes over a message without making anything of it: what is wrong with it and where, and whether it costs too much.
//!
//! It is the walk of the runtime (`walk.py`), step by step, so that both say the same. The decoder, which keeps no paths, asks it
//! once something can't be read or costs too much.

use crate::columns::fault::{self, Cause, Outcome, Part};
use crate::costs::{self, Limits};
use crate::plan::{Codec, Kind, Length, NullMark, Plan};
use crate::wire::{Cursor, Reason, text_bytes};

/// What is wrong with a message.
pub struct Fault {
    /// In words.
    pub reason: String,
    /// The field, such as `topics[3].name`.
    pub path: String,
    /// Where the field begins.
    pub offset: usize,
}

/// A message that is passed over; `start` is where the latest field or element began.
struct Judge<'a, 'data> {
    plan: &'a Plan,
    cursor: Cursor<'data>,
    start: usize,
    limits: &'a Limits,
    /// Whether zero-copy fields become views.
    views: bool,
    cost: u64,
    most: u64,
    /// The array of integers just before, in the same struct.
    latest: Option<(Kind, &'data [u8])>,
}

/// Whether the message at the cursor can be read, and within its limits.
#[cold]
#[inline(never)]
pub fn judge(plan: &Plan, layout: u32, cursor: Cursor<'_>, views: bool, limits: &Limits) -> Result<(), Fault> {
    let (start, most) = (cursor.at(), limits.memory(cursor.left()));
    let mut judge = Judge { plan, cursor, start, limits, views, cost: 0, most, latest: None };
    judge.message(layout).map_err(|stop| match stop.cause() {
        Cause::Row(reason, parts) => {
            Fault { reason: reason.text, path: fault::path(plan, &parts), offset: judge.start }
        }
        Cause::Batch(reason) => Fault { reason: reason.to_owned(), path: String::new(), offset: judge.start },
    })
}

impl<'a> Judge<'a, '_> {
    fn message(&mut self, layout: u32) -> Outcome<()> {
        let begin = self.cursor.at();
        self.structure(layout)?;
        // Nothing behind the message may decide whether it is accepted.
        self.start = begin;
        self.most = self.limits.memory(self.cursor.at() - begin);
        self.charge(0)
    }

    #[inline(always)]
    fn charge(&mut self, cost: u64) -> Outcome<()> {
        self.cost = self.cost.saturating_add(cost);
        if self.cost > self.most {
            let Limits { memory_factor: factor, memory_constant: constant, .. } = *self.limits;
            return refuse(Reason::TooMuchMemory { factor, constant });
        }
        Ok(())
    }

    fn structure(&mut self, number: u32) -> Outcome<()> {
        let plan: &'a Plan = self.plan;
        let layout = &plan.layouts[number as usize];
        self.charge(costs::structure(plan.structs[layout.struct_number].fields.len()))?;
        let mut latest = None;
        for (field, codec) in &layout.steps {
            self.start = self.cursor.at();
            let codec = plan.codecs[*codec as usize];
            self.latest = latest;
            self.value(codec).map_err(|stop| stop.within(Part::Field(number, *field)))?;
            if self.number_kind(codec).is_some() {
                latest = self.latest;
            }
        }
        if layout.flexible { self.tag_section(number) } else { Ok(()) }
    }

    fn tag_section(&mut self, number: u32) -> Outcome<()> {
        let plan: &'a Plan = self.plan;
        let layout = &plan.layouts[number as usize];
        self.start = self.cursor.at();
        let count = self.cursor.uvarint()?;
        self.limits.check_tags(count)?;
        let mut is_first = true;
        for _ in 0..count {
            let (tag, size) = (self.cursor.uvarint()?, self.cursor.uvarint()? as usize);
            if layout.foreign.contains(&tag) {
                return refuse(Reason::ForeignTag { tag });
            }
            let Some(known) = layout.tagged.iter().find(|known| known.tag == tag) else {
                self.cursor.take(size)?;
                self.charge(costs::tag(tag, size) + if is_first { costs::ARRAY } else { 0 })?;
                is_first = false;
                continue;
            };
            let begin = self.cursor.at();
            self.latest = None;
            self.start = begin;
            let part = Part::Field(number, known.field);
            self.value(plan.codecs[known.codec as usize]).map_err(|stop| stop.within(part))?;
            let taken = self.cursor.at() - begin;
            if taken != size {
                return refuse(Reason::TagSize { tag, size, taken }).map_err(|stop: fault::Stop| stop.within(part));
            }
        }
        Ok(())
    }

    #[inline]
    fn value(&mut self, codec: Codec) -> Outcome<()> {
        match codec {
            Codec::Fixed(kind) => {
                let run = self.cursor.take(kind.size())?;
                self.charge(costs::fixed(kind, run, 0))
            }
            Codec::Packed(bits) => {
                let value = self.cursor.packed(bits)?;
                self.charge(costs::int(value, bits))
            }
            Codec::Upacked(bits) => {
                let value = self.cursor.upacked(bits)?;
                self.charge(costs::int(value, bits))
            }
            Codec::String(length) => match self.cursor.string(length)? {
                Some(text) => self.charge(costs::string(text_bytes(text)?)),
                None => Ok(()),
            },
            Codec::Bytes { length, zero_copy } => match self.cursor.bytes(length)? {
                Some(_) if zero_copy && self.views => self.charge(costs::VIEW),
                Some(bytes) => self.charge(costs::bytes(bytes.len())),
                None => Ok(()),
            },
            Codec::Struct { layout, null } => {
                let is_null = match null {
                    NullMark::Never => false,
                    NullMark::Int8 => self.cursor.array::<1>()?[0] > 0x7F,
                    NullMark::Varint => self.cursor.uvarint()? == 0,
                };
                if is_null { Ok(()) } else { self.structure(layout) }
            }
            Codec::Array { length, element } => self.array(length, self.plan.codecs[element as usize], codec),
        }
    }

    /// The kind of an array's elements where they are numbers.
    fn number_kind(&self, codec: Codec) -> Option<Kind> {
        let Codec::Array { element, .. } = codec else { return None };
        match self.plan.codecs[element as usize] {
            Codec::Fixed(kind) if kind != Kind::Uuid => Some(kind),
            _ => None,
        }
    }

    fn array(&mut self, length: Length, element: Codec, codec: Codec) -> Outcome<()> {
        let count = self.cursor.count(length)?;
        if let Some(kind) = self.number_kind(codec) {
            return self.numbers(kind, count);
        }
        let Some(count) = count else { return Ok(()) };
        self.limits.check_elements(count)?;
        self.charge(costs::array(count))?;
        for index in 0..count {
            self.start = self.cursor.at();
            self.value(element).map_err(|stop| stop.within(Part::Index(index)))?;
        }
        Ok(())
    }

    fn numbers(&mut self, kind: Kind, count: Option<usize>) -> Outcome<()> {
        let latest = self.latest.take();
        let Some(count) = count else { return Ok(()) };
        self.limits.check_elements(count)?;
        let (size, left) = (kind.size(), self.cursor.left());
        if count * size > left {
            self.start = self.cursor.at() + left / size * size;
            let reason = Reason::TooFewBytes { needed: size, left: left % size };
            return refuse(reason).map_err(|stop: fault::Stop| stop.within(Part::Index(left / size)));
        }
        let run = self.cursor.take(count * size)?;
        if latest != Some((kind, run)) {
            self.charge(costs::numbers(kind, run))?;
        }
        if count > 0 {
            self.start = self.cursor.at() - size;
        }
        if !matches!(kind, Kind::Bool | Kind::Float64) {
            self.latest = Some((kind, run));
        }
        Ok(())
    }
}

#[cold]
fn refuse<T>(reason: Reason) -> Outcome<T> {
    Err(Box::new(reason).into())
}
