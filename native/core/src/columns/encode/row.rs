//! Columns to bytes, one row after the other. It takes the same steps as the reference codec (`runtime/walk.py`).

use std::borrow::Cow;

use super::column::{Column, Fields, Within};
use crate::arrow::input::{Data, Input};
use crate::arrow::uuid_text;
use crate::columns::defaults::{Defaults, FieldDefault};
use crate::error::{MessageResult, Part, fail, fail_with_value, malformed};
use crate::plan::{Codec, Kind, Layout, Length, Plan};
use crate::wire::{
    HIGHEST_TAG, WRONG_TAG, null, utf8, write_bytes, write_int, write_length, write_null_length, write_null_mark,
    write_string, write_uvarint,
};

/// Writes one row after the other.
pub struct RowWriter<'a> {
    plan: &'a Plan,
    defaults: &'a Defaults,
    out: Vec<u8>,
}

/// A value of a row, or the default of a field without a column.
#[derive(Clone, Copy)]
enum Value<'a> {
    Null,
    Default(&'a FieldDefault),
    At(&'a Column<'a>, usize),
}

impl<'a> Column<'a> {
    fn value(&'a self, number: usize) -> Value<'a> {
        self.input
            .place(number)
            .map_or(Value::Null, |place| Value::At(self, place))
    }
}

/// The columns of a struct and its place in them; `None` for a struct of defaults.
type Struct<'a> = Option<(&'a Fields<'a>, usize)>;

/// The tags of a section with their bytes.
type Tags<'a> = Vec<(i64, Cow<'a, [u8]>)>;

impl<'a> RowWriter<'a> {
    /// A writer of messages of one plan.
    pub fn new(plan: &'a Plan, defaults: &'a Defaults) -> Self {
        RowWriter {
            plan,
            defaults,
            out: Vec::new(),
        }
    }

    /// The bytes of the message at a place, in a layout.
    pub fn row(&mut self, layout: u32, fields: &'a Fields<'a>, place: usize) -> MessageResult<&[u8]> {
        self.out.clear();
        self.structure(layout, Some((fields, place)))?;
        Ok(&self.out)
    }

    fn structure(&mut self, number: u32, held: Struct<'a>) -> MessageResult<()> {
        let plan = self.plan;
        let layout = &plan.layouts[number as usize];
        if held.is_some_and(|(fields, _)| fields.owner != layout.struct_number) {
            return mismatch();
        }
        for field in &layout.guarded {
            if !self.is_default(layout.struct_number, *field, None, self.field(layout, *field, held))? {
                let failed = fail("this version has no such field, so it must be left at its default");
                return failed.map_err(|error| error.within(Part::Field(number, *field)));
            }
        }
        for (field, codec) in layout.fields() {
            let written = self.value(codec, self.field(layout, field, held));
            written.map_err(|error| error.within(Part::Field(number, field)))?;
        }
        if layout.flexible {
            return self.tag_section(number, held);
        }
        match unknown_tags(held) {
            Some((unknown, place)) if !is_empty(unknown, place)? => {
                fail("this version has no tagged fields, so unknown ones can't be written")
                    .map_err(|error| error.within(Part::UnknownTags))
            }
            _ => Ok(()),
        }
    }

