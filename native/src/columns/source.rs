//! Where the values of messages come from that are written from Arrow columns, for each version.

use std::collections::HashMap;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use super::constant::constant;
use super::defaults::{Defaults, FieldDefault};
use super::fault::Part;
use super::input::{Data, Input};
use super::leaf::Leaf;
use super::same::Test;
use super::shape::{UNKNOWN, codec_of, within};
use super::versions::Known;
use crate::plan::{Codec, Layout, Length, NullMark, Plan};

/// Where a value comes from.
pub enum Source<'a> {
    /// It has no column: the bytes of the default.
    Constant(Vec<u8>),
    /// It has no column, and its default can't be written.
    Refused(String, Vec<Part>),
    Leaf {
        codec: Codec,
        input: &'a Input<'a>,
    },
    Struct {
        null: NullMark,
        input: &'a Input<'a>,
        number: usize,
    },
    List {
        length: Length,
        input: &'a Input<'a>,
        element: usize,
    },
}

/// A field of the tag section, which is written unless it is its default.
pub struct TaggedSource<'a> {
    pub tag: u32,
    pub field: usize,
    pub source: Source<'a>,
    pub default: Option<Test<'a>>,
}

/// The fields of one struct at one place in one layout.
pub struct StructSource<'a> {
    pub layout: u32,
    pub flexible: bool,
    /// Fields that the version lacks, which must hold their default.
    pub guards: Vec<(usize, Test<'a>)>,
    pub steps: Vec<(usize, Source<'a>)>,
    /// By ascending tag.
    pub tagged: Vec<TaggedSource<'a>>,
    pub unknown: Option<&'a Input<'a>>,
}

/// What encoding runs.
pub struct Sources<'a> {
    pub structs: Vec<StructSource<'a>>,
    /// Where the elements of arrays come from.
    pub elements: Vec<Source<'a>>,
    /// The number of the message's struct, by the version.
    pub roots: Known<usize>,
    /// What was wrong with rows when they were read, if there is a column for it.
    pub errors: Option<&'a Input<'a>>,
}

/// Finds the columns for the fields of some versions, which come with their layouts. `TypeError` for a column of a type that
/// its field can't take, `ValueError` for one that no field has.
pub fn sources<'a>(
    plan: &'a Plan,
    defaults: &'a Defaults,
    versions: &Known<u32>,
    rows: &'a Input<'a>,
) -> PyResult<Sources<'a>> {
    let Data::Struct(all) = &rows.data else {
        let text =
            format!("an Arrow struct array or a record batch is needed, not an array of format {:?}", rows.format);
        return Err(PyTypeError::new_err(text));
    };
    let mut finder = Finder { plan, defaults, structs: Vec::new(), elements: Vec::new(), done: HashMap::new() };
    let roots = versions.try_map(|layout| finder.structure(layout, rows, ""))?;
    let errors = all.iter().find(|column| column.name == "_error");
    Ok(Sources { structs: finder.structs, elements: finder.elements, roots, errors })
}

struct Finder<'a> {
    plan: &'a Plan,
    defaults: &'a Defaults,
    structs: Vec<StructSource<'a>>,
    elements: Vec<Source<'a>>,
    /// Structs by the address of their column and their layout: most versions share most layouts.
    done: HashMap<(*const Input<'a>, u32), usize>,
}

impl<'a> Finder<'a> {
    /// The number of the struct that writes a layout from the columns of a struct array, or from none.
    fn structure(&mut self, number: u32, input: &'a Input<'a>, path: &str) -> PyResult<usize> {
        if let Some(done) = self.done.get(&(std::ptr::from_ref(input), number)) {
            return Ok(*done);
        }
        let layout = &self.plan.layouts[number as usize];
        let columns = columns(self.plan, layout.struct_number, input, path)?;
        let steps = layout.steps.iter().map(|(field, codec)| {
            Ok((*field, self.source(layout, *field, self.plan.codecs[*codec as usize], &columns, path)?))
        });
        let steps = steps.collect::<PyResult<Vec<_>>>()?;
        let guards = layout.guarded.iter().filter_map(|field| Some((*field, columns.fields[*field]?)));
        let guards = guards.map(|(field, column)| Ok((field, self.test(layout, field, column, path)?)));
        let guards = guards.collect::<PyResult<Vec<_>>>()?;
        let tagged = self.tagged(layout, &columns, path)?;
        let (flexible, unknown) = (layout.flexible, columns.unknown);
        self.structs.push(StructSource { layout: number, flexible, guards, steps, tagged, unknown });
        self.done.insert((std::ptr::from_ref(input), number), self.structs.len() - 1);
        Ok(self.structs.len() - 1)
    }

