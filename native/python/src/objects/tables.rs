//! A plan bound to the classes of one output, as tables for decoding and encoding.

use std::sync::OnceLock;

use messagegen_core::limits::Limits;
use messagegen_core::plan::{self, Codec, Kind, Layout, Member, Plan};
use pyo3::exceptions::PyValueError;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;

use pyo3::types::{PyBool, PyBytes, PyInt, PyMemoryView, PyString, PyTuple, PyType};

use super::error::{ObjectResult, fail};
use super::slots::{Class, Slot, Uuids, View};
use super::values::sequence;
use messagegen_core::costs;

const UNKNOWN_TAGGED_FIELDS: &str = "unknown_tagged_fields";

/// A step of reading or writing, by slots.
pub enum Step {
    /// Consecutive values of constant size, and their number of bytes.
    Run(usize, Box<[(Slot, Member)]>),
    /// Any other value.
    Value(Slot, Codec),
}

/// A field of the tag section.
pub struct TaggedSlot {
    /// Its number on the wire.
    pub tag: u32,
    /// Where it belongs in the object.
    pub slot: Slot,
    /// Its codec.
    pub codec: Codec,
    /// Its default, which is not written.
    pub default: Default,
}

/// The bytes of one struct in some versions, by the slots of its class.
pub struct LayoutTable {
    /// The number of the class in [`Tables::classes`].
    pub class: usize,
    /// The cost of the object without its values.
    pub cost: u64,
    /// Whether there is a tag section.
    pub flexible: bool,
    /// Those of the layout.
    pub steps: Box<[Step]>,
    /// The fields of the tag section, by ascending tag.
    pub tagged: Box<[TaggedSlot]>,
    /// Initial values of fields that are not, or not always, on the wire.
    pub initial: Box<[(Slot, Py<PyAny>)]>,
    /// Fields that are not on the wire and must hold their default.
    pub guards: Box<[(Slot, Default)]>,
    /// The slot of the unknown tagged fields.
    pub unknown: Slot,
    /// The slot of the first field, if there is one.
    pub first: Option<Slot>,
    /// The slots of values that lazy decoding may leave as bytes.
    pub parts: Box<[Slot]>,
    /// The class of lazily decoded objects in this layout, made with the first of them.
    pub lazy: OnceLock<Class>,
}

/// All tables of an engine. This is a Python object, so that parts of lazily decoded messages can share it.
#[pyclass(frozen, module = "messagegen_native")]
pub struct Tables {
    /// What the tables are made of.
    pub plan: Plan,
    /// By the number of the struct.
    pub classes: Box<[Class]>,
    /// Attributes and slots by the number of the struct; the last are the unknown tagged fields.
    pub attributes: Box<[Attributes]>,
    /// By number; only referred to by later ones.
    pub layouts: Box<[LayoutTable]>,
    /// The most that structs cost, by the number of the layout.
    pub bounds: Box<[u64]>,
    /// The largest messages that can't exceed the default limits.
    pub small: usize,
    /// For plans that have uuids.
    pub uuids: Option<Uuids>,
}

/// A field's default, in a form that is quick to compare with.
pub enum Default {
    /// The default of arrays: equal to any empty tuple or list, but not to null.
    EmptyArray,
    /// The default of empty bytes: equal to any empty buffer.
    EmptyBytes,
    /// Null, true or false, which equal only themselves.
    Constant(Py<PyAny>),
    /// Any other value. `itself` says that the object equals itself, which NaN does not.
    Value {
        #[allow(missing_docs)]
        value: Py<PyAny>,
        #[allow(missing_docs)]
        itself: bool,
    },
}

type Attributes = Box<[(String, Slot)]>;

impl Default {
    fn new(value: &Bound<'_, PyAny>, is_struct: bool) -> Self {
        if value.cast_exact::<PyTuple>().is_ok_and(|tuple| tuple.as_slice().is_empty()) {
            return Default::EmptyArray;
        }
        if value.is_none() || value.is_exact_instance_of::<PyBool>() {
            return Default::Constant(value.clone().unbind());
        }
        if value.is_exact_instance_of::<PyBytes>() {
            return Default::EmptyBytes;
        }
        let atom = value.is_exact_instance_of::<PyInt>() || value.is_exact_instance_of::<PyString>();
        Default::Value { value: value.clone().unbind(), itself: atom || is_struct }
    }

    /// Whether a field with this value is not written.
    pub fn equals(&self, value: &Bound<'_, PyAny>) -> ObjectResult<bool> {
        match self {
            Default::EmptyArray => Ok(!value.is_none() && sequence(value)?.as_slice().is_empty()),
            Default::EmptyBytes => match value.cast_exact::<PyBytes>() {
                Ok(bytes) => Ok(bytes.as_bytes().is_empty()),
                Err(_) => {
                    Ok(!value.is_none() && PyMemoryView::from(value)?.getattr("nbytes")?.extract::<usize>()? == 0)
                }
            },
            Default::Constant(default) => Ok(value.is(default)),
            Default::Value { value: default, itself } => {
                if *itself && value.is(default) {
                    return Ok(true);
                }
                // The same comparison as in generated Python; for some objects, it is not the opposite of `==`.
                Ok(!value.ne(default)?)
            }
        }
    }

    fn object(&self) -> Option<&Py<PyAny>> {
        match self {
            Default::EmptyArray | Default::EmptyBytes => None,
            Default::Constant(value) | Default::Value { value, .. } => Some(value),
        }
    }
}

