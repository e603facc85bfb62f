//! The Arrow columns of a struct's fields, found by name and checked by type.

use crate::arrow::input::{Data, Input};
use crate::columns::paths::{UNKNOWN_TAGS, within};
use crate::outcome::{Error, Outcome};
use crate::plan::{Kind, Plan, Primitive};

/// The column of a field or of elements, of a type that fits.
pub struct Column<'a> {
    pub input: &'a Input<'a>,
    pub within: Within<'a>,
}

/// What a column holds.
#[allow(missing_docs)]
pub enum Within<'a> {
    Leaf,
    Elements(Box<Column<'a>>),
    Fields(Fields<'a>),
}

/// The columns of a struct.
pub struct Fields<'a> {
    /// The number of the struct.
    pub owner: usize,
    /// By the numbers of the fields.
    pub columns: Vec<Option<Column<'a>>>,
    pub unknown: Option<&'a Input<'a>>,
}

/// Whether an array has the values of a type that is neither a struct nor an array, and what is needed; `None` for
/// other types.
fn fits_leaf(type_name: &str, input: &Input<'_>) -> Option<(bool, &'static str)> {
    Some(match Primitive::named(type_name)? {
        Primitive::Fixed(Kind::Bool) => (matches!(input.data, Data::Bool(_)), "bool"),
        Primitive::Fixed(Kind::Int8 | Kind::Int16 | Kind::UInt16 | Kind::Int32 | Kind::UInt32 | Kind::Int64) => {
            (input.is_integer(), "integers")
        }
        Primitive::Fixed(Kind::Float64) => {
            let fits = matches!(input.data, Data::Float32(_) | Data::Float64(_));
            (fits, "float or double")
        }
        Primitive::Fixed(Kind::Uuid) => (input.is_text().is_some(), "binary of 16 bytes, or a string"),
        Primitive::String => {
            let fits = input.is_text() == Some(true);
            (fits, "string, large_string or string_view")
        }
        Primitive::Bytes => {
            let fits = input.is_text() == Some(false);
            (fits, "binary, large_binary, binary_view or fixed_size_binary")
        }
    })
}

impl<'a> Column<'a> {
    /// Checks the column of a Kafka type. An array of nulls fits any type.
    fn new(plan: &Plan, type_name: &str, input: &'a Input<'a>, path: &str) -> Outcome<Self> {
        let is_null = matches!(input.data, Data::Nothing);
        let within = if let Some(element) = type_name.strip_prefix("[]") {
            let elements = match &input.data {
                Data::List { elements, .. } => elements,
                Data::Nothing => input,
                _ => return Err(wrong_type(path, "a list", input)),
            };
            Within::Elements(Box::new(Column::new(plan, element, elements, path)?))
        } else if let Some((fits, needed)) = fits_leaf(type_name, input) {
            if !is_null && !fits {
                return Err(wrong_type(path, needed, input));
            }
            Within::Leaf
        } else if let Some(owner) = plan.struct_of(type_name) {
            if !is_null && !matches!(input.data, Data::Struct(_)) {
                return Err(wrong_type(path, "a struct", input));
            }
            Within::Fields(Fields::new(plan, owner, input, path)?)
        } else {
            return Err(Error::value(format!("{path} has an unknown type {type_name}")));
        };
        Ok(Column { input, within })
    }
}

impl<'a> Fields<'a> {
    /// Finds the columns of a struct, by its number. `Kind::Type` for a column of a type that its field can't take,
    /// `Kind::Value` for a column that no field has and for two columns of one field.
    pub fn new(plan: &Plan, owner: usize, input: &'a Input<'a>, path: &str) -> Outcome<Self> {
        let described = &plan.structs[owner];
        let mut found = Fields {
            owner,
            columns: described.fields.iter().map(|_| None).collect(),
            unknown: None,
        };
        let Data::Struct(columns) = &input.data else {
            return Ok(found);
        };
        for input in columns {
            let path = within(path, &input.name);
            let is_second = match described.fields.iter().position(|field| field.attribute == input.name) {
                Some(field) => {
                    let column = Column::new(plan, &described.fields[field].type_name, input, &path)?;
                    found.columns[field].replace(column).is_some()
                }
                None if input.name == UNKNOWN_TAGS => {
                    check_unknown(input, &path)?;
                    found.unknown.replace(input).is_some()
                }
                None if input.name.starts_with('_') => false,
                None => {
                    let names: Vec<&str> = described.fields.iter().map(|field| field.attribute.as_str()).collect();
                    let (class, names) = (&described.class_name, names.join(", "));
                    return Err(Error::value(format!(
                        "unknown column {path}; the fields of {class} are {names}"
                    )));
                }
            };
            if is_second {
                return Err(Error::value(format!("two columns are named {path}")));
            }
        }
        Ok(found)
    }
}

fn check_unknown(column: &Input<'_>, path: &str) -> Outcome<()> {
    let fits = match &column.data {
        Data::Nothing => true,
        Data::Map { entries, .. } => match &entries.data {
            Data::Struct(pair) => {
                matches!(pair.as_slice(), [tag, data] if tag.is_integer() && data.is_text() == Some(false))
            }
            _ => false,
        },
        _ => false,
    };
    if fits {
        Ok(())
    } else {
        Err(wrong_type(path, "a map of integers to binary", column))
    }
}

fn wrong_type(path: &str, needed: &str, input: &Input<'_>) -> Error {
    Error::wrong_type(format!(
        "{path} needs {needed}, not an Arrow array of {}",
        input.data_type
    ))
}
