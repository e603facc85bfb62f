//! Appends values of many structs to one column.

use super::Columns;
use super::values::{Fixed, Overflow, Place, Values, last};
use crate::plan::Kind;
use crate::wire::{chunk, fixed_int};

impl Columns {
    /// Appends a value of constant size of each place: the one at this offset from its start.
    #[inline]
    pub fn extend_fixed(&mut self, column: usize, kind: Kind, data: &[u8], places: &[Place], from: usize) {
        let positions = places.iter().map(|place| place.at + from);
        match (self.for_values(column, places.len()), kind) {
            (Values::Fixed(Fixed { width: 4, bytes, .. }), Kind::Int32) => {
                bytes.extend(positions.map(|at| i32::from_be_bytes(chunk(data, at))));
            }
            (Values::Fixed(Fixed { width: 8, bytes, .. }), Kind::Int64 | Kind::Float64) => {
                bytes.extend(positions.map(|at| i64::from_be_bytes(chunk(data, at))));
            }
            (Values::Fixed(Fixed { width: 2, bytes, .. }), Kind::Int16) => {
                bytes.extend(positions.map(|at| i16::from_be_bytes(chunk(data, at))));
            }
            (values, Kind::Uuid) => positions.for_each(|at| values.push_run(kind, &data[at..at + kind.size()])),
            (values, _) => positions.for_each(|at| values.push_int(fixed_int(kind, data, at))),
        }
    }

    /// Appends arrays with their elements, of constant size, to the column of the arrays and that of the elements.
    #[inline]
    pub fn extend_lists(
        &mut self,
        column: usize,
        items: usize,
        kind: Kind,
        data: &[u8],
        places: &[Place],
    ) -> Result<(), Overflow> {
        if places.iter().any(|place| place.is_null()) {
            return self.extend_nullable_lists(column, items, kind, data, places);
        }
        let Values::List { lists, .. } = self.for_values(column, places.len()) else {
            unreachable!("not a column of arrays")
        };
        let total = places.iter().map(|place| place.size).sum::<usize>() / kind.size();
        let mut end = last(&lists.offsets);
        i32::try_from(end as usize + total).map_err(|_| Overflow)?;
        lists.offsets.extend(places.iter().map(|place| {
            end += (place.size / kind.size()) as i32;
            end
        }));
        let values = self.for_values(items, total);
        values.reserve(total);
        places.iter().for_each(|place| values.push_run(kind, place.of(data)));
        Ok(())
    }

    fn extend_nullable_lists(
        &mut self,
        column: usize,
        items: usize,
        kind: Kind,
        data: &[u8],
        places: &[Place],
    ) -> Result<(), Overflow> {
        for place in places {
            if place.is_null() {
                self.push_null(column);
                continue;
            }
            let count = place.size / kind.size();
            self.push_run(items, kind, count, place.of(data));
            self.end_list(column, count)?;
        }
        Ok(())
    }
}
