//! Columns to messages.

mod column;
mod row;

use arrow_data::ArrayData;

use self::column::Fields;
use self::row::RowWriter;
use super::defaults::Defaults;
use super::versions::{VersionArgument, VersionMap};
use crate::arrow::builder::{Columns, Values};
use crate::arrow::errors::{ERROR, ErrorColumn};
use crate::arrow::input::{Data, Input};
use crate::error::{Cause, MessageError, MessageResult, fail, path, shown_reason};
use crate::outcome::{Error, Outcome};
use crate::plan::Plan;

/// The defaults of a real message take less.
const MAX_SIZE: usize = 1 << 20;

/// Encodes rows as messages.
pub struct Encoder {
    plan: Plan,
    defaults: Defaults,
}

impl Encoder {
    /// Reads a plan. `Kind::Value` for a malformed one.
    pub fn new(plan_text: &str) -> Outcome<Self> {
        let plan = Plan::parse(plan_text)?;
        if plan.layouts.iter().any(|layout| layout.smallest > MAX_SIZE) {
            return Err(Error::value("the plan has a struct of more than 1 MiB"));
        }
        let defaults = Defaults::new(&plan)?;
        Ok(Encoder { plan, defaults })
    }

    /// Encodes the rows of a struct array: a struct array of `value` and `_error`. `Kind::Type` or `Kind::Value` for
    /// columns that no field has or can take.
    pub fn encode(&self, values: &ArrayData, versions: &VersionArgument) -> Outcome<ArrayData> {
        let layouts = self.layouts(versions)?;
        let rows = Input::new("", values)?;
        let Data::Struct(columns) = &rows.data else {
            let text = format!(
                "an Arrow struct array or a record batch is needed, not an array of {}",
                rows.data_type
            );
            return Err(Error::wrong_type(text));
        };
        let fields = Fields::new(&self.plan, 0, &rows, "")?;
        let errors = columns.iter().find(|column| column.name == ERROR);
        let version_of = versions.rows(rows.length)?;
        let mut writer = RowWriter::new(&self.plan, &self.defaults);
        Ok(self.rows(&rows, |number, place| {
            let version = version_of(number);
            let Some(layout) = version.and_then(|version| layouts.get(version)) else {
                return fail(layouts.unexpected(version));
            };
            if errors.is_some_and(|errors| errors.place(place).is_some()) {
                return fail("the row has an _error, so it is no message");
            }
            writer.row(layout, &fields, place).map(<[u8]>::to_vec)
        })?)
    }

    fn layouts(&self, versions: &VersionArgument) -> Outcome<VersionMap> {
        match versions {
            VersionArgument::One(version) => VersionMap::new(&self.plan, Some(&[*version])),
            VersionArgument::Each(_) => VersionMap::new(&self.plan, None),
        }
    }

    fn rows(
        &self,
        rows: &Input<'_>,
        mut encode: impl FnMut(usize, usize) -> MessageResult<Vec<u8>>,
    ) -> MessageResult<ArrayData> {
        let mut columns = Columns::default();
        let value = columns.add("value", Values::bytes(), true);
        let errors = ErrorColumn::add(&mut columns, false);
        let root = columns.add("", Values::structs(vec![value, errors.column]), false);
        columns.begin_structs(root, rows.length);
        for number in 0..rows.length {
            let Some(place) = rows.place(number) else {
                columns.push_null(value);
                columns.push_null(errors.column);
                continue;
            };
            match encode(number, place).map_err(MessageError::cause) {
                Ok(bytes) => {
                    columns.push_bytes(value, &bytes)?;
                    columns.push_null(errors.column);
                }
                Err(Cause::Message(reason, parts)) => {
                    columns.push_null(value);
                    let path = path(&self.plan, &parts);
                    errors.push(&mut columns, &shown_reason(&self.plan, reason, &parts), &path, 0)?;
                }
                Err(Cause::Other(error)) => return Err(MessageError::other(error)),
            }
        }
        Ok(columns.finish(root))
    }
}
