//! Columns to bytes, one row after the other, without the interpreter.

use super::leaf;
use super::sources::{Source, Sources, StructSource, TaggedSource};
use crate::arrow::input::{Data, Input};
use crate::error::{MessageError, MessageResult, Part, fail, fail_with_value, malformed};
use crate::plan::{Codec, Kind, Length, Plan};
use crate::wire::{write_length, write_null_length, write_null_mark, write_uvarint};

/// Writes one row after the other.
pub struct RowWriter<'a> {
    plan: &'a Plan,
    sources: &'a Sources<'a>,
    out: Vec<u8>,
}

/// What goes into a tag section.
enum Tag<'a> {
    Known(&'a TaggedSource<'a>),
    Unknown(&'a [u8]),
}

impl<'a> RowWriter<'a> {
    /// A writer of messages of one plan.
    pub fn new(plan: &'a Plan, sources: &'a Sources<'a>) -> Self {
        RowWriter { plan, sources, out: Vec::new() }
    }

    /// The bytes of the message at a place.
    pub fn row(&mut self, version: Option<i128>, place: usize) -> MessageResult<&[u8]> {
        let Some(number) = version.and_then(|version| self.sources.roots.get(version)) else {
            return fail(self.sources.roots.unexpected(version));
        };
        if self.sources.errors.is_some_and(|errors| errors.place(place).is_some()) {
            return fail("the row has an _error, so it is no message");
        }
        self.out.clear();
        self.structure(number, place)?;
        Ok(&self.out)
    }

    fn structure(&mut self, number: usize, place: usize) -> MessageResult<()> {
        let source = &self.sources.structs[number];
        let layout = source.layout;
        for (field, default) in &source.guards {
            if !default.holds(place)? {
                let failed = fail("this version has no such field, so it must be left at its default");
                return failed.map_err(|error| error.within(Part::Field(layout, *field)));
            }
        }
        for (field, step) in &source.steps {
            self.value(step, place).map_err(|error| error.within(Part::Field(layout, *field)))?;
        }
        if source.flexible {
            self.tag_section(source, place)
        } else {
            without_tags(source, place).map_err(|error| error.within(Part::UnknownTags))
        }
    }

    #[inline]
    fn value(&mut self, source: &'a Source<'a>, number: usize) -> MessageResult<()> {
        match source {
            Source::Leaf { codec, input } => match input.place(number) {
                Some(place) => leaf::write(&mut self.out, *codec, input, place),
                None => leaf::write_null(&mut self.out, *codec),
            },
            Source::List { length, input, element } => match input.place(number) {
                Some(place) => self.list(*length, input, place, &self.sources.elements[*element]),
                None => Ok(write_null_length(&mut self.out, *length, 4)?),
            },
            Source::Struct { null, input, number: structure } => {
                let place = input.place(number);
                write_null_mark(&mut self.out, *null, place.is_none())?;
                place.map_or(Ok(()), |place| self.structure(*structure, place))
            }
            Source::Constant(bytes) => {
                self.out.extend_from_slice(bytes);
                Ok(())
            }
            Source::Refused(text, parts) => {
                fail(text.as_str()).map_err(|error| parts.iter().fold(error, |error, part| error.within(*part)))
            }
        }
    }

    fn list(&mut self, length: Length, input: &Input<'a>, place: usize, element: &'a Source<'a>) -> MessageResult<()> {
        let (elements, numbers) = input.elements(place).ok_or_else(malformed)?;
        write_length(&mut self.out, length, numbers.len())?;
        if let (Source::Leaf { codec, .. }, None) = (element, elements.nulls) {
            let places = elements.first + numbers.start..elements.first + numbers.end;
            match (codec, &elements.data) {
                (Codec::Fixed(Kind::Int32), Data::Int32(values)) => {
                    self.out.extend(values[places].iter().flat_map(|value| value.to_be_bytes()));
                    return Ok(());
                }
                (Codec::Fixed(Kind::Int64), Data::Int64(values)) => {
                    self.out.extend(values[places].iter().flat_map(|value| value.to_be_bytes()));
                    return Ok(());
                }
                _ => (),
            }
        }
        let start = numbers.start;
        for number in numbers {
            self.value(element, number).map_err(|error| error.within(Part::Index(number - start)))?;
        }
        Ok(())
    }

