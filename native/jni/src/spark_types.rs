//! Arrow's types as Spark's JSON of types.

use arrow_schema::{DataType, Field, Fields};
use serde_json::{Value, json};

use crate::content::MESSAGE;

/// The JSON of a struct type, of values that may be null or not: PySpark's `toArrow` refuses fields that may not be null in a struct that is
/// null. `None` for a type that Spark does not have.
pub fn struct_json(fields: &Fields, is_nullable: bool) -> Option<Value> {
    let fields: Option<Vec<Value>> = fields.iter().map(|field| field_json(field, is_nullable)).collect();
    Some(json!({"type": "struct", "fields": fields?}))
}

fn field_json(field: &Field, is_in_nullable: bool) -> Option<Value> {
    let is_nullable = is_in_nullable || field.is_nullable();
    let data_type = type_json(field.data_type(), is_nullable)?;
    Some(json!({"name": field.name(), "type": data_type, "nullable": is_nullable, "metadata": {}}))
}

fn type_json(data_type: &DataType, is_nullable: bool) -> Option<Value> {
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
            let element = type_json(item.data_type(), item.is_nullable())?;
            json!({"type": "array", "elementType": element, "containsNull": item.is_nullable()})
        }
        DataType::Struct(fields) => struct_json(fields, is_nullable)?,
        DataType::Map(entries, _) => {
            let DataType::Struct(pair) = entries.data_type() else { return None };
            let (key, value) = (type_json(pair[0].data_type(), false)?, type_json(pair[1].data_type(), true)?);
            json!({"type": "map", "keyType": key, "valueType": value, "valueContainsNull": pair[1].is_nullable()})
        }
        _ => return None,
    })
}

/// The columns of the JSON of a struct type, and the paths of the fields of the message if it is one of them.
pub fn asked(required: &str) -> serde_json::Result<(Vec<String>, Option<Vec<String>>)> {
    let required: Value = serde_json::from_str(required)?;
    let mut columns = Vec::new();
    let mut paths = None;
    for (name, data_type) in fields(&required) {
        if name == MESSAGE {
            push_paths(data_type, "", paths.insert(Vec::new()));
        }
        columns.push(name.to_owned());
    }
    Ok((columns, paths))
}

fn push_paths(data_type: &Value, outer: &str, paths: &mut Vec<String>) {
    for (name, data_type) in fields(data_type) {
        let path = format!("{outer}{name}");
        let inner = data_type.get("elementType").unwrap_or(data_type);
        if fields(inner).next().is_some() {
            push_paths(inner, &format!("{path}."), paths);
        } else {
            paths.push(path);
        }
    }
}

/// Names and types of the fields of a struct; nothing of other types.
fn fields(data_type: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let fields = data_type.get("fields").and_then(Value::as_array).into_iter().flatten();
    fields.filter_map(|field| Some((field.get("name")?.as_str()?, field.get("type")?)))
}
