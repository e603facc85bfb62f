//! Makes the values of lazily decoded messages, one level at a time.

use messagegen_core::limits::Limits;
use messagegen_core::plan::{Codec, Length, NullMark};
use messagegen_core::skip::{BOUNDED, COUNTED, KNOWN, Skipper};
use messagegen_core::wire::Cursor;
use pyo3::prelude::*;

use super::part::{LARGEST, Part, Place, Source, asleep, put_to_sleep};
use crate::objects::decode::Decoder;
use crate::objects::error::{ObjectResult, fail};
use crate::objects::input::Input;
use crate::objects::slots::{TupleBuilder, Uncollected, View};
use crate::objects::tables::{LayoutTable, Step, Tables, may_be_part};

/// Values of more bytes stay bytes when the struct around them awakes. For fewer, a [`Part`] takes longer than the value.
const SHORTEST_PART: usize = 48;
/// For bytes whose limits were checked before.
const UNLIMITED: Limits =
    Limits { array_length: u64::MAX, tagged_field_count: u64::MAX, memory_factor: u64::MAX, memory_constant: u64::MAX };

/// Decodes a message; returns it and the offset after it. `None` if it has to be decoded at once.
pub fn decode<'py>(input: &Input<'_, 'py>) -> ObjectResult<Option<(Bound<'py, PyAny>, usize)>> {
    let tables = input.tables.get();
    let table = &tables.layouts[input.layout as usize];
    let worthwhile = input.cursor.left() > SHORTEST_PART && input.buffer.as_bytes().len() <= LARGEST;
    let Some(class) = table.lazy.get().filter(|_| worthwhile) else {
        return Ok(None);
    };
    let source = Source {
        tables: input.tables.clone().unbind(),
        buffer: input.buffer.clone().unbind(),
        view: input.view.map(|view| view.clone().unbind()),
    };
    let source = Bound::new(input.buffer.py(), source)?;
    let instance = class.instantiate(input.buffer.py())?;
    let view = instance.as_view();
    // A message that may cost too much by the first, quicker count is counted exactly.
    let end = fill_all::<BOUNDED>(input, view, &source).or_else(|_| fill_all::<COUNTED>(input, view, &source))?;
    complete(tables, table, view);
    Ok(Some((instance.finish(), end)))
}

fn fill_all<'py, const LEVEL: u8>(
    input: &Input<'_, 'py>,
    view: View<'_, 'py>,
    source: &Bound<'py, Source>,
) -> ObjectResult<usize> {
    let tables = input.tables.get();
    let mut skipper = Skipper::<LEVEL>::new(&tables.plan, input.limits, input.cursor);
    (skipper.views, skipper.bounds) = (input.view.is_some(), &tables.bounds);
    fill(&mut skipper, tables, input.layout, view, source)?;
    skipper.end(input.cursor.at())?;
    Ok(skipper.cursor.at())
}

/// Makes the values of a struct; those of many bytes become parts.
fn fill<'a, 'py, const LEVEL: u8>(
    skipper: &mut Skipper<'a, 'a, LEVEL>,
    tables: &'a Tables,
    layout: u32,
    view: View<'_, 'py>,
    source: &'a Bound<'py, Source>,
) -> ObjectResult<()> {
    let (table, plan) = (&tables.layouts[layout as usize], &tables.plan.layouts[layout as usize]);
    let mut decoder = decoder(source, skipper.cursor);
    skipper.begin(layout)?;
    decoder.initial(table, view);
    for (place, step) in plan.steps.iter().zip(&table.steps) {
        let start = skipper.cursor.at();
        skipper.step(layout, place)?;
        let end = skipper.cursor.at();
        match step {
            Step::Value(slot, codec) if end - start > SHORTEST_PART && may_be_part(*codec) => {
                let part = Part { source: source.clone().unbind(), start, end, codec: *codec };
                view.set(*slot, Some(Bound::new(source.py(), part)?.into_any()));
                decoder.cursor = skipper.cursor;
            }
            step => decoder.step(step, view)?,
        }
    }
    skipper.tags(layout, plan)?;
    decoder.tags(layout, table, view)
}

/// Creates the values of a sleeping struct; does nothing for others.
pub fn wake(tables: &Tables, layout: u32, view: View<'_, '_>) -> ObjectResult<()> {
    let table = &tables.layouts[layout as usize];
    let Some(place) = asleep(view, table) else { return Ok(()) };
    let _uncollected = Uncollected::new(view.object().py());
    let cursor = cursor_at(&place.source, place.start)?;
    let outcome = fill(&mut known(tables, cursor), tables, layout, view, &place.source);
    match outcome {
        Ok(()) => complete(tables, table, view),
        // The only possible reason is a lack of memory.
        Err(_) => put_to_sleep(view, table, &place),
    }
    outcome
}

/// Makes a struct without parts an instance of its class itself.
pub fn complete(tables: &Tables, table: &LayoutTable, view: View<'_, '_>) {
    let is_complete = table.parts.iter().all(|slot| view.get(*slot).is_none_or(|value| Part::of(&value).is_none()));
    if is_complete && let Some(lazy) = table.lazy.get() {
        lazy.turn(view.object(), &tables.classes[table.class]);
    }
}

impl Part {
    /// The value.
    pub fn make<'py>(&self, py: Python<'py>) -> ObjectResult<Bound<'py, PyAny>> {
        let source = self.source.bind(py);
        let tables = source.get().tables.get();
        let cursor = cursor_at(source, self.start)?;
        let _uncollected = Uncollected::new(py);
        match self.codec {
            Codec::Struct { layout, null } => lazy_struct(source, tables, cursor, layout, null),
            Codec::Array { length, element } => match tables.plan.codecs[element as usize] {
                element @ Codec::Struct { layout, null } if tables.plan.sleeps(element) => {
                    sleeping_structs(source, tables, cursor, length, layout, null)
                }
                // Structs without nested values are created at once, because sleeping ones take as much time to create and free.
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
    let table = &tables.layouts[layout as usize];
    let Some(class) = table.lazy.get() else {
        return decoder(source, cursor).value(Codec::Struct { layout, null });
    };
    if cursor.is_null(null)? {
        return Ok(source.py().None().into_bound(source.py()));
    }
    let instance = class.instantiate(source.py())?;
    fill(&mut known(tables, cursor), tables, layout, instance.as_view(), source)?;
    complete(tables, table, instance.as_view());
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
    let table = &tables.layouts[layout as usize];
    let (Some(class), Some(count)) = (table.lazy.get(), cursor.count(length)?) else {
        return fail("an array that was not prepared");
    };
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
        put_to_sleep(instance.as_view(), table, &Place { source: source.clone(), start, end: skipper.cursor.at() });
        items.push(instance.finish());
    }
    Ok(items.finish().into_any())
}

fn decoder<'a, 'py>(source: &'a Bound<'py, Source>, cursor: Cursor<'a>) -> Decoder<'a, 'py, false> {
    let held = source.get();
    Decoder::new(
        source.py(),
        held.tables.get(),
        cursor,
        held.view.as_ref().map(|view| view.bind(source.py())),
        &UNLIMITED,
    )
}

fn known<'a>(tables: &'a Tables, cursor: Cursor<'a>) -> Skipper<'a, 'a, KNOWN> {
    Skipper::new(&tables.plan, &UNLIMITED, cursor)
}

fn cursor_at<'a>(source: &'a Bound<'_, Source>, start: usize) -> ObjectResult<Cursor<'a>> {
    Ok(Cursor::new(source.get().buffer.as_bytes(source.py()), start)?)
}
