//! Bytes to Python objects.

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyFloat, PyString, PyTuple};

use crate::costs::{self, Limits};
use crate::objects::{Instance, TupleBuilder, cut};
use crate::plan::{Codec, Kind, Length, NullMark};
use crate::seen::Seen;
use crate::stop::{Outcome, Stop};
use crate::tables::{LayoutTable, Member, Step, Tables};
use crate::wire::{Cursor, Reason, chunk, fixed_int};

/// Reads one message.
pub struct Decoder<'a, 'py> {
    py: Python<'py>,
    tables: &'a Tables,
    cursor: Cursor<'a>,
    /// What zero-copy fields are cut from; `None` where they are copied.
    source: Option<&'a Bound<'py, PyAny>>,
    /// The latest array of integers with its bytes: neighbours are often equal (replicas and in-sync replicas), and
    /// then share their tuple.
    latest: Option<(Kind, &'a [u8], Bound<'py, PyTuple>, u64)>,
    /// From the first long array on, what was made before.
    seen: Option<Box<Seen<'a, 'py>>>,
    limits: &'a Limits,
    /// What all that was made costs, and may cost.
    cost: u64,
    most: u64,
}

/// The array of integers before another one, if there is one in the same struct.
type Before<'a> = Option<(Kind, &'a [u8])>;

/// Shorter arrays end before looking for equal values pays.
const LONG: usize = 8;

impl<'a, 'py> Decoder<'a, 'py> {
    /// A decoder that starts at the cursor.
    pub fn new(
        py: Python<'py>,
        tables: &'a Tables,
        cursor: Cursor<'a>,
        source: Option<&'a Bound<'py, PyAny>>,
        limits: &'a Limits,
    ) -> Self {
        let most = limits.memory(cursor.left());
        Decoder { py, tables, cursor, source, latest: None, seen: None, limits, cost: 0, most }
    }

    /// Reads a message in the layout of that number; gives it and the offset after it.
    pub fn message(mut self, layout: u32) -> Outcome<(Bound<'py, PyAny>, usize)> {
        let begin = self.cursor.at();
        let message = self.structure(layout)?;
        let end = self.cursor.at();
        // Nothing behind the message may decide whether it is accepted.
        self.most = self.limits.memory(end - begin);
        self.check()?;
        Ok((message, end))
    }

    /// Stops where what was made costs too much. Values of a struct are not checked one by one: their bytes bound what they cost.
    #[inline(always)]
    fn check(&self) -> Outcome<()> {
        if self.cost > self.most { self.too_much() } else { Ok(()) }
    }

    #[cold]
    #[inline(never)]
    fn too_much(&self) -> Outcome<()> {
        let Limits { memory_factor: factor, memory_constant: constant, .. } = *self.limits;
        Err(wrong(Reason::TooMuchMemory { factor, constant }))
    }

