//! The columns for some versions of a message, and the column of each field. They do not depend on the rows.

use std::collections::BTreeSet;

use crate::arrow::builder::{Columns, UuidForm, Values};
use crate::arrow::errors::ErrorColumn;
use crate::columns::paths::{KAFKA_UNKNOWN_TAGS, Names, UNKNOWN_TAGS, within};
use crate::columns::versions::VersionMap;
use crate::plan::{Codec, Layout, NullMark, Plan, quoted};

/// The maximum number of columns; no real message has a plan with more.
const MAX_COLUMNS: usize = 10_000;

/// The selection of columns, and their form.
pub struct Selection<'a> {
    /// The layouts of the message in the selected versions.
    pub layouts: &'a VersionMap,
    /// The paths of fields; `None` for all.
    pub fields: Option<&'a [String]>,
    pub include_secrets: bool,
    pub unknown_tagged_fields: bool,
    pub uuids: UuidForm,
    pub names: Names,
}

/// The column of a value, and the columns below it.
pub enum Shape {
    Leaf(usize),
    List(Box<ListShape>),
    Struct(Box<StructShape>),
}

impl Shape {
    /// Return the number of the column.
    pub fn column(&self) -> usize {
        match self {
            Shape::Leaf(column) => *column,
            Shape::List(list) => list.column,
            Shape::Struct(structs) => structs.column,
        }
    }
}

/// The columns of an array.
pub struct ListShape {
    pub column: usize,
    pub element: Shape,
}

/// The columns of a struct.
pub struct StructShape {
    pub column: usize,
    /// The columns, by field number; `None` for a field that is not selected or that none of the versions has.
    pub fields: Vec<Option<Shape>>,
    pub unknown: Option<MapShape>,
    /// The layouts of plain structs, whose selected fields are fixed-size values or arrays of them. Structs with these
    /// layouts are read in groups.
    pub plain: Vec<u32>,
}

/// The columns of unknown tagged fields.
#[derive(Clone, Copy)]
pub struct MapShape {
    pub map: usize,
    pub entries: usize,
    pub tag: usize,
    pub data: usize,
}

/// The columns of a selection.
pub struct Schema {
    /// Columns without values.
    pub columns: Columns,
    pub message: Shape,
    /// The columns of the message's fields.
    pub top: Vec<usize>,
    pub errors: ErrorColumn,
}

impl Schema {
    /// Create the columns of a selection. The error describes what is wrong with the selection or the plan.
    pub fn new(plan: &Plan, selection: &Selection<'_>) -> Result<Self, String> {
        let attributes = |paths: &[String]| paths.iter().map(|path| attributes(plan, selection, path)).collect();
        let fields = selection.fields.map(attributes).transpose()?;
        let mut maker = Maker {
            plan,
            selection,
            fields,
            columns: Columns::default(),
        };
        let (mut message, top) = maker.fields(&selection.layouts.layouts().collect(), "")?;
        let errors = ErrorColumn::add(&mut maker.columns, true);
        let all = top.iter().copied().chain([errors.column]).collect();
        message.column = maker.columns.add("", Values::structs(all), false);
        Ok(Schema {
            columns: maker.columns,
            message: Shape::Struct(Box::new(message)),
            top,
            errors,
        })
    }
}

/// The description of a value whose column is about to be created.
#[derive(Clone, Copy)]
struct Place<'a> {
    name: &'a str,
    type_name: &'a str,
    path: &'a str,
    nullable: bool,
}

struct Maker<'a> {
    plan: &'a Plan,
    selection: &'a Selection<'a>,
    /// The paths of the selected fields, with attributes.
    fields: Option<Vec<String>>,
    columns: Columns,
}

