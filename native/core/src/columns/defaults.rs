//! The defaults of fields.

use crate::arrow::uuid_text;
use crate::outcome::{Error, Outcome};
use crate::plan::{Field, Kind, Plan, Primitive};

/// The default of a field.
#[derive(Clone, Debug, PartialEq)]
pub enum FieldDefault {
    /// Null.
    Null,
    /// An empty array, or a struct of defaults.
    Empty,
    /// A boolean as 0 or 1, or an integer.
    Int(i64),
    /// A float.
    Float(f64),
    /// A text, or bytes.
    Bytes(Vec<u8>),
    /// A uuid.
    Uuid([u8; uuid_text::SIZE]),
}

impl FieldDefault {
    /// Whether it is NaN, which does not equal itself and so is always written.
    pub fn is_nan(&self) -> bool {
        matches!(self, FieldDefault::Float(value) if value.is_nan())
    }
}

/// The defaults of a plan, by the number of the struct and that of the field.
pub struct Defaults(Vec<Vec<FieldDefault>>);

impl Defaults {
    /// Reads them from a plan. `Kind::Value` for a default that is not a value of its type.
    pub fn new(plan: &Plan) -> Outcome<Self> {
        let of_struct = |fields: &[Field]| fields.iter().map(read).collect::<Outcome<Vec<_>>>();
        Ok(Defaults(
            plan.structs
                .iter()
                .map(|owner| of_struct(&owner.fields))
                .collect::<Outcome<Vec<_>>>()?,
        ))
    }

    /// The default of a field.
    pub fn get(&self, struct_number: usize, field: usize) -> &FieldDefault {
        &self.0[struct_number][field]
    }
}

/// A default as the plan's text gives it: JSON, with bytes and uuids in hex.
fn read(field: &Field) -> Outcome<FieldDefault> {
    let text = field.default.as_str();
    if text == "null" {
        return Ok(FieldDefault::Null);
    }
    let wrong = || {
        Error::value(format!(
            "{} has a default {text} that is not of type {}",
            field.attribute, field.type_name
        ))
    };
    let Some(primitive) = Primitive::named(&field.type_name) else {
        return Ok(FieldDefault::Empty);
    };
    Ok(match primitive {
        Primitive::Fixed(Kind::Bool) => FieldDefault::Int(i64::from(text == "true")),
        Primitive::Fixed(Kind::Int8 | Kind::Int16 | Kind::UInt16 | Kind::Int32 | Kind::UInt32 | Kind::Int64) => {
            FieldDefault::Int(text.parse().map_err(|_| wrong())?)
        }
        // Rust reads "Infinity" and "NaN" too.
        Primitive::Fixed(Kind::Float64) => FieldDefault::Float(text.parse().map_err(|_| wrong())?),
        Primitive::Fixed(Kind::Uuid) => {
            let bytes = hex(text).and_then(|bytes| bytes.try_into().ok());
            FieldDefault::Uuid(bytes.ok_or_else(wrong)?)
        }
        Primitive::String => {
            let text: String = serde_json::from_str(text).map_err(|_| wrong())?;
            FieldDefault::Bytes(text.into_bytes())
        }
        Primitive::Bytes => FieldDefault::Bytes(hex(text).ok_or_else(wrong)?),
    })
}

fn hex(text: &str) -> Option<Vec<u8>> {
    let text = text.trim_matches('"');
    let digits: Option<Vec<u8>> = text
        .chars()
        .map(|digit| digit.to_digit(16).map(|value| value as u8))
        .collect();
    let digits = digits?;
    digits
        .len()
        .is_multiple_of(2)
        .then(|| digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}
