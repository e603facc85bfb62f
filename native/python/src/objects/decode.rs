//! Decodes the values of a message to Python objects.

use messagegen_core::error::{MessageError, MessageResult};
use messagegen_core::plan::{Codec, Kind, Layout, Member};
use messagegen_core::walk::{Leaf, Sink, Skip, Walk};
use messagegen_core::wire::{FixedValue, fixed_value, text_bytes};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyFloat, PyString, PyTuple};

use super::cache::Cache;
use super::part::{Part, SHORTEST_PART, Source};
use super::slots::{Instance, TupleBuilder};
use super::tables::{StructTable, Tables, may_be_part};

/// The minimum length of an array whose values are cached. For shorter arrays, looking up values takes longer than
/// creating them.
const LONG: usize = 8;
/// The initial capacity for unknown tagged fields. Most structs have none.
const FIRST_UNKNOWN_TAGS: usize = 4;

/// Creates the objects of one message.
pub struct ObjectSink<'a, 'data, 'py> {
    py: Python<'py>,
    tables: &'a Tables,
    /// The latest array of fixed-size values, with its bytes. Consecutive arrays, such as replicas and in-sync
    /// replicas, are often equal and then share a tuple.
    latest: Option<(Kind, &'data [u8], Bound<'py, PyAny>)>,
    /// The cache of values, which the first long array creates.
    cache: Option<Box<Cache<'data, 'py>>>,
    /// Creates parts for large values; `None` if all values are created eagerly.
    parts: Option<PartMaker<'a, 'py>>,
}

/// Creates parts, which are values that are still bytes, in place of large values.
#[derive(Clone, Copy)]
pub struct PartMaker<'a, 'py> {
    pub source: &'a Bound<'py, Source>,
    /// The sink for skipping the bytes of parts.
    pub skip: Skip,
}

/// A struct that is being filled.
pub struct ObjectFields<'a, 'py> {
    instance: Instance<'py>,
    table: &'a StructTable,
    unknown_tags: Vec<Bound<'py, PyTuple>>,
}

/// Convert a Python exception to an error.
#[cold]
fn raised(error: PyErr) -> MessageError {
    MessageError::other(error)
}

impl<'a, 'data, 'py> ObjectSink<'a, 'data, 'py> {
    /// Create a sink that creates all values.
    pub fn new(py: Python<'py>, tables: &'a Tables) -> Self {
        ObjectSink {
            py,
            tables,
            latest: None,
            cache: None,
            parts: None,
        }
    }

    /// Create a sink that creates small values, and parts in place of large values.
    pub fn lazy(tables: &'a Tables, parts: PartMaker<'a, 'py>) -> Self {
        ObjectSink {
            parts: Some(parts),
            ..ObjectSink::new(parts.source.py(), tables)
        }
    }

    /// Begin to fill an instance of the struct of a layout.
    #[inline(always)]
    pub fn begin(&self, instance: Instance<'py>, layout: &Layout) -> ObjectFields<'a, 'py> {
        let table = &self.tables.structs[layout.struct_number];
        for slot in &layout.absent {
            instance.set(*slot, table.defaults[*slot].value.bind(self.py).clone());
        }
        ObjectFields {
            instance,
            table,
            unknown_tags: Vec::new(),
        }
    }