impl<'a> Maker<'a> {
    /// Add the columns below a struct that has one of these layouts, but not the struct's own column. Return the shape
    /// of the struct, and the columns of its fields in order.
    ///
    /// The top-level fields are nullable, because they are null in a row with an error.
    fn fields(&mut self, numbers: &BTreeSet<u32>, path: &str) -> Result<(StructShape, Vec<usize>), String> {
        let plan = self.plan;
        let layouts: Vec<_> = numbers.iter().map(|layout| &plan.layouts[*layout as usize]).collect();
        let mut shape = StructShape {
            column: 0,
            fields: Vec::new(),
            unknown: None,
            plain: Vec::new(),
        };
        let Some(first) = layouts.first() else {
            return Ok((shape, Vec::new()));
        };
        let owner = first.struct_number;
        if layouts.iter().any(|layout| layout.struct_number != owner) {
            return Err(format!("{path} is a different struct in different versions"));
        }
        let secrets = &plan.structs[owner].sensitive;
        for (field, described) in plan.structs[owner].fields.iter().enumerate() {
            let codecs: Vec<Codec> = layouts.iter().filter_map(|layout| layout.codec_of(field)).collect();
            let inner = within(path, &described.attribute);
            let is_hidden = !self.selection.include_secrets && secrets.contains(&described.attribute);
            if codecs.is_empty() || is_hidden || !self.is_selected(&inner) {
                shape.fields.push(None);
                continue;
            }
            // A missing tagged struct has the defaults of its fields. Records are null by default, in any version.
            let is_null_by_default = described.default == "null";
            let nullable =
                path.is_empty() || codecs.len() < layouts.len() || is_null_by_default || codecs.iter().any(can_be_null);
            let (name, type_name) = (self.selection.names.field(described), &described.type_name);
            shape.fields.push(Some(self.shape(
                &codecs,
                Place {
                    name,
                    type_name,
                    path: &inner,
                    nullable,
                },
            )?));
        }
        if self.selection.include_secrets || secrets.is_empty() {
            shape.unknown = self.unknown(&layouts, path);
        }
        shape.plain = numbers
            .iter()
            .copied()
            .filter(|number| is_plain(plan, *number, &shape))
            .collect();
        let unknown = shape.unknown.map(|map| map.map);
        let columns = shape
            .fields
            .iter()
            .flatten()
            .map(Shape::column)
            .chain(unknown)
            .collect();
        Ok((shape, columns))
    }

    fn unknown(&mut self, layouts: &[&Layout], path: &str) -> Option<MapShape> {
        let has_tags = layouts.iter().any(|layout| layout.flexible);
        if !self.selection.unknown_tagged_fields || !has_tags || !self.is_selected(&within(path, UNKNOWN_TAGS)) {
            return None;
        }
        let nullable = path.is_empty() || layouts.iter().any(|layout| !layout.flexible);
        let name = self.selection.names.unknown_tags();
        let tag = self.columns.add("key", Values::Int32(Vec::new()), false);
        let data = self.columns.add("value", Values::bytes(), false);
        let entries = self.columns.add("entries", Values::structs(vec![tag, data]), false);
        let map = self.columns.add(name, Values::map(entries), nullable);
        Some(MapShape {
            map,
            entries,
            tag,
            data,
        })
    }

    /// Add the column of a value that has one of these codecs, and the columns below it.
    fn shape(&mut self, codecs: &[Codec], place: Place<'_>) -> Result<Shape, String> {
        if self.columns.count() >= MAX_COLUMNS {
            return Err(format!("the plan has more than {MAX_COLUMNS} columns"));
        }
        let layouts: BTreeSet<u32> = codecs.iter().filter_map(layout_of).collect();
        if codecs.iter().all(|codec| layout_of(codec).is_some()) {
            let (mut shape, columns) = self.fields(&layouts, place.path)?;
            shape.column = self.columns.add(place.name, Values::structs(columns), place.nullable);
            return Ok(Shape::Struct(Box::new(shape)));
        }
        let elements: Vec<Codec> = codecs.iter().filter_map(|codec| self.element_of(codec)).collect();
        if elements.len() == codecs.len() {
            let type_name = place.type_name.trim_start_matches("[]");
            let inner = Place {
                name: "item",
                type_name,
                nullable: elements.iter().any(can_be_null),
                ..place
            };
            let element = self.shape(&elements, inner)?;
            let column = self
                .columns
                .add(place.name, Values::list(element.column()), place.nullable);
            return Ok(Shape::List(Box::new(ListShape { column, element })));
        }
        let values = Values::of_type(place.type_name, self.selection.uuids);
        let Some(values) = values.filter(|values| codecs.iter().all(|codec| values.accept(*codec))) else {
            return Err(format!(
                "{} has a type {} that its codec can't carry",
                quoted(place.path),
                quoted(place.type_name)
            ));
        };
        Ok(Shape::Leaf(self.columns.add(place.name, values, place.nullable)))
    }

