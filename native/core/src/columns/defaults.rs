//! The defaults of fields.

use crate::arrow::uuid_text;
use crate::outcome::{Error, Outcome};
use crate::plan::{Field, Kind, Plan, Primitive, quoted};

/// The default of a field.
#[derive(Clone, Debug, PartialEq)]
pub enum FieldDefault {
    /// Null.
    Null,
    /// An empty array, or a struct whose fields all have their defaults.
    Empty,
    /// A boolean as 0 or 1, or an integer.
    Int(i64),
    /// A float.
    Float(f64),
    /// A string, or bytes.
    Bytes(Vec<u8>),
    /// A uuid.
    Uuid([u8; uuid_text::SIZE]),
}

/// The defaults of a plan, by struct number and field number.
pub struct Defaults {
    values: Vec<Vec<FieldDefault>>,
    /// For each default, whether no value equals it, not even the default itself.
    equal_nothing: Vec<Vec<bool>>,
}

impl Defaults {
    /// Read the defaults of a plan. Fail with `Kind::Value` for a default that is not a value of its type.
    pub fn new(plan: &Plan) -> Outcome<Self> {
        let of_struct = |fields: &[Field]| fields.iter().map(read).collect::<Outcome<Vec<_>>>();
        let values = plan
            .structs
            .iter()
            .map(|owner| of_struct(&owner.fields))
            .collect::<Outcome<Vec<_>>>()?;
        let equal_nothing = equal_nothing(plan, &values);
        Ok(Defaults { values, equal_nothing })
    }

    /// Return the default of a field.
    pub fn get(&self, struct_number: usize, field: usize) -> &FieldDefault {
        &self.values[struct_number][field]
    }

    /// Whether no value equals the default of a field, so that the field is always written, as in Apache's classes.
    /// This is true of NaN, and of a struct with such a default.
    pub fn equals_nothing(&self, struct_number: usize, field: usize) -> bool {
        self.equal_nothing[struct_number][field]
    }
}

fn equal_nothing(plan: &Plan, values: &[Vec<FieldDefault>]) -> Vec<Vec<bool>> {
    let is_nan = |value: &FieldDefault| matches!(value, FieldDefault::Float(value) if value.is_nan());
    let mut found: Vec<Vec<bool>> = values
        .iter()
        .map(|fields| fields.iter().map(is_nan).collect())
        .collect();
    // A struct may come before its inner structs, and a plan from an untrusted source may have a struct that contains
    // itself.
    loop {
        let holds_one: Vec<bool> = found.iter().map(|fields| fields.contains(&true)).collect();
        if !holds_one.contains(&true) {
            // Nearly all plans have no NaN and return here, without a look at their structs.
            return found;
        }
        let before = found.clone();
        for (owner, fields) in plan.structs.iter().enumerate() {
            for (number, field) in fields.fields.iter().enumerate() {
                // The default of an array has no elements.
                let is_struct = values[owner][number] == FieldDefault::Empty && !field.type_name.starts_with("[]");
                let holds_nan = || plan.struct_of(&field.type_name).is_some_and(|held| holds_one[held]);
                found[owner][number] |= is_struct && holds_nan();
            }
        }
        if found == before {
            return found;
        }
    }
}

/// Parse the default of a field from the plan's text: JSON, with bytes and uuids in hex.
fn read(field: &Field) -> Outcome<FieldDefault> {
    let text = field.default.as_str();
    if text == "null" {
        return Ok(FieldDefault::Null);
    }
    let wrong = || {
        Error::value(format!(
            "{} has a default {} that is not of type {}",
            quoted(&field.attribute),
            quoted(text),
            quoted(&field.type_name)
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
        // Rust's parser accepts "Infinity" and "NaN", too.
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
