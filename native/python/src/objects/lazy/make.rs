//! Creates the values of lazily decoded messages, one level at a time.

use messagegen_core::error::{MessageError, MessageResult};
use messagegen_core::plan::{Codec, Length, NullMark};
use messagegen_core::walk::{Skip, Walk};
use messagegen_core::wire::Cursor;
use pyo3::prelude::*;

use crate::objects::decode::{ObjectSink, PartMaker};
use crate::objects::error::ObjectResult;
use crate::objects::part::{Part, Source, asleep, put_to_sleep};
use crate::objects::slots::{Instance, TupleBuilder, Uncollected, View};
use crate::objects::tables::{Tables, may_be_part};

/// Create the values of a message that is an instance of the lazy class for its layout.
pub fn fill_message<'a, 'py>(
    walk: &mut Walk<'a, 'a>,
    tables: &'a Tables,
    number: u32,
    message: Instance<'py>,
    source: &'a Bound<'py, Source>,
) -> MessageResult<Bound<'py, PyAny>> {
    let begin = walk.cursor.at();
    let skip = Skip::checked();
    let message = fill(walk, tables, number, message, PartMaker { source, skip })?;
    walk.end_message(begin)?;
    Ok(message)
}

/// Create the values of a struct; large values become parts. A struct without parts becomes an instance of its plain
/// class.
fn fill<'a, 'py>(
    walk: &mut Walk<'a, 'a>,
    tables: &'a Tables,
    number: u32,
    instance: Instance<'py>,
    parts: PartMaker<'a, 'py>,
) -> MessageResult<Bound<'py, PyAny>> {
    let layout = &tables.plan.layouts[number as usize];
    let mut sink = ObjectSink::lazy(tables, parts);
    let mut fields = sink.begin(instance, layout);
    walk.fields(&mut sink, &mut fields, number, layout)?;
    let object = sink.end(fields)?;
    if let Some(view) = tables.lazy(number).and_then(|class| class.view(&object)) {
        complete(tables, number, view);
    }
    Ok(object)
}

/// Create the values of a sleeping struct; do nothing for other structs.
pub fn wake(tables: &Tables, layout: u32, view: View<'_, '_>) -> ObjectResult<()> {
    let table = tables.layout(layout).1;
    let Some((source, place)) = asleep(view, table) else {
        return Ok(());
    };
    let _uncollected = Uncollected::new(view.object().py());
    let mut walk = walk_at(&source, tables, place.start)?;
    let skip = Skip::again();
    let parts = PartMaker { source: &source, skip };
    let outcome = fill(&mut walk, tables, layout, view.to_instance(), parts);
    if outcome.is_err() {
        // The bytes have already been checked, so the error can only be a lack of memory. The struct goes back to
        // sleep and can wake later.
        put_to_sleep(view, table, &source, &place);
    }
    outcome?;
    Ok(())
}

/// Convert a struct without parts to an instance of its plain class.
pub fn complete(tables: &Tables, number: u32, view: View<'_, '_>) {
    let (layout, table) = tables.layout(number);
    let is_part = |field| view.get(field).is_some_and(|value| Part::of(&value).is_some());
    let mut codecs = layout.fields().chain(layout.tagged());
    let has_parts = codecs.any(|(field, codec)| may_be_part(codec) && is_part(field));
    if !has_parts && let Some(lazy) = tables.lazy(number) {
        lazy.turn(view.object(), &table.class);
    }
}

impl Part {
    /// Decode the part, and return its value.
    pub fn make<'py>(&self, py: Python<'py>) -> ObjectResult<Bound<'py, PyAny>> {
        let source = self.source.bind(py);
        let tables = source.get().tables.get();
        let mut walk = walk_at(source, tables, self.place.start)?;
        let _uncollected = Uncollected::new(py);
        let value = match self.codec {
            Codec::Struct { layout, null } => lazy_struct(&mut walk, source, tables, layout, null),
            Codec::Array { length, element, .. } => match tables.plan.element(element) {
                element @ Codec::Struct { layout, null } if tables.plan.sleeps(element) => {
                    sleeping_structs(&mut walk, source, tables, length, layout, null)
                }
                // Structs without nested values are created eagerly, because creating and freeing a sleeping struct
                // takes as long.
                _ => walk.value(&mut ObjectSink::new(py, tables), (), self.codec),
            },
            codec => walk.value(&mut ObjectSink::new(py, tables), (), codec),
        };
        Ok(value?)
    }
}

fn lazy_struct<'a, 'py>(
    walk: &mut Walk<'a, 'a>,
    source: &'a Bound<'py, Source>,
    tables: &'a Tables,
    layout: u32,
    null: NullMark,
) -> MessageResult<Bound<'py, PyAny>> {
    let py = source.py();
    let Some(class) = tables.lazy(layout) else {
        return walk.value(&mut ObjectSink::new(py, tables), (), Codec::Struct { layout, null });
    };
    if walk.cursor.is_null(null)? {
        return Ok(py.None().into_bound(py));
    }
    let instance = class.instantiate(py).map_err(MessageError::other)?;
    let skip = Skip::again();
    fill(walk, tables, layout, instance, PartMaker { source, skip })
}

fn sleeping_structs<'a, 'py>(
    walk: &mut Walk<'a, 'a>,
    source: &Bound<'py, Source>,
    tables: &'a Tables,
    length: Length,
    layout: u32,
    null: NullMark,
) -> MessageResult<Bound<'py, PyAny>> {
    let py = source.py();
    let (Some(class), Some(count)) = (tables.lazy(layout), walk.cursor.count(length)?) else {
        return Err(MessageError::new("an array that was not prepared".to_owned()));
    };
    let table = tables.layout(layout).1;
    let mut items = TupleBuilder::new(py, count).map_err(MessageError::other)?;
    for _ in 0..count {
        if walk.cursor.is_null(null)? {
            items.push(py.None().into_bound(py));
            continue;
        }
        let start = walk.cursor.at();
        walk.structure(&mut Skip::again(), (), layout)?;
        let instance = class.instantiate(py).map_err(MessageError::other)?;
        put_to_sleep(instance.as_view(), table, source, &(start..walk.cursor.at()));
        items.push(instance.finish());
    }
    Ok(items.finish().into_any())
}

/// Return a walk over bytes that have already been checked.
fn walk_at<'a>(source: &'a Bound<'_, Source>, tables: &'a Tables, start: usize) -> ObjectResult<Walk<'a, 'a>> {
    let cursor = Cursor::new(source.get().buffer.as_bytes(source.py()), start)?;
    Ok(Walk::again(&tables.plan, cursor))
}
