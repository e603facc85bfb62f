//! Python objects to bytes.

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyFloat, PyList, PyMemoryView, PyString, PyTuple};

use crate::objects::{View, as_int};
use crate::plan::{Codec, Kind, Length, NullMark};
use crate::stop::{Outcome, refuse};
use crate::tables::{LayoutTable, Member, Step, Tables};
use crate::wire::{LONGEST_STRING, fits, insert_size, write_packed, write_upacked, write_uvarint};

const NULL: &str = "null is not allowed here";

/// Writes one message.
pub struct Encoder<'a> {
    tables: &'a Tables,
    out: &'a mut Vec<u8>,
}

/// What goes into a tag section.
enum Tag<'a, 'py> {
    Known(Codec, Bound<'py, PyAny>),
    Unknown(&'a Bound<'py, PyBytes>),
}

impl<'a> Encoder<'a> {
    /// An encoder that appends to `out`; what it appended before it stopped is of no use.
    pub fn new(tables: &'a Tables, out: &'a mut Vec<u8>) -> Self {
        Encoder { tables, out }
    }

    /// Writes a message, or a struct within one, in the layout of that number.
    pub fn structure(&mut self, layout: u32, message: &Bound<'_, PyAny>) -> Outcome<()> {
        let tables = self.tables;
        let table = &tables.layouts[layout as usize];
        let Some(view) = tables.classes[table.class].view(message) else {
            return refuse("an object of another class");
        };
        for (slot, default) in &table.guards {
            if !default.equals(&filled(view.get(*slot))?)? {
                return refuse("this version has no such field, so it must be left at its default");
            }
        }
        for step in &table.steps {
            match step {
                Step::Run(size, members) => self.run(view, *size, members)?,
                Step::Value(slot, codec) | Step::Numbers(slot, _, _, codec) => {
                    self.value(*codec, &filled(view.get(*slot))?)?;
                }
            }
        }
        let unknown = filled(view.get(table.unknown))?;
        if table.flexible {
            self.tag_section(table, view, &unknown)
        } else if !sequence(&unknown)?.as_slice().is_empty() {
            refuse("this version has no tagged fields, so unknown ones can't be written")
        } else {
            Ok(())
        }
    }

    fn run(&mut self, view: View<'_, '_>, size: usize, members: &[Member]) -> Outcome<()> {
        self.out.reserve(size);
        for member in members {
            self.fixed(member.kind, &filled(view.get(member.slot))?)?;
        }
        Ok(())
    }

    #[inline]
    fn fixed(&mut self, kind: Kind, value: &Bound<'_, PyAny>) -> Outcome<()> {
        match kind {
            Kind::Bool => self.out.push(u8::from(truth(value)?)),
            Kind::Float64 => self.out.extend(float(value)?.to_be_bytes()),
            Kind::Uuid => match self.tables.uuids()?.read(value) {
                Some(bytes) => self.out.extend(bytes),
                None => return refuse("a value of type uuid is needed"),
            },
            Kind::Int8 => self.out.extend(narrow::<i8>(value)?.to_be_bytes()),
            Kind::Int16 => self.out.extend(narrow::<i16>(value)?.to_be_bytes()),
            Kind::UInt16 => self.out.extend(narrow::<u16>(value)?.to_be_bytes()),
            Kind::Int32 => self.out.extend(narrow::<i32>(value)?.to_be_bytes()),
            Kind::UInt32 => self.out.extend(narrow::<u32>(value)?.to_be_bytes()),
            Kind::Int64 => self.out.extend(int(value)?.to_be_bytes()),
        }
        Ok(())
    }

    fn value(&mut self, codec: Codec, value: &Bound<'_, PyAny>) -> Outcome<()> {
        match codec {
            Codec::Fixed(kind) => self.fixed(kind, value)?,
            Codec::Packed(bits) => write_packed(self.out, of_bits(value, bits)?),
            Codec::Upacked(bits) => write_upacked(self.out, of_bits(value, bits)?, bits),
            Codec::String(length) => self.string(length, value)?,
            Codec::Bytes { length, .. } => self.bytes(length, value)?,
            Codec::Struct { layout, null } => self.nullable_struct(layout, null, value)?,
            Codec::Array { length, element } => self.array(length, element, value)?,
        }
        Ok(())
    }

