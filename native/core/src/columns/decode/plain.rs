//! Arrays of structs that hold nothing but numbers and arrays of numbers, column by column.
//!
//! Large messages consist of them. A first pass finds where the values of some structs are, and checks them; a second one takes
//! one column after the other, so what is to be done with a value is decided once for all of them.

use super::message::MessageReader;
use super::program::{Run, StructTarget, Target};
use crate::arrow::builder::Place;
use crate::error::{MessageResult, Part};

/// So many structs are read together: their places and bytes stay in the processor's nearest cache.
const TOGETHER: usize = 64;

impl<'a> MessageReader<'a, '_> {
    /// Reads structs that are plain, the elements of an array.
    pub fn plain_structs(&mut self, column: usize, target: &'a StructTarget, count: usize) -> MessageResult<()> {
        for first in (0..count).step_by(TOGETHER) {
            let together = TOGETHER.min(count - first);
            for index in 0..together {
                self.find(target, index).map_err(|error| error.within(Part::Index(first + index)))?;
            }
            self.append(column, target, together)?;
        }
        Ok(())
    }

    /// Finds the values of one struct. The places of one field in all structs are side by side.
    #[inline]
    fn find(&mut self, target: &'a StructTarget, index: usize) -> MessageResult<()> {
        let mut at = index;
        for run in &target.runs {
            match &run.fixed {
                Some(fixed) if fixed.size <= self.wire.cursor.left() => {
                    self.put(&mut at, Place { at: self.wire.cursor.at(), size: fixed.size });
                    self.wire.cursor.take(fixed.size)?;
                }
                // It fails, and knows at which field.
                Some(_) => self.fields(target.layout, &run.fields)?,
                None => self.find_arrays(target.layout, run, &mut at)?,
            }
        }
        if target.flexible { self.tag_section(target) } else { Ok(()) }
    }

    #[inline(always)]
    fn find_arrays(&mut self, layout: u32, run: &Run, at: &mut usize) -> MessageResult<()> {
        for (field, target) in &run.fields {
            self.wire.start = self.wire.cursor.at();
            self.find_array(*target, at).map_err(|error| error.within(Part::Field(layout, *field)))?;
        }
        Ok(())
    }

    #[inline(always)]
    fn find_array(&mut self, target: Target, at: &mut usize) -> MessageResult<()> {
        match target {
            Target::FixedList { length, kind, .. } => {
                let place = match self.wire.count(length)? {
                    Some(count) => {
                        let at = self.wire.cursor.at();
                        Place { at, size: self.wire.fixed_elements(count, kind)?.len() }
                    }
                    None => Place::NULL,
                };
                self.put(at, place);
                Ok(())
            }
            Target::Skip(codec) => self.wire.value(codec),
            _ => unreachable!("not plain"),
        }
    }

    #[inline(always)]
    fn put(&mut self, at: &mut usize, place: Place) {
        if *at >= self.places.len() {
            self.places.resize(*at - *at % TOGETHER + TOGETHER, Place::NULL);
        }
        self.places[*at] = place;
        *at += TOGETHER;
    }

    /// Appends what was found of so many structs.
    fn append(&mut self, column: usize, target: &StructTarget, count: usize) -> MessageResult<()> {
        let (columns, data) = (&mut *self.columns, self.wire.cursor.data());
        columns.begin_structs(column, count);
        let mut fields = self.places.chunks_exact(TOGETHER).map(|places| &places[..count]);
        let mut next = || fields.next().unwrap_or_default();
        for run in &target.runs {
            if let Some(fixed) = &run.fixed {
                let places = next();
                for member in &fixed.members {
                    columns.extend_fixed(member.column, member.kind, data, places, member.at);
                }
                continue;
            }
            for (_, field) in &run.fields {
                if let Target::FixedList { column, kind, items, .. } = *field {
                    columns.extend_lists(column, items, kind, data, next())?;
                }
            }
        }
        target.absent.iter().for_each(|column| columns.push_nulls(*column, count));
        Ok(())
    }
}
