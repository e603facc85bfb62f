//! Batches for Java: the buffers stay where they are, and Java gives each of them back.
#![allow(unsafe_code)]

use arrow_buffer::Buffer;
use arrow_data::ArrayData;
use arrow_schema::DataType;
use messagegen_core::Outcome;

use crate::door::defect;

/// A batch as numbers: rows, nodes, buffers; then length and nulls of each node, and address, size and handle of each buffer,
/// in the order of Arrow's IPC format. An empty buffer has no handle.
pub struct Exported {
    pub numbers: Vec<i64>,
    first_buffer: usize,
}

impl Exported {
    /// Rows of some columns.
    pub fn new(rows: usize, columns: &[ArrayData]) -> Outcome<Self> {
        let (mut nodes, mut buffers) = (Vec::new(), Vec::new());
        for column in columns {
            flatten(column, &mut nodes, &mut buffers)?;
        }
        let mut numbers = vec![rows as i64, nodes.len() as i64 / 2, buffers.len() as i64];
        numbers.extend(nodes);
        let first_buffer = numbers.len();
        for buffer in buffers {
            match buffer {
                Some(buffer) if !buffer.is_empty() => {
                    let (address, size) = (buffer.as_ptr() as i64, buffer.len() as i64);
                    numbers.extend([address, size, Box::into_raw(Box::new(buffer)) as i64]);
                }
                _ => numbers.extend([0, 0, 0]),
            }
        }
        Ok(Exported { numbers, first_buffer })
    }

    /// Leaves the buffers to Java.
    pub fn forget(mut self) {
        self.numbers.clear();
    }
}

impl Drop for Exported {
    fn drop(&mut self) {
        for buffer in self.numbers.get(self.first_buffer..).unwrap_or_default().chunks_exact(3) {
            release(buffer[2]);
        }
    }
}

/// Drops a buffer by its handle.
pub fn release(handle: i64) {
    if handle != 0 {
        // SAFETY: handles come from `Exported::new`, and each is given back once.
        drop(unsafe { Box::from_raw(handle as *mut Buffer) });
    }
}

fn flatten(array: &ArrayData, nodes: &mut Vec<i64>, buffers: &mut Vec<Option<Buffer>>) -> Outcome<()> {
    let nulls = array.nulls();
    if array.offset() != 0 || nulls.is_some_and(|nulls| nulls.offset() != 0) {
        return Err(defect("a column is a part of another one"));
    }
    nodes.extend([array.len() as i64, array.null_count() as i64]);
    if *array.data_type() != DataType::Null {
        buffers.push(nulls.map(|nulls| nulls.buffer().clone()));
    }
    buffers.extend(array.buffers().iter().cloned().map(Some));
    array.child_data().iter().try_for_each(|child| flatten(child, nodes, buffers))
}
