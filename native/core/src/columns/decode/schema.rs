//! Which columns the versions of a message have, and which column a field goes to. Rows have no influence on it.

use std::collections::BTreeSet;

use crate::arrow::builder::{Columns, UuidForm, Values};
use crate::columns::defaults::{Defaults, FieldDefault};
use crate::columns::paths::{UNKNOWN_TAGS, codec_of, within};
use crate::columns::versions::VersionMap;
use crate::plan::{Codec, Field, Layout, NullMark, Plan};

/// A plan of more columns is not one of a real message.
const MAX_COLUMNS: usize = 10_000;

/// The name of unknown tagged fields among Kafka's names. No field of a spec can begin with an underscore.
const KAFKA_UNKNOWN_TAGS: &str = "_unknownTaggedFields";

/// Which columns to make, and how.
pub struct Selection<'a> {
    /// The layouts of the message in the selected versions.
    pub layouts: &'a VersionMap<u32>,
    /// The paths of fields; `None` for all.
    pub fields: Option<&'a [String]>,
    pub unknown_tagged_fields: bool,
    pub uuids: UuidForm,
    /// Whether columns have the names of Kafka's JSON (`throttleTimeMs`) instead of attributes (`throttle_time_ms`).
    pub kafka_names: bool,
}

/// The column of a value, and the columns below it.
pub enum Shape {
    Leaf(usize),
    List { column: usize, element: Box<Shape> },
    Struct(StructShape),
}

impl Shape {
    /// The number of the column.
    pub fn column(&self) -> usize {
        match self {
            Shape::Leaf(column) | Shape::List { column, .. } | Shape::Struct(StructShape { column, .. }) => *column,
        }
    }
}

/// The columns of a struct.
pub struct StructShape {
    pub column: usize,
    /// By the number of the field; `None` if it is not selected, or in none of the versions.
    pub fields: Vec<Option<Shape>>,
    pub unknown: Option<MapShape>,
}

/// The columns of unknown tagged fields.
#[derive(Clone, Copy)]
pub struct MapShape {
    pub map: usize,
    pub entries: usize,
    pub tag: usize,
    pub data: usize,
}

/// The columns of the error of a row.
pub struct ErrorShape {
    pub error: usize,
    pub message: usize,
    pub path: usize,
    pub offset: usize,
}

/// The columns of rows.
pub struct RootShape {
    pub message: StructShape,
    /// The columns of the message's fields.
    pub top: Vec<usize>,
    pub errors: ErrorShape,
}

/// The columns of a selection.
pub struct Schema {
    /// Columns without values.
    pub columns: Columns,
    pub shape: RootShape,
    /// What the columns hold where a field is not on the wire.
    pub defaults: Vec<FieldDefault>,
}

/// The columns of a selection. The error is a text about the selection or the plan.
pub fn schema(plan: &Plan, field_defaults: &Defaults, selection: &Selection<'_>) -> Result<Schema, String> {
    let (columns, defaults) = (Columns::default(), Vec::new());
    let mut maker = Maker { plan, field_defaults, selection, columns, defaults };
    selection.fields.iter().flat_map(|paths| paths.iter()).try_for_each(|path| maker.check_path(path))?;
    let (fields, unknown, mut all) = maker.fields(&selection.layouts.values().collect(), "")?;
    let top = all.clone();
    let errors = maker.errors();
    all.push(errors.error);
    let column = maker.add("", Values::structs(all), false, FieldDefault::Empty);
    let shape = RootShape { message: StructShape { column, fields, unknown }, top, errors };
    Ok(Schema { columns: maker.columns, shape, defaults: maker.defaults })
}

/// Shapes by the number of the field, the shape of unknown tagged fields, and all their columns in order.
type FieldShapes = (Vec<Option<Shape>>, Option<MapShape>, Vec<usize>);

/// The column of a value that is to be made.
#[derive(Clone, Copy)]
struct Place<'a> {
    name: &'a str,
    type_name: &'a str,
    path: &'a str,
    nullable: bool,
}

struct Maker<'a> {
    plan: &'a Plan,
    field_defaults: &'a Defaults,
    selection: &'a Selection<'a>,
    columns: Columns,
    defaults: Vec<FieldDefault>,
}

impl<'a> Maker<'a> {
    fn add(&mut self, name: &str, values: Values, nullable: bool, default: FieldDefault) -> usize {
        self.defaults.push(default);
        self.columns.add(name, values, nullable)
    }

    fn errors(&mut self) -> ErrorShape {
        let message = self.add("message", Values::text(), true, FieldDefault::Empty);
        let path = self.add("path", Values::text(), true, FieldDefault::Empty);
        let offset = self.add("offset", Values::Int64(Vec::new()), true, FieldDefault::Empty);
        let fields = vec![message, path, offset];
        let error = self.add("_error", Values::structs(fields), true, FieldDefault::Null);
        ErrorShape { error, message, path, offset }
    }

    /// A path must lead to a field of some version: attributes separated by dots, arrays without an index.
    fn check_path(&self, path: &str) -> Result<(), String> {
        let mut owner = &self.plan.structs[0];
        let mut parts = path.split('.').peekable();
        while let Some(part) = parts.next() {
            if self.selection.unknown_tagged_fields && part == UNKNOWN_TAGS && parts.peek().is_none() {
                return Ok(());
            }
            let Some(field) = owner.fields.iter().find(|field| field.attribute == part) else {
                let names: Vec<&str> = owner.fields.iter().map(|field| field.attribute.as_str()).collect();
                let (class, names) = (&owner.class_name, names.join(", "));
                return Err(format!("unknown field {path:?}: {class} has no {part:?}; its fields are {names}"));
            };
            match self.plan.struct_of(&field.type_name) {
                Some(inner) => owner = &self.plan.structs[inner],
                None if parts.peek().is_some() => {
                    return Err(format!("unknown field {path:?}: {part:?} is not a struct and has no fields"));
                }
                None => (),
            }
        }
        Ok(())
    }

