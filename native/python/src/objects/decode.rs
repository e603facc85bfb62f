//! Decodes bytes to Python objects.

use messagegen_core::costs;
use messagegen_core::limits::Limits;
use messagegen_core::plan::{Codec, Kind, Layout, Length, NullMark, Step};
use messagegen_core::tags::SeenTags;
use messagegen_core::wire::{Cursor, chunk, fixed_int, foreign_tag, repeated_tag, wrong_tag_size};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyFloat, PyString, PyTuple};

use super::cache::Cache;
use super::error::ObjectResult;
use super::slots::{TupleBuilder, View};
use super::tables::{StructTable, Tables};

/// Reads one message. Costs are counted only if `COUNTED`, because a message that is small enough can't exceed its
/// limits ([`Tables::small`]).
pub struct Decoder<'a, 'py, const COUNTED: bool> {
    py: Python<'py>,
    tables: &'a Tables,
    /// What is read next.
    pub cursor: Cursor<'a>,
    /// The latest array with its bytes: neighbours are often equal (replicas and in-sync replicas), and then share
    /// their tuple. Each counts, because pure Python makes it again.
    latest: Option<(Kind, &'a [u8], Bound<'py, PyAny>, u64)>,
    /// The cache of values; exists from the first long array on.
    cache: Option<Box<Cache<'a, 'py>>>,
    limits: &'a Limits,
    /// The cost of objects so far, and its limit.
    cost: u64,
    most: u64,
}

/// For shorter arrays, looking up values takes longer than creating them.
const LONG: usize = 8;

impl<'a, 'py, const COUNTED: bool> Decoder<'a, 'py, COUNTED> {
    /// A decoder that starts at the cursor.
    pub fn new(py: Python<'py>, tables: &'a Tables, cursor: Cursor<'a>, limits: &'a Limits) -> Self {
        let most = limits.memory(cursor.left());
        Decoder {
            py,
            tables,
            cursor,
            latest: None,
            cache: None,
            limits,
            cost: 0,
            most,
        }
    }

    /// Reads a message in a layout; returns it and the offset after it.
    pub fn message(mut self, layout: u32) -> ObjectResult<(Bound<'py, PyAny>, usize)> {
        let begin = self.cursor.at();
        let message = self.structure(layout)?;
        let end = self.cursor.at();
        // Bytes after the message must not affect whether it is accepted.
        self.most = self.limits.memory(end - begin);
        self.check()?;
        Ok((message, end))
    }

    #[inline(always)]
    fn charge(&mut self, cost: impl FnOnce() -> u64) {
        if COUNTED {
            self.cost += cost();
        }
    }

    /// Fails if the message costs too much. Values of a struct are not checked one by one: their bytes bound their
    /// costs.
    #[inline(always)]
    fn check(&self) -> ObjectResult<()> {
        if COUNTED && self.cost > self.most {
            Err(self.limits.too_much_memory().into())
        } else {
            Ok(())
        }
    }

