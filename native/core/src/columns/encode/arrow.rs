//! Arrow arrays as a source of rows.

use std::ops::Range;

use super::source::{ColumnType, Held, Needed, Source, Tag};
use crate::arrow::input::{Data, Input};
use crate::error::{MessageResult, malformed};

impl ColumnType for &Input<'_> {
    fn name(&self) -> &str {
        &self.name
    }

    fn held(&self) -> Held<Self> {
        match &self.data {
            Data::Nothing => Held::Nothing,
            Data::Bool(_) => Held::Bool,
            Data::Int { .. } => Held::Integers,
            Data::Float32(_) | Data::Float64(_) => Held::Floats,
            Data::Bytes { text: true, .. } | Data::Views { text: true, .. } => Held::Text,
            Data::Bytes { .. } | Data::Views { .. } => Held::Bytes,
            Data::List { elements, .. } => Held::List(elements),
            Data::Map { entries, .. } => match &entries.data {
                Data::Struct(pair) if pair.len() == 2 => Held::Map(&pair[0], &pair[1]),
                _ => Held::Other,
            },
            Data::Struct(columns) => Held::Struct(columns.iter().collect()),
            Data::Other => Held::Other,
        }
    }

    fn mismatch(&self, needed: Needed) -> String {
        let needed = match needed {
            Needed::Bool => "bool",
            Needed::Integers => "integers",
            Needed::Floats => "float or double",
            Needed::Uuid => "binary of 16 bytes, or a string",
            Needed::Text => "string, large_string or string_view",
            Needed::Bytes => "binary, large_binary, binary_view or fixed_size_binary",
            Needed::List => "a list",
            Needed::Struct => "a struct",
            Needed::Tags => "a map of integers to binary",
        };
        format!("needs {needed}, not an Arrow array of {}", self.data_type)
    }
}

/// The elements of an array.
pub struct Elements<'a> {
    elements: &'a Input<'a>,
    numbers: Range<usize>,
}

impl Iterator for Elements<'_> {
    type Item = Option<usize>;

    #[inline]
    fn next(&mut self) -> Option<Option<usize>> {
        Some(self.elements.place(self.numbers.next()?))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.numbers.size_hint()
    }
}

impl ExactSizeIterator for Elements<'_> {}

impl<'a> Source<'a> for &'a Input<'a> {
    /// The number of the row.
    type Row = usize;
    type Place = usize;
    type Elements = Elements<'a>;

    #[inline]
    fn value(&self, row: usize) -> MessageResult<Option<usize>> {
        Ok(self.place(row))
    }

    #[inline]
    fn row(&self, place: usize) -> MessageResult<usize> {
        Ok(place)
    }

    #[inline]
    fn elements(&self, place: usize) -> MessageResult<Elements<'a>> {
        let (elements, numbers) = Input::elements(self, place).ok_or_else(malformed)?;
        Ok(Elements { elements, numbers })
    }

    fn tags(&self, place: usize) -> MessageResult<Vec<Tag<'a>>> {
        let (entries, numbers) = Input::elements(self, place).ok_or_else(malformed)?;
        let Data::Struct(pair) = &entries.data else {
            return Err(malformed());
        };
        let [tags, data] = pair.as_slice() else {
            return Err(malformed());
        };
        let tag = |number| {
            let place = entries.place(number).ok_or_else(malformed)?;
            let (Some(tag), Some(at)) = (tags.place(place), data.place(place)) else {
                return Ok(None);
            };
            let bytes = data.bytes(at).ok_or_else(malformed)?;
            Ok(Some((tags.int(tag).unwrap_or(i64::MAX), bytes)))
        };
        numbers.map(tag).collect()
    }

    #[inline]
    fn int(&self, place: usize) -> Option<i64> {
        Input::int(self, place)
    }

    fn int_text(&self, place: usize) -> String {
        Input::int_text(self, place)
    }

    #[inline]
    fn float(&self, place: usize) -> f64 {
        Input::float(self, place)
    }

    fn is_text(&self) -> bool {
        Input::is_text(self) == Some(true)
    }

    #[inline]
    fn bytes(&self, place: usize) -> MessageResult<&'a [u8]> {
        Input::bytes(self, place).ok_or_else(malformed)
    }
}
