//! Makes the values of lazily decoded messages, one level at a time.

use messagegen_core::limits::Limits;
use messagegen_core::plan::{Codec, Length, NullMark, Step};
use messagegen_core::skip::{BOUNDED, COUNTED, KNOWN, Skipper};
use messagegen_core::wire::Cursor;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::part::{LARGEST, Part, Source, asleep, put_to_sleep};
use crate::objects::decode::Decoder;
use crate::objects::error::{ObjectResult, fail};
use crate::objects::slots::{TupleBuilder, Uncollected, View};
use crate::objects::tables::{Tables, may_be_part};

/// Values of more bytes stay bytes when the struct around them awakes. For fewer, a [`Part`] takes longer than the
/// value.
const SHORTEST_PART: usize = 48;
/// For bytes whose limits were checked before.
const UNLIMITED: Limits = Limits {
    array_length: u64::MAX,
    tagged_field_count: u64::MAX,
    memory_factor: u64::MAX,
    memory_constant: u64::MAX,
};

/// Decodes a message; returns it and the offset after it. `None` if it has to be decoded at once.
pub fn decode<'py>(
    tables: &Bound<'py, Tables>,
    layout: u32,
    buffer: &Bound<'py, PyBytes>,
    cursor: Cursor<'_>,
    limits: &Limits,
) -> ObjectResult<Option<(Bound<'py, PyAny>, usize)>> {
    let worthwhile = cursor.left() > SHORTEST_PART && buffer.as_bytes().len() <= LARGEST;
    let Some(class) = tables.get().lazy(layout).filter(|_| worthwhile) else {
        return Ok(None);
    };
    let source = Source {
        tables: tables.clone().unbind(),
        buffer: buffer.clone().unbind(),
    };
    let source = Bound::new(buffer.py(), source)?;
    let instance = class.instantiate(buffer.py())?;
    let view = instance.as_view();
    // A message that may cost too much by the first, quicker count is counted exactly.
    let end = fill_all::<BOUNDED>(layout, cursor, limits, view, &source)
        .or_else(|_| fill_all::<COUNTED>(layout, cursor, limits, view, &source))?;
    complete(tables.get(), layout, view);
    Ok(Some((instance.finish(), end)))
}

fn fill_all<'py, const LEVEL: u8>(
    layout: u32,
    cursor: Cursor<'_>,
    limits: &Limits,
    view: View<'_, 'py>,
    source: &Bound<'py, Source>,
) -> ObjectResult<usize> {
    let tables = source.get().tables.get();
    let mut skipper = Skipper::<LEVEL>::new(&tables.plan, limits, cursor);
    skipper.bounds = &tables.bounds;
    fill(&mut skipper, tables, layout, view, source)?;
    skipper.end(cursor.at())?;
    Ok(skipper.cursor.at())
}

/// Makes the values of a struct; those of many bytes become parts.
fn fill<'a, 'py, const LEVEL: u8>(
    skipper: &mut Skipper<'a, 'a, LEVEL>,
    tables: &'a Tables,
    number: u32,
    view: View<'_, 'py>,
    source: &'a Bound<'py, Source>,
) -> ObjectResult<()> {
    let (layout, table) = tables.layout(number);
    let plan = &tables.plan.layouts[number as usize];
    let mut decoder = decoder(source, skipper.cursor);
    skipper.begin(number)?;
    decoder.initial(layout, table, view);
    for (step, planned) in layout.steps.iter().zip(&plan.steps) {
        let start = skipper.cursor.at();
        skipper.step(number, planned)?;
        let place = start..skipper.cursor.at();
        match step {
            Step::Value { field, codec } if place.len() > SHORTEST_PART && may_be_part(*codec) => {
                let part = Part {
                    source: source.clone().unbind(),
                    place,
                    codec: *codec,
                };
                view.set(*field, Some(Bound::new(source.py(), part)?.into_any()));
                decoder.cursor = skipper.cursor;
            }
            step => decoder.step(step, view)?,
        }
    }
    skipper.tags(number, plan)?;
    decoder.tags(layout, table, view)
}