    fn field(&self, layout: &Layout, field: usize, held: Struct<'a>) -> Value<'a> {
        match held.and_then(|(fields, place)| Some((fields.columns[field].as_ref()?, place))) {
            Some((column, place)) => column.value(place),
            None => Value::Default(self.defaults.get(layout.struct_number, field)),
        }
    }

    fn value(&mut self, codec: Codec, value: Value<'a>) -> MessageResult<()> {
        match value {
            Value::Null | Value::Default(FieldDefault::Null) => self.null(codec),
            Value::Default(default) => self.default(codec, default),
            Value::At(column, place) => match (codec, &column.within) {
                (Codec::Struct { layout, null }, Within::Fields(fields)) => {
                    write_null_mark(&mut self.out, null, false)?;
                    self.structure(layout, Some((fields, place)))
                }
                (Codec::FixedArray { length, kind, .. }, Within::Elements(elements)) => {
                    self.list(length, Codec::Fixed(kind), column.input, elements, place)
                }
                (Codec::Array { length, element, .. }, Within::Elements(elements)) => {
                    self.list(length, self.plan.element(element), column.input, elements, place)
                }
                (_, Within::Leaf) => self.leaf(codec, column.input, place),
                _ => mismatch(),
            },
        }
    }

    fn list(
        &mut self,
        length: Length,
        element: Codec,
        input: &Input<'a>,
        elements: &'a Column<'a>,
        place: usize,
    ) -> MessageResult<()> {
        let (_, numbers) = input.elements(place).ok_or_else(malformed)?;
        write_length(&mut self.out, length, numbers.len())?;
        for (index, number) in numbers.enumerate() {
            let written = self.value(element, elements.value(number));
            written.map_err(|error| error.within(Part::Index(index)))?;
        }
        Ok(())
    }

    fn null(&mut self, codec: Codec) -> MessageResult<()> {
        match codec {
            Codec::String(length) => write_null_length(&mut self.out, length, 2)?,
            Codec::Bytes(length) | Codec::FixedArray { length, .. } | Codec::Array { length, .. } => {
                write_null_length(&mut self.out, length, 4)?;
            }
            Codec::Struct { null, .. } => write_null_mark(&mut self.out, null, true)?,
            Codec::Fixed(_) | Codec::Packed(_) | Codec::Upacked(_) => return Err(null().into()),
        }
        Ok(())
    }

    fn default(&mut self, codec: Codec, default: &FieldDefault) -> MessageResult<()> {
        match (codec, default) {
            (Codec::Struct { layout, null }, _) => {
                write_null_mark(&mut self.out, null, false)?;
                self.structure(layout, None)?;
            }
            (Codec::FixedArray { length, .. } | Codec::Array { length, .. }, _) => {
                write_length(&mut self.out, length, 0)?
            }
            (Codec::String(length), FieldDefault::Bytes(text)) => write_string(&mut self.out, length, text)?,
            (Codec::Bytes(length), FieldDefault::Bytes(bytes)) => write_bytes(&mut self.out, length, bytes)?,
            (Codec::Fixed(Kind::Uuid), FieldDefault::Uuid(uuid)) => self.out.extend(uuid),
            (Codec::Fixed(Kind::Float64), FieldDefault::Float(value)) => self.out.extend(value.to_be_bytes()),
            (_, FieldDefault::Int(value)) if write_int(&mut self.out, codec, *value) => (),
            _ => return fail("the plan has a default that its codec can't carry"),
        }
        Ok(())
    }

    fn leaf(&mut self, codec: Codec, input: &Input<'_>, place: usize) -> MessageResult<()> {
        let out = &mut self.out;
        let bytes = || input.bytes(place).ok_or_else(malformed);
        match codec {
            Codec::Fixed(Kind::Float64) => out.extend(input.float(place).to_be_bytes()),
            Codec::Fixed(Kind::Uuid) => match uuid(input, place)? {
                Some(uuid) => out.extend(uuid),
                None if input.is_text() == Some(true) => return fail("a uuid is 22 letters of base64url"),
                None => return fail("a uuid has 16 bytes"),
            },
            Codec::String(length) => write_string(out, length, utf8(bytes()?)?.as_bytes())?,
            Codec::Bytes(length) => write_bytes(out, length, bytes()?)?,
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

    fn tag_section(&mut self, number: u32, held: Struct<'a>) -> MessageResult<()> {
        let plan = self.plan;
        let layout = &plan.layouts[number as usize];
        let mut tags = match unknown_tags(held) {
            Some((unknown, place)) => {
                raw_tags(layout, unknown, place).map_err(|error| error.within(Part::UnknownTags))?
            }
            None => Tags::new(),
        };
        for tagged in &layout.tagged {
            let (codec, value) = (tagged.codec, self.field(layout, tagged.field, held));
            let stays_away = !self.defaults.equals_nothing(layout.struct_number, tagged.field)
                && self.is_default(layout.struct_number, tagged.field, Some(codec), value)?;
            if !stays_away {
                let before = std::mem::take(&mut self.out);
                let written = self.value(codec, value);
                let data = std::mem::replace(&mut self.out, before);
                written.map_err(|error| error.within(Part::Field(number, tagged.field)))?;
                tags.push((tagged.tag.into(), data.into()));
            }
        }
        write_tags(&mut self.out, tags).map_err(|error| error.within(Part::UnknownTags))
    }

    /// Whether a value is the default of its field, given by struct and number. In a version that lacks the field,
    /// which has no codec, null stands for the default too.
    fn is_default(&self, owner: usize, field: usize, codec: Option<Codec>, value: Value<'a>) -> MessageResult<bool> {
        let default = self.defaults.get(owner, field);
        let (column, place) = match value {
            Value::Default(_) => return Ok(true),
            Value::Null => return Ok(codec.is_none() || *default == FieldDefault::Null),
            Value::At(column, place) => (column, place),
        };
        let input = column.input;
        Ok(match (default, &column.within) {
            (FieldDefault::Null, _) => false,
            (FieldDefault::Int(default), _) => input.int(place) == Some(*default),
            // -0.0 equals 0.0.
            (FieldDefault::Float(default), _) => input.float(place) == *default,
            (FieldDefault::Uuid(default), _) => uuid(input, place)? == Some(*default),
            (FieldDefault::Bytes(default), _) => input.bytes(place).ok_or_else(malformed)? == default,
            (FieldDefault::Empty, Within::Fields(fields)) => self.is_default_struct(fields, codec, place)?,
            (FieldDefault::Empty, _) => is_empty(input, place)?,
        })
    }

    fn is_default_struct(&self, fields: &'a Fields<'a>, codec: Option<Codec>, place: usize) -> MessageResult<bool> {
        let layout = match codec {
            Some(Codec::Struct { layout, .. }) => Some(&self.plan.layouts[layout as usize]),
            _ => None,
        };
        for (field, column) in fields.columns.iter().enumerate() {
            let codec = layout.and_then(|layout| layout.codec_of(field));
            if let Some(column) = column
                && !self.is_default(fields.owner, field, codec, column.value(place))?
            {
                return Ok(false);
            }
        }
        unknown_tags(Some((fields, place))).map_or(Ok(true), |(unknown, place)| is_empty(unknown, place))
    }
}

/// The column of the unknown tagged fields of a struct, and its place.
fn unknown_tags<'a>(held: Struct<'a>) -> Option<(&'a Input<'a>, usize)> {
    let (fields, place) = held?;
    let unknown = fields.unknown?;
    Some((unknown, unknown.place(place)?))
}

fn is_empty(input: &Input<'_>, place: usize) -> MessageResult<bool> {
    Ok(input.elements(place).ok_or_else(malformed)?.1.is_empty())
}

/// Unknown tagged fields, to be written with known ones. Fails for the tag of a known field.
fn raw_tags<'a>(layout: &Layout, unknown: &'a Input<'a>, place: usize) -> MessageResult<Tags<'a>> {
    let (entries, numbers) = unknown.elements(place).ok_or_else(malformed)?;
    let Data::Struct(pair) = &entries.data else {
        return Err(malformed());
    };
    let [tags, data] = pair.as_slice() else {
        return Err(malformed());
    };
    let known = || {
        layout
            .foreign
            .iter()
            .copied()
            .chain(layout.tagged.iter().map(|tagged| tagged.tag))
    };
    let mut raw = Tags::new();
    for number in numbers {
        let place = entries.place(number).ok_or_else(malformed)?;
        let (Some(tag), Some(at)) = (tags.place(place), data.place(place)) else {
            return fail("an unknown tagged field is a tag and bytes, neither of which is null");
        };
        let tag = tags.int(tag).unwrap_or(i64::MAX);
        if known().any(|known| i64::from(known) == tag) {
            return fail(format!(
                "tag {tag} is a known field and can't be among the unknown ones"
            ));
        }
        raw.push((tag, data.bytes(at).ok_or_else(malformed)?.into()));
    }
    Ok(raw)
}

/// Appends a tag section in ascending order. Fails for a tag that is out of range, or the same twice.
fn write_tags(out: &mut Vec<u8>, mut tags: Tags<'_>) -> MessageResult<()> {
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

/// The 16 bytes of a uuid at a place; `None` for other bytes and texts.
fn uuid(input: &Input<'_>, place: usize) -> MessageResult<Option<[u8; uuid_text::SIZE]>> {
    let bytes = input.bytes(place).ok_or_else(malformed)?;
    Ok(if input.is_text() == Some(true) {
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
