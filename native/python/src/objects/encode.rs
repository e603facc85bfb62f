//! Encodes Python objects to bytes.

use messagegen_core::plan::{Codec, Kind, Layout, Length, NullMark, Step};
use messagegen_core::wire::{
    HIGHEST_TAG, write_bytes, write_fixed_int, write_int, write_length, write_null_length, write_null_mark,
    write_string, write_uvarint,
};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyTuple};

use super::comparing::{is_default, made};
use super::error::{ObjectResult, fail};
use super::lazy::wake;
use super::part::{Part, asleep};
use super::slots::{View, as_int};
use super::tables::{StructTable, Tables};
use super::values::{bytes_of, float, int, sequence, truth};

/// Writes one message.
pub struct Encoder<'a> {
    tables: &'a Tables,
    out: &'a mut Vec<u8>,
}

impl<'a> Encoder<'a> {
    /// Create an encoder that appends to `out`. After an error, `out` must be discarded.
    pub fn new(tables: &'a Tables, out: &'a mut Vec<u8>) -> Self {
        Encoder { tables, out }
    }

    /// Write a message, or a struct within a message, in layout `layout`.
    pub fn structure(&mut self, layout: u32, message: &Bound<'_, PyAny>) -> ObjectResult<()> {
        match self.tables.layout(layout).1.class.view(message) {
            Some(view) => self.fields::<false>(layout, view),
            None => self.lazy_structure(layout, message),
        }
    }

    /// Write a lazily decoded struct; values that are still bytes are copied as bytes.
    fn lazy_structure(&mut self, layout: u32, message: &Bound<'_, PyAny>) -> ObjectResult<()> {
        let tables = self.tables;
        let Some((decoded, view)) = tables.lazy_view(tables.layout(layout).0.struct_number, message) else {
            return fail("an object of another class");
        };
        if decoded == layout
            && let Some((source, place)) = asleep(view, tables.layout(layout).1)
        {
            self.out.extend_from_slice(source.get().bytes(message.py(), &place));
            return Ok(());
        }
        wake(tables, decoded, view)?;
        self.fields::<true>(layout, view)
    }

    /// Write the fields of a struct. In a `LAZY` struct, fields may be parts.
    #[inline(always)]
    fn fields<const LAZY: bool>(&mut self, layout: u32, view: View<'_, '_>) -> ObjectResult<()> {
        let (layout, table) = self.tables.layout(layout);
        for field in &layout.guarded {
            let value = made::<LAZY>(filled(view.get(*field))?)?;
            if !is_default(&table.defaults[*field], self.tables, &value)? {
                return fail("this version has no such field, so it must be left at its default");
            }
        }
        for step in &layout.steps {
            match step {
                Step::Run { size, members } => {
                    self.out.reserve(*size);
                    for member in members {
                        self.fixed(member.kind, &filled(view.get(member.field))?)?;
                    }
                }
                Step::Value { field, codec } => {
                    let value = filled(view.get(*field))?;
                    match if LAZY { Part::of(&value) } else { None } {
                        Some(part) if part.codec == *codec => {
                            self.out
                                .extend_from_slice(part.source.get().bytes(value.py(), &part.place));
                        }
                        Some(part) => self.value(*codec, &part.make(value.py())?)?,
                        None => self.value(*codec, &value)?,
                    }
                }
            }
        }
        let unknown = filled(view.get(table.unknown))?;
        if layout.flexible {
            self.tag_section::<LAZY>(layout, table, view, &unknown)
        } else if !sequence(&unknown)?.as_slice().is_empty() {
            fail("this version has no tagged fields, so unknown ones can't be written")
        } else {
            Ok(())
        }
    }

    #[inline(always)]
    fn fixed(&mut self, kind: Kind, value: &Bound<'_, PyAny>) -> ObjectResult<()> {
        let value = match kind {
            Kind::Float64 => {
                self.out.extend_from_slice(&float(value)?.to_be_bytes());
                return Ok(());
            }
            Kind::Uuid => match self.tables.uuids()?.read(value) {
                Some(bytes) => {
                    self.out.extend_from_slice(&bytes);
                    return Ok(());
                }
                None => return fail("a value of type uuid is needed"),
            },
            Kind::Bool => truth(value)?,
            Kind::Int8 | Kind::Int16 | Kind::UInt16 | Kind::Int32 | Kind::UInt32 | Kind::Int64 => int(value)?,
        };
        if write_fixed_int(self.out, kind, value) {
            Ok(())
        } else {
            fail("an integer that does not fit")
        }
    }