    fn structure(&mut self, layout: u32) -> ObjectResult<Bound<'py, PyAny>> {
        let tables = self.tables;
        self.charge(|| costs::of_struct(&tables.plan, layout));
        self.check()?;
        let (layout, table) = tables.layout(layout);
        let instance = table.class.instantiate(self.py)?;
        let view = instance.as_view();
        self.initial(layout, table, view);
        for step in &layout.steps {
            self.step(step, view)?;
        }
        self.tags(layout, table, view)?;
        Ok(instance.finish())
    }

    /// Fills the slots of fields that do not come from the wire, or need not.
    #[inline(always)]
    pub fn initial(&self, layout: &Layout, table: &StructTable, view: View<'_, 'py>) {
        for slot in &layout.absent {
            view.set(*slot, Some(table.defaults[*slot].value.bind(self.py).clone()));
        }
    }

    /// Executes a step.
    #[inline(always)]
    pub fn step(&mut self, step: &Step, view: View<'_, 'py>) -> ObjectResult<()> {
        let (field, value) = match step {
            Step::Run { size, members } => {
                let run = self.cursor.take(*size)?;
                for member in members {
                    view.set(member.field, Some(self.fixed(member.kind, run, member.at)?));
                }
                return Ok(());
            }
            // Most fields are integers or strings.
            Step::Value {
                field,
                codec: Codec::String(length),
            } => (field, self.string(*length)?),
            Step::Value {
                field,
                codec: Codec::FixedArray { length, kind },
            } => (field, self.fixed_array(*length, *kind)?),
            Step::Value { field, codec } => (field, self.value(*codec)?),
        };
        view.set(*field, Some(value));
        Ok(())
    }

    /// Reads the tag section, if there is one.
    #[inline(always)]
    pub fn tags(&mut self, layout: &Layout, table: &StructTable, view: View<'_, 'py>) -> ObjectResult<()> {
        if layout.flexible {
            let count = self.cursor.tag_count()?;
            if count > 0 {
                self.limits.check_tags(count)?;
                self.tag_section(layout, table, view, count)?;
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn fixed(&mut self, kind: Kind, run: &'a [u8], at: usize) -> ObjectResult<Bound<'py, PyAny>> {
        self.charge(|| costs::fixed(kind, run, at));
        self.fixed_uncounted(kind, run, at)
    }

    #[inline(always)]
    fn fixed_uncounted(&mut self, kind: Kind, run: &'a [u8], at: usize) -> ObjectResult<Bound<'py, PyAny>> {
        Ok(match kind {
            Kind::Bool => PyBool::new(self.py, run[at] != 0).to_owned().into_any(),
            Kind::Float64 => PyFloat::new(self.py, f64::from_be_bytes(chunk(run, at))).into_any(),
            Kind::Uuid => self.tables.uuids()?.make(self.py, chunk(run, at))?,
            Kind::Int8 | Kind::Int16 | Kind::UInt16 | Kind::Int32 | Kind::UInt32 | Kind::Int64 => {
                self.int(fixed_int(kind, run, at))?
            }
        })
    }

    #[inline]
    fn int(&self, value: i64) -> ObjectResult<Bound<'py, PyAny>> {
        let Ok(value) = value.into_pyobject(self.py);
        Ok(value.into_any())
    }

    /// Reads a value.
    pub fn value(&mut self, codec: Codec) -> ObjectResult<Bound<'py, PyAny>> {
        match codec {
            Codec::Fixed(kind) => {
                let run = self.cursor.take(kind.size())?;
                self.fixed(kind, run, 0)
            }
            Codec::Packed(bits) => {
                let value = self.cursor.packed(bits)?;
                self.charge(|| costs::int(value, bits));
                self.int(value)
            }
            Codec::Upacked(bits) => {
                let value = self.cursor.upacked(bits)?;
                self.charge(|| costs::int(value, bits));
                self.int(value)
            }
            Codec::String(length) => self.string(length),
            Codec::Bytes(length) => self.bytes(length),
            Codec::Struct { layout, null } => self.nullable_struct(layout, null),
            Codec::FixedArray { length, kind } => self.fixed_array(length, kind),
            Codec::Array { length, element } => self.array(length, element),
        }
    }

    fn nullable_struct(&mut self, layout: u32, null: NullMark) -> ObjectResult<Bound<'py, PyAny>> {
        if self.cursor.is_null(null)? {
            Ok(self.none())
        } else {
            self.structure(layout)
        }
    }

    fn none(&self) -> Bound<'py, PyAny> {
        self.py.None().into_bound(self.py)
    }

    #[inline]
    fn string(&mut self, length: Length) -> ObjectResult<Bound<'py, PyAny>> {
        let Some(text) = self.cursor.string(length)? else {
            return Ok(self.none());
        };
        self.charge(|| costs::string(text));
        if let Some((value, _)) = self.cache.as_ref().and_then(|cache| cache.strings.get(None, text)) {
            return Ok(value);
        }
        let value = PyString::from_bytes(self.py, text)?.into_any();
        if let Some(cache) = &mut self.cache {
            cache.strings.put(None, text, &value, 0);
        }
        Ok(value)
    }

    fn bytes(&mut self, length: Length) -> ObjectResult<Bound<'py, PyAny>> {
        let Some(bytes) = self.cursor.bytes(length)? else {
            return Ok(self.none());
        };
        self.charge(|| costs::bytes(bytes.len()));
        Ok(PyBytes::new(self.py, bytes).into_any())
    }

    fn array(&mut self, length: Length, element: u32) -> ObjectResult<Bound<'py, PyAny>> {
        let Some(count) = self.cursor.count(length)? else {
            return Ok(self.none());
        };
        let plan = &self.tables.plan;
        let codec = plan.codecs[element as usize];
        self.limits.check_elements(count)?;
        self.cursor.check_elements(count, plan.smallest(codec))?;
        self.charge(|| costs::array(count, plan.sleeps(codec)));
        self.check()?;
        if count >= LONG && self.cache.is_none() {
            self.cache = Some(Box::default());
        }
        let mut items = TupleBuilder::new(self.py, count)?;
        for _ in 0..count {
            items.push(self.value(codec)?);
            self.check()?;
        }
        Ok(items.finish().into_any())
    }

    fn fixed_array(&mut self, length: Length, kind: Kind) -> ObjectResult<Bound<'py, PyAny>> {
        let Some(count) = self.cursor.count(length)? else {
            return Ok(self.none());
        };
        self.limits.check_elements(count)?;
        let run = self.cursor.take(count.saturating_mul(kind.size()))?;
        if let Some((latest_kind, bytes, tuple, cost)) = &self.latest
            && *latest_kind == kind
            && *bytes == run
        {
            let cost = *cost;
            let tuple = tuple.clone();
            self.charge(|| cost);
            return Ok(tuple);
        }
        if let Some((tuple, cost)) = self.cache.as_ref().and_then(|cache| cache.arrays.get(Some(kind), run)) {
            self.charge(|| cost);
            self.latest = Some((kind, run, tuple.clone(), cost));
            return Ok(tuple);
        }
        let cost = if COUNTED { costs::fixed_array(kind, run) } else { 0 };
        self.charge(|| cost);
        self.check()?;
        let mut items = TupleBuilder::new(self.py, count)?;
        for at in (0..run.len()).step_by(kind.size()) {
            items.push(self.fixed_uncounted(kind, run, at)?);
        }
        let tuple = items.finish().into_any();
        if let Some(cache) = &mut self.cache {
            cache.arrays.put(Some(kind), run, &tuple, cost);
        }
        self.latest = Some((kind, run, tuple.clone(), cost));
        Ok(tuple)
    }

    fn tag_section(
        &mut self,
        layout: &Layout,
        table: &StructTable,
        view: View<'_, 'py>,
        count: u32,
    ) -> ObjectResult<()> {
        let mut unknown: Vec<Bound<'py, PyTuple>> = Vec::new();
        let mut seen = SeenTags::new(self.cursor);
        for _ in 0..count {
            let (tag, size) = self.cursor.tag()?;
            if layout.foreign.contains(&tag) {
                return Err(foreign_tag(tag).into());
            }
            if !seen.add(tag) {
                return Err(repeated_tag(tag).into());
            }
            let Some(known) = layout.tagged.iter().find(|known| known.tag == tag) else {
                let is_first = unknown.is_empty();
                self.charge(|| costs::tag(tag, size) + if is_first { costs::ARRAY } else { 0 });
                self.check()?;
                if unknown.len() == unknown.capacity() {
                    // A vector that doubles would take more than what a place is counted for.
                    unknown.reserve_exact(4 + unknown.len() / 8);
                }
                unknown.push((tag, PyBytes::new(self.py, self.cursor.take(size)?)).into_pyobject(self.py)?);
                continue;
            };
            let start = self.cursor.at();
            view.set(known.field, Some(self.value(known.codec)?));
            let taken = self.cursor.at() - start;
            if taken != size {
                return Err(wrong_tag_size(tag, size, taken).into());
            }
        }
        if !unknown.is_empty() {
            view.set(table.unknown, Some(PyTuple::new(self.py, unknown)?.into_any()));
        }
        Ok(())
    }
}
