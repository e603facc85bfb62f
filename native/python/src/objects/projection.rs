//! Projection: creates only the requested fields of a message.

use std::sync::OnceLock;

use messagegen_core::plan::Codec;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::decode::Decoder;
use super::error::{ObjectResult, fail};
use super::input::Input;
use super::scan::{BOUNDED, COUNTED, Scanner};
use super::slots::{Slot, TupleBuilder, View};
use super::tables::{LayoutTable, Member, Step, Tables};

/// The chosen fields of a struct in one layout.
pub struct Chosen {
    layout: u32,
    /// What to do for each step.
    choices: Box<[Choice]>,
    /// Initial values of fields that are not, or not always, on the wire.
    initial: Box<[(Slot, Py<PyAny>)]>,
    /// The slots of tagged fields that were not chosen.
    unwanted: Box<[Slot]>,
    /// Whether anything in the tag section was chosen.
    has_tags: bool,
}

enum Choice {
    /// Nothing was chosen.
    Pass,
    /// All of it was chosen.
    Whole,
    /// Some numbers of a run.
    Members(Box<[Member]>),
    /// Some fields of a struct, or of the structs of an array.
    Within(Slot, Codec, Chosen),
}

impl Chosen {
    /// Chooses fields by a tree of attributes, in which `None` means a whole field. `ValueError` for unknown attributes.
    pub fn new(tables: &Tables, layout: u32, tree: &Bound<'_, PyDict>) -> PyResult<Chosen> {
        let table = &tables.layouts[layout as usize];
        let attributes = &tables.attributes[table.class];
        let mut wanted: Vec<(Slot, Option<Bound<'_, PyDict>>)> = Vec::new();
        for (attribute, below) in tree {
            let name: String = attribute.extract()?;
            let Some((_, slot)) = attributes.iter().find(|(known, _)| *known == name) else {
                return Err(PyValueError::new_err(format!("unknown attribute {name:?}")));
            };
            wanted.push((*slot, below.cast_into().ok()));
        }
        let is_wanted = |slot: Slot| wanted.iter().any(|(one, _)| *one == slot);
        let choices = table.steps.iter().map(|step| match step {
            Step::Run(_, members) => {
                let chosen: Box<[Member]> = members.iter().filter(|member| is_wanted(member.slot)).copied().collect();
                Ok(if chosen.is_empty() { Choice::Pass } else { Choice::Members(chosen) })
            }
            Step::Value(slot, codec) | Step::Numbers(slot, _, _, codec) => {
                match wanted.iter().find(|(one, _)| one == slot) {
                    None => Ok(Choice::Pass),
                    Some((_, None)) => Ok(Choice::Whole),
                    Some((_, Some(below))) => within(tables, *slot, *codec, below),
                }
            }
        });
        let tagged = || table.tagged.iter().map(|tagged| tagged.slot).chain([table.unknown]);
        Ok(Chosen {
            layout,
            choices: choices.collect::<PyResult<_>>()?,
            initial: table
                .initial
                .iter()
                .filter(|(slot, _)| is_wanted(*slot))
                .map(|(slot, value)| (*slot, value.clone_ref(tree.py())))
                .collect(),
            unwanted: tagged().filter(|slot| !is_wanted(*slot)).collect(),
            has_tags: table.flexible && tagged().any(is_wanted),
        })
    }
}

fn within(tables: &Tables, slot: Slot, codec: Codec, tree: &Bound<'_, PyDict>) -> PyResult<Choice> {
    let element = match codec {
        Codec::Array { element, .. } => tables.codecs[element as usize],
        codec => codec,
    };
    match element {
        Codec::Struct { layout, .. } => Ok(Choice::Within(slot, codec, Chosen::new(tables, layout, tree)?)),
        // Structs within arrays of arrays are made as a whole.
        _ => Ok(Choice::Whole),
    }
}

/// Decodes the chosen fields of a message; returns it and the offset after it.
pub fn decode<'py>(input: &Input<'_, 'py>, chosen: &Chosen) -> ObjectResult<(Bound<'py, PyAny>, usize)> {
    // A message that may cost too much by the first, quicker count is counted exactly.
    Reader::<BOUNDED>::new(input).message(chosen).or_else(|_| Reader::<COUNTED>::new(input).message(chosen))
}

struct Reader<'a, 'py, const LEVEL: u8> {
    py: Python<'py>,
    tables: &'a Tables,
    scanner: Scanner<'a, LEVEL>,
    decoder: Decoder<'a, 'py, false>,
}

