//! Encoding of rows to bytes, one after another, in the same steps as the reference codec (`runtime/walk.py`).

use std::borrow::Cow;

use super::column::{Column, Fields, Within};
use super::source::Source;
use crate::arrow::uuid_text;
use crate::columns::defaults::{Defaults, FieldDefault};
use crate::error::{MessageResult, Part, fail, fail_with_value};
use crate::plan::{Codec, Kind, Layout, Length, Plan};
use crate::wire::{
    HIGHEST_TAG, WRONG_TAG, null, utf8, write_bytes, write_fixed_int, write_int, write_length, write_null_length,
    write_null_mark, write_string, write_uvarint,
};

/// A writer of rows, one after another.
pub struct RowWriter<'a, S> {
    plan: &'a Plan,
    defaults: &'a Defaults,
    fields: &'a Fields<S>,
    out: &'a mut Vec<u8>,
}

/// A value of a row, or the default of a field without a column.
enum Value<'a, S, P> {
    Null,
    Default(&'a FieldDefault),
    At(&'a Column<S>, P),
}

impl<S, P: Copy> Clone for Value<'_, S, P> {
    fn clone(&self) -> Self {
        *self
    }
}

// A derived implementation would require that columns can be copied.
impl<S, P: Copy> Copy for Value<'_, S, P> {}

/// The columns of a struct, and the row to read; `None` for a struct whose fields all have their defaults.
type Struct<'a, S, R> = Option<(&'a Fields<S>, R)>;

/// The tags of a section, each with its bytes.
type Tags<'d> = Vec<(i64, Cow<'d, [u8]>)>;

#[inline(always)]
fn value_in<'a, 'd, S: Source<'d>>(column: &'a Column<S>, row: S::Row) -> MessageResult<Value<'a, S, S::Place>> {
    let place = column.input.value(row)?;
    Ok(place.map_or(Value::Null, |place| Value::At(column, place)))
}

impl<'a, 'd, S: Source<'d>> RowWriter<'a, S> {
    /// Create a writer for the messages of one plan, which appends to `out`.
    pub fn new(plan: &'a Plan, defaults: &'a Defaults, fields: &'a Fields<S>, out: &'a mut Vec<u8>) -> Self {
        RowWriter {
            plan,
            defaults,
            fields,
            out,
        }
    }

    /// Append the message of a row, in a layout.
    pub fn row(&mut self, layout: u32, row: S::Row) -> MessageResult<()> {
        self.structure(layout, Some((self.fields, row)))
    }

    fn structure(&mut self, number: u32, held: Struct<'a, S, S::Row>) -> MessageResult<()> {
        let plan = self.plan;
        let layout = &plan.layouts[number as usize];
        if held.is_some_and(|(fields, _)| fields.owner != layout.struct_number) {
            return mismatch();
        }
        for field in &layout.guarded {
            let value = self.field(layout, *field, held)?;
            if !self.is_default(layout.struct_number, *field, None, value)? {
                let failed = fail("this version has no such field, so it must be left at its default");
                return failed.map_err(|error| error.within(Part::Field(number, *field)));
            }
        }
        for (field, codec) in layout.fields() {
            let value = self.field(layout, field, held)?;
            if let Value::At(column, place) = value
                && self.fixed_int(codec, &column.input, place)
            {
                continue;
            }
            let written = self.value(codec, value);
            written.map_err(|error| error.within(Part::Field(number, field)))?;
        }
        if layout.flexible {
            return self.tag_section(number, held);
        }
        match unknown_tags(held)? {
            Some((unknown, place)) if !unknown.tags(place)?.is_empty() => {
                fail("this version has no tagged fields, so unknown ones can't be written")
                    .map_err(|error| error.within(Part::UnknownTags))
            }
            _ => Ok(()),
        }
    }