impl Tables {
    /// Binds a plan to classes by their names. `ValueError` if they do not match.
    pub fn new(plan: Plan, classes: &Bound<'_, PyTuple>) -> PyResult<Self> {
        let py = classes.py();
        let mut bound = Vec::with_capacity(plan.structs.len());
        let mut structs = Vec::with_capacity(plan.structs.len());
        let mut all_attributes = Vec::with_capacity(plan.structs.len());
        for owner in &plan.structs {
            let class = class_named(classes, &owner.class_name)?;
            let mut attributes: Vec<&str> = owner.fields.iter().map(|field| field.attribute.as_str()).collect();
            attributes.push(UNKNOWN_TAGGED_FIELDS);
            let (made, slots) = Class::new(&class, &attributes)?;
            let defaults = class.getattr("__defaults__")?;
            let defaults = attributes.iter().map(|name| defaults.get_item(name)).collect::<PyResult<Vec<_>>>()?;
            bound.push(made);
            all_attributes.push(attributes.iter().map(|name| (*name).to_owned()).zip(slots.iter().copied()).collect());
            structs.push(StructTable { slots, defaults });
        }
        let has_uuids = plan.codecs.contains(&Codec::Fixed(Kind::Uuid));
        let layouts = (0..).zip(&plan.layouts);
        Ok(Tables {
            layouts: layouts
                .map(|(number, layout)| structs[layout.struct_number].layout(&plan, number, layout))
                .collect(),
            classes: bound.into(),
            attributes: all_attributes.into(),
            bounds: costs::bounds(&plan),
            small: costs::small(&plan, &Limits::DEFAULT),
            uuids: if has_uuids { Some(Uuids::new(py)?) } else { None },
            plan,
        })
    }

    /// The layout and the slots of a lazily decoded object, whatever layout of a class it was decoded in.
    pub fn lazy_view<'a, 'py>(&self, class: usize, object: &'a Bound<'py, PyAny>) -> Option<(u32, View<'a, 'py>)> {
        let mut layouts = (0..).zip(&self.layouts).filter(|(_, table)| table.class == class);
        layouts.find_map(|(number, table)| Some((number, table.lazy.get()?.view(object)?)))
    }

    /// Creates and reads uuids; not used by plans without uuids.
    pub fn uuids(&self) -> ObjectResult<&Uuids> {
        match &self.uuids {
            Some(uuids) => Ok(uuids),
            None => fail("the plan has no uuids"),
        }
    }
}

#[pymethods]
impl Tables {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        for class in &self.classes {
            visit.call(class.class())?;
        }
        for layout in &self.layouts {
            if let Some(lazy) = layout.lazy.get() {
                visit.call(lazy.class())?;
            }
            for (_, value) in &layout.initial {
                visit.call(value)?;
            }
            let tagged = layout.tagged.iter().map(|tagged| &tagged.default);
            for default in layout.guards.iter().map(|(_, default)| default).chain(tagged) {
                visit.call(default.object())?;
            }
        }
        Ok(())
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

/// Slots and defaults of a struct by field, then those of the unknown tagged fields.
struct StructTable<'py> {
    slots: Vec<Slot>,
    defaults: Vec<Bound<'py, PyAny>>,
}

impl StructTable<'_> {
    fn layout(&self, plan: &Plan, number: u32, layout: &Layout) -> LayoutTable {
        let unknown = self.slots.len() - 1;
        let tagged = layout.tagged.iter().map(|tagged| tagged.field);
        let initial = layout.absent.iter().copied().chain(tagged).chain([unknown]);
        let parts = layout.fields().filter(|(_, codec)| may_be_part(*codec));
        LayoutTable {
            first: (unknown > 0).then(|| self.slots[0]),
            parts: parts.map(|(field, _)| self.slots[field]).collect(),
            lazy: OnceLock::new(),
            class: layout.struct_number,
            cost: costs::of_struct(plan, number),
            flexible: layout.flexible,
            steps: layout.steps.iter().map(|step| self.step(step)).collect(),
            tagged: layout
                .tagged
                .iter()
                .map(|tagged| TaggedSlot {
                    tag: tagged.tag,
                    slot: self.slots[tagged.field],
                    codec: tagged.codec,
                    default: self.default(tagged.field),
                })
                .collect(),
            initial: initial.map(|field| (self.slots[field], self.defaults[field].clone().unbind())).collect(),
            guards: layout.guarded.iter().map(|field| (self.slots[*field], self.default(*field))).collect(),
            unknown: self.slots[unknown],
        }
    }

    fn default(&self, field: usize) -> Default {
        let value = &self.defaults[field];
        // Structs compare by their values, and each of these is identical to itself.
        Default::new(value, value.hasattr("__defaults__").unwrap_or(false))
    }

    fn step(&self, step: &plan::Step) -> Step {
        match step {
            plan::Step::Value { field, codec } => Step::Value(self.slots[*field], *codec),
            plan::Step::Run { size, members } => {
                Step::Run(*size, members.iter().map(|member| (self.slots[member.field], *member)).collect())
            }
        }
    }
}

/// Whether lazy decoding may leave a value as bytes.
pub fn may_be_part(codec: Codec) -> bool {
    match codec {
        Codec::FixedArray { .. } | Codec::Array { .. } | Codec::Struct { .. } | Codec::Bytes { .. } => true,
        Codec::Fixed(_) | Codec::Packed(_) | Codec::Upacked(_) | Codec::String(_) => false,
    }
}
