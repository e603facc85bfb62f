//! Columns to messages.

mod constant;
mod default_test;
mod fields;
mod leaf;
mod row;
mod sources;

use arrow_data::ArrayData;

use self::row::RowWriter;
use self::sources::{Sources, sources};
use super::defaults::Defaults;
use super::versions::{RowVersions, VersionArgument, VersionMap};
use crate::arrow::builder::{Columns, Values};
use crate::arrow::input::Input;
use crate::error::{Cause, MessageError, MessageResult, path, shown_reason};
use crate::outcome::{Error, Outcome};
use crate::plan::Plan;

/// Encodes rows as messages.
pub struct Encoder {
    plan: Plan,
    defaults: Defaults,
}

impl Encoder {
    /// Reads a plan. `Kind::Value` for a malformed one.
    pub fn new(plan_text: &str) -> Outcome<Self> {
        let plan = Plan::parse(plan_text).map_err(|error| Error::value(error.to_string()))?;
        let defaults = Defaults::new(&plan)?;
        Ok(Encoder { plan, defaults })
    }

    /// Fails for one version for all rows that the message does not have.
    pub fn check(&self, versions: &VersionArgument) -> Outcome<()> {
        self.layouts(versions).map(drop)
    }

    /// Encodes the rows of a struct array: a struct array of `value` and `_error`. `Kind::Type` or `Kind::Value` for columns
    /// that no field has or can take.
    pub fn encode(&self, values: &ArrayData, versions: &VersionArgument) -> Outcome<ArrayData> {
        let layouts = self.layouts(versions)?;
        let rows = Input::new("", values)?;
        let sources = sources(&self.plan, &self.defaults, &layouts, &rows)?;
        Ok(encode(&self.plan, &sources, &versions.rows(rows.length)?, &rows)?)
    }

    fn layouts(&self, versions: &VersionArgument) -> Outcome<VersionMap<u32>> {
        match versions {
            VersionArgument::One(version) => VersionMap::of_plan(&self.plan, Some(&[*version])),
            VersionArgument::Each(_) => VersionMap::of_plan(&self.plan, None),
        }
    }
}

fn encode(
    plan: &Plan,
    sources: &Sources<'_>,
    versions: &RowVersions<'_>,
    rows: &Input<'_>,
) -> MessageResult<ArrayData> {
    let mut columns = Columns::default();
    let value = columns.add("value", Values::bytes(), true);
    let message = columns.add("message", Values::text(), true);
    let path_column = columns.add("path", Values::text(), true);
    let error = columns.add("_error", Values::structs(vec![message, path_column]), true);
    let root = columns.add("", Values::structs(vec![value, error]), false);
    let mut writer = RowWriter::new(plan, sources);
    for number in 0..rows.length {
        columns.begin_struct(root);
        let Some(place) = rows.place(number) else {
            columns.push_null(value);
            columns.push_null(error);
            continue;
        };
        match writer.row(versions.get(number), place) {
            Ok(bytes) => {
                columns.push_bytes(value, bytes)?;
                columns.push_null(error);
            }
            Err(failed) => match failed.cause() {
                Cause::Message(reason, parts) => {
                    columns.push_null(value);
                    columns.begin_struct(error);
                    columns.push_bytes(message, shown_reason(plan, reason, &parts).as_bytes())?;
                    columns.push_bytes(path_column, path(plan, &parts).as_bytes())?;
                }
                Cause::Batch(text) => return Err(MessageError::batch(text)),
            },
        }
    }
    Ok(columns.finish(root)?)
}
