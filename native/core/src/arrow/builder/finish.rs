//! Finished columns as Arrow arrays.
#![allow(unsafe_code)]

use arrow_buffer::{BooleanBufferBuilder, Buffer, NullBuffer};
use arrow_data::ArrayData;
use arrow_schema::{DataType, Field, Fields};

use super::super::uuid_text;
use super::column::Column;
use super::values::{Fixed, Overflow, Values, Variable};

/// A column with all columns below it as an array.
pub fn array(columns: &mut [Column], number: usize) -> Result<(Field, ArrayData), Overflow> {
    let (below, rest) = columns.split_at_mut(number);
    let column = &mut rest[0];
    column.settle(below);
    let length = column.values.length();
    let nulls = column.validity.take().map(|validity: BooleanBufferBuilder| NullBuffer::new(validity.build()));
    let mut children = Vec::new();
    let mut child = |number: usize| -> Result<Field, Overflow> {
        let (field, data) = array(below, number)?;
        children.push(data);
        Ok(field)
    };
    let empty = column.values.empty();
    let (data_type, buffers) = match std::mem::replace(&mut column.values, empty) {
        Values::Bool(mut values) => (DataType::Boolean, vec![values.finish().into_inner()]),
        Values::Fixed(fixed) if fixed.width >= uuid_text::SIZE => uuids(fixed)?,
        Values::Fixed(Fixed { data_type, bytes, .. }) => (data_type, vec![bytes.into()]),
        Values::Bytes(data_type, Variable { offsets, content }) => {
            (data_type, vec![Buffer::from_vec(offsets), Buffer::from_vec(content)])
        }
        Values::List { is_map, lists } => {
            let element = child(lists.content)?.into();
            let data_type = if is_map { DataType::Map(element, false) } else { DataType::List(element) };
            (data_type, vec![Buffer::from_vec(lists.offsets)])
        }
        Values::Struct(_, fields) => {
            let fields = fields.into_iter().map(child).collect::<Result<Vec<_>, _>>()?;
            (DataType::Struct(Fields::from(fields)), Vec::new())
        }
    };
    let field = Field::new(&column.name, data_type.clone(), column.nullable);
    let builder = ArrayData::builder(data_type).len(length).nulls(nulls).buffers(buffers).child_data(children);
    // SAFETY: columns keep offsets ascending and within their content, because they refuse more than 2 GiB; texts are checked
    // UTF-8, and all fields of a struct are as long as the struct. Checking it again would take longer than filling columns.
    let data = unsafe { builder.build_unchecked() };
    // Builds with debug assertions, which the fuzzers run, find a mistake in this.
    if cfg!(debug_assertions) {
        data.validate_full().expect("a valid Arrow array");
    }
    Ok((field, data))
}

/// Uuids are kept without offsets, because all have the same size.
fn uuids(Fixed { data_type, width, bytes }: Fixed) -> Result<(DataType, Vec<Buffer>), Overflow> {
    i32::try_from(bytes.len()).map_err(|_| Overflow)?;
    let offsets: Vec<i32> = (0..=bytes.len()).step_by(width).map(|offset| offset as i32).collect();
    Ok((data_type, vec![Buffer::from_vec(offsets), bytes.into()]))
}
