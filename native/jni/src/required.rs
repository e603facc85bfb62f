//! The schema that Spark requires. Java's planner, the columns that are read and the rows all follow this one value,
//! and every batch is checked against it. Spark finds fields by position, so an extra or missing field would shift all
//! later ones.

use std::sync::Arc;

use arrow_array::{Array, new_empty_array};
use arrow_data::ArrayData;
use arrow_schema::{DataType, Field, Fields};
use messagegen_core::Outcome;

use crate::door::defect;
use crate::spark_types::struct_fields;

/// The required columns in Spark's order, with the required fields at any depth.
pub struct Required(Fields);

impl Required {
    /// Parse the schema, given as a struct type in Spark's JSON.
    pub fn parse(json: &str) -> Outcome<Self> {
        let json = serde_json::from_str(json).map_err(defect)?;
        let fields = struct_fields(&json).ok_or_else(|| defect(format!("not a schema of kafka-log: {json}")))?;
        Ok(Required(fields))
    }

    /// Return the names of the columns.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|field| field.name().as_str())
    }

    /// Whether the schema has a column `name`.
    pub fn has(&self, name: &str) -> bool {
        self.names().any(|known| known == name)
    }

    /// Return the paths of the innermost fields of a column; empty for a column without fields, and for a missing
    /// column.
    pub fn paths(&self, name: &str) -> Vec<String> {
        let mut paths = Vec::new();
        if let Some(column) = self.0.iter().find(|field| field.name() == name) {
            push_paths(column.data_type(), "", &mut paths);
        }
        paths
    }

    /// Return the required fields of the column `name`; empty if the column is not required. `has` are the fields that
    /// can be read. Fails if a required field is missing there, or has a different type.
    pub fn fields(&self, name: &str, has: &Fields) -> Outcome<Fields> {
        let Some(wanted) = self.0.iter().find(|field| field.name() == name) else {
            return Ok(Fields::empty());
        };
        let none = new_empty_array(&DataType::Struct(has.clone())).to_data();
        moved(&none, true, wanted, name)?;
        match wanted.data_type() {
            DataType::Struct(fields) => Ok(fields.clone()),
            other => Err(defect(format!("{name} has the type {other}"))),
        }
    }

    /// Replace the type of a column, if the schema has the column.
    pub fn with_type(self, name: &str, data_type: &DataType) -> Self {
        let fields = self.0.iter().map(|field| match field.name() == name {
            true => Arc::new(field.as_ref().clone().with_data_type(data_type.clone())),
            false => field.clone(),
        });
        Required(fields.collect())
    }

    /// Arrange columns that were read, one for each column of the schema, so that their fields have the schema's order.
    /// Fails if a field is missing, has a different type, or may be null although the schema forbids nulls.
    pub fn arranged(&self, columns: Vec<ArrayData>) -> Outcome<Vec<ArrayData>> {
        if columns.len() != self.0.len() {
            return Err(defect(format!(
                "{} columns were read, not {}",
                columns.len(),
                self.0.len()
            )));
        }
        let pairs = self.0.iter().zip(columns);
        let arranged = pairs.map(|(wanted, column)| {
            let moved = moved(&column, true, wanted, wanted.name())?;
            Ok(moved.unwrap_or(column))
        });
        arranged.collect()
    }
}

fn push_paths(data_type: &DataType, outer: &str, paths: &mut Vec<String>) {
    for field in fields_within(data_type) {
        let path = format!("{outer}{}", field.name());
        if fields_within(field.data_type()).is_empty() {
            paths.push(path);
        } else {
            push_paths(field.data_type(), &format!("{path}."), paths);
        }
    }
}

/// Return the fields of a struct, or of the structs in an array; empty for other types.
fn fields_within(data_type: &DataType) -> &[Arc<Field>] {
    match data_type {
        DataType::Struct(fields) => fields,
        DataType::List(item) => fields_within(item.data_type()),
        _ => &[],
    }
}

/// Return `array` with exactly the wanted fields, in the wanted order; `None` if it already has them.
fn moved(array: &ArrayData, is_nullable: bool, wanted: &Field, path: &str) -> Outcome<Option<ArrayData>> {
    if !wanted.is_nullable() && (is_nullable || array.null_count() > 0) {
        return Err(defect(format!("{path} may be null")));
    }
    let children = match (array.data_type(), wanted.data_type()) {
        (DataType::Struct(has), DataType::Struct(wants)) => moved_fields(array, has, wants, path)?,
        (DataType::List(has), DataType::List(wants)) | (DataType::Map(has, _), DataType::Map(wants, _)) => {
            let content = &array.child_data()[0];
            moved(content, has.is_nullable(), wants, path)?.map(|content| vec![content])
        }
        (has, wants) if has == wants => None,
        (has, wants) => return Err(defect(format!("{path} has the type {has}, not {wants}"))),
    };
    let Some(children) = children else { return Ok(None) };
    let array = array
        .clone()
        .into_builder()
        .data_type(type_of(wanted.data_type(), &children))
        .child_data(children);
    array.build().map(Some).map_err(defect)
}

/// Return the type `wanted` with the types of `children`, whose inner fields may have a different nullability.
fn type_of(wanted: &DataType, children: &[ArrayData]) -> DataType {
    let field = |field: &Field, child: &ArrayData| Arc::new(field.clone().with_data_type(child.data_type().clone()));
    match wanted {
        DataType::Struct(fields) => DataType::Struct(
            fields
                .iter()
                .zip(children)
                .map(|(wanted, child)| field(wanted, child))
                .collect(),
        ),
        DataType::List(item) => DataType::List(field(item, &children[0])),
        DataType::Map(entries, is_sorted) => DataType::Map(field(entries, &children[0]), *is_sorted),
        other => other.clone(),
    }
}

/// Return the wanted fields of a struct, in the wanted order; `None` if it already has exactly these fields.
fn moved_fields(array: &ArrayData, has: &Fields, wants: &Fields, path: &str) -> Outcome<Option<Vec<ArrayData>>> {
    let mut is_same = has.len() == wants.len();
    let mut children = Vec::with_capacity(wants.len());
    for (number, wanted) in wants.iter().enumerate() {
        let name = wanted.name();
        // The order is nearly always the same, so try the same position first.
        let is_here = has.get(number).is_some_and(|field| field.name() == name);
        let found = if is_here {
            Some(number)
        } else {
            has.iter().position(|field| field.name() == name)
        };
        let at = found.ok_or_else(|| defect(format!("{path}.{name} was not read")))?;
        let child = &array.child_data()[at];
        let moved = moved(child, has[at].is_nullable(), wanted, name)?;
        is_same &= at == number && moved.is_none();
        children.push(moved.unwrap_or_else(|| child.clone()));
    }
    Ok((!is_same).then_some(children))
}