    #[inline(always)]
    fn field(
        &self,
        layout: &Layout,
        field: usize,
        held: Struct<'a, S, S::Row>,
    ) -> MessageResult<Value<'a, S, S::Place>> {
        match held.and_then(|(fields, row)| Some((fields.columns[field].as_ref()?, row))) {
            Some((column, row)) => value_in(column, row),
            None => Ok(Value::Default(self.defaults.get(layout.struct_number, field))),
        }
    }

    fn value(&mut self, codec: Codec, value: Value<'a, S, S::Place>) -> MessageResult<()> {
        match value {
            Value::Null | Value::Default(FieldDefault::Null) => self.null(codec),
            Value::Default(default) => self.default(codec, default),
            Value::At(column, place) => match (codec, &column.within) {
                (Codec::Struct { layout, null }, Within::Fields(fields)) => {
                    write_null_mark(self.out, null, false)?;
                    let row = column.input.row(place)?;
                    self.structure(layout, Some((fields, row)))
                }
                (Codec::FixedArray { length, kind, .. }, Within::Elements(elements)) => {
                    self.list(length, Codec::Fixed(kind), elements, column.input.elements(place)?)
                }
                (Codec::Array { length, element, .. }, Within::Elements(elements)) => {
                    let numbers = column.input.elements(place)?;
                    self.list(length, self.plan.element(element), elements, numbers)
                }
                (_, Within::Leaf) => self.leaf(codec, &column.input, place),
                _ => mismatch(),
            },
        }
    }

    fn list(
        &mut self,
        length: Length,
        element: Codec,
        column: &'a Column<S>,
        elements: S::Elements,
    ) -> MessageResult<()> {
        write_length(self.out, length, elements.len())?;
        for (index, place) in elements.enumerate() {
            if let Some(place) = place
                && self.fixed_int(element, &column.input, place)
            {
                continue;
            }
            let value = place.map_or(Value::Null, |place| Value::At(column, place));
            let written = self.value(element, value);
            written.map_err(|error| error.within(Part::Index(index)))?;
        }
        Ok(())
    }

    /// Write a value if it is a fixed-size integer that fits, as most values are. Return whether it was written; if
    /// not, `value` must handle it.
    #[inline(always)]
    fn fixed_int(&mut self, codec: Codec, input: &S, place: S::Place) -> bool {
        match codec {
            Codec::Fixed(kind) => input
                .int(place)
                .is_some_and(|value| write_fixed_int(self.out, kind, value)),
            _ => false,
        }
    }

    fn null(&mut self, codec: Codec) -> MessageResult<()> {
        match codec {
            Codec::String(length) => write_null_length(self.out, length, 2)?,
            Codec::Bytes(length) | Codec::FixedArray { length, .. } | Codec::Array { length, .. } => {
                write_null_length(self.out, length, 4)?;
            }
            Codec::Struct { null, .. } => write_null_mark(self.out, null, true)?,
            Codec::Fixed(_) | Codec::Packed(_) | Codec::Upacked(_) => return Err(null().into()),
        }
        Ok(())
    }

    fn default(&mut self, codec: Codec, default: &FieldDefault) -> MessageResult<()> {
        match (codec, default) {
            (Codec::Struct { layout, null }, _) => {
                write_null_mark(self.out, null, false)?;
                self.structure(layout, None)?;
            }
            (Codec::FixedArray { length, .. } | Codec::Array { length, .. }, _) => write_length(self.out, length, 0)?,
            (Codec::String(length), FieldDefault::Bytes(text)) => write_string(self.out, length, text)?,
            (Codec::Bytes(length), FieldDefault::Bytes(bytes)) => write_bytes(self.out, length, bytes)?,
            (Codec::Fixed(Kind::Uuid), FieldDefault::Uuid(uuid)) => self.out.extend(uuid),
            (Codec::Fixed(Kind::Float64), FieldDefault::Float(value)) => self.out.extend(value.to_be_bytes()),
            (_, FieldDefault::Int(value)) if write_int(self.out, codec, *value) => (),
            (
                _,
                FieldDefault::Null
                | FieldDefault::Empty
                | FieldDefault::Int(_)
                | FieldDefault::Float(_)
                | FieldDefault::Bytes(_)
                | FieldDefault::Uuid(_),
            ) => return fail("the plan has a default that its codec can't carry"),
        }
        Ok(())
    }

    fn leaf(&mut self, codec: Codec, input: &S, place: S::Place) -> MessageResult<()> {
        let out = &mut *self.out;
        match codec {
            Codec::Fixed(Kind::Float64) => out.extend(input.float(place).to_be_bytes()),
            Codec::Fixed(Kind::Uuid) => match uuid(input, place)? {
                Some(uuid) => out.extend(uuid),
                None if input.is_text() => return fail("a uuid is 22 letters of base64url"),
                None => return fail("a uuid has 16 bytes"),
            },
            Codec::String(length) => write_string(out, length, utf8(input.bytes(place)?)?.as_bytes())?,
            Codec::Bytes(length) => write_bytes(out, length, input.bytes(place)?)?,
            Codec::Fixed(
                Kind::Bool | Kind::Int8 | Kind::Int16 | Kind::UInt16 | Kind::Int32 | Kind::UInt32 | Kind::Int64,
            )
            | Codec::Packed(_)
            | Codec::Upacked(_) => match input.int(place) {
                Some(value) if write_int(out, codec, value) => (),
                _ => return does_not_fit(codec, &input.int_text(place)),
            },
            Codec::Struct { .. } | Codec::FixedArray { .. } | Codec::Array { .. } => return mismatch(),
        }
        Ok(())
    }

    fn tag_section(&mut self, number: u32, held: Struct<'a, S, S::Row>) -> MessageResult<()> {
        let plan = self.plan;
        let layout = &plan.layouts[number as usize];
        let mut tags = match unknown_tags(held)? {
            Some((unknown, place)) => {
                raw_tags(layout, unknown, place).map_err(|error| error.within(Part::UnknownTags))?
            }
            None => Tags::new(),
        };
        for tagged in &layout.tagged {
            let codec = tagged.codec;
            let value = self.field(layout, tagged.field, held)?;
            let stays_away = !self.defaults.equals_nothing(layout.struct_number, tagged.field)
                && self.is_default(layout.struct_number, tagged.field, Some(codec), value)?;
            if !stays_away {
                let before = std::mem::take(self.out);
                let written = self.value(codec, value);
                let data = std::mem::replace(self.out, before);
                written.map_err(|error| error.within(Part::Field(number, tagged.field)))?;
                tags.push((tagged.tag.into(), data.into()));
            }
        }
        write_tags(self.out, tags).map_err(|error| error.within(Part::UnknownTags))
    }

    /// Whether a value is the default of its field, identified by struct and number. The codec is `None` in a version
    /// that lacks the field; null counts as the default there.
    fn is_default(
        &self,
        owner: usize,
        field: usize,
        codec: Option<Codec>,
        value: Value<'a, S, S::Place>,
    ) -> MessageResult<bool> {
        let default = self.defaults.get(owner, field);
        let (column, place) = match value {
            Value::Default(_) => return Ok(true),
            Value::Null => return Ok(codec.is_none() || *default == FieldDefault::Null),
            Value::At(column, place) => (column, place),
        };
        let input = &column.input;
        Ok(match (default, &column.within) {
            (FieldDefault::Null, _) => false,
            (FieldDefault::Int(default), _) => input.int(place) == Some(*default),
            // -0.0 equals 0.0.
            (FieldDefault::Float(default), _) => input.float(place) == *default,
            (FieldDefault::Uuid(default), _) => uuid(input, place)? == Some(*default),
            (FieldDefault::Bytes(default), _) => input.bytes(place)? == default,
            (FieldDefault::Empty, Within::Fields(fields)) => {
                self.is_default_struct(fields, codec, input.row(place)?)?
            }
            (FieldDefault::Empty, _) => input.elements(place)?.len() == 0,
        })
    }

    fn is_default_struct(&self, fields: &'a Fields<S>, codec: Option<Codec>, row: S::Row) -> MessageResult<bool> {
        let layout = match codec {
            Some(Codec::Struct { layout, .. }) => Some(&self.plan.layouts[layout as usize]),
            _ => None,
        };
        for (field, column) in fields.columns.iter().enumerate() {
            let codec = layout.and_then(|layout| layout.codec_of(field));
            if let Some(column) = column
                && !self.is_default(fields.owner, field, codec, value_in(column, row)?)?
            {
                return Ok(false);
            }
        }
        match unknown_tags(Some((fields, row)))? {
            Some((unknown, place)) => Ok(unknown.tags(place)?.is_empty()),
            None => Ok(true),
        }
    }
}

