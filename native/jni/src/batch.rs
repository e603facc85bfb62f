//! Batches for Java, which reads the buffers in place, and frees all buffers of a batch together.

use arrow_buffer::Buffer;
use arrow_data::ArrayData;
use arrow_schema::DataType;
use messagegen_core::Outcome;

use crate::door::defect;

/// Two numbers describe a node: its length and its number of nulls.
const NUMBERS_OF_NODE: usize = 2;

/// Describe a batch by numbers: the row count and the node count, then the length and null count of each node, then the
/// address and size of each buffer. Nodes and buffers have the same order as in Arrow's IPC format. A missing buffer
/// has address and size 0.
pub fn described(rows: usize, columns: &[ArrayData]) -> Outcome<Vec<i64>> {
    let mut nodes = Vec::new();
    let mut buffers = Vec::new();
    for column in columns {
        flatten(column, &mut nodes, &mut buffers)?;
    }
    let mut numbers = vec![rows as i64, (nodes.len() / NUMBERS_OF_NODE) as i64];
    numbers.extend(nodes);
    for buffer in buffers {
        numbers.extend(buffer.map_or([0, 0], |buffer| [buffer.as_ptr() as i64, buffer.len() as i64]));
    }
    Ok(numbers)
}

fn flatten<'a>(array: &'a ArrayData, nodes: &mut Vec<i64>, buffers: &mut Vec<Option<&'a Buffer>>) -> Outcome<()> {
    let nulls = array.nulls();
    if array.offset() != 0 || nulls.is_some_and(|nulls| nulls.offset() != 0) {
        return Err(defect("a column is a part of another one"));
    }
    nodes.extend([array.len() as i64, array.null_count() as i64]);
    if *array.data_type() != DataType::Null {
        buffers.push(nulls.map(|nulls| nulls.buffer()));
    }
    buffers.extend(array.buffers().iter().map(Some));
    array
        .child_data()
        .iter()
        .try_for_each(|child| flatten(child, nodes, buffers))
}
