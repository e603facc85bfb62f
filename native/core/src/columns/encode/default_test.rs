//! Whether a value is its field's default: then a tagged field is not written, and a version may lack the field.

use super::fields::{fields, wrong_type};
use super::leaf::{Leaf, uuid};
use crate::arrow::input::{Data, Input};
use crate::columns::defaults::{Defaults, FieldDefault};
use crate::columns::paths::{codec_of, within};
use crate::error::{MessageResult, malformed};
use crate::outcome::Outcome;
use crate::plan::{Codec, Plan};

/// Compares the values of a column with their field's default.
pub struct DefaultTest<'a> {
    input: &'a Input<'a>,
    default: Expected<'a>,
    /// Whether the version lacks the field: then null means the default.
    absent: bool,
}

/// A default, in a form that is quick to compare with.
enum Expected<'a> {
    Null,
    Int(i64),
    /// Compared by `==`: -0.0 equals 0.0, and NaN equals nothing.
    Float(f64),
    Bytes(&'a [u8]),
    Uuid(&'a [u8]),
    EmptyArray,
    /// A struct whose fields are all their defaults, and that has no unknown tagged fields.
    Struct(Vec<DefaultTest<'a>>, Option<&'a Input<'a>>),
}

impl<'a> DefaultTest<'a> {
    /// The test for a column of a field, given as struct and number, and its codec if the version has the field. `Kind::Type`
    /// for a column of a type that the field can't take, `Kind::Value` for a column of a struct that no field has.
    pub fn new(
        plan: &'a Plan,
        defaults: &'a Defaults,
        field: (usize, usize),
        codec: Option<Codec>,
        input: &'a Input<'a>,
        path: &str,
    ) -> Outcome<Self> {
        let described = &plan.structs[field.0].fields[field.1];
        let path = within(path, &described.attribute);
        if let Some(leaf) = Leaf::of_type(&described.type_name).filter(|leaf| !leaf.accepts(input)) {
            return Err(wrong_type(&path, leaf.needs(), input));
        }
        let default = match defaults.get(field.0, field.1) {
            FieldDefault::Null => Expected::Null,
            FieldDefault::Int(value) => Expected::Int(*value),
            FieldDefault::Float(value) => Expected::Float(*value),
            FieldDefault::Bytes(value) if described.type_name == "uuid" => Expected::Uuid(value),
            FieldDefault::Bytes(value) => Expected::Bytes(value),
            FieldDefault::Empty => match plan.struct_of(&described.type_name) {
                Some(number) if !described.type_name.starts_with("[]") => {
                    Self::of_struct(plan, defaults, number, codec, input, &path)?
                }
                _ if matches!(input.data, Data::List { .. } | Data::Nothing) => Expected::EmptyArray,
                _ => return Err(wrong_type(&path, "a list", input)),
            },
        };
        Ok(DefaultTest { input, default, absent: codec.is_none() })
    }

    fn of_struct(
        plan: &'a Plan,
        defaults: &'a Defaults,
        number: usize,
        codec: Option<Codec>,
        input: &'a Input<'a>,
        path: &str,
    ) -> Outcome<Expected<'a>> {
        if !matches!(input.data, Data::Struct(_) | Data::Nothing) {
            return Err(wrong_type(path, "a struct", input));
        }
        let layout = match codec {
            Some(Codec::Struct { layout, .. }) => Some(&plan.layouts[layout as usize]),
            _ => None,
        };
        let found = fields(plan, number, input, path)?;
        let columns = found.fields.iter().enumerate().filter_map(|(field, column)| Some((field, (*column)?)));
        let tests = columns.map(|(field, column)| {
            let codec = layout.and_then(|layout| codec_of(layout, field)).map(|codec| plan.codecs[codec as usize]);
            DefaultTest::new(plan, defaults, (number, field), codec, column, path)
        });
        Ok(Expected::Struct(tests.collect::<Outcome<_>>()?, found.unknown))
    }

    /// Whether the value of that number is the default.
    pub fn holds(&self, number: usize) -> MessageResult<bool> {
        let Some(place) = self.input.place(number) else {
            return Ok(self.absent || matches!(self.default, Expected::Null));
        };
        Ok(match &self.default {
            Expected::Null => false,
            Expected::Int(default) if matches!(self.input.data, Data::Bool(_)) => {
                i64::from(self.input.truth(place)) == *default
            }
            Expected::Int(default) => self.input.int(place) == Some(*default),
            Expected::Float(default) => self.input.float(place) == *default,
            Expected::Bytes(default) => self.input.bytes(place).ok_or_else(malformed)? == *default,
            Expected::Uuid(default) => uuid(self.input, place)?.is_some_and(|uuid| uuid == *default),
            Expected::EmptyArray => is_empty(self.input, place)?,
            Expected::Struct(tests, unknown) => {
                for test in tests {
                    if !test.holds(place)? {
                        return Ok(false);
                    }
                }
                match unknown.and_then(|unknown| Some((unknown, unknown.place(place)?))) {
                    Some((unknown, place)) => is_empty(unknown, place)?,
                    None => true,
                }
            }
        })
    }
}

fn is_empty(input: &Input<'_>, place: usize) -> MessageResult<bool> {
    Ok(input.elements(place).ok_or_else(malformed)?.1.is_empty())
}