    fn nullable_struct(&mut self, layout: u32, null: NullMark, value: &Bound<'_, PyAny>) -> Outcome<()> {
        if null != NullMark::Never {
            let is_null = value.is_none();
            self.out.push(match (is_null, null) {
                (true, NullMark::Int8) => 0xFF,
                (true, _) => 0,
                (false, _) => 1,
            });
            if is_null {
                return Ok(());
            }
        }
        self.structure(layout, value)
    }

    fn string(&mut self, form: Length, value: &Bound<'_, PyAny>) -> Outcome<()> {
        if value.is_none() {
            return self.null(form, 2);
        }
        match value.cast::<PyString>() {
            Ok(text) => self.text(form, text.to_str()?.as_bytes()),
            Err(_) => refuse("not a str"),
        }
    }

    fn text(&mut self, form: Length, text: &[u8]) -> Outcome<()> {
        if text.len() > LONGEST_STRING {
            return refuse("a string has at most 32767 bytes of UTF-8");
        }
        if form.compact {
            write_uvarint(self.out, text.len() as u64 + 1);
        } else {
            self.out.extend((text.len() as u16).to_be_bytes());
        }
        self.out.extend_from_slice(text);
        Ok(())
    }

    fn bytes(&mut self, form: Length, value: &Bound<'_, PyAny>) -> Outcome<()> {
        if let Ok(bytes) = value.cast_exact::<PyBytes>() {
            let bytes = bytes.as_bytes();
            self.length(form, bytes.len())?;
            self.out.extend_from_slice(bytes);
            return Ok(());
        }
        if value.is_none() {
            return self.null(form, 4);
        }
        self.bytes(form, bytes_of(value)?.as_any())
    }

    fn array(&mut self, form: Length, element: u32, value: &Bound<'_, PyAny>) -> Outcome<()> {
        if value.is_none() {
            return self.null(form, 4);
        }
        let items = sequence(value)?;
        let items = items.as_slice();
        self.length(form, items.len())?;
        let codec = self.tables.codecs[element as usize];
        self.out.reserve(items.len().saturating_mul(self.tables.smallest[element as usize]));
        if let Codec::Fixed(kind) = codec {
            return items.iter().try_for_each(|item| self.fixed(kind, item));
        }
        items.iter().try_for_each(|item| self.value(codec, item))
    }

    fn length(&mut self, form: Length, length: usize) -> Outcome<()> {
        if form.compact {
            write_uvarint(self.out, length as u64 + 1);
        } else if let Ok(length) = i32::try_from(length) {
            self.out.extend(length.to_be_bytes());
        } else {
            return refuse("more than an int32 can count");
        }
        Ok(())
    }

    fn null(&mut self, form: Length, size: usize) -> Outcome<()> {
        match form {
            Length { nullable: false, .. } => return refuse(NULL),
            Length { compact: true, .. } => self.out.push(0),
            Length { compact: false, .. } => self.out.extend(&[0xFF; 4][..size]),
        }
        Ok(())
    }

    fn tag_section(&mut self, table: &LayoutTable, view: View<'_, '_>, unknown: &Bound<'_, PyAny>) -> Outcome<()> {
        let unknown = unknown_fields(table, unknown)?;
        let mut tags: Vec<(u32, Tag<'_, '_>)> = Vec::new();
        for tagged in &table.tagged {
            let value = filled(view.get(tagged.slot))?;
            if !tagged.default.equals(&value)? {
                tags.push((tagged.tag, Tag::Known(tagged.codec, value)));
            }
        }
        if !unknown.is_empty() {
            tags.extend(unknown.iter().map(|(tag, data)| (*tag, Tag::Unknown(data))));
            tags.sort_by_key(|(tag, _)| *tag);
            if tags.windows(2).any(|pair| pair[0].0 == pair[1].0) {
                return refuse("a tag is given twice");
            }
        }
        write_uvarint(self.out, tags.len() as u64);
        tags.into_iter().try_for_each(|(tag, content)| self.tag(tag, &content))
    }