impl<'a, 'py, const LEVEL: u8> Reader<'a, 'py, LEVEL> {
    fn new(input: &Input<'a, 'py>) -> Self {
        let (py, tables) = (input.tables.py(), input.tables.get());
        Reader {
            py,
            tables,
            scanner: Scanner::of(input),
            decoder: Decoder::new(py, tables, input.cursor, input.view, input.limits),
        }
    }

    fn message(mut self, chosen: &Chosen) -> ObjectResult<(Bound<'py, PyAny>, usize)> {
        let begin = self.scanner.cursor.at();
        let message = self.structure(chosen)?;
        self.scanner.check_total(begin)?;
        Ok((message, self.scanner.cursor.at()))
    }

    fn structure(&mut self, chosen: &Chosen) -> ObjectResult<Bound<'py, PyAny>> {
        let table = &self.tables.layouts[chosen.layout as usize];
        self.scanner.begin(table);
        let instance = self.tables.classes[table.class].instantiate(self.py)?;
        let view = instance.as_view();
        for (slot, value) in &chosen.initial {
            view.set(*slot, Some(value.bind(self.py).clone()));
        }
        for (step, choice) in table.steps.iter().zip(&chosen.choices) {
            let start = self.scanner.cursor;
            match choice {
                Choice::Within(slot, codec, below) => {
                    view.set(*slot, Some(self.within(*codec, below)?));
                    continue;
                }
                _ => self.scanner.step(step)?,
            }
            self.decoder.cursor = start;
            match choice {
                Choice::Whole => self.decoder.step(step, view)?,
                Choice::Members(members) => self.decoder.run(view, self.scanner.cursor.at() - start.at(), members)?,
                Choice::Pass | Choice::Within(..) => {}
            }
        }
        self.tags(table, chosen, view)?;
        Ok(instance.finish())
    }

    /// Makes the chosen fields of a struct, or of each struct of an array.
    fn within(&mut self, codec: Codec, chosen: &Chosen) -> ObjectResult<Bound<'py, PyAny>> {
        match codec {
            Codec::Struct { null, .. } if self.scanner.cursor.is_null(null)? => Ok(self.none()),
            Codec::Struct { .. } => self.structure(chosen),
            Codec::Array { length, element } => {
                let Some(count) = self.scanner.count(length, element)? else { return Ok(self.none()) };
                let element = self.tables.codecs[element as usize];
                let mut items = TupleBuilder::new(self.py, count)?;
                for _ in 0..count {
                    items.push(self.within(element, chosen)?);
                    self.scanner.check()?;
                }
                Ok(items.finish().into_any())
            }
            _ => fail("neither a struct nor an array"),
        }
    }

    fn none(&self) -> Bound<'py, PyAny> {
        self.py.None().into_bound(self.py)
    }

    fn tags(&mut self, table: &LayoutTable, chosen: &Chosen, view: View<'_, 'py>) -> ObjectResult<()> {
        let start = self.scanner.cursor;
        self.scanner.tags(table)?;
        if chosen.has_tags {
            self.decoder.cursor = start;
            self.decoder.tags(table, view)?;
            for slot in &chosen.unwanted {
                view.set(*slot, None);
            }
        }
        Ok(())
    }
}

/// Chosen fields of a message in all its versions.
#[pyclass(frozen, module = "messagegen_native")]
pub struct Projection {
    tree: Py<PyDict>,
    /// By the number of the layout, made when a message in this layout is decoded.
    chosen: Box<[OnceLock<Chosen>]>,
}

impl Projection {
    /// Chooses fields by a tree of attributes, in which `None` means a whole field.
    pub fn new(tables: &Tables, tree: Py<PyDict>) -> Self {
        Projection { tree, chosen: tables.layouts.iter().map(|_| OnceLock::new()).collect() }
    }

    /// The chosen fields of messages in a layout. `ValueError` for unknown attributes.
    pub fn chosen(&self, tables: &Bound<'_, Tables>, layout: u32) -> PyResult<&Chosen> {
        let place = &self.chosen[layout as usize];
        match place.get() {
            Some(chosen) => Ok(chosen),
            None => {
                let made = Chosen::new(tables.get(), layout, self.tree.bind(tables.py()))?;
                Ok(place.get_or_init(|| made))
            }
        }
    }
}
