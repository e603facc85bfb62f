//! Decoding of messages to columns.

mod message;
mod plain;
mod schema;

use arrow_data::ArrayData;
use arrow_schema::DataType;

use self::message::ColumnSink;
use self::schema::Selection;
pub use self::schema::{ListShape, MapShape, Schema, Shape, StructShape};
use super::defaults::Defaults;
use super::paths::Names;
use super::versions::{VersionArgument, VersionMap};
use crate::arrow::builder::{Columns, Overflow, UuidForm, Values};
use crate::arrow::input::Input;
use crate::error::{Cause, MessageError, Part, malformed};
use crate::limits::Limits;
use crate::outcome::{Error, Outcome};
use crate::plan::Plan;
use crate::walk::{Skip, Walk};
use crate::wire::{Cursor, wrong};

/// Options for the columns of a decoder.
pub struct Options<'a> {
    /// The versions whose fields get columns; `None` for all versions of the message.
    pub versions: Option<&'a [i64]>,
    /// The paths of the selected fields, such as `topics.name`, with attributes or Kafka's names; `None` for all.
    pub fields: Option<&'a [String]>,
    /// Whether sensitive fields get columns, and also the unknown tagged fields of structs that have sensitive fields.
    pub include_secrets: bool,
    /// `attribute` or `kafka`.
    pub names: &'a str,
    pub unknown_tagged_fields: bool,
    /// `binary` or `string`.
    pub uuid_as: &'a str,
    pub limits: Limits,
}

/// A decoder that converts batches of one type of message to columns. Hosts that decode to other formats use its parts.
pub struct Decoder {
    pub plan: Plan,
    pub defaults: Defaults,
    /// The layouts of the versions whose fields have columns.
    pub layouts: VersionMap,
    /// The columns, and the fields that they belong to.
    pub schema: Schema,
    pub limits: Limits,
    names: Names,
}

impl Decoder {
    /// Compile a plan. Fail with `Kind::Value` for a malformed plan or option, and with `Kind::UnknownVersion` for an
    /// unknown version.
    pub fn new(plan_text: &str, options: &Options<'_>) -> Outcome<Self> {
        let plan = Plan::parse(plan_text)?;
        let defaults = Defaults::new(&plan)?;
        let layouts = VersionMap::new(&plan, options.versions)?;
        let uuids = option("uuid_as", options.uuid_as, &UUID_FORMS)?;
        let names = option("names", options.names, &NAMES)?;
        let &Options {
            fields,
            include_secrets,
            unknown_tagged_fields,
            ..
        } = options;
        let selection = Selection {
            layouts: &layouts,
            fields,
            include_secrets,
            unknown_tagged_fields,
            uuids,
            names,
        };
        let schema = Schema::new(&plan, &selection).map_err(Error::value)?;
        Ok(Decoder {
            plan,
            defaults,
            layouts,
            schema,
            limits: options.limits,
            names,
        })
    }

    /// Return the path that consists of these parts, with the names of the columns.
    pub fn path(&self, parts: &[Part]) -> String {
        self.names.path(&self.plan, parts)
    }

    /// Return the type of the struct arrays that `decode` returns.
    pub fn schema(&self) -> DataType {
        let array = self.schema.columns.empty().finish(self.schema.message.column());
        array.data_type().clone()
    }

    /// Decode the values of a binary array to a struct array; the first `skip` bytes of each value are ignored. Rows
    /// that are not a message have only their `_error`.
    ///
    /// Fail with `Kind::Type` or `Kind::Value` for arrays that can't be read.
    pub fn decode(&self, values: &ArrayData, versions: &VersionArgument, skip: usize) -> Outcome<ArrayData> {
        self.check(versions)?;
        let rows = Input::new("", values)?;
        rows.check_binary()?;
        let version_of = versions.rows(rows.length)?;
        let mut columns = self.schema.columns.empty();
        for number in 0..rows.length {
            match rows.place(number) {
                Some(place) => {
                    let data = rows.bytes(place).ok_or_else(malformed)?;
                    self.row(&mut columns, version_of(number), data.get(skip..).unwrap_or_default())?;
                }
                None => {
                    self.null(&mut columns);
                    columns.push_null(self.schema.errors.column);
                }
            }
        }
        Ok(columns.finish(self.schema.message.column()))
    }

    /// Append a row of nulls, without its `_error`.
    fn null(&self, columns: &mut Columns) {
        columns.begin_struct(self.schema.message.column());
        self.schema.top.iter().for_each(|column| columns.push_null(*column));
    }

