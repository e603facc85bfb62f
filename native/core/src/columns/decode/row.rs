//! Bytes to columns, row by row.

use super::message::MessageReader;
use super::schema::Schema;
use crate::arrow::builder::{Columns, Overflow};
use crate::columns::defaults::Defaults;
use crate::columns::versions::VersionMap;
use crate::error::{Cause, MessageError, path};
use crate::limits::Limits;
use crate::plan::Plan;
use crate::wire::{Cursor, Reason};

/// Decodes rows into columns.
pub struct RowReader<'a> {
    pub plan: &'a Plan,
    pub defaults: &'a Defaults,
    pub schema: &'a Schema,
    pub layouts: &'a VersionMap,
    pub limits: &'a Limits,
    pub columns: Columns,
}

impl<'a> RowReader<'a> {
    /// Appends a row of nulls.
    pub fn null(&mut self) {
        self.columns.begin_struct(self.schema.message.column);
        self.schema.top.iter().for_each(|column| self.columns.push_null(*column));
        self.columns.push_null(self.schema.errors.error);
    }

    /// Appends a row. If it is not exactly one message of the version, its columns are null and `_error` says why.
    pub fn row(&mut self, version: Option<i128>, data: &[u8]) -> Result<(), MessageError> {
        let Some(layout) = version.and_then(|version| self.layouts.get(version)) else {
            return Ok(self.error(&self.layouts.unexpected(version), "", 0)?);
        };
        let before = self.columns.length(self.schema.message.column);
        match self.message(layout, data) {
            Ok(()) => {
                self.columns.push_null(self.schema.errors.error);
                Ok(())
            }
            Err((error, offset)) => match error.cause() {
                Cause::Message(reason, parts) => {
                    self.columns.truncate(self.schema.message.column, before);
                    Ok(self.error(&reason.text, &path(self.plan, &parts), offset)?)
                }
                Cause::Batch(text) => Err(MessageError::batch(text)),
            },
        }
    }

    /// Appends a row of nulls with an error; the offset is where the wrong field begins.
    #[cold]
    fn error(&mut self, message: &str, path: &str, offset: usize) -> Result<(), Overflow> {
        let errors = &self.schema.errors;
        self.columns.begin_struct(self.schema.message.column);
        self.schema.top.iter().for_each(|column| self.columns.push_null(*column));
        self.columns.begin_struct(errors.error);
        self.columns.push_bytes(errors.message, message.as_bytes())?;
        self.columns.push_bytes(errors.path, path.as_bytes())?;
        self.columns.push_int(errors.offset, offset as i64);
        Ok(())
    }

    fn message(&mut self, layout: u32, data: &[u8]) -> Result<(), (MessageError, usize)> {
        let cursor = Cursor::new(data, 0).map_err(|error| (error.into(), 0))?;
        let mut reader = MessageReader::new(self.plan, self.defaults, &mut self.columns, self.limits, cursor);
        match reader.structure(layout, &self.schema.message) {
            Err(error) => Err((error, reader.wire.start)),
            Ok(()) => match reader.wire.cursor.left() {
                0 => Ok(()),
                left => Err((Box::new(Reason::BytesLeft { left }).into(), reader.wire.cursor.at())),
            },
        }
    }
}
