//! The column `_error`, which contains the error of each row.

use super::builder::{Columns, Overflow, Values};

/// The name of the column.
pub const ERROR: &str = "_error";

/// The column of structs: a message, a path, and usually an offset.
#[derive(Clone, Copy)]
pub struct ErrorColumn {
    /// The number of the column.
    pub column: usize,
    message: usize,
    path: usize,
    offset: Option<usize>,
}

impl ErrorColumn {
    /// Add the column of structs, and the columns of their fields.
    pub fn add(columns: &mut Columns, has_offset: bool) -> Self {
        let (message, path) = (
            columns.add("message", Values::text(), true),
            columns.add("path", Values::text(), true),
        );
        let offset = has_offset.then(|| columns.add("offset", Values::Int64(Vec::new()), true));
        let fields = [message, path].into_iter().chain(offset).collect();
        ErrorColumn {
            column: columns.add(ERROR, Values::structs(fields), true),
            message,
            path,
            offset,
        }
    }

    /// Append an error.
    #[cold]
    pub fn push(&self, columns: &mut Columns, message: &str, path: &str, offset: u64) -> Result<(), Overflow> {
        columns.begin_struct(self.column);
        columns.push_bytes(self.message, message.as_bytes())?;
        columns.push_bytes(self.path, path.as_bytes())?;
        if let Some(column) = self.offset {
            columns.push_int(column, offset as i64);
        }
        Ok(())
    }
}