/// Return the column of the unknown tagged fields of a struct, and their place.
fn unknown_tags<'a, 'd, S: Source<'d>>(held: Struct<'a, S, S::Row>) -> MessageResult<Option<(&'a S, S::Place)>> {
    let Some((
        Fields {
            unknown: Some(unknown), ..
        },
        row,
    )) = held
    else {
        return Ok(None);
    };
    let place = unknown.value(row)?;
    Ok(place.map(|place| (unknown, place)))
}

/// Return the unknown tagged fields, which are written together with the known fields. Fail if one has the tag of a
/// known field.
fn raw_tags<'d, S: Source<'d>>(layout: &Layout, unknown: &S, place: S::Place) -> MessageResult<Tags<'d>> {
    let known = || {
        layout
            .foreign
            .iter()
            .copied()
            .chain(layout.tagged.iter().map(|tagged| tagged.tag))
    };
    let mut raw = Tags::new();
    for entry in unknown.tags(place)? {
        let Some((tag, data)) = entry else {
            return fail("an unknown tagged field is a tag and bytes, neither of which is null");
        };
        if known().any(|known| i64::from(known) == tag) {
            return fail(format!(
                "tag {tag} is a known field and can't be among the unknown ones"
            ));
        }
        raw.push((tag, data.into()));
    }
    Ok(raw)
}