    fn structure(&mut self, layout: u32) -> Outcome<Bound<'py, PyAny>> {
        let tables = self.tables;
        let table = &tables.layouts[layout as usize];
        self.cost += table.cost;
        self.check()?;
        let mut before = None;
        let instance = tables.classes[table.class].instantiate(self.py)?;
        for (slot, value) in &table.initial {
            instance.set(*slot, value.bind(self.py).clone());
        }
        for step in &table.steps {
            match step {
                Step::Run(size, members) => self.run(&instance, *size, members)?,
                // Strings are what most fields beside integers are.
                Step::Value(slot, Codec::String(length)) => instance.set(*slot, self.string(*length)?),
                Step::Numbers(slot, length, kind, _) => instance.set(*slot, self.numbers(*length, *kind, &mut before)?),
                Step::Value(slot, codec) => instance.set(*slot, self.value(*codec)?),
            }
        }
        if table.flexible {
            let count = self.cursor.uvarint()?;
            if count > 0 {
                self.limits.check_tags(count)?;
                self.tag_section(table, &instance, count)?;
            }
        }
        Ok(instance.finish())
    }

    #[inline(always)]
    fn run(&mut self, instance: &Instance<'py>, size: usize, members: &[Member]) -> Outcome<()> {
        let run = self.cursor.take(size)?;
        for member in members {
            instance.set(member.slot, self.fixed(member.kind, run, member.at)?);
        }
        Ok(())
    }

    #[inline(always)]
    fn fixed(&mut self, kind: Kind, run: &[u8], at: usize) -> Outcome<Bound<'py, PyAny>> {
        Ok(match kind {
            Kind::Bool => PyBool::new(self.py, run[at] != 0).to_owned().into_any(),
            Kind::Float64 | Kind::Uuid => {
                self.cost += costs::fixed(kind, run, at);
                self.fixed_uncounted(kind, run, at)?
            }
            _ => {
                let value = fixed_int(kind, run, at);
                self.cost += costs::int(value, if kind == Kind::Int64 { 64 } else { 32 });
                self.int(value)?
            }
        })
    }

    #[inline(always)]
    fn fixed_uncounted(&mut self, kind: Kind, run: &[u8], at: usize) -> Outcome<Bound<'py, PyAny>> {
        Ok(match kind {
            Kind::Bool => PyBool::new(self.py, run[at] != 0).to_owned().into_any(),
            Kind::Float64 => self.float(f64::from_be_bytes(chunk(run, at))),
            Kind::Uuid => self.tables.uuids()?.make(self.py, chunk(run, at))?,
            _ => self.int(fixed_int(kind, run, at))?,
        })
    }

    #[inline]
    fn float(&mut self, value: f64) -> Bound<'py, PyAny> {
        match &mut self.seen {
            Some(seen) => seen.float(self.py, value),
            None => PyFloat::new(self.py, value).into_any(),
        }
    }

    #[inline]
    fn int(&self, value: i64) -> Outcome<Bound<'py, PyAny>> {
        let Ok(value) = value.into_pyobject(self.py);
        Ok(value.into_any())
    }

    fn value(&mut self, codec: Codec) -> Outcome<Bound<'py, PyAny>> {
        match codec {
            Codec::Fixed(kind) => {
                let run = self.cursor.take(kind.size())?;
                self.fixed(kind, run, 0)
            }
            Codec::Packed(bits) => {
                let value = self.cursor.packed(bits)?;
                self.cost += costs::int(value, bits);
                self.int(value)
            }
            Codec::Upacked(bits) => {
                let value = self.cursor.upacked(bits)?;
                self.cost += costs::int(value, bits);
                self.int(value)
            }
            Codec::String(length) => self.string(length),
            Codec::Bytes { length, zero_copy } => self.bytes(length, zero_copy),
            Codec::Struct { layout, null } => self.nullable_struct(layout, null),
            Codec::Array { length, element } => self.array(length, element),
        }
    }

    fn nullable_struct(&mut self, layout: u32, null: NullMark) -> Outcome<Bound<'py, PyAny>> {
        let is_null = match null {
            NullMark::Never => false,
            NullMark::Int8 => self.cursor.array::<1>()?[0] > 0x7F,
            NullMark::Varint => self.cursor.uvarint()? == 0,
        };
        if is_null { Ok(self.none()) } else { self.structure(layout) }
    }

    fn none(&self) -> Bound<'py, PyAny> {
        self.py.None().into_bound(self.py)
    }

    #[inline]
    fn string(&mut self, length: Length) -> Outcome<Bound<'py, PyAny>> {
        match self.cursor.string(length)? {
            Some(text) => {
                self.cost += costs::string(text);
                Ok(match &mut self.seen {
                    Some(seen) => seen.string(self.py, text)?,
                    None => PyString::from_bytes(self.py, text)?,
                }
                .into_any())
            }
            None => Ok(self.none()),
        }
    }

    fn bytes(&mut self, length: Length, zero_copy: bool) -> Outcome<Bound<'py, PyAny>> {
        let Some(bytes) = self.cursor.bytes(length)? else {
            return Ok(self.none());
        };
        match self.source {
            Some(source) if zero_copy => {
                self.cost += costs::VIEW;
                Ok(cut(source, self.cursor.at() - bytes.len(), self.cursor.at())?)
            }
            _ => {
                self.cost += costs::bytes(bytes.len());
                Ok(PyBytes::new(self.py, bytes).into_any())
            }
        }
    }

    fn array(&mut self, length: Length, element: u32) -> Outcome<Bound<'py, PyAny>> {
        let Some(count) = self.cursor.count(length)? else {
            return Ok(self.none());
        };
        let codec = self.tables.codecs[element as usize];
        self.cursor.check_elements(count, self.tables.smallest[element as usize])?;
        self.limits.check_elements(count)?;
        if let Codec::Fixed(kind) = codec {
            return self.fixed_array(kind, count, &mut None);
        }
        self.cost += costs::array(count);
        self.check()?;
        if count >= LONG && self.seen.is_none() {
            self.seen = Some(Box::new(Seen::new()));
        }
        let mut items = TupleBuilder::new(self.py, count)?;
        for _ in 0..count {
            items.push(self.value(codec)?);
            self.check()?;
        }
        let cyclic = matches!(codec, Codec::Struct { .. } | Codec::Array { .. });
        Ok(items.finish(cyclic).into_any())
    }

    #[inline]
    fn numbers(&mut self, length: Length, kind: Kind, before: &mut Before<'a>) -> Outcome<Bound<'py, PyAny>> {
        let Some(count) = self.cursor.count(length)? else {
            *before = None;
            return Ok(self.none());
        };
        self.limits.check_elements(count)?;
        self.fixed_array(kind, count, before)
    }

    /// `before` is the array of integers just before in the same struct; one that is equal to it costs nothing.
    fn fixed_array(&mut self, kind: Kind, count: usize, before: &mut Before<'a>) -> Outcome<Bound<'py, PyAny>> {
        let run = self.cursor.take(count * kind.size())?;
        let last = before.take();
        if !matches!(kind, Kind::Bool | Kind::Float64 | Kind::Uuid) {
            *before = Some((kind, run));
        }
        if let Some((latest_kind, bytes, tuple, cost)) = &self.latest
            && *latest_kind == kind
            && *bytes == run
        {
            let is_free = last
                .is_some_and(|(kind_before, last)| kind_before == kind && (std::ptr::eq(last, *bytes) || last == run));
            self.cost += if is_free { 0 } else { *cost };
            return Ok(tuple.clone().into_any());
        }
        let is_free = last == Some((kind, run));
        if let Some((tuple, cost)) = self.seen.as_ref().and_then(|seen| seen.array(kind, run)) {
            self.cost += if is_free { 0 } else { cost };
            self.latest = Some((kind, run, tuple.clone(), cost));
            return Ok(tuple.into_any());
        }
        let cost = costs::fixed_array(kind, run);
        self.cost += if is_free { 0 } else { cost };
        self.check()?;
        let mut items = TupleBuilder::new(self.py, count)?;
        for at in (0..run.len()).step_by(kind.size()) {
            items.push(self.fixed_uncounted(kind, run, at)?);
        }
        // Weak references, which a uuid may have, make no cycle.
        let tuple = items.finish(false);
        if let Some(seen) = &mut self.seen {
            seen.keep_array(kind, run, &tuple, cost);
        }
        self.latest = Some((kind, run, tuple.clone(), cost));
        Ok(tuple.into_any())
    }

    fn tag_section(&mut self, table: &LayoutTable, instance: &Instance<'py>, count: u32) -> Outcome<()> {
        let mut unknown: Vec<Bound<'py, PyTuple>> = Vec::new();
        for _ in 0..count {
            let (tag, size) = (self.cursor.uvarint()?, self.cursor.uvarint()? as usize);
            if table.foreign.contains(&tag) {
                return Err(wrong(Reason::ForeignTag { tag }));
            }
            let Some(known) = table.tagged.iter().find(|known| known.tag == tag) else {
                self.cost += costs::tag(tag, size) + if unknown.is_empty() { costs::ARRAY } else { 0 };
                self.check()?;
                if unknown.len() == unknown.capacity() {
                    // A vector that doubles would take more than what a place is counted for.
                    unknown.reserve_exact(4 + unknown.len() / 8);
                }
                unknown.push((tag, PyBytes::new(self.py, self.cursor.take(size)?)).into_pyobject(self.py)?);
                continue;
            };
            let start = self.cursor.at();
            instance.set(known.slot, self.value(known.codec)?);
            let taken = self.cursor.at() - start;
            if taken != size {
                return Err(wrong(Reason::TagSize { tag, size, taken }));
            }
        }
        if !unknown.is_empty() {
            instance.set(table.unknown, PyTuple::new(self.py, unknown)?.into_any());
        }
        Ok(())
    }
}

#[cold]
fn wrong(reason: Reason) -> Stop {
    Box::new(reason).into()
}