    /// Return the finished object, including its unknown tagged fields.
    #[inline(always)]
    pub fn end(&self, fields: ObjectFields<'a, 'py>) -> MessageResult<Bound<'py, PyAny>> {
        if !fields.unknown_tags.is_empty() {
            let tags = PyTuple::new(self.py, fields.unknown_tags).map_err(raised)?;
            fields.instance.set(fields.table.unknown, tags.into_any());
        }
        Ok(fields.instance.finish())
    }

    /// Read a value, which becomes a part if it has many bytes.
    #[inline(never)]
    fn value_or_part(
        &mut self,
        walk: &mut Walk<'a, 'data>,
        codec: Codec,
        maker: PartMaker<'a, 'py>,
    ) -> MessageResult<Bound<'py, PyAny>> {
        let begin = walk.cursor;
        let mut skip = maker.skip;
        walk.value(&mut skip, (), codec)?;
        let place = begin.at()..walk.cursor.at();
        if place.len() > SHORTEST_PART {
            let source = maker.source.clone().unbind();
            let part = Part { source, place, codec };
            return Ok(Bound::new(self.py, part).map_err(raised)?.into_any());
        }
        self.parts = None;
        let value = Walk::again(walk.plan, begin).value(self, (), codec);
        self.parts = Some(maker);
        value
    }

    #[inline(always)]
    fn fixed(&self, kind: Kind, bytes: &[u8], at: usize) -> MessageResult<Bound<'py, PyAny>> {
        Ok(match fixed_value(kind, bytes, at) {
            FixedValue::Bool(value) => PyBool::new(self.py, value).to_owned().into_any(),
            FixedValue::Int(value) => self.int(value),
            FixedValue::Float(value) => PyFloat::new(self.py, value).into_any(),
            FixedValue::Uuid(value) => self.tables.make_uuid(self.py, value).map_err(raised)?,
        })
    }

    #[inline]
    fn int(&self, value: i64) -> Bound<'py, PyAny> {
        let Ok(value) = value.into_pyobject(self.py);
        value.into_any()
    }

    #[inline]
    fn string(&mut self, text: &'data [u8]) -> MessageResult<Bound<'py, PyAny>> {
        if let Some(value) = self.cache.as_ref().and_then(|cache| cache.strings.get(None, text)) {
            return Ok(value);
        }
        let value = match PyString::from_bytes(self.py, text) {
            Ok(value) => value.into_any(),
            Err(error) => return Err(not_a_text(text, error)),
        };
        if let Some(cache) = &mut self.cache {
            cache.strings.put(None, text, &value);
        }
        Ok(value)
    }

    fn fixed_array(&mut self, kind: Kind, count: usize, bytes: &'data [u8]) -> MessageResult<Bound<'py, PyAny>> {
        if let Some((latest_kind, latest_bytes, tuple)) = &self.latest
            && *latest_kind == kind
            && *latest_bytes == bytes
        {
            return Ok(tuple.clone());
        }
        if let Some(tuple) = self
            .cache
            .as_ref()
            .and_then(|cache| cache.arrays.get(Some(kind), bytes))
        {
            self.latest = Some((kind, bytes, tuple.clone()));
            return Ok(tuple);
        }
        let mut items = TupleBuilder::new(self.py, count).map_err(raised)?;
        for at in (0..bytes.len()).step_by(kind.size()) {
            items.push(self.fixed(kind, bytes, at)?);
        }
        let tuple = items.finish().into_any();
        if let Some(cache) = &mut self.cache {
            cache.arrays.put(Some(kind), bytes, &tuple);
        }
        self.latest = Some((kind, bytes, tuple.clone()));
        Ok(tuple)
    }
}

/// Return the error for bytes that Python could not convert to a string.
#[cold]
#[inline(never)]
fn not_a_text(bytes: &[u8], error: PyErr) -> MessageError {
    match text_bytes(bytes) {
        Err(reason) => reason.into(),
        Ok(_) => raised(error),
    }
}

impl<'a, 'data, 'py> Sink<'a, 'data> for ObjectSink<'a, 'data, 'py> {
    type Place = ();
    type Value = Bound<'py, PyAny>;
    type Fields = ObjectFields<'a, 'py>;
    type Items = TupleBuilder<'py>;

    #[inline(always)]
    fn value(&mut self, walk: &mut Walk<'a, 'data>, (): (), codec: Codec) -> MessageResult<Bound<'py, PyAny>> {
        match self.parts {
            Some(maker) if may_be_part(codec) => self.value_or_part(walk, codec, maker),
            _ => walk.value(self, (), codec),
        }
    }

    #[inline(always)]
    fn leaf(&mut self, (): (), leaf: Leaf<'data>) -> MessageResult<Bound<'py, PyAny>> {
        match leaf {
            Leaf::Null => Ok(self.py.None().into_bound(self.py)),
            Leaf::Fixed(kind, bytes) => self.fixed(kind, bytes, 0),
            Leaf::Int(value) => Ok(self.int(value)),
            Leaf::String(text) => self.string(text),
            Leaf::Bytes(bytes) => Ok(PyBytes::new(self.py, bytes).into_any()),
            Leaf::FixedArray { kind, count, bytes } => self.fixed_array(kind, count, bytes),
        }
    }

    #[inline(always)]
    fn begin_array(&mut self, (): (), count: usize) -> MessageResult<TupleBuilder<'py>> {
        if count >= LONG && self.cache.is_none() {
            self.cache = Some(Box::default());
        }
        TupleBuilder::new(self.py, count).map_err(raised)
    }

    #[inline(always)]
    fn place_of_elements(&self, (): (), _: &Self::Items) {}

    #[inline(always)]
    fn push(&mut self, items: &mut TupleBuilder<'py>, value: Bound<'py, PyAny>) {
        items.push(value);
    }

    #[inline(always)]
    fn end_array(&mut self, (): (), items: TupleBuilder<'py>, _: usize) -> MessageResult<Bound<'py, PyAny>> {
        Ok(items.finish().into_any())
    }

    #[inline(always)]
    fn begin_struct(&mut self, (): (), layout: &'a Layout) -> MessageResult<ObjectFields<'a, 'py>> {
        let class = &self.tables.structs[layout.struct_number].class;
        let instance = class.instantiate(self.py).map_err(raised)?;
        Ok(self.begin(instance, layout))
    }

    #[inline(always)]
    fn place_of_field(&self, _: &ObjectFields<'a, 'py>, _: usize) {}

    #[inline(always)]
    fn run(
        &mut self,
        fields: &mut ObjectFields<'a, 'py>,
        members: &'a [Member],
        bytes: &'data [u8],
        _: usize,
    ) -> MessageResult<()> {
        for member in members {
            fields
                .instance
                .set(member.field, self.fixed(member.kind, bytes, member.at)?);
        }
        Ok(())
    }

    #[inline(always)]
    fn set(&mut self, fields: &mut ObjectFields<'a, 'py>, field: usize, value: Bound<'py, PyAny>) {
        fields.instance.set(field, value);
    }

    fn unknown_tag(&mut self, fields: &mut ObjectFields<'a, 'py>, tag: u32, data: &'data [u8]) -> MessageResult<()> {
        let unknown = &mut fields.unknown_tags;
        if unknown.len() == unknown.capacity() {
            // Doubling the vector would exceed the memory budget of a tagged field.
            unknown.reserve_exact(FIRST_UNKNOWN_TAGS + unknown.len() / 8);
        }
        let field = (tag, PyBytes::new(self.py, data));
        unknown.push(field.into_pyobject(self.py).map_err(raised)?);
        Ok(())
    }

    #[inline(always)]
    fn end_struct(&mut self, fields: ObjectFields<'a, 'py>, _: &'a Layout) -> MessageResult<Bound<'py, PyAny>> {
        self.end(fields)
    }
}
