//! The columns and nested fields that the options select.

use arrow_schema::{DataType, Field, Fields};
use messagegen_core::logs::{self, Given, Options, chosen_columns, suggestion};
use messagegen_core::outcome::{Kind, fail};
use messagegen_core::{Error, Outcome};

use crate::content::{Content, MESSAGE, VALUE};
use crate::spark_types::struct_json;

/// Return the columns that the options select, as Spark's JSON.
pub fn schema(mut given: Given) -> Outcome<String> {
    let content = Content::take(&mut given)?;
    let options = Options::take(given)?;
    let chosen = chosen_columns(&options);
    let mut paths: Vec<Vec<&str>> = chosen.iter().map(|path| path.split('.').collect()).collect();
    if content.is_some() {
        // The messages replace the values.
        paths
            .iter_mut()
            .filter(|path| path[0] == VALUE)
            .for_each(|path| path[0] = MESSAGE);
    }
    let all = |name: &str| match &content {
        Some(content) if name == MESSAGE => Ok(Field::new(MESSAGE, content.data_type()?, true)),
        _ => logs::schema(name),
    };
    let paths: Vec<&[&str]> = paths.iter().map(Vec::as_slice).collect();
    let fields = selected(&paths, "", &all)?;
    // All columns are nullable, because damage can leave any of them without a value.
    let json = struct_json(&fields, true);
    Ok(json
        .ok_or_else(|| Error::value("a column has a type that Spark does not have"))?
        .to_string())
}

/// Return the fields that the paths select, in the order of the paths. `outer` is the path of their struct, and `all`
/// returns a field by its name.
fn selected(paths: &[&[&str]], outer: &str, all: &dyn Fn(&str) -> Outcome<Field>) -> Outcome<Fields> {
    let mut names: Vec<&str> = Vec::new();
    for path in paths {
        if !names.contains(&path[0]) {
            names.push(path[0]);
        }
    }
    let field = |name: &str| {
        let path = if outer.is_empty() {
            name.to_owned()
        } else {
            format!("{outer}.{name}")
        };
        let inner: Vec<&[&str]> = paths
            .iter()
            .filter(|path| path[0] == name)
            .map(|path| &path[1..])
            .collect();
        let field = all(name)?;
        let data_type = pruned(field.data_type(), &inner, &path)?;
        Ok(field.with_data_type(data_type))
    };
    names.into_iter().map(field).collect()
}

/// Return a type with only the fields that the paths select; an empty path selects the whole value. `place` is the path
/// of the value.
fn pruned(data_type: &DataType, paths: &[&[&str]], place: &str) -> Outcome<DataType> {
    if paths.iter().any(|path| path.is_empty()) {
        if paths.len() > 1 {
            return fail(Kind::Option, format!("option columns: {place} is given twice"));
        }
        return Ok(data_type.clone());
    }
    match data_type {
        DataType::List(item) => {
            let inner = pruned(item.data_type(), paths, place)?;
            Ok(DataType::List(item.as_ref().clone().with_data_type(inner).into()))
        }
        DataType::Struct(fields) => {
            let known = |name: &str| fields.iter().find(|field| field.name() == name);
            let all = |name: &str| match known(name) {
                Some(field) => Ok(field.as_ref().clone()),
                None => unknown_field(fields, name, place),
            };
            Ok(DataType::Struct(selected(paths, place, &all)?))
        }
        _ => fail(Kind::Option, format!("option columns: {place} has no fields")),
    }
}

fn unknown_field<T>(fields: &Fields, name: &str, place: &str) -> Outcome<T> {
    let known: Vec<&str> = fields.iter().map(|field| field.name().as_str()).collect();
    let advice = suggestion(name, &known, || format!("its fields are {}", known.join(", ")));
    fail(
        Kind::Option,
        format!("option columns: {place} has no field {name}; {advice}"),
    )
}
