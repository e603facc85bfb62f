//! The walk through tag sections (KIP-482).

use std::collections::HashSet;

use super::values::{Sink, Walk};
use crate::error::{MessageError, MessageResult, Part};
use crate::plan::{Layout, Tagged};
use crate::wire::{Cursor, foreign_tag, repeated_tag, wrong_tag_size};

impl<'a, 'data> Walk<'a, 'data> {
    /// Read a tag section.
    #[inline(always)]
    pub(super) fn tag_section<S: Sink<'a, 'data>>(
        &mut self,
        sink: &mut S,
        fields: &mut S::Fields,
        number: u32,
        layout: &'a Layout,
    ) -> MessageResult<()> {
        self.start = self.cursor.at();
        match self.cursor.tag_count()? {
            0 => Ok(()),
            count => self.tagged_fields(sink, fields, number, layout, count),
        }
    }

    #[inline(never)]
    fn tagged_fields<S: Sink<'a, 'data>>(
        &mut self,
        sink: &mut S,
        fields: &mut S::Fields,
        number: u32,
        layout: &'a Layout,
        count: u32,
    ) -> MessageResult<()> {
        self.limits.check_tags(count)?;
        self.take(count as usize, layout.tag_charge)?;
        let mut seen = SeenTags::new(self.cursor);
        for _ in 0..count {
            self.start = self.cursor.at();
            let (tag, size) = self.cursor.tag()?;
            if layout.foreign.contains(&tag) {
                return Err(foreign_tag(tag).into());
            }
            let known = layout.tagged.iter().find(|known| known.tag == tag);
            if !seen.add(tag) {
                let error = MessageError::from(repeated_tag(tag));
                return Err(match known {
                    Some(known) => error.within(Part::Field(number, known.field)),
                    None => error,
                });
            }
            match known {
                Some(known) => self
                    .tagged_field(sink, fields, known, size)
                    .map_err(|error| error.within(Part::Field(number, known.field)))?,
                None => sink.unknown_tag(fields, tag, self.cursor.take(size)?)?,
            }
        }
        Ok(())
    }

    /// Read a tagged field, which must have the announced size.
    fn tagged_field<S: Sink<'a, 'data>>(
        &mut self,
        sink: &mut S,
        fields: &mut S::Fields,
        known: &Tagged,
        size: usize,
    ) -> MessageResult<()> {
        let begin = self.cursor.at();
        self.start = begin;
        let place = sink.place_of_field(fields, known.field);
        let value = sink.value(self, place, known.codec)?;
        let taken = self.cursor.at() - begin;
        if taken != size {
            return Err(wrong_tag_size(known.tag, size, taken).into());
        }
        sink.set(fields, known.field, value);
        Ok(())
    }
}

/// The tags of a section up to now, to detect repeated tags. Ascending tags need no memory; other tags are looked up in
/// a set.
struct SeenTags<'a> {
    first: Cursor<'a>,
    count: u32,
    next: u32,
    tags: Option<HashSet<u32>>,
}

impl<'a> SeenTags<'a> {
    /// Begin a section whose first tag is at the cursor.
    #[inline]
    fn new(first: Cursor<'a>) -> Self {
        SeenTags {
            first,
            count: 0,
            next: 0,
            tags: None,
        }
    }

    /// Add the next tag; return `false` if it had already been added.
    #[inline]
    fn add(&mut self, tag: u32) -> bool {
        let is_new = if tag >= self.next && self.tags.is_none() {
            true
        } else {
            self.add_to_set(tag)
        };
        self.next = self.next.max(tag + 1);
        self.count += 1;
        is_new
    }

    #[cold]
    #[inline(never)]
    fn add_to_set(&mut self, tag: u32) -> bool {
        let (first, count) = (self.first, self.count);
        self.tags.get_or_insert_with(|| tags(first, count)).insert(tag)
    }
}

/// Read the first `count` tags of a section again; it begins at the cursor.
fn tags(mut cursor: Cursor<'_>, count: u32) -> HashSet<u32> {
    let mut found = HashSet::new();
    for _ in 0..count {
        let Ok((tag, size)) = cursor.tag() else { break };
        found.insert(tag);
        if cursor.take(size).is_err() {
            break;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Return, for each tag of a section whose fields have no bytes, whether it is new.
    fn are_new(tags: &[u8]) -> Vec<bool> {
        let bytes: Vec<u8> = tags.iter().flat_map(|tag| [*tag, 0]).collect();
        let mut seen = SeenTags::new(Cursor::new(&bytes, 0).expect("an offset within the bytes"));
        tags.iter().map(|tag| seen.add(u32::from(*tag))).collect()
    }

    #[test]
    fn repeated_tags_are_detected_in_any_order() {
        assert_eq!(are_new(&[1, 2, 3]), [true, true, true]);
        assert_eq!(are_new(&[1, 1]), [true, false]);
        assert_eq!(are_new(&[3, 1, 3, 2, 1]), [true, true, false, true, false]);
    }
}
