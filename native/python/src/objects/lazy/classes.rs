//! The classes of lazily decoded structs.

use messagegen_core::plan::Codec;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::field::LazyField;
use crate::objects::slots::Class;
use crate::objects::tables::{LayoutTable, Step, Tables};

/// Makes the classes of a layout and of those below it, if they were not made before.
///
/// `make_class` makes a subclass of a class with the descriptors of its attributes.
pub fn prepare(tables: &Bound<'_, Tables>, layout: u32, make_class: &Bound<'_, PyAny>) -> PyResult<()> {
    let table = &tables.get().layouts[layout as usize];
    if table.first.is_none() || table.lazy.get().is_some() {
        return Ok(());
    }
    for below in layouts_below(tables.get(), table) {
        prepare(tables, below, make_class)?;
    }
    let class = lazy_class(tables, layout, make_class)?;
    // If two threads create the class, the first one is used.
    let _ = table.lazy.set(class);
    Ok(())
}

fn layouts_below(tables: &Tables, table: &LayoutTable) -> Vec<u32> {
    let struct_of = |codec: Codec| match codec {
        Codec::Struct { layout, .. } => Some(layout),
        Codec::Array { element, .. } => match tables.plan.codecs[element as usize] {
            Codec::Struct { layout, .. } => Some(layout),
            _ => None,
        },
        _ => None,
    };
    table
        .steps
        .iter()
        .filter_map(|step| if let Step::Value(_, codec) = step { struct_of(*codec) } else { None })
        .collect()
}

fn lazy_class(tables: &Bound<'_, Tables>, layout: u32, make_class: &Bound<'_, PyAny>) -> PyResult<Class> {
    let table = &tables.get().layouts[layout as usize];
    let plain = &tables.get().classes[table.class];
    let fields = PyDict::new(tables.py());
    for (name, slot) in &tables.get().attributes[table.class] {
        fields.set_item(name, LazyField::new(tables.clone().unbind(), layout, *slot, name.clone()))?;
    }
    let class = make_class.call1((plain.class(), fields))?;
    plain.subclass(&class.cast_into()?)
}