/// Append a tag section, sorted by tag. Fail if a tag is out of range or occurs twice.
fn write_tags(out: &mut Vec<u8>, mut tags: Tags<'_>) -> MessageResult<()> {
    if tags.is_empty() {
        out.push(0);
        return Ok(());
    }
    tags.sort_by_key(|(tag, _)| *tag);
    write_uvarint(out, tags.len() as u64);
    let mut previous = None;
    for (tag, data) in tags {
        if !(0..=i64::from(HIGHEST_TAG)).contains(&tag) {
            return fail_with_value(WRONG_TAG, tag);
        }
        if previous.replace(tag) == Some(tag) {
            return fail(format!("tag {tag} is given twice"));
        }
        write_uvarint(out, tag.cast_unsigned());
        write_uvarint(out, data.len() as u64);
        out.extend_from_slice(&data);
    }
    Ok(())
}

/// Return the 16 bytes of the uuid at a place; `None` for bytes or a string that are not a uuid.
fn uuid<'d, S: Source<'d>>(input: &S, place: S::Place) -> MessageResult<Option<[u8; uuid_text::SIZE]>> {
    let bytes = input.bytes(place)?;
    Ok(if input.is_text() {
        uuid_text::read(bytes)
    } else {
        bytes.try_into().ok()
    })
}

#[cold]
fn does_not_fit<T>(codec: Codec, value: &str) -> MessageResult<T> {
    let size = match codec {
        Codec::Packed(bits) | Codec::Upacked(bits) => format!("{bits} bits"),
        Codec::Fixed(kind) => format!("{kind:?}").to_lowercase(),
        Codec::String(_) | Codec::Bytes(_) => "it".to_owned(),
        Codec::Struct { .. } | Codec::FixedArray { .. } | Codec::Array { .. } => "it".to_owned(),
    };
    fail_with_value(&format!("{{}} does not fit in {size}"), value)
}

#[cold]
fn mismatch<T>() -> MessageResult<T> {
    fail("the plan has a codec that the type of its field can't have")
}
