//! Conversion of Arrow types to types in Spark's JSON, and back.

use arrow_schema::{DataType, Field, Fields, TimeUnit};
use serde_json::{Value, json};

/// Return Spark's names for all types that have no inner types.
fn plain_types() -> [(&'static str, DataType); 9] {
    [
        ("boolean", DataType::Boolean),
        ("byte", DataType::Int8),
        ("short", DataType::Int16),
        ("integer", DataType::Int32),
        ("long", DataType::Int64),
        ("double", DataType::Float64),
        ("string", DataType::Utf8),
        ("binary", DataType::Binary),
        (
            "timestamp",
            DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())),
        ),
    ]
}

/// Return the JSON of a struct type; `None` if Spark lacks a type. All fields of a nullable struct are nullable,
/// because PySpark's `toArrow` rejects non-null fields in a null struct.
pub fn struct_json(fields: &Fields, is_nullable: bool) -> Option<Value> {
    let fields: Option<Vec<Value>> = fields.iter().map(|field| field_json(field, is_nullable)).collect();
    Some(json!({"type": "struct", "fields": fields?}))
}

/// Return the JSON for the result of a function. Fields are only nullable if they are nullable in the Arrow schema.
pub fn fields_json(fields: &Fields) -> Option<Value> {
    struct_json(fields, false)
}

fn field_json(field: &Field, is_in_nullable: bool) -> Option<Value> {
    let is_nullable = is_in_nullable || field.is_nullable();
    let data_type = type_json(field.data_type(), is_nullable)?;
    Some(json!({"name": field.name(), "type": data_type, "nullable": is_nullable, "metadata": {}}))
}

fn type_json(data_type: &DataType, is_nullable: bool) -> Option<Value> {
    Some(match data_type {
        DataType::List(item) => {
            let element = type_json(item.data_type(), item.is_nullable())?;
            json!({"type": "array", "elementType": element, "containsNull": item.is_nullable()})
        }
        DataType::Struct(fields) => struct_json(fields, is_nullable)?,
        DataType::Map(entries, _) => {
            let DataType::Struct(pair) = entries.data_type() else {
                return None;
            };
            let key = type_json(pair[0].data_type(), false)?;
            let value = type_json(pair[1].data_type(), true)?;
            json!({"type": "map", "keyType": key, "valueType": value, "valueContainsNull": pair[1].is_nullable()})
        }
        _ => {
            let plain = plain_types().into_iter().find(|(_, plain)| plain == data_type)?;
            json!(plain.0)
        }
    })
}

/// Return the fields of a struct type from its JSON; `None` for other types, and for types that no column has.
pub fn struct_fields(json: &Value) -> Option<Fields> {
    let fields = json.get("fields")?.as_array()?;
    fields.iter().map(struct_field).collect()
}

fn struct_field(json: &Value) -> Option<Field> {
    let data_type = data_type(json.get("type")?)?;
    Some(Field::new(
        json.get("name")?.as_str()?,
        data_type,
        json.get("nullable")?.as_bool()?,
    ))
}

fn data_type(json: &Value) -> Option<DataType> {
    if let Some(name) = json.as_str() {
        return plain_types()
            .into_iter()
            .find(|(plain, _)| *plain == name)
            .map(|(_, data_type)| data_type);
    }
    match json.get("type")?.as_str()? {
        "struct" => struct_fields(json).map(DataType::Struct),
        "array" => {
            let element = data_type(json.get("elementType")?)?;
            let item = Field::new("item", element, json.get("containsNull")?.as_bool()?);
            Some(DataType::List(item.into()))
        }
        "map" => {
            let key = Field::new("key", data_type(json.get("keyType")?)?, false);
            let is_nullable = json.get("valueContainsNull")?.as_bool()?;
            let value = Field::new("value", data_type(json.get("valueType")?)?, is_nullable);
            let entries = Field::new("entries", DataType::Struct(vec![key, value].into()), false);
            Some(DataType::Map(entries.into(), false))
        }
        _ => None,
    }
}
