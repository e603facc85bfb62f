//! Which columns the versions of a message give, and where in them a field goes. No row has a say in it.

use std::collections::BTreeSet;

use super::column::{UuidForm, Values};
use super::defaults::{Defaults, FieldDefault};
use super::store::Columns;
use super::versions::Known;
use crate::plan::{Codec, Layout, Plan};

/// A plan of more columns would be no message of anybody.
const MOST_COLUMNS: usize = 10_000;

/// The column of unknown tagged fields, and its path.
pub const UNKNOWN: &str = "unknown_tagged_fields";

/// Which columns are asked for.
pub struct Wish<'a> {
    /// The layouts of the message in the versions that are asked for.
    pub layouts: &'a Known<u32>,
    /// The paths of fields; `None` for all.
    pub fields: Option<&'a [String]>,
    pub unknown_tagged_fields: bool,
    pub uuids: UuidForm,
}

/// The column of a value, and those below it.
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
    /// By the number of the field; `None` where it is not wanted, or in none of the versions.
    pub fields: Vec<Option<Shape>>,
    pub unknown: Option<MapShape>,
}

/// The columns of unknown tagged fields.
#[derive(Clone, Copy)]
pub struct MapShape {
    pub whole: usize,
    pub entries: usize,
    pub tag: usize,
    pub data: usize,
}

/// Where it goes what is wrong with a row; null for the others.
pub struct ErrorShape {
    pub whole: usize,
    pub message: usize,
    pub path: usize,
    pub offset: usize,
}

/// The columns of whole rows.
pub struct RootShape {
    pub message: StructShape,
    /// The columns of the message's fields.
    pub top: Vec<usize>,
    pub errors: ErrorShape,
}

/// The empty columns of a wish, and where fields go. A text says what is wrong with the wish, or with the plan.
pub fn shape(plan: &Plan, defaults: &Defaults, wish: &Wish<'_>) -> Result<(RootShape, Columns), String> {
    let mut maker = Maker { plan, defaults, wish, columns: Columns::default() };
    wish.fields.iter().flat_map(|paths| paths.iter()).try_for_each(|path| maker.check_path(path))?;
    let (fields, unknown, mut all) = maker.fields(&wish.layouts.values().collect(), "")?;
    let top = all.clone();
    let mut columns = maker.columns;
    let errors = error_columns(&mut columns);
    all.push(errors.whole);
    let column = columns.add_required("", Values::Struct(0, all));
    Ok((RootShape { message: StructShape { column, fields, unknown }, top, errors }, columns))
}

fn error_columns(columns: &mut Columns) -> ErrorShape {
    let message = columns.add("message", Values::text(), FieldDefault::Empty);
    let path = columns.add("path", Values::text(), FieldDefault::Empty);
    let offset = columns.add("offset", Values::int64(), FieldDefault::Empty);
    let whole = columns.add("_error", Values::Struct(0, vec![message, path, offset]), FieldDefault::Null);
    ErrorShape { whole, message, path, offset }
}

/// Shapes by the number of the field, that of unknown tagged fields, and all their columns in order.
type FieldShapes = (Vec<Option<Shape>>, Option<MapShape>, Vec<usize>);

#[derive(Clone, Copy)]
struct Place<'a> {
    name: &'a str,
    type_name: &'a str,
    path: &'a str,
}

struct Maker<'a> {
    plan: &'a Plan,
    defaults: &'a Defaults,
    wish: &'a Wish<'a>,
    columns: Columns,
}