    fn value(&mut self, codec: Codec, value: &Bound<'_, PyAny>) -> ObjectResult<()> {
        match codec {
            Codec::Fixed(kind) => self.fixed(kind, value)?,
            Codec::Packed(_) | Codec::Upacked(_) => {
                if !write_int(self.out, codec, int(value)?) {
                    return fail("an integer that does not fit");
                }
            }
            Codec::String(length) => self.string(length, value)?,
            Codec::Bytes(length) => self.bytes(length, value)?,
            Codec::Struct { layout, null } => self.nullable_struct(layout, null, value)?,
            Codec::FixedArray { length, kind, .. } => self.array(length, Codec::Fixed(kind), value)?,
            Codec::Array { length, element, .. } => self.array(length, self.tables.plan.element(element), value)?,
        }
        Ok(())
    }

    fn nullable_struct(&mut self, layout: u32, null: NullMark, value: &Bound<'_, PyAny>) -> ObjectResult<()> {
        if null != NullMark::Never {
            write_null_mark(self.out, null, value.is_none())?;
            if value.is_none() {
                return Ok(());
            }
        }
        self.structure(layout, value)
    }

    fn string(&mut self, form: Length, value: &Bound<'_, PyAny>) -> ObjectResult<()> {
        if value.is_none() {
            return Ok(write_null_length(self.out, form, 2)?);
        }
        match value.cast::<PyString>() {
            Ok(text) => Ok(write_string(self.out, form, text.to_str()?.as_bytes())?),
            Err(_) => fail("not a str"),
        }
    }

    fn bytes(&mut self, form: Length, value: &Bound<'_, PyAny>) -> ObjectResult<()> {
        if let Ok(bytes) = value.cast_exact::<PyBytes>() {
            return Ok(write_bytes(self.out, form, bytes.as_bytes())?);
        }
        if value.is_none() {
            return Ok(write_null_length(self.out, form, 4)?);
        }
        self.bytes(form, bytes_of(value)?.as_any())
    }

    fn array(&mut self, form: Length, codec: Codec, value: &Bound<'_, PyAny>) -> ObjectResult<()> {
        if value.is_none() {
            return Ok(write_null_length(self.out, form, 4)?);
        }
        let items = sequence(value)?;
        let items = items.as_slice();
        write_length(self.out, form, items.len())?;
        self.out
            .reserve(items.len().saturating_mul(self.tables.plan.smallest(codec)));
        match codec {
            // The kind is a constant in this arm, so the compiler removes the branch on the kind for each element.
            Codec::Fixed(Kind::Int32) => return items.iter().try_for_each(|item| self.fixed(Kind::Int32, item)),
            Codec::Fixed(kind) => return items.iter().try_for_each(|item| self.fixed(kind, item)),
            _ => (),
        }
        items.iter().try_for_each(|item| self.value(codec, item))
    }

    fn tag_section<const LAZY: bool>(
        &mut self,
        layout: &Layout,
        table: &StructTable,
        view: View<'_, '_>,
        unknown: &Bound<'_, PyAny>,
    ) -> ObjectResult<()> {
        let mut tags = unknown_fields(layout, unknown)?;
        for tagged in &layout.tagged {
            let value = made::<LAZY>(filled(view.get(tagged.field))?)?;
            if !is_default(&table.defaults[tagged.field], self.tables, &value)? {
                let start = self.out.len();
                self.value(tagged.codec, &value)?;
                tags.push((tagged.tag, self.out.split_off(start)));
            }
        }
        tags.sort_by_key(|(tag, _)| *tag);
        if tags.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return fail("a tag is given twice");
        }
        write_uvarint(self.out, tags.len() as u64);
        for (tag, data) in tags {
            write_uvarint(self.out, u64::from(tag));
            write_uvarint(self.out, data.len() as u64);
            self.out.extend_from_slice(&data);
        }
        Ok(())
    }
}

#[inline]
fn filled<'py>(value: Option<Bound<'py, PyAny>>) -> ObjectResult<Bound<'py, PyAny>> {
    match value {
        Some(value) => Ok(value),
        None => fail("a field that was never set"),
    }
}

/// Return the unknown tagged fields of an object. Fails if one of them has the tag of a known field.
fn unknown_fields(layout: &Layout, unknown: &Bound<'_, PyAny>) -> ObjectResult<Vec<(u32, Vec<u8>)>> {
    if unknown
        .cast_exact::<PyTuple>()
        .is_ok_and(|none| none.as_slice().is_empty())
    {
        return Ok(Vec::new());
    }
    let items = sequence(unknown)?;
    let mut fields = Vec::with_capacity(items.as_slice().len());
    for item in items.as_slice() {
        let pair = sequence(item)?;
        let [tag, data] = pair.as_slice() else {
            return fail("an unknown tagged field is a pair of a tag and bytes");
        };
        let Some(tag) = as_int(tag).and_then(|tag| u32::try_from(tag).ok()) else {
            return fail("no tag");
        };
        if tag > HIGHEST_TAG || layout.foreign.contains(&tag) || layout.tagged.iter().any(|tagged| tagged.tag == tag) {
            return fail("no tag, or that of a known field");
        }
        fields.push((tag, bytes_of(data)?.as_bytes().to_vec()));
    }
    Ok(fields)
}
