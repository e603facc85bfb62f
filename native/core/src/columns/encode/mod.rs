//! Encoding of rows as messages: rows in Arrow columns, or in any other format that implements [`Source`].

mod arrow;
mod column;
mod row;
mod source;

use arrow_data::ArrayData;

use self::column::Fields;
use self::row::RowWriter;
use super::defaults::Defaults;
use super::versions::{VersionArgument, VersionMap};
use crate::arrow::builder::{Columns, Values};
use crate::arrow::errors::{ERROR, ErrorColumn};
use crate::arrow::input::{Data, Input};
use crate::error::{Cause, MessageError, MessageResult, fail, shown_reason};
use crate::outcome::{Error, Outcome};
use crate::plan::Plan;

pub use self::source::{ColumnType, Held, Needed, Source, Tag};

/// The limit for the minimum size of a struct in bytes. The structs of real messages are far below it.
const MAX_SIZE: usize = 1 << 20;

/// An encoder of rows as messages.
pub struct Encoder {
    plan: Plan,
    defaults: Defaults,
}

/// The columns of rows, matched to fields and checked, and the layouts of the versions to write.
pub struct RowColumns<C> {
    fields: Fields<C>,
    /// The column `_error`; rows with an error are not messages.
    error: Option<C>,
    layouts: VersionMap,
}

/// The reason why a row can't be written.
pub struct Refusal {
    /// The error text, without sensitive values.
    pub reason: String,
    /// The path of the field, with the names of the given columns; empty for the row as a whole.
    pub path: String,
}

impl Encoder {
    /// Read a plan. Fail with `Kind::Value` for a malformed one.
    pub fn new(plan_text: &str) -> Outcome<Self> {
        let plan = Plan::parse(plan_text)?;
        if plan.layouts.iter().any(|layout| layout.smallest > MAX_SIZE) {
            return Err(Error::value("the plan has a struct of more than 1 MiB"));
        }
        let defaults = Defaults::new(&plan)?;
        Ok(Encoder { plan, defaults })
    }

    /// Match columns to fields. All rows are written in `version`; if it is `None`, each row has its own version.
    ///
    /// Fail with `Kind::Type` or `Kind::Value` for columns that match no field or have a wrong type, and with
    /// `Kind::UnknownVersion` for an unknown version.
    pub fn columns<C: ColumnType + Clone>(&self, columns: Vec<C>, version: Option<i64>) -> Outcome<RowColumns<C>> {
        let layouts = VersionMap::new(&self.plan, version.as_ref().map(std::slice::from_ref))?;
        let error = columns.iter().find(|column| column.is_named(ERROR)).cloned();
        let fields = Fields::new(&self.plan, 0, columns, "")?;
        Ok(RowColumns { fields, error, layouts })
    }

    /// Append the message of a row to `out`, or return why the row can't be written. In that case, `out` may end with a
    /// part of the message.
    pub fn row<'d, S: Source<'d>>(
        &self,
        columns: &RowColumns<S>,
        row: S::Row,
        version: Option<i128>,
        out: &mut Vec<u8>,
    ) -> MessageResult<Result<(), Refusal>> {
        let written = self.written(columns, row, version, out);
        match written.map_err(MessageError::cause) {
            Ok(()) => Ok(Ok(())),
            Err(Cause::Message(reason, parts)) => Ok(Err(Refusal {
                path: columns.fields.path(&self.plan, &parts),
                reason: shown_reason(&self.plan, reason, &parts),
            })),
            Err(Cause::Other(error)) => Err(MessageError::other(error)),
        }
    }

    fn written<'d, S: Source<'d>>(
        &self,
        columns: &RowColumns<S>,
        row: S::Row,
        version: Option<i128>,
        out: &mut Vec<u8>,
    ) -> MessageResult<()> {
        let layouts = &columns.layouts;
        let Some(layout) = version.and_then(|version| layouts.get(version)) else {
            return fail(layouts.unexpected(version));
        };
        if let Some(error) = &columns.error
            && error.value(row)?.is_some()
        {
            return fail("the row has an _error, so it is no message");
        }
        RowWriter::new(&self.plan, &self.defaults, &columns.fields, out).row(layout, row)
    }

    /// Encode the rows of a struct array as a struct array of `value` and `_error`.
    ///
    /// Fail with `Kind::Type` or `Kind::Value` for columns that match no field or have a wrong type.
    pub fn encode(&self, values: &ArrayData, versions: &VersionArgument) -> Outcome<ArrayData> {
        let version = match versions {
            VersionArgument::One(version) => Some(*version),
            VersionArgument::Each(_) => None,
        };
        let rows = Input::new("", values)?;
        let Data::Struct(inputs) = &rows.data else {
            let text = format!(
                "an Arrow struct array or a record batch is needed, not an array of {}",
                rows.data_type
            );
            return Err(Error::wrong_type(text));
        };
        let columns = self.columns(inputs.iter().collect(), version)?;
        let version_of = versions.rows(rows.length)?;
        Ok(self.rows(&rows, &columns, version_of)?)
    }

    fn rows<'d>(
        &self,
        rows: &Input<'d>,
        columns: &RowColumns<&'d Input<'d>>,
        version_of: impl Fn(usize) -> Option<i128>,
    ) -> MessageResult<ArrayData> {
        let mut made = Columns::default();
        let value = made.add("value", Values::bytes(), true);
        let errors = ErrorColumn::add(&mut made, false);
        let root = made.add("", Values::structs(vec![value, errors.column]), false);
        made.begin_structs(root, rows.length);
        let mut bytes = Vec::new();
        for number in 0..rows.length {
            let Some(place) = rows.place(number) else {
                made.push_null(value);
                made.push_null(errors.column);
                continue;
            };
            bytes.clear();
            match self.row(columns, place, version_of(number), &mut bytes)? {
                Ok(()) => {
                    made.push_bytes(value, &bytes)?;
                    made.push_null(errors.column);
                }
                Err(refusal) => {
                    made.push_null(value);
                    errors.push(&mut made, &refusal.reason, &refusal.path, 0)?;
                }
            }
        }
        Ok(made.finish(root))
    }
}
