//! Functions that append the values of many structs to one column.

use super::Columns;
use super::values::{Overflow, Place, Values, extend};
use crate::plan::Kind;
use crate::wire::{chunk, fixed_int};

impl Columns {
    /// For each place, append the fixed-size value that begins `from` bytes after the start of the place.
    #[inline]
    pub fn extend_fixed(
        &mut self,
        column: usize,
        kind: Kind,
        data: &[u8],
        places: &[Place],
        from: usize,
    ) -> Result<(), Overflow> {
        let mut positions = places.iter().map(|place| place.at + from);
        match (self.for_values(column, places.len()), kind) {
            (Values::Int32(values), Kind::Int32) => {
                values.extend(positions.map(|at| i32::from_be_bytes(chunk(data, at))));
            }
            (Values::Int64(values), Kind::Int64) => {
                values.extend(positions.map(|at| i64::from_be_bytes(chunk(data, at))));
            }
            (Values::Int16(values), Kind::Int16) => {
                values.extend(positions.map(|at| i16::from_be_bytes(chunk(data, at))));
            }
            (values, Kind::Float64 | Kind::Uuid) => {
                positions.try_for_each(|at| values.push_run(kind, &data[at..at + kind.size()]))?;
            }
            (
                values,
                Kind::Bool | Kind::Int8 | Kind::Int16 | Kind::UInt16 | Kind::Int32 | Kind::UInt32 | Kind::Int64,
            ) => positions.for_each(|at| values.push_int(fixed_int(kind, data, at))),
        }
        Ok(())
    }

    /// Append arrays of fixed-size elements: to the column of the arrays, and to the column of their elements.
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
        let (Values::List(lists) | Values::Map(lists)) = self.for_values(column, places.len()) else {
            unreachable!("not a column of arrays")
        };
        let total = places.iter().map(|place| place.size).sum::<usize>() / kind.size();
        let mut end = lists.offsets[lists.offsets.len() - 1];
        i32::try_from(end as usize + total).map_err(|_| Overflow)?;
        lists.offsets.extend(places.iter().map(|place| {
            end += (place.size / kind.size()) as i32;
            end
        }));
        let mut runs = places.iter().map(|place| place.of(data));
        match (self.for_values(items, total), kind) {
            (Values::Int32(values), Kind::Int32) => {
                values.reserve(total);
                runs.for_each(|run| extend(values, run, i32::from_be_bytes));
            }
            (values, _) => runs.try_for_each(|run| values.push_run(kind, run))?,
        }
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
            self.push_run(items, kind, count, place.of(data))?;
            self.end_list(column, count)?;
        }
        Ok(())
    }
}