/// Creates the values of a sleeping struct; does nothing for others.
pub fn wake(tables: &Tables, layout: u32, view: View<'_, '_>) -> ObjectResult<()> {
    let table = tables.layout(layout).1;
    let Some((source, place)) = asleep(view, table) else {
        return Ok(());
    };
    let _uncollected = Uncollected::new(view.object().py());
    let cursor = cursor_at(&source, place.start)?;
    let outcome = fill(&mut known(tables, cursor), tables, layout, view, &source);
    match outcome {
        Ok(()) => complete(tables, layout, view),
        // The only possible reason is a lack of memory.
        Err(_) => put_to_sleep(view, table, &source, &place),
    }
    outcome
}

/// Makes a struct without parts an instance of its class itself.
pub fn complete(tables: &Tables, number: u32, view: View<'_, '_>) {
    let (layout, table) = tables.layout(number);
    let is_part = |field| view.get(field).is_some_and(|value| Part::of(&value).is_some());
    let has_parts = layout
        .fields()
        .any(|(field, codec)| may_be_part(codec) && is_part(field));
    if !has_parts && let Some(lazy) = tables.lazy(number) {
        lazy.turn(view.object(), &table.class);
    }
}

impl Part {
    /// The value.
    pub fn make<'py>(&self, py: Python<'py>) -> ObjectResult<Bound<'py, PyAny>> {
        let source = self.source.bind(py);
        let tables = source.get().tables.get();
        let cursor = cursor_at(source, self.place.start)?;
        let _uncollected = Uncollected::new(py);
        match self.codec {
            Codec::Struct { layout, null } => lazy_struct(source, tables, cursor, layout, null),
            Codec::Array { length, element } => match tables.plan.codecs[element as usize] {
                element @ Codec::Struct { layout, null } if tables.plan.sleeps(element) => {
                    sleeping_structs(source, tables, cursor, length, layout, null)
                }
                // Structs without nested values are created at once, because sleeping ones take as much time to create
                // and free.
                _ => decoder(source, cursor).value(self.codec),
            },
            codec => decoder(source, cursor).value(codec),
        }
    }
}

fn lazy_struct<'py>(
    source: &Bound<'py, Source>,
    tables: &Tables,
    mut cursor: Cursor<'_>,
    layout: u32,
    null: NullMark,
) -> ObjectResult<Bound<'py, PyAny>> {
    let Some(class) = tables.lazy(layout) else {
        return decoder(source, cursor).value(Codec::Struct { layout, null });
    };
    if cursor.is_null(null)? {
        return Ok(source.py().None().into_bound(source.py()));
    }
    let instance = class.instantiate(source.py())?;
    fill(&mut known(tables, cursor), tables, layout, instance.as_view(), source)?;
    complete(tables, layout, instance.as_view());
    Ok(instance.finish())
}

fn sleeping_structs<'py>(
    source: &Bound<'py, Source>,
    tables: &Tables,
    mut cursor: Cursor<'_>,
    length: Length,
    layout: u32,
    null: NullMark,
) -> ObjectResult<Bound<'py, PyAny>> {
    let py = source.py();
    let (Some(class), Some(count)) = (tables.lazy(layout), cursor.count(length)?) else {
        return fail("an array that was not prepared");
    };
    let table = tables.layout(layout).1;
    let mut items = TupleBuilder::new(py, count)?;
    let mut skipper = known(tables, cursor);
    for _ in 0..count {
        if skipper.cursor.is_null(null)? {
            items.push(py.None().into_bound(py));
            continue;
        }
        let start = skipper.cursor.at();
        skipper.structure(layout)?;
        let instance = class.instantiate(py)?;
        put_to_sleep(instance.as_view(), table, source, &(start..skipper.cursor.at()));
        items.push(instance.finish());
    }
    Ok(items.finish().into_any())
}

fn decoder<'a, 'py>(source: &'a Bound<'py, Source>, cursor: Cursor<'a>) -> Decoder<'a, 'py, false> {
    Decoder::new(source.py(), source.get().tables.get(), cursor, &UNLIMITED)
}

fn known<'a>(tables: &'a Tables, cursor: Cursor<'a>) -> Skipper<'a, 'a, KNOWN> {
    Skipper::new(&tables.plan, &UNLIMITED, cursor)
}

fn cursor_at<'a>(source: &'a Bound<'_, Source>, start: usize) -> ObjectResult<Cursor<'a>> {
    Ok(Cursor::new(source.get().buffer.as_bytes(source.py()), start)?)
}
