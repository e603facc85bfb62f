//! Finds the Arrow columns of a struct's fields by name.

use super::leaf::Leaf;
use crate::arrow::input::{Data, Input};
use crate::columns::paths::{UNKNOWN_TAGS, within};
use crate::outcome::{Error, Outcome};
use crate::plan::Plan;

/// The columns of a struct's fields, by their numbers, and that of its unknown tagged fields.
pub struct Fields<'a> {
    pub fields: Vec<Option<&'a Input<'a>>>,
    pub unknown: Option<&'a Input<'a>>,
}

/// Finds the columns of a struct. `Kind::Value` for a column that no field has, and for two columns of one field.
pub fn fields<'a>(plan: &Plan, struct_number: usize, input: &'a Input<'a>, path: &str) -> Outcome<Fields<'a>> {
    let owner = &plan.structs[struct_number];
    let mut found = Fields { fields: vec![None; owner.fields.len()], unknown: None };
    let Data::Struct(columns) = &input.data else { return Ok(found) };
    for column in columns {
        let path = within(path, &column.name);
        let place = match owner.fields.iter().position(|field| field.attribute == column.name) {
            Some(field) => &mut found.fields[field],
            None if column.name == UNKNOWN_TAGS => {
                check_unknown(column, &path)?;
                &mut found.unknown
            }
            None if column.name.starts_with('_') => continue,
            None => {
                let names: Vec<&str> = owner.fields.iter().map(|field| field.attribute.as_str()).collect();
                let (class, names) = (&owner.class_name, names.join(", "));
                return Err(Error::value(format!("unknown column {path}; the fields of {class} are {names}")));
            }
        };
        if place.replace(column).is_some() {
            return Err(Error::value(format!("two columns are named {path}")));
        }
    }
    Ok(found)
}

fn check_unknown(column: &Input<'_>, path: &str) -> Outcome<()> {
    let right = match &column.data {
        Data::Nothing => true,
        Data::Map { entries, .. } => match &entries.data {
            Data::Struct(pair) => {
                matches!(pair.as_slice(), [tag, data] if Leaf::Int.accepts(tag) && Leaf::Bytes.accepts(data))
            }
            _ => false,
        },
        _ => false,
    };
    if right { Ok(()) } else { Err(wrong_type(path, "a map of integers to binary", column)) }
}

/// The error for a column of a type that its field can't take.
pub fn wrong_type(path: &str, needed: &str, input: &Input<'_>) -> Error {
    Error::wrong_type(format!("{path} needs {needed}, not an Arrow array of {}", input.data_type))
}
