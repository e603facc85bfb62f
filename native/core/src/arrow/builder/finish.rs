//! Conversion of finished columns to Arrow arrays.
#![allow(unsafe_code)]

use arrow_buffer::{BooleanBufferBuilder, Buffer, NullBuffer};
use arrow_data::ArrayData;
use arrow_schema::{DataType, Field, TimeUnit};

use super::column::Column;
use super::values::{Values, Variable};

/// Return the field and the array of a column with all columns below it.
pub fn array(columns: &mut [Column], number: usize) -> (Field, ArrayData) {
    let (below, rest) = columns.split_at_mut(number);
    let column = &mut rest[0];
    column.settle(below);
    let length = column.values.length();
    let validity = column.validity.take();
    // A column that is not `nullable` can have nulls only where its struct is null. These nulls are left out: the
    // struct's own null suffices, and Arrow does not write a field that contradicts its schema to Parquet.
    let nulls = validity
        .filter(|_| column.nullable)
        .map(|validity: BooleanBufferBuilder| NullBuffer::new(validity.build()));
    let mut children = Vec::new();
    let mut child = |number: usize| -> Field {
        let (field, data) = array(below, number);
        children.push(data);
        field
    };
    let (data_type, buffers) = match std::mem::replace(&mut column.values, Values::structs(Vec::new())) {
        Values::Bool(mut values) => (DataType::Boolean, vec![values.finish().into_inner()]),
        Values::Int8(values) => (DataType::Int8, vec![Buffer::from_vec(values)]),
        Values::Int16(values) => (DataType::Int16, vec![Buffer::from_vec(values)]),
        Values::Int32(values) => (DataType::Int32, vec![Buffer::from_vec(values)]),
        Values::Int64(values) => (DataType::Int64, vec![Buffer::from_vec(values)]),
        Values::Time(values) => (
            DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())),
            vec![Buffer::from_vec(values)],
        ),
        Values::Float64(values) => (DataType::Float64, vec![Buffer::from_vec(values)]),
        Values::Text(values) => (DataType::Utf8, variable(values)),
        Values::Bytes(values) => (DataType::Binary, variable(values)),
        Values::List(lists) => (
            DataType::List(child(lists.content).into()),
            vec![Buffer::from_vec(lists.offsets)],
        ),
        Values::Map(maps) => (
            DataType::Map(child(maps.content).into(), false),
            vec![Buffer::from_vec(maps.offsets)],
        ),
        Values::Struct(_, fields) => (DataType::Struct(fields.into_iter().map(child).collect()), Vec::new()),
    };
    let field = Field::new(&column.name, data_type.clone(), column.nullable);
    let builder = ArrayData::builder(data_type)
        .len(length)
        .nulls(nulls)
        .buffers(buffers)
        .child_data(children);
    // SAFETY: columns keep offsets ascending and within their content, because they refuse more than 2 GiB. Strings
    // were checked to be UTF-8, and all fields of a struct are as long as the struct. Checking all this again would
    // take longer than filling the columns.
    let data = unsafe { builder.build_unchecked() };
    // Builds with debug assertions, which the fuzzers run, verify these claims.
    if cfg!(debug_assertions) {
        data.validate_full().expect("a valid Arrow array");
    }
    (field, data)
}

fn variable(values: Variable<Vec<u8>>) -> Vec<Buffer> {
    vec![Buffer::from_vec(values.offsets), Buffer::from_vec(values.content)]
}