    fn tagged(&mut self, layout: &'a Layout, columns: &Fields<'a>, path: &str) -> PyResult<Vec<TaggedSource<'a>>> {
        let mut found = Vec::new();
        for tagged in &layout.tagged {
            let (tag, field) = (tagged.tag, tagged.field);
            let default = match columns.fields[field] {
                Some(column) => Some(self.test(layout, field, column, path)?),
                None if is_nan(self.defaults.get(layout.struct_number, field)) => None,
                None => continue,
            };
            let codec = self.plan.codecs[tagged.codec as usize];
            let source = self.source(layout, field, codec, columns, path)?;
            found.push(TaggedSource { tag, field, source, default });
        }
        found.sort_by_key(|tagged| tagged.tag);
        Ok(found)
    }

    fn test(&self, layout: &Layout, field: usize, column: &'a Input<'a>, path: &str) -> PyResult<Test<'a>> {
        let codec = codec_of(layout, field).map(|codec| self.plan.codecs[codec as usize]);
        Test::new(self.plan, self.defaults, (layout.struct_number, field), codec, column, path)
    }

    fn source(
        &mut self,
        layout: &'a Layout,
        field: usize,
        codec: Codec,
        columns: &Fields<'a>,
        path: &str,
    ) -> PyResult<Source<'a>> {
        let described = &self.plan.structs[layout.struct_number].fields[field];
        let path = within(path, &described.attribute);
        match columns.fields[field] {
            Some(column) => self.column(codec, &described.type_name, column, &path),
            None => constant(self.plan, self.defaults, codec, self.defaults.get(layout.struct_number, field)),
        }
    }

    fn column(&mut self, codec: Codec, type_name: &str, input: &'a Input<'a>, path: &str) -> PyResult<Source<'a>> {
        match (codec, &input.data) {
            (Codec::Struct { layout, null }, Data::Struct(_) | Data::Nothing) => {
                Ok(Source::Struct { null, input, number: self.structure(layout, input, path)? })
            }
            (Codec::Array { length, element }, Data::List { .. } | Data::Nothing) => {
                let below = if let Data::List { elements, .. } = &input.data { elements } else { input };
                let codec = self.plan.codecs[element as usize];
                let source = self.column(codec, type_name.trim_start_matches("[]"), below, path)?;
                self.elements.push(source);
                Ok(Source::List { length, input, element: self.elements.len() - 1 })
            }
            (Codec::Struct { .. }, _) => Err(wrong_type(path, "a struct", input)),
            (Codec::Array { .. }, _) => Err(wrong_type(path, "a list", input)),
            _ => match Leaf::of_codec(codec) {
                Some(leaf) if leaf.takes(input) => Ok(Source::Leaf { codec, input }),
                leaf => Err(wrong_type(path, leaf.map_or("nothing", Leaf::needs), input)),
            },
        }
    }
}

/// The columns of a struct's fields, by their numbers, and that of its unknown tagged fields.
pub struct Fields<'a> {
    pub fields: Vec<Option<&'a Input<'a>>>,
    pub unknown: Option<&'a Input<'a>>,
}

/// Finds the columns of a struct by the names of its fields. `ValueError` for a column that no field has, or that is there
/// twice.
pub fn columns<'a>(plan: &Plan, struct_number: usize, input: &'a Input<'a>, path: &str) -> PyResult<Fields<'a>> {
    let owner = &plan.structs[struct_number];
    let mut found = Fields { fields: vec![None; owner.fields.len()], unknown: None };
    let Data::Struct(columns) = &input.data else { return Ok(found) };
    for column in columns {
        let path = within(path, &column.name);
        let place = match owner.fields.iter().position(|field| field.attribute == column.name) {
            Some(field) => &mut found.fields[field],
            None if column.name == UNKNOWN => {
                check_unknown(column, &path)?;
                &mut found.unknown
            }
            None if column.name.starts_with('_') => continue,
            None => {
                let names: Vec<&str> = owner.fields.iter().map(|field| field.attribute.as_str()).collect();
                let (class, names) = (&owner.class_name, names.join(", "));
                return Err(PyValueError::new_err(format!(
                    "no field has the column {path}; those of {class} are {names}"
                )));
            }
        };
        if place.replace(column).is_some() {
            return Err(PyValueError::new_err(format!("the column {path} is there twice")));
        }
    }
    Ok(found)
}

fn check_unknown(column: &Input<'_>, path: &str) -> PyResult<()> {
    let right = match &column.data {
        Data::Nothing => true,
        Data::Map { entries, .. } => match &entries.data {
            Data::Struct(pair) => {
                matches!(pair.as_slice(), [tag, data] if Leaf::Int.takes(tag) && Leaf::Bytes.takes(data))
            }
            _ => false,
        },
        _ => false,
    };
    if right { Ok(()) } else { Err(wrong_type(path, "a map of integers to binary", column)) }
}

/// What a field needs, and has not got.
pub fn wrong_type(path: &str, needed: &str, input: &Input<'_>) -> PyErr {
    PyTypeError::new_err(format!("{path} needs {needed}, not an Arrow array of format {:?}", input.format))
}

/// NaN is never equal to a default, so that it is always written.
pub fn is_nan(default: &FieldDefault) -> bool {
    matches!(default, FieldDefault::Float(value) if value.is_nan())
}