    fn element_of(&self, codec: &Codec) -> Option<Codec> {
        match codec {
            Codec::FixedArray { kind, .. } => Some(Codec::Fixed(*kind)),
            Codec::Array { element, .. } => Some(self.plan.element(*element)),
            _ => None,
        }
    }

    /// Whether a field is selected: it is in the list, or inside a field of the list, or contains a field of the list.
    fn is_selected(&self, path: &str) -> bool {
        let holds = |outer: &str, inner: &str| {
            inner
                .strip_prefix(outer)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        let Some(selected) = &self.fields else { return true };
        selected.iter().any(|one| holds(one, path) || holds(path, one))
    }
}

/// Return a path with attributes in place of Kafka's names. The path must lead to a field. It consists of names
/// separated by dots, without indexes for arrays.
fn attributes(plan: &Plan, selection: &Selection<'_>, path: &str) -> Result<String, String> {
    let mut owner = &plan.structs[0];
    let mut found = String::new();
    let mut parts = path.split('.').peekable();
    while let Some(part) = parts.next() {
        let is_unknown = part == UNKNOWN_TAGS || part == KAFKA_UNKNOWN_TAGS;
        if selection.unknown_tagged_fields && is_unknown && parts.peek().is_none() {
            return Ok(within(&found, UNKNOWN_TAGS));
        }
        let by_attribute = owner.fields.iter().find(|field| field.attribute == part);
        let Some(field) = by_attribute.or_else(|| owner.fields.iter().find(|field| field.name == part)) else {
            let names: Vec<&str> = owner.fields.iter().map(|field| selection.names.field(field)).collect();
            let (class, names) = (&owner.class_name, names.join(", "));
            return Err(format!(
                "unknown field {path:?}: {class} has no {part:?}; its fields are {names}"
            ));
        };
        found = within(&found, &field.attribute);
        match plan.struct_of(&field.type_name) {
            Some(inner) => owner = &plan.structs[inner],
            None if parts.peek().is_some() => {
                return Err(format!(
                    "unknown field {path:?}: {part:?} is not a struct and has no fields"
                ));
            }
            None => (),
        }
    }
    Ok(found)
}

fn is_plain(plan: &Plan, number: u32, shape: &StructShape) -> bool {
    let layout = &plan.layouts[number as usize];
    let is_selected = |field: usize| shape.fields[field].is_some();
    let is_fixed = |codec| matches!(codec, Codec::Fixed(_) | Codec::FixedArray { .. });
    !(layout.flexible && shape.unknown.is_some())
        && layout
            .fields()
            .all(|(field, codec)| is_fixed(codec) || !is_selected(field))
        && !layout.tagged().any(|(field, _)| is_selected(field))
}

fn layout_of(codec: &Codec) -> Option<u32> {
    match codec {
        Codec::Struct { layout, .. } => Some(*layout),
        _ => None,
    }
}

fn can_be_null(codec: &Codec) -> bool {
    match codec {
        Codec::String(length)
        | Codec::Bytes(length)
        | Codec::FixedArray { length, .. }
        | Codec::Array { length, .. } => length.nullable,
        Codec::Struct { null, .. } => *null != NullMark::Never,
        Codec::Fixed(_) | Codec::Packed(_) | Codec::Upacked(_) => false,
    }
}