impl Maker<'_> {
    /// A path must lead to a field of some version: attributes with dots between them, arrays without an index.
    fn check_path(&self, path: &str) -> Result<(), String> {
        let mut owner = &self.plan.structs[0];
        let mut parts = path.split('.').peekable();
        while let Some(part) = parts.next() {
            if self.wish.unknown_tagged_fields && part == UNKNOWN && parts.peek().is_none() {
                return Ok(());
            }
            let Some(field) = owner.fields.iter().find(|field| field.attribute == part) else {
                let names: Vec<&str> = owner.fields.iter().map(|field| field.attribute.as_str()).collect();
                let (class, names) = (&owner.class_name, names.join(", "));
                return Err(format!("there is no field {path:?}: {class} has no {part:?}; its fields are {names}"));
            };
            let type_name = field.type_name.trim_start_matches("[]");
            match self.plan.structs.iter().find(|inner| inner.class_name == type_name) {
                Some(inner) => owner = inner,
                None if parts.peek().is_some() => {
                    return Err(format!("there is no field {path:?}: {part:?} is no struct and has no fields"));
                }
                None => (),
            }
        }
        Ok(())
    }

    /// The columns of a struct at a path that has one of those layouts.
    fn fields(&mut self, layouts: &BTreeSet<u32>, path: &str) -> Result<FieldShapes, String> {
        let plan = self.plan;
        let layouts: Vec<_> = layouts.iter().map(|layout| &plan.layouts[*layout as usize]).collect();
        let Some(first) = layouts.first() else { return Ok((Vec::new(), None, Vec::new())) };
        let number = first.struct_number;
        if layouts.iter().any(|layout| layout.struct_number != number) {
            return Err(format!("{path} is one struct in one version and another in another"));
        }
        let mut shapes = Vec::new();
        for (field, described) in plan.structs[number].fields.iter().enumerate() {
            let on_wire = layouts.iter().filter_map(|layout| codec_of(layout, field));
            let codecs: Vec<Codec> = on_wire.map(|codec| plan.codecs[codec as usize]).collect();
            let path = within(path, &described.attribute);
            if codecs.is_empty() || !self.is_wanted(&path) {
                shapes.push(None);
                continue;
            }
            let place = Place { name: &described.attribute, type_name: &described.type_name, path: &path };
            shapes.push(Some(self.shape(&codecs, place, self.defaults.get(number, field).clone())?));
        }
        let flexible = layouts.iter().any(|layout| layout.flexible);
        let has_unknown = self.wish.unknown_tagged_fields && flexible && self.is_wanted(&within(path, UNKNOWN));
        let unknown = has_unknown.then(|| self.unknown());
        let columns = shapes.iter().flatten().map(Shape::column).chain(unknown.map(|map| map.whole)).collect();
        Ok((shapes, unknown, columns))
    }

    fn unknown(&mut self) -> MapShape {
        let tag = self.columns.add_required("key", Values::int32());
        let data = self.columns.add("value", Values::bytes(), FieldDefault::Empty);
        let entries = self.columns.add_required("entries", Values::Struct(0, vec![tag, data]));
        let whole = self.columns.add(UNKNOWN, Values::map(entries), FieldDefault::Empty);
        MapShape { whole, entries, tag, data }
    }

    /// The column of a value that has one of those codecs, and those below it.
    fn shape(&mut self, codecs: &[Codec], place: Place<'_>, default: FieldDefault) -> Result<Shape, String> {
        if self.columns.count() >= MOST_COLUMNS {
            return Err(format!("the plan has more than {MOST_COLUMNS} columns"));
        }
        let layouts: BTreeSet<u32> = codecs.iter().filter_map(layout_of).collect();
        if codecs.iter().all(|codec| layout_of(codec).is_some()) {
            let (fields, unknown, columns) = self.fields(&layouts, place.path)?;
            let column = self.columns.add(place.name, Values::Struct(0, columns), default);
            return Ok(Shape::Struct(StructShape { column, fields, unknown }));
        }
        let elements: Vec<Codec> = codecs.iter().filter_map(|codec| self.element_of(codec)).collect();
        if elements.len() == codecs.len() {
            let inner = Place { name: "item", type_name: place.type_name.trim_start_matches("[]"), ..place };
            let element = Box::new(self.shape(&elements, inner, FieldDefault::Empty)?);
            let column = self.columns.add(place.name, Values::list(element.column()), default);
            return Ok(Shape::List { column, element });
        }
        let values = Values::of_type(place.type_name, self.wish.uuids);
        let Some(values) = values.filter(|values| codecs.iter().all(|codec| values.take(*codec))) else {
            return Err(format!("{} has a type {} that its codec can't carry", place.path, place.type_name));
        };
        Ok(Shape::Leaf(self.columns.add(place.name, values, default)))
    }

    fn element_of(&self, codec: &Codec) -> Option<Codec> {
        match codec {
            Codec::Array { element, .. } => Some(self.plan.codecs[*element as usize]),
            _ => None,
        }
    }

    /// A field is wanted with all that is within it, and for something within it.
    fn is_wanted(&self, path: &str) -> bool {
        let holds = |outer: &str, inner: &str| {
            inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        let Some(wanted) = self.wish.fields else { return true };
        wanted.iter().any(|one| holds(one, path) || holds(path, one))
    }
}

/// How a field lies on the wire, tagged or not; `None` where it is not there.
pub fn codec_of(layout: &Layout, field: usize) -> Option<u32> {
    let tagged = layout.tagged.iter().map(|tagged| (tagged.field, tagged.codec));
    layout.steps.iter().copied().chain(tagged).find_map(|(placed, codec)| (placed == field).then_some(codec))
}

fn layout_of(codec: &Codec) -> Option<u32> {
    match codec {
        Codec::Struct { layout, .. } => Some(*layout),
        _ => None,
    }
}

/// The path of a field in a struct at a path.
pub fn within(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}
