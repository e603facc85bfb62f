//! A plan bound to the classes of one output, for decoding and encoding.

use std::sync::OnceLock;

use messagegen_core::plan::{Codec, Field, Kind, Layout, Plan};
use pyo3::exceptions::PyValueError;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyType};

use super::defaults::Default;
use super::error::{ObjectResult, fail};
use super::slots::{Class, View};
use super::uuids::Uuids;

const WITHOUT_UUIDS: &str = "the plan has no uuids";
const UNKNOWN_TAGGED_FIELDS: &str = "unknown_tagged_fields";

/// A struct of the plan and its class.
pub struct StructTable {
    /// The class; its last attribute contains the unknown tagged fields.
    pub class: Class,
    /// The slot of the unknown tagged fields.
    pub unknown: usize,
    /// The names of the attributes, by slot.
    pub attributes: Box<[String]>,
    /// The defaults of the attributes, by slot.
    pub defaults: Box<[Default]>,
}

/// All tables of an engine. They are a Python object, so that the parts of lazily decoded messages can share them.
#[pyclass(frozen, module = "messagegen_native")]
pub struct Tables {
    /// The plan, with fields numbered by slot. Fields that may be missing on the wire are listed as `absent`.
    pub plan: Plan,
    /// The structs, by number.
    pub structs: Box<[StructTable]>,
    /// The classes of lazily decoded objects, by the number of the layout. Each is created on first use.
    pub lazy: Box<[OnceLock<Class>]>,
    /// The UUID class, for plans that have UUIDs.
    pub uuids: Option<Uuids>,
}

impl Tables {
    /// Bind a plan to classes by name. Raises `ValueError` if they do not match.
    pub fn new(mut plan: Plan, classes: &Bound<'_, PyTuple>) -> PyResult<Self> {
        let uuids = if plan.has(Kind::Uuid) {
            Some(Uuids::new(classes.py())?)
        } else {
            None
        };
        let structs = plan.structs.iter().map(|owner| {
            let class = class_named(classes, &owner.class_name)?;
            let mut attributes: Vec<&str> = owner.fields.iter().map(|field| field.attribute.as_str()).collect();
            attributes.push(UNKNOWN_TAGGED_FIELDS);
            let made = Class::new(&class, &attributes)?;
            let defaults = class.getattr("__defaults__")?;
            let default = |(_, name): &(usize, &str)| Default::new(&defaults.get_item(name)?, &plan, uuids.as_ref());
            let unknown = made.slots[owner.fields.len()];
            let mut by_slot: Vec<(usize, &str)> = made.slots.iter().copied().zip(attributes).collect();
            by_slot.sort_unstable();
            Ok(StructTable {
                class: made,
                unknown,
                defaults: by_slot.iter().map(default).collect::<PyResult<_>>()?,
                attributes: by_slot.iter().map(|(_, name)| (*name).to_owned()).collect(),
            })
        });
        let structs: Box<[StructTable]> = structs.collect::<PyResult<_>>()?;
        number_by_slots(&mut plan, &structs);
        Ok(Tables {
            structs,
            lazy: plan.layouts.iter().map(|_| OnceLock::new()).collect(),
            uuids,
            plan,
        })
    }

    /// Return layout `number` and its struct.
    #[inline]
    pub fn layout(&self, number: u32) -> (&Layout, &StructTable) {
        let layout = &self.plan.layouts[number as usize];
        (layout, &self.structs[layout.struct_number])
    }

    /// Return the class of lazily decoded objects in a layout; `None` if it has not been prepared.
    #[inline]
    pub fn lazy(&self, layout: u32) -> Option<&Class> {
        self.lazy[layout as usize].get()
    }

    /// Return the layout and the slots of a lazily decoded object of struct `owner`, whatever its layout.
    pub fn lazy_view<'a, 'py>(&'a self, owner: usize, object: &'a Bound<'py, PyAny>) -> Option<(u32, View<'a, 'py>)> {
        let mut layouts = (0..)
            .zip(&self.plan.layouts)
            .filter(|(_, layout)| layout.struct_number == owner);
        layouts.find_map(|(number, _)| Some((number, self.lazy(number)?.view(object)?)))
    }

    /// Create a UUID from its 16 bytes.
    pub fn make_uuid<'py>(&self, py: Python<'py>, bytes: [u8; 16]) -> PyResult<Bound<'py, PyAny>> {
        match &self.uuids {
            Some(uuids) => uuids.make(py, bytes),
            None => Err(PyValueError::new_err(WITHOUT_UUIDS)),
        }
    }

    /// Return the UUID class. Fails for plans without UUIDs.
    pub fn uuids(&self) -> ObjectResult<&Uuids> {
        match &self.uuids {
            Some(uuids) => Ok(uuids),
            None => fail(WITHOUT_UUIDS),
        }
    }
}

#[pymethods]
impl Tables {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        for table in &self.structs {
            visit.call(table.class.class())?;
            table
                .defaults
                .iter()
                .try_for_each(|default| visit.call(&default.value))?;
        }
        self.lazy
            .iter()
            .filter_map(OnceLock::get)
            .try_for_each(|lazy| visit.call(lazy.class()))
    }
}

/// Renumber fields by slot, and add the unknown tagged fields as a field of each struct.
fn number_by_slots(plan: &mut Plan, structs: &[StructTable]) {
    for layout in &mut plan.layouts {
        let slots = &structs[layout.struct_number].class.slots;
        let tagged = layout.tagged.iter().map(|tagged| tagged.field);
        layout.absent.extend(tagged);
        layout.absent.push(slots.len() - 1);
        layout.renumber(slots);
    }
    for (owner, table) in plan.structs.iter_mut().zip(structs) {
        owner.fields.push(Field {
            attribute: UNKNOWN_TAGGED_FIELDS.to_owned(),
            ..Field::default()
        });
        let mut fields: Vec<(usize, Field)> = table.class.slots.iter().copied().zip(owner.fields.drain(..)).collect();
        fields.sort_unstable_by_key(|(slot, _)| *slot);
        owner.fields = fields.into_iter().map(|(_, field)| field).collect();
    }
}

fn class_named<'py>(classes: &Bound<'py, PyTuple>, name: &str) -> PyResult<Bound<'py, PyType>> {
    for class in classes {
        let class = class.cast_into::<PyType>()?;
        if class.name()? == name {
            return Ok(class);
        }
    }
    Err(PyValueError::new_err(format!("no class {name} is among those given")))
}

/// Whether lazy decoding may leave a value as bytes.
pub fn may_be_part(codec: Codec) -> bool {
    match codec {
        Codec::FixedArray { .. } | Codec::Array { .. } | Codec::Struct { .. } | Codec::Bytes(_) => true,
        Codec::Fixed(_) | Codec::Packed(_) | Codec::Upacked(_) | Codec::String(_) => false,
    }
}