    /// Append a row. If `data` is not exactly one message of the version, the row has only its `_error`.
    fn row(&self, columns: &mut Columns, version: Option<i128>, data: &[u8]) -> Result<(), MessageError> {
        let Some(layout) = version.and_then(|version| self.layouts.get(version)) else {
            return Ok(self.error(columns, &self.layouts.unexpected(version), "", 0)?);
        };
        let before = columns.length(self.schema.message.column());
        match self.message(columns, layout, data) {
            Ok(()) => {
                columns.push_null(self.schema.errors.column);
                Ok(())
            }
            Err((error, offset)) => match error.cause() {
                Cause::Message(reason, parts) => {
                    columns.truncate(self.schema.message.column(), before);
                    Ok(self.error(columns, &reason.text, &self.path(&parts), offset)?)
                }
                Cause::Other(error) => Err(MessageError::other(error)),
            },
        }
    }

    /// Append a row of nulls with an error; `offset` is the start of the invalid field.
    #[cold]
    fn error(&self, columns: &mut Columns, message: &str, path: &str, offset: usize) -> Result<(), Overflow> {
        self.null(columns);
        self.schema.errors.push(columns, message, path, offset as u64)
    }

    fn message(&self, columns: &mut Columns, layout: u32, data: &[u8]) -> Result<(), (MessageError, usize)> {
        let cursor = Cursor::new(data, 0).map_err(|error| (error.into(), 0))?;
        let mut walk = Walk::new(&self.plan, self.limits, cursor);
        let mut sink = ColumnSink::new(&self.plan, &self.defaults, columns);
        walk.message(&mut sink, Some(&self.schema.message), layout)
            .map_err(|error| (error, walk.start))?;
        match walk.cursor.left() {
            0 => Ok(()),
            left => {
                let error = wrong(format_args!("extra bytes after the message: {left}"));
                Err((error.into(), walk.cursor.at()))
            }
        }
    }

    /// Return the end of the message at the start of each value of a binary array; null for a value that does not begin
    /// with a message.
    ///
    /// Fail with `Kind::UnknownVersion` for an unknown version, and with `Kind::Type` or `Kind::Value` for arrays that
    /// can't be read.
    pub fn ends(&self, values: &ArrayData, version: i64) -> Outcome<ArrayData> {
        let root = self.plan.roots.iter().find(|(known, _)| *known == version);
        let (_, layout) = root.ok_or_else(|| Error::unknown_version(version))?;
        let rows = Input::new("", values)?;
        rows.check_binary()?;
        let mut columns = Columns::default();
        let end = columns.add("end", Values::Int64(Vec::new()), true);
        let batch = columns.add("", Values::structs(vec![end]), false);
        let end_of = |data: &[u8]| {
            let mut walk = Walk::new(&self.plan, self.limits, Cursor::new(data, 0).ok()?);
            walk.message(&mut Skip::checked(), (), *layout).ok()?;
            Some(walk.cursor.at())
        };
        for number in 0..rows.length {
            let data = rows
                .place(number)
                .map(|place| rows.bytes(place).ok_or_else(malformed))
                .transpose()?;
            match data.and_then(end_of) {
                Some(at) => columns.push_int(end, at as i64),
                None => columns.push_null(end),
            }
        }
        columns.begin_structs(batch, rows.length);
        Ok(columns.finish(batch))
    }

    /// If all rows have the same version, fail if the message or the columns lack it.
    fn check(&self, versions: &VersionArgument) -> Outcome<()> {
        let VersionArgument::One(version) = *versions else {
            return Ok(());
        };
        if !self.plan.roots.iter().any(|(known, _)| *known == version) {
            return Err(Error::unknown_version(version));
        }
        if self.layouts.get(version.into()).is_none() {
            return Err(Error::value(format!(
                "version {version} is not among the versions of the columns"
            )));
        }
        Ok(())
    }
}

const UUID_FORMS: [(&str, UuidForm); 2] = [("binary", UuidForm::Binary), ("string", UuidForm::Text)];

const NAMES: [(&str, Names); 2] = [("attribute", Names::Attributes), ("kafka", Names::Kafka)];

fn option<T: Copy>(name: &str, word: &str, known: &[(&str, T)]) -> Outcome<T> {
    known
        .iter()
        .find(|(known, _)| *known == word)
        .map(|(_, value)| *value)
        .ok_or_else(|| {
            let known: Vec<String> = known.iter().map(|(known, _)| format!("{known:?}")).collect();
            Error::value(format!("{name} must be {}, not {word:?}", known.join(" or ")))
        })
}
