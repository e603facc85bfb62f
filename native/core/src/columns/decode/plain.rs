//! Arrays of structs that hold nothing but numbers and arrays of numbers, column by column.
//!
//! Large messages consist of them. A first pass finds where the values of some structs are, and checks them; a second
//! one takes one column after the other, so what is to be done with a value is decided once for all of them.

use super::message::MessageReader;
use super::schema::{Shape, StructShape};
use crate::arrow::builder::Place;
use crate::error::{MessageResult, Part};
use crate::plan::{Codec, Layout, Step};

/// This many structs are read together: their places and bytes stay in the processor's nearest cache.
const TOGETHER: usize = 64;

impl<'a> MessageReader<'a, '_> {
    /// Reads structs that are plain, the elements of an array.
    pub fn plain_structs(&mut self, number: u32, shape: &'a StructShape, count: usize) -> MessageResult<()> {
        let layout = &self.wire.plan.layouts[number as usize];
        for first in (0..count).step_by(TOGETHER) {
            let together = TOGETHER.min(count - first);
            for index in 0..together {
                let found = self.find(number, layout, shape, index);
                found.map_err(|error| error.within(Part::Index(first + index)))?;
            }
            self.append(layout, shape, together)?;
        }
        Ok(())
    }

    /// Finds the values of one struct. The places of one field in all structs are side by side.
    #[inline]
    fn find(&mut self, number: u32, layout: &'a Layout, shape: &'a StructShape, index: usize) -> MessageResult<()> {
        let mut at = index;
        for step in &layout.steps {
            match step {
                Step::Run { size, .. } if *size <= self.wire.cursor.left() => {
                    self.put(
                        &mut at,
                        Place {
                            at: self.wire.cursor.at(),
                            size: *size,
                        },
                    );
                    self.wire.cursor.take(*size)?;
                }
                // It fails, and knows at which field.
                Step::Run { .. } => self.wire.step(number, step)?,
                Step::Value { field, codec } => {
                    self.wire.start = self.wire.cursor.at();
                    let found = self.find_array(*codec, shape.fields[*field].is_some(), &mut at);
                    found.map_err(|error| error.within(Part::Field(number, *field)))?;
                }
            }
        }
        if layout.flexible {
            self.tag_section(number, layout, shape)
        } else {
            Ok(())
        }
    }

    #[inline(always)]
    fn find_array(&mut self, codec: Codec, is_selected: bool, at: &mut usize) -> MessageResult<()> {
        let (Codec::FixedArray { length, kind }, true) = (codec, is_selected) else {
            return self.wire.value(codec);
        };
        let place = match self.wire.count(length)? {
            Some(count) => {
                let at = self.wire.cursor.at();
                Place {
                    at,
                    size: self.wire.fixed_elements(count, kind)?.len(),
                }
            }
            None => Place::NULL,
        };
        self.put(at, place);
        Ok(())
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
    fn append(&mut self, layout: &Layout, shape: &StructShape, count: usize) -> MessageResult<()> {
        let (columns, data) = (&mut *self.columns, self.wire.cursor.data());
        columns.begin_structs(shape.column, count);
        let mut fields = self.places.chunks_exact(TOGETHER).map(|places| &places[..count]);
        let mut next = || fields.next().unwrap_or_default();
        for step in &layout.steps {
            match step {
                Step::Run { members, .. } => {
                    let places = next();
                    for member in members {
                        if let Some(Shape::Leaf(column)) = &shape.fields[member.field] {
                            columns.extend_fixed(*column, member.kind, data, places, member.at)?;
                        }
                    }
                }
                Step::Value {
                    field,
                    codec: Codec::FixedArray { kind, .. },
                } => {
                    if let Some(Shape::List(list)) = &shape.fields[*field] {
                        columns.extend_lists(list.column, list.element.column(), *kind, data, next())?;
                    }
                }
                Step::Value { .. } => (),
            }
        }
        self.absent(layout, shape, count);
        Ok(())
    }
}
