//! The classes of lazily decoded structs.

use messagegen_core::plan::{Codec, Layout, Plan};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::field::LazyField;
use crate::objects::slots::Class;
use crate::objects::tables::Tables;

/// Create the classes for a layout and for all layouts below it, unless they already exist.
///
/// `make_class` is called with a class and descriptors, and creates a subclass with these descriptors as attributes.
pub fn prepare(tables: &Bound<'_, Tables>, number: u32, make_class: &Bound<'_, PyAny>) -> PyResult<()> {
    let held = tables.get();
    let (layout, table) = held.layout(number);
    // A struct without fields has too few slots to be asleep.
    if table.attributes.len() == 1 || held.lazy(number).is_some() {
        return Ok(());
    }
    for below in layouts_below(&held.plan, layout) {
        prepare(tables, below, make_class)?;
    }
    let class = lazy_class(tables, number, make_class)?;
    // If two threads create the class, the one that is set first is used.
    let _ = held.lazy[number as usize].set(class);
    Ok(())
}

fn layouts_below(plan: &Plan, layout: &Layout) -> Vec<u32> {
    let struct_of = |(_, codec)| match codec {
        Codec::Struct { layout, .. } => Some(layout),
        Codec::Array { element, .. } => match plan.element(element) {
            Codec::Struct { layout, .. } => Some(layout),
            _ => None,
        },
        _ => None,
    };
    layout.fields().chain(layout.tagged()).filter_map(struct_of).collect()
}

fn lazy_class(tables: &Bound<'_, Tables>, layout: u32, make_class: &Bound<'_, PyAny>) -> PyResult<Class> {
    let (_, table) = tables.get().layout(layout);
    let fields = PyDict::new(tables.py());
    for (slot, name) in table.attributes.iter().enumerate() {
        fields.set_item(name, LazyField::new(tables.clone().unbind(), layout, slot))?;
    }
    let class = make_class.call1((table.class.class(), fields))?;
    table.class.subclass(&class.cast_into()?)
}