    fn tag(&mut self, tag: u32, content: &Tag<'_, '_>) -> Outcome<()> {
        write_uvarint(self.out, u64::from(tag));
        match content {
            Tag::Known(codec, value) => {
                let start = self.out.len();
                self.value(*codec, value)?;
                insert_size(self.out, start);
            }
            Tag::Unknown(data) => {
                write_uvarint(self.out, data.as_bytes().len() as u64);
                self.out.extend_from_slice(data.as_bytes());
            }
        }
        Ok(())
    }
}

#[inline]
fn filled<'py>(value: Option<Bound<'py, PyAny>>) -> Outcome<Bound<'py, PyAny>> {
    match value {
        Some(value) => Ok(value),
        None => refuse("a field that was never set"),
    }
}

/// The unknown tagged fields of an object, none of which may have a tag that the struct knows.
fn unknown_fields<'py>(table: &LayoutTable, unknown: &Bound<'py, PyAny>) -> Outcome<Vec<(u32, Bound<'py, PyBytes>)>> {
    if unknown.cast_exact::<PyTuple>().is_ok_and(|none| none.as_slice().is_empty()) {
        return Ok(Vec::new());
    }
    let items = sequence(unknown)?;
    let mut fields = Vec::with_capacity(items.as_slice().len());
    for item in items.as_slice() {
        let pair = sequence(item)?;
        let [tag, data] = pair.as_slice() else {
            return refuse("an unknown tagged field is a pair of a tag and bytes");
        };
        let Some(tag) = as_int(tag).and_then(|tag| u32::try_from(tag).ok()) else {
            return refuse("no tag");
        };
        if tag >= 1 << 31 || table.foreign.contains(&tag) || table.tagged.iter().any(|tagged| tagged.tag == tag) {
            return refuse("no tag, or that of a known field");
        }
        fields.push((tag, bytes_of(data)?));
    }
    Ok(fields)
}

/// What `bytes(memoryview(value))` is: of any layout and item size.
fn bytes_of<'py>(value: &Bound<'py, PyAny>) -> Outcome<Bound<'py, PyBytes>> {
    if let Ok(bytes) = value.cast_exact::<PyBytes>() {
        return Ok(bytes.clone());
    }
    let view = PyMemoryView::from(value)?;
    let bytes = value.py().get_type::<PyBytes>().call1((view,))?;
    Ok(bytes.cast_into::<PyBytes>().map_err(PyErr::from)?)
}

/// The elements of a tuple or list, as they are now; a subclass has no say in them.
pub fn sequence<'py>(value: &Bound<'py, PyAny>) -> Outcome<Bound<'py, PyTuple>> {
    if let Ok(tuple) = value.cast::<PyTuple>() {
        return Ok(tuple.clone());
    }
    match value.cast::<PyList>() {
        Ok(list) => Ok(list.to_tuple()),
        Err(_) => refuse("neither a tuple nor a list"),
    }
}

#[inline]
fn truth(value: &Bound<'_, PyAny>) -> Outcome<bool> {
    match value.cast::<PyBool>() {
        Ok(value) => Ok(value.is_true()),
        Err(_) => refuse("not a bool"),
    }
}

#[inline]
fn float(value: &Bound<'_, PyAny>) -> Outcome<f64> {
    match value.cast_exact::<PyFloat>() {
        Ok(value) => Ok(value.value()),
        // Whatever a value raises when it is asked for a float, `struct` makes one error of it.
        Err(_) => value.extract().or_else(|_: PyErr| refuse("not a float")),
    }
}

#[inline]
fn int(value: &Bound<'_, PyAny>) -> Outcome<i64> {
    match as_int(value) {
        Some(value) => Ok(value),
        None => Ok(value.extract()?),
    }
}

#[inline]
fn narrow<T: TryFrom<i64>>(value: &Bound<'_, PyAny>) -> Outcome<T> {
    T::try_from(int(value)?).or_else(|_| refuse("an integer that does not fit"))
}

/// A value that goes into a varint.
#[inline]
fn of_bits(value: &Bound<'_, PyAny>, bits: u32) -> Outcome<i64> {
    match int(value)? {
        value if fits(value, bits) => Ok(value),
        _ => refuse("an integer that does not fit"),
    }
}
