//! The columns of a struct's fields, found by name and checked by type.

use super::source::{ColumnType, Held, Needed};
use crate::columns::paths::{KAFKA_UNKNOWN_TAGS, Names, UNKNOWN_TAGS, within};
use crate::error::{Part, path};
use crate::outcome::{Error, Outcome};
use crate::plan::{Field, Kind, Plan, Primitive, Struct};

/// The column of a field or of array elements; its type has been checked.
pub struct Column<C> {
    pub input: C,
    pub within: Within<C>,
}

/// The content of a column.
#[allow(missing_docs)]
pub enum Within<C> {
    Leaf,
    Elements(Box<Column<C>>),
    Fields(Fields<C>),
}

/// The columns of a struct.
pub struct Fields<C> {
    /// The number of the struct.
    pub owner: usize,
    /// The columns, by the numbers of the fields.
    pub columns: Vec<Option<Column<C>>>,
    pub unknown: Option<C>,
}

/// Return the kind of values that a Kafka type needs; `None` for structs and arrays.
fn needed_leaf(type_name: &str) -> Option<Needed> {
    Some(match Primitive::named(type_name)? {
        Primitive::Fixed(Kind::Bool) => Needed::Bool,
        Primitive::Fixed(Kind::Int8 | Kind::Int16 | Kind::UInt16 | Kind::Int32 | Kind::UInt32 | Kind::Int64) => {
            Needed::Integers
        }
        Primitive::Fixed(Kind::Float64) => Needed::Floats,
        Primitive::Fixed(Kind::Uuid) => Needed::Uuid,
        Primitive::String => Needed::Text,
        Primitive::Bytes => Needed::Bytes,
    })
}

fn fits_leaf<C>(needed: Needed, held: &Held<C>) -> bool {
    matches!(
        (needed, held),
        (_, Held::Nothing)
            | (Needed::Bool, Held::Bool)
            | (Needed::Integers, Held::Integers)
            | (Needed::Floats, Held::Floats)
            | (Needed::Uuid | Needed::Text, Held::Text)
            | (Needed::Uuid | Needed::Bytes, Held::Bytes)
    )
}

impl<C: ColumnType + Clone> Column<C> {
    /// Check that a column fits a Kafka type. A column that contains only nulls fits any type.
    fn new(plan: &Plan, type_name: &str, input: C, path: &str) -> Outcome<Self> {
        let held = input.held();
        let within = if let Some(element) = type_name.strip_prefix("[]") {
            let elements = match held {
                Held::List(elements) => elements,
                Held::Nothing => input.clone(),
                _ => return Err(wrong_type(path, Needed::List, &input)),
            };
            Within::Elements(Box::new(Column::new(plan, element, elements, path)?))
        } else if let Some(needed) = needed_leaf(type_name) {
            if !fits_leaf(needed, &held) {
                return Err(wrong_type(path, needed, &input));
            }
            Within::Leaf
        } else if let Some(owner) = plan.struct_of(type_name) {
            let columns = match held {
                Held::Struct(columns) => columns,
                Held::Nothing => Vec::new(),
                _ => return Err(wrong_type(path, Needed::Struct, &input)),
            };
            Within::Fields(Fields::new(plan, owner, columns, path)?)
        } else {
            return Err(Error::value(format!("{path} has an unknown type {type_name}")));
        };
        Ok(Column { input, within })
    }
}

impl<C: ColumnType + Clone> Fields<C> {
    /// Match the columns of a struct, given by number, to its fields. The names of columns are attributes or Kafka's
    /// field names.
    ///
    /// Fail with `Kind::Type` for a column whose type does not fit its field. Fail with `Kind::Value` for a column that
    /// matches no field, and if two columns match the same field.
    pub fn new(plan: &Plan, owner: usize, columns: Vec<C>, path: &str) -> Outcome<Self> {
        let described = &plan.structs[owner];
        let mut found = Fields {
            owner,
            columns: described.fields.iter().map(|_| None).collect(),
            unknown: None,
        };
        for input in columns {
            let name = input.name().to_owned();
            let (field, before) = match number_of(described, &input) {
                Some(number) => {
                    let field = &described.fields[number];
                    let column = Column::new(plan, &field.type_name, input, &within(path, &name))?;
                    let before = found.columns[number].replace(column);
                    (field.name.as_str(), before.map(|column| column.input))
                }
                None if [UNKNOWN_TAGS, KAFKA_UNKNOWN_TAGS]
                    .iter()
                    .any(|tags| input.is_named(tags)) =>
                {
                    check_unknown(&input, &within(path, &name))?;
                    (KAFKA_UNKNOWN_TAGS, found.unknown.replace(input))
                }
                None if name.starts_with('_') => continue,
                None => return Err(unknown_column(described, &within(path, &name))),
            };
            if let Some(before) = before {
                return Err(two_columns(
                    described,
                    &within(path, &name),
                    field,
                    before.is_named(&name),
                ));
            }
        }
        Ok(found)
    }
}

impl<C: ColumnType> Fields<C> {
    /// Return the path that consists of these parts, with the names of these columns; a field without a column has
    /// Kafka's name.
    pub fn path(&self, plan: &Plan, parts: &[Part]) -> String {
        let mut fields = Some(self);
        path(parts, |part| {
            let input = match part {
                Part::Field(_, number) => {
                    let column = fields.and_then(|fields| fields.columns.get(number)?.as_ref());
                    fields = column.and_then(Column::fields);
                    column.map(|column| &column.input)
                }
                _ => fields.and_then(|fields| fields.unknown.as_ref()),
            };
            input.map_or_else(|| Names::Kafka.part(plan, part), C::name)
        })
    }
}

impl<C> Column<C> {
    /// Return the columns of a struct, or of the structs of an array.
    fn fields(&self) -> Option<&Fields<C>> {
        match &self.within {
            Within::Leaf => None,
            Within::Elements(elements) => elements.fields(),
            Within::Fields(fields) => Some(fields),
        }
    }
}

/// Return the number of the field that a column is for.
fn number_of(described: &Struct, column: &impl ColumnType) -> Option<usize> {
    let name = column.name();
    let find = |is_field: &dyn Fn(&Field) -> bool| described.fields.iter().position(is_field);
    find(&|field| field.attribute == name)
        .or_else(|| find(&|field| field.name == name))
        .or_else(|| find(&|field| column.is_named(&field.attribute) || column.is_named(&field.name)))
}

fn unknown_column(described: &Struct, path: &str) -> Error {
    let names: Vec<&str> = described.fields.iter().map(|field| field.name.as_str()).collect();
    let (class, names) = (&described.class_name, names.join(", "));
    Error::value(format!("unknown column {path}; the fields of {class} are {names}"))
}

fn two_columns(described: &Struct, path: &str, field: &str, are_same: bool) -> Error {
    let class = &described.class_name;
    Error::value(match are_same {
        true => format!("two columns are named {path}"),
        false => format!("{class} has two columns for the field {field}, under Kafka's name and in snake case"),
    })
}

fn check_unknown<C: ColumnType>(column: &C, path: &str) -> Outcome<()> {
    let fits = match column.held() {
        Held::Nothing => true,
        Held::Map(tags, data) => {
            matches!((tags.held(), data.held()), (Held::Integers, Held::Bytes))
        }
        _ => false,
    };
    if fits {
        Ok(())
    } else {
        Err(wrong_type(path, Needed::Tags, column))
    }
}

fn wrong_type<C: ColumnType>(path: &str, needed: Needed, input: &C) -> Error {
    Error::wrong_type(format!("{path} {}", input.mismatch(needed)))
}
