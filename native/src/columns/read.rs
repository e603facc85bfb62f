//! Bytes to columns, one row after the other, without the interpreter.

use super::fault::{self, Cause, Stop};
use super::limits::Limits;
use super::program::Program;
use super::store::{Columns, TooMuch};
use super::walk::Walk;
use crate::plan::Plan;
use crate::wire::{Cursor, Reason};

/// Reads one row after the other into the columns of a program.
pub struct RowReader<'a> {
    plan: &'a Plan,
    program: &'a Program,
    columns: &'a mut Columns,
    limits: &'a Limits,
}

impl<'a> RowReader<'a> {
    /// A reader that appends to empty columns.
    pub fn new(plan: &'a Plan, program: &'a Program, columns: &'a mut Columns, limits: &'a Limits) -> Self {
        RowReader { plan, program, columns, limits }
    }

    /// Appends a row of nulls.
    pub fn null(&mut self) {
        self.columns.begin_struct(self.program.root_column);
        self.program.top.iter().for_each(|column| self.columns.push_null(*column));
        self.columns.push_null(self.program.errors.whole);
    }

    /// Appends a row of a version. It must be one message and nothing else, or the columns say what is wrong.
    pub fn row(&mut self, version: Option<i64>, data: &[u8]) -> Result<(), Stop> {
        let Some(number) = version.and_then(|version| self.program.roots.get(version)) else {
            return Ok(self.corrupt(&self.program.roots.refusal(version), "", 0)?);
        };
        let before = self.columns.length(self.program.root_column);
        match self.message(number, data) {
            Ok(()) => {
                self.columns.push_null(self.program.errors.whole);
                Ok(())
            }
            Err((stop, offset)) => match stop.cause() {
                Cause::Row(reason, parts) => {
                    self.columns.take_back(self.program.root_column, before);
                    Ok(self.corrupt(&reason.text, &fault::path(self.plan, &parts), offset)?)
                }
                Cause::Batch(text) => Err(Stop::batch(text)),
            },
        }
    }

    /// A row of nulls and of what is wrong, the offset being where the field begins that can't be read.
    #[cold]
    fn corrupt(&mut self, message: &str, path: &str, offset: usize) -> Result<(), TooMuch> {
        let errors = &self.program.errors;
        self.columns.begin_struct(self.program.root_column);
        self.program.top.iter().for_each(|column| self.columns.push_null(*column));
        self.columns.begin_struct(errors.whole);
        self.columns.push_bytes(errors.message, message.as_bytes())?;
        self.columns.push_bytes(errors.path, path.as_bytes())?;
        self.columns.push_int(errors.offset, offset as i64);
        Ok(())
    }

    fn message(&mut self, number: usize, data: &[u8]) -> Result<(), (Stop, usize)> {
        let cursor = Cursor::new(data, 0).map_err(|reason| (reason.into(), 0))?;
        let (limits, budget) = (self.limits, self.limits.budget(data.len()));
        let (plan, program, columns) = (self.plan, self.program, &mut *self.columns);
        let mut walk = Walk { plan, program, columns, limits, longest: limits.longest(), budget, cursor, start: 0 };
        match walk.structure(self.program.root_column, number) {
            Err(stop) => Err((stop, walk.start)),
            Ok(()) if walk.cursor.left() > 0 => {
                let reason = Box::new(Reason::BytesLeft { left: walk.cursor.left() });
                Err((reason.into(), walk.cursor.at()))
            }
            Ok(()) => Ok(()),
        }
    }
}
