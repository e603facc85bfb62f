//! Decoding, column by column, of arrays of plain structs: structs that contain only fixed-size values and arrays of
//! them.
//!
//! Large messages mostly consist of such structs. A first pass finds and checks the values of a group of structs. A
//! second pass appends one column after another, so a column's type is examined once for a whole group.

use super::message::ColumnSink;
use super::schema::{Shape, StructShape};
use crate::arrow::builder::Place;
use crate::error::{MessageResult, Part};
use crate::plan::{Codec, Layout, Member, Step};
use crate::walk::{Leaf, Sink, Skip, Walk};

/// The number of structs in a group: few enough that their places and bytes stay in the processor's nearest cache.
const TOGETHER: usize = 64;

impl<'a> ColumnSink<'a, '_> {
    /// Read plain structs, the elements of an array.
    pub fn plain_structs<'data>(
        &mut self,
        walk: &mut Walk<'a, 'data>,
        number: u32,
        shape: &'a StructShape,
        count: usize,
    ) -> MessageResult<()> {
        let layout = &walk.plan.layouts[number as usize];
        let mut finder = Finder {
            shape,
            places: std::mem::take(&mut self.places),
            next: 0,
        };
        for first in (0..count).step_by(TOGETHER) {
            let together = TOGETHER.min(count - first);
            for index in 0..together {
                finder.next = index;
                walk.start = walk.cursor.at();
                walk.fields(&mut finder, &mut (), number, layout)
                    .map_err(|error| error.within(Part::Index(first + index)))?;
            }
            self.append_structs(walk.cursor.data(), layout, &finder, together)?;
        }
        self.places = finder.places;
        Ok(())
    }

    /// Append the found values of `count` structs.
    fn append_structs(&mut self, data: &[u8], layout: &Layout, found: &Finder<'_>, count: usize) -> MessageResult<()> {
        let (columns, shape) = (&mut *self.columns, found.shape);
        columns.begin_structs(shape.column, count);
        let mut fields = found.places.chunks_exact(TOGETHER).map(|places| &places[..count]);
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

/// A sink that records the places of the structs' runs, and of their selected arrays.
struct Finder<'a> {
    shape: &'a StructShape,
    /// The places, grouped by run or array: the places of the same run in all structs are adjacent.
    places: Vec<Place>,
    /// The index of the next place.
    next: usize,
}

impl Finder<'_> {
    #[inline(always)]
    fn note(&mut self, place: Place) {
        let at = self.next;
        if at >= self.places.len() {
            self.places.resize(at - at % TOGETHER + TOGETHER, Place::NULL);
        }
        self.places[at] = place;
        self.next += TOGETHER;
    }
}

impl<'a, 'data> Sink<'a, 'data> for Finder<'_> {
    /// Whether the value is selected.
    type Place = bool;
    type Value = ();
    type Fields = ();
    type Items = ();

    #[inline(always)]
    fn value(&mut self, walk: &mut Walk<'a, 'data>, is_selected: bool, codec: Codec) -> MessageResult<()> {
        let Codec::FixedArray { length, kind, charge } = codec else {
            return walk.value(&mut Skip::checked(), (), codec);
        };
        let place = match walk.fixed_array(length, kind, charge)? {
            Some((_, bytes)) => Place {
                at: walk.cursor.at() - bytes.len(),
                size: bytes.len(),
            },
            None => Place::NULL,
        };
        if is_selected {
            self.note(place);
        }
        Ok(())
    }

    #[inline(always)]
    fn place_of_field(&self, (): &(), field: usize) -> bool {
        self.shape.fields[field].is_some()
    }

    #[inline(always)]
    fn run(&mut self, (): &mut (), _: &'a [Member], bytes: &'data [u8], offset: usize) -> MessageResult<()> {
        self.note(Place {
            at: offset,
            size: bytes.len(),
        });
        Ok(())
    }

    // `value` handles arrays of fixed-size values itself and skips all other values, so these methods do nothing.

    fn leaf(&mut self, _: bool, _: Leaf<'data>) -> MessageResult<()> {
        Ok(())
    }

    fn begin_array(&mut self, _: bool, _: usize) -> MessageResult<()> {
        Ok(())
    }

    fn place_of_elements(&self, is_selected: bool, (): &()) -> bool {
        is_selected
    }

    fn push(&mut self, (): &mut (), (): ()) {}

    fn end_array(&mut self, _: bool, (): (), _: usize) -> MessageResult<()> {
        Ok(())
    }

    fn begin_struct(&mut self, _: bool, _: &'a Layout) -> MessageResult<()> {
        Ok(())
    }

    fn set(&mut self, (): &mut (), _: usize, (): ()) {}

    fn unknown_tag(&mut self, (): &mut (), _: u32, _: &'data [u8]) -> MessageResult<()> {
        Ok(())
    }

    fn end_struct(&mut self, (): (), _: &'a Layout) -> MessageResult<()> {
        Ok(())
    }
}
