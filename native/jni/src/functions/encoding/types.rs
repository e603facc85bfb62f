//! The column types of a row, parsed from Spark's JSON.

use messagegen_core::columns::{ColumnType, Held, Needed};
use messagegen_core::{Error, Outcome};
use serde_json::Value;

use crate::rows::{WORD, words_of_marks};

/// A column of a struct, or the elements, keys or values of an array or map.
#[derive(Clone)]
pub struct SparkColumn {
    name: String,
    /// The SQL name of the type.
    type_name: String,
    pub slot: Slot,
    pub kind: SparkType,
}

/// The place of a column in the row of its struct.
#[derive(Clone, Copy, Default)]
pub struct Slot {
    /// The number of the column, which is also the number of its null mark.
    pub number: usize,
    /// The byte at which its word begins.
    pub word: usize,
}

/// A type; types with the same representation in rows are merged.
#[derive(Clone)]
pub enum SparkType {
    /// Nulls only.
    Void,
    Bool,
    /// An integer with this number of bytes.
    Int(usize),
    Float,
    Double,
    Text,
    Bytes,
    Array(Box<SparkColumn>),
    Map(Box<SparkColumn>, Box<SparkColumn>),
    Struct(Vec<SparkColumn>),
    /// Any type that no field of a message has.
    Other,
}

/// Parse the columns of a struct type, given as Spark's JSON.
pub fn columns_of(json: &str) -> Outcome<Vec<SparkColumn>> {
    let wrong = || Error::value("expected the JSON of a struct type of Spark");
    let parsed: Value = serde_json::from_str(json).map_err(|_| wrong())?;
    columns(&parsed).ok_or_else(wrong)
}

fn columns(json: &Value) -> Option<Vec<SparkColumn>> {
    let fields = json.get("fields")?.as_array()?;
    let marks = words_of_marks(fields.len());
    let column = |(number, field): (usize, &Value)| {
        let name = field.get("name")?.as_str()?;
        let word = WORD * (marks + number);
        column(name, field.get("type")?, Slot { number, word })
    };
    fields.iter().enumerate().map(column).collect()
}

fn column(name: &str, json: &Value, slot: Slot) -> Option<SparkColumn> {
    Some(SparkColumn {
        name: name.to_owned(),
        type_name: type_name(json),
        slot,
        kind: kind(json)?,
    })
}

/// Return the column of an array's elements, or of a map's keys or values.
fn inner(json: &Value, key: &str) -> Option<Box<SparkColumn>> {
    Some(Box::new(column("", json.get(key)?, Slot::default())?))
}

/// Return the kind of a type; `None` if `json` is not a type.
fn kind(json: &Value) -> Option<SparkType> {
    if let Some(name) = json.as_str() {
        return Some(match name {
            "void" => SparkType::Void,
            "boolean" => SparkType::Bool,
            "byte" => SparkType::Int(size_of::<i8>()),
            "short" => SparkType::Int(size_of::<i16>()),
            "integer" => SparkType::Int(size_of::<i32>()),
            "long" => SparkType::Int(size_of::<i64>()),
            "float" => SparkType::Float,
            "double" => SparkType::Double,
            "binary" => SparkType::Bytes,
            // The names of string types may contain a collation or a length.
            _ if ["string", "char", "varchar"]
                .iter()
                .any(|start| name.starts_with(start)) =>
            {
                SparkType::Text
            }
            _ => SparkType::Other,
        });
    }
    Some(match json.get("type")?.as_str()? {
        "array" => SparkType::Array(inner(json, "elementType")?),
        "map" => SparkType::Map(inner(json, "keyType")?, inner(json, "valueType")?),
        "struct" => SparkType::Struct(columns(json)?),
        _ => SparkType::Other,
    })
}

fn type_name(json: &Value) -> String {
    let name = json.as_str().or_else(|| json.get("type")?.as_str());
    match name.unwrap_or_default() {
        "byte" => "TINYINT".to_owned(),
        "short" => "SMALLINT".to_owned(),
        "integer" => "INT".to_owned(),
        "long" => "BIGINT".to_owned(),
        other => other.to_uppercase(),
    }
}

impl ColumnType for SparkColumn {
    /// Spark ignores the case of names by default, and Hive tables have only lower-case names.
    const IN_ANY_CASE: bool = true;

    fn name(&self) -> &str {
        &self.name
    }

    fn held(&self) -> Held<Self> {
        match &self.kind {
            SparkType::Void => Held::Nothing,
            SparkType::Bool => Held::Bool,
            SparkType::Int(_) => Held::Integers,
            SparkType::Float | SparkType::Double => Held::Floats,
            SparkType::Text => Held::Text,
            SparkType::Bytes => Held::Bytes,
            SparkType::Array(element) => Held::List((**element).clone()),
            SparkType::Map(key, value) => Held::Map((**key).clone(), (**value).clone()),
            SparkType::Struct(columns) => Held::Struct(columns.clone()),
            SparkType::Other => Held::Other,
        }
    }

    fn mismatch(&self, needed: Needed) -> String {
        let needed = match needed {
            Needed::Bool => "BOOLEAN",
            Needed::Integers => "INT, BIGINT, SMALLINT or TINYINT",
            Needed::Floats => "DOUBLE or FLOAT",
            Needed::Uuid => "STRING, or BINARY of 16 bytes",
            Needed::Text => "STRING",
            Needed::Bytes => "BINARY",
            Needed::List => "an ARRAY",
            Needed::Struct => "a STRUCT",
            Needed::Tags => "a MAP of integers to BINARY",
        };
        format!("needs {needed}, not {}", self.type_name)
    }
}