    fn name(&self, field: &'a Field) -> &'a str {
        if self.selection.kafka_names { &field.name } else { &field.attribute }
    }

    /// The columns of a struct at a path that has one of these layouts. The fields of rows are null where a row is wrong.
    fn fields(&mut self, layouts: &BTreeSet<u32>, path: &str) -> Result<FieldShapes, String> {
        let plan = self.plan;
        let layouts: Vec<_> = layouts.iter().map(|layout| &plan.layouts[*layout as usize]).collect();
        let Some(first) = layouts.first() else { return Ok((Vec::new(), None, Vec::new())) };
        let number = first.struct_number;
        if layouts.iter().any(|layout| layout.struct_number != number) {
            return Err(format!("{path} is a different struct in different versions"));
        }
        let mut shapes = Vec::new();
        for (field, described) in plan.structs[number].fields.iter().enumerate() {
            let on_wire = layouts.iter().filter_map(|layout| codec_of(layout, field));
            let codecs: Vec<Codec> = on_wire.map(|codec| plan.codecs[codec as usize]).collect();
            let inner = within(path, &described.attribute);
            if codecs.is_empty() || !self.is_selected(&inner) {
                shapes.push(None);
                continue;
            }
            let nullable = path.is_empty() || codecs.len() < layouts.len() || codecs.iter().any(can_be_null);
            let (name, type_name) = (self.name(described), &described.type_name);
            let place = Place { name, type_name, path: &inner, nullable };
            shapes.push(Some(self.shape(&codecs, place, self.field_defaults.get(number, field).clone())?));
        }
        let unknown = self.unknown(&layouts, path);
        let columns = shapes.iter().flatten().map(Shape::column).chain(unknown.map(|map| map.map)).collect();
        Ok((shapes, unknown, columns))
    }

    fn unknown(&mut self, layouts: &[&Layout], path: &str) -> Option<MapShape> {
        let has_tags = layouts.iter().any(|layout| layout.flexible);
        if !self.selection.unknown_tagged_fields || !has_tags || !self.is_selected(&within(path, UNKNOWN_TAGS)) {
            return None;
        }
        let nullable = path.is_empty() || layouts.iter().any(|layout| !layout.flexible);
        let name = if self.selection.kafka_names { KAFKA_UNKNOWN_TAGS } else { UNKNOWN_TAGS };
        let tag = self.add("key", Values::Int32(Vec::new()), false, FieldDefault::Empty);
        let data = self.add("value", Values::bytes(), false, FieldDefault::Empty);
        let entries = self.add("entries", Values::structs(vec![tag, data]), false, FieldDefault::Empty);
        let map = self.add(name, Values::map(entries), nullable, FieldDefault::Empty);
        Some(MapShape { map, entries, tag, data })
    }

    /// The column of a value that has one of these codecs, and the columns below it.
    fn shape(&mut self, codecs: &[Codec], place: Place<'_>, default: FieldDefault) -> Result<Shape, String> {
        if self.columns.count() >= MAX_COLUMNS {
            return Err(format!("the plan has more than {MAX_COLUMNS} columns"));
        }
        let layouts: BTreeSet<u32> = codecs.iter().filter_map(layout_of).collect();
        if codecs.iter().all(|codec| layout_of(codec).is_some()) {
            let (fields, unknown, columns) = self.fields(&layouts, place.path)?;
            let column = self.add(place.name, Values::structs(columns), place.nullable, default);
            return Ok(Shape::Struct(StructShape { column, fields, unknown }));
        }
        let elements: Vec<Codec> = codecs.iter().filter_map(|codec| self.element_of(codec)).collect();
        if elements.len() == codecs.len() {
            let type_name = place.type_name.trim_start_matches("[]");
            let inner = Place { name: "item", type_name, nullable: elements.iter().any(can_be_null), ..place };
            let element = Box::new(self.shape(&elements, inner, FieldDefault::Empty)?);
            let column = self.add(place.name, Values::list(element.column()), place.nullable, default);
            return Ok(Shape::List { column, element });
        }
        let values = Values::of_type(place.type_name, self.selection.uuids);
        let Some(values) = values.filter(|values| codecs.iter().all(|codec| values.accept(*codec))) else {
            return Err(format!("{} has a type {} that its codec can't carry", place.path, place.type_name));
        };
        Ok(Shape::Leaf(self.add(place.name, values, place.nullable, default)))
    }

    fn element_of(&self, codec: &Codec) -> Option<Codec> {
        match codec {
            Codec::Array { element, .. } => Some(self.plan.codecs[*element as usize]),
            _ => None,
        }
    }

    /// A field is selected together with everything within it, and if something within it is.
    fn is_selected(&self, path: &str) -> bool {
        let holds = |outer: &str, inner: &str| {
            inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        let Some(selected) = self.selection.fields else { return true };
        selected.iter().any(|one| holds(one, path) || holds(path, one))
    }
}

fn layout_of(codec: &Codec) -> Option<u32> {
    match codec {
        Codec::Struct { layout, .. } => Some(*layout),
        _ => None,
    }
}

fn can_be_null(codec: &Codec) -> bool {
    match codec {
        Codec::String(length) | Codec::Bytes { length, .. } | Codec::Array { length, .. } => length.nullable,
        Codec::Struct { null, .. } => *null != NullMark::Never,
        Codec::Fixed(_) | Codec::Packed(_) | Codec::Upacked(_) => false,
    }
}
