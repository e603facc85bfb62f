//! Arrow's types as Spark's JSON of types.

use arrow_schema::{DataType, Field, Fields};
use serde_json::{Value, json};

/// The JSON of a struct type. `None` for a type that Spark does not have.
pub fn struct_json(fields: &Fields) -> Option<Value> {
    let fields: Option<Vec<Value>> = fields.iter().map(|field| field_json(field)).collect();
    Some(json!({"type": "struct", "fields": fields?}))
}

fn field_json(field: &Field) -> Option<Value> {
    let data_type = type_json(field.data_type())?;
    Some(json!({"name": field.name(), "type": data_type, "nullable": field.is_nullable(), "metadata": {}}))
}

fn type_json(data_type: &DataType) -> Option<Value> {
    Some(match data_type {
        DataType::Boolean => json!("boolean"),
        DataType::Int8 => json!("byte"),
        DataType::Int16 => json!("short"),
        DataType::Int32 => json!("integer"),
        DataType::Int64 => json!("long"),
        DataType::Float64 => json!("double"),
        DataType::Utf8 => json!("string"),
        DataType::Binary => json!("binary"),
        DataType::Timestamp(_, Some(_)) => json!("timestamp"),
        DataType::List(item) => {
            json!({"type": "array", "elementType": type_json(item.data_type())?, "containsNull": item.is_nullable()})
        }
        DataType::Struct(fields) => struct_json(fields)?,
        DataType::Map(entries, _) => {
            let DataType::Struct(pair) = entries.data_type() else { return None };
            let (key, value) = (type_json(pair[0].data_type())?, type_json(pair[1].data_type())?);
            json!({"type": "map", "keyType": key, "valueType": value, "valueContainsNull": pair[1].is_nullable()})
        }
        _ => return None,
    })
}