    fn tag_section(&mut self, source: &'a StructSource<'a>, place: usize) -> MessageResult<()> {
        let mut tags = self.unknown_tags(source, place).map_err(|error| error.within(Part::UnknownTags))?;
        let is_mixed = !tags.is_empty();
        for tagged in &source.tagged {
            let stays_away = match &tagged.default {
                Some(default) => default.holds(place)?,
                None => false,
            };
            if !stays_away {
                tags.push((i64::from(tagged.tag), Tag::Known(tagged)));
            }
        }
        if is_mixed {
            tags.sort_by_key(|(tag, _)| *tag);
            if let Err(error) = check_tags(&tags) {
                return self.after_known(source.layout, &tags, place, error);
            }
        }
        write_uvarint(&mut self.out, tags.len() as u64);
        for (tag, content) in tags {
            write_uvarint(&mut self.out, tag.cast_unsigned());
            match content {
                Tag::Known(tagged) => self.tagged(source.layout, tagged, place)?,
                Tag::Unknown(data) => {
                    write_uvarint(&mut self.out, data.len() as u64);
                    self.out.extend_from_slice(data);
                }
            }
        }
        Ok(())
    }

    /// Fails for the unknown tagged fields, unless a known one is wrong: as the reference walk, which writes those first.
    #[cold]
    fn after_known(
        &mut self,
        layout: u32,
        tags: &[(i64, Tag<'a>)],
        place: usize,
        error: MessageError,
    ) -> MessageResult<()> {
        for (_, content) in tags {
            if let Tag::Known(tagged) = content {
                self.tagged(layout, tagged, place)?;
            }
        }
        Err(error.within(Part::UnknownTags))
    }

    /// Appends a tagged field after its size, for which one byte is mostly enough.
    fn tagged(&mut self, layout: u32, tagged: &'a TaggedSource<'a>, place: usize) -> MessageResult<()> {
        let start = self.out.len();
        self.out.push(0);
        self.value(&tagged.source, place).map_err(|error| error.within(Part::Field(layout, tagged.field)))?;
        let size = self.out.len() - start - 1;
        if size < 0x80 {
            self.out[start] = size as u8;
        } else {
            let mut head = Vec::with_capacity(5);
            write_uvarint(&mut head, size as u64);
            self.out.splice(start..=start, head);
        }
        Ok(())
    }

    /// The unknown tagged fields of a struct, in the order of their map.
    fn unknown_tags(&self, source: &StructSource<'a>, place: usize) -> MessageResult<Vec<(i64, Tag<'a>)>> {
        let mut tags = Vec::new();
        let Some((unknown, place)) = source.unknown.and_then(|unknown| Some((unknown, unknown.place(place)?))) else {
            return Ok(tags);
        };
        let (entries, numbers) = unknown.elements(place).ok_or_else(malformed)?;
        let layout = &self.plan.layouts[source.layout as usize];
        for number in numbers {
            let (tag, data) = entry(entries, number)?;
            let is = |known: u32| i64::from(known) == tag;
            if layout.foreign.iter().any(|foreign| is(*foreign)) || layout.tagged.iter().any(|tagged| is(tagged.tag)) {
                return fail(format!("tag {tag} is a known field and can't be among the unknown ones"));
            }
            tags.push((tag, Tag::Unknown(data)));
        }
        Ok(tags)
    }
}

/// Fails for tags in ascending order of which one is out of range, or the same twice.
fn check_tags(tags: &[(i64, Tag<'_>)]) -> MessageResult<()> {
    let mut previous = None;
    for (tag, _) in tags {
        if !(0..1 << 31).contains(tag) {
            return fail_with_value("expected a tag from 0 to 2147483647, got {}", tag);
        }
        if previous.replace(tag) == Some(tag) {
            return fail(format!("tag {tag} is given twice"));
        }
    }
    Ok(())
}

/// Tag and bytes of an unknown tagged field.
fn entry<'a>(entries: &Input<'a>, number: usize) -> MessageResult<(i64, &'a [u8])> {
    let Data::Struct(pair) = &entries.data else { return Err(malformed()) };
    let [tags, data] = pair.as_slice() else { return Err(malformed()) };
    let place = entries.place(number).ok_or_else(malformed)?;
    let (Some(tag), Some(at)) = (tags.place(place), data.place(place)) else {
        return fail("an unknown tagged field is a tag and bytes, neither of which is null");
    };
    Ok((tags.int(tag).unwrap_or(i64::MAX), data.bytes(at).ok_or_else(malformed)?))
}

/// Fails for unknown tagged fields in a version that has none.
#[inline]
fn without_tags(source: &StructSource<'_>, place: usize) -> MessageResult<()> {
    let Some((unknown, place)) = source.unknown.and_then(|unknown| Some((unknown, unknown.place(place)?))) else {
        return Ok(());
    };
    if unknown.elements(place).ok_or_else(malformed)?.1.is_empty() {
        return Ok(());
    }
    fail("this version has no tagged fields, so unknown ones can't be written")
}
