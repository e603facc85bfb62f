//! Reads Spark's rows; [`crate::rows`] describes their format. An offset or size outside of a row, array or map is an
//! error.

use messagegen_core::columns::{Source, Tag};
use messagegen_core::error::{MessageError, MessageResult};

use super::types::{SparkColumn, SparkType};
use crate::rows::{BITS_OF_BYTE, WORD, words_of_marks};

/// A value other than null: its word, and the bytes of the struct or array that contains it. The word is either the
/// value itself or a reference to the value.
#[derive(Clone, Copy)]
pub struct Place<'d> {
    holder: &'d [u8],
    word: u64,
}

/// The elements of an array.
pub struct Elements<'d> {
    array: &'d [u8],
    values: &'d [u8],
    width: usize,
    count: usize,
    next: usize,
}

#[cold]
fn damaged() -> MessageError {
    MessageError::batch("the bytes are no row of Spark")
}

impl<'d> Place<'d> {
    /// Return the bytes that the word refers to.
    #[inline(always)]
    fn bytes(self) -> MessageResult<&'d [u8]> {
        let start = (self.word >> u32::BITS) as usize;
        let size = self.word as u32 as usize;
        let bytes = self.holder.get(start..).and_then(|bytes| bytes.get(..size));
        bytes.ok_or_else(damaged)
    }
}

/// Return the word at offset `at`.
#[inline(always)]
fn word_at(bytes: &[u8], at: usize) -> MessageResult<u64> {
    let word = bytes.get(at..).and_then(<[u8]>::first_chunk);
    word.map(|word| u64::from_le_bytes(*word)).ok_or_else(damaged)
}

/// Whether a value is marked as null.
#[inline(always)]
fn is_null(marks: &[u8], number: usize) -> MessageResult<bool> {
    let mark = marks.get(number / BITS_OF_BYTE).ok_or_else(damaged)?;
    Ok(mark >> (number % BITS_OF_BYTE) & 1 == 1)
}

impl<'d> Elements<'d> {
    /// Read an array: the element count, the null marks and the values.
    fn new(array: &'d [u8], element: &SparkColumn) -> MessageResult<Self> {
        let count = usize::try_from(word_at(array, 0)?).map_err(|_| damaged())?;
        let width = match element.kind {
            SparkType::Bool | SparkType::Void => 1,
            SparkType::Int(width) => width,
            SparkType::Float => size_of::<f32>(),
            _ => WORD,
        };
        let start = WORD * (1 + words_of_marks(count));
        let size = count.checked_mul(width).ok_or_else(damaged)?;
        let values = array.get(start..).and_then(|values| values.get(..size));
        Ok(Elements {
            array,
            values: values.ok_or_else(damaged)?,
            width,
            count,
            next: 0,
        })
    }

    /// Return a value as a word, whose remaining high bytes are zero.
    #[inline(always)]
    fn word(&self, number: usize) -> u64 {
        let at = self.width * number;
        let value = &self.values[at..at + self.width];
        if let Ok(word) = value.try_into() {
            return u64::from_le_bytes(word);
        }
        if let Ok(half) = value.try_into() {
            return u32::from_le_bytes(half).into();
        }
        value.iter().rfold(0, |word, byte| word << 8 | u64::from(*byte))
    }
}

impl<'d> Iterator for Elements<'d> {
    type Item = Option<Place<'d>>;

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        if self.next == self.count {
            return None;
        }
        let number = self.next;
        self.next += 1;
        let is_null = self.array[WORD + number / BITS_OF_BYTE] >> (number % BITS_OF_BYTE) & 1 == 1;
        Some((!is_null).then(|| Place {
            holder: self.array,
            word: self.word(number),
        }))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.count - self.next;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Elements<'_> {}

impl<'d> Source<'d> for SparkColumn {
    type Row = &'d [u8];
    type Place = Place<'d>;
    type Elements = Elements<'d>;

    #[inline(always)]
    fn value(&self, row: &'d [u8]) -> MessageResult<Option<Place<'d>>> {
        if is_null(row, self.slot.number)? {
            return Ok(None);
        }
        let word = word_at(row, self.slot.word)?;
        Ok(Some(Place { holder: row, word }))
    }

    #[inline(always)]
    fn row(&self, place: Place<'d>) -> MessageResult<&'d [u8]> {
        place.bytes()
    }

    fn elements(&self, place: Place<'d>) -> MessageResult<Elements<'d>> {
        match &self.kind {
            SparkType::Array(element) => Elements::new(place.bytes()?, element),
            _ => Err(damaged()),
        }
    }

    fn tags(&self, place: Place<'d>) -> MessageResult<Vec<Tag<'d>>> {
        let SparkType::Map(key, value) = &self.kind else {
            return Err(damaged());
        };
        // A map consists of the size of its array of keys, that array, and the array of values.
        let map = place.bytes()?;
        let size = usize::try_from(word_at(map, 0)?).map_err(|_| damaged())?;
        let (keys, values) = map[WORD..].split_at_checked(size).ok_or_else(damaged)?;
        let keys = Elements::new(keys, key)?;
        let values = Elements::new(values, value)?;
        if keys.len() != values.len() {
            return Err(damaged());
        }
        let tag = |(tag, data): (Option<Place<'d>>, Option<Place<'d>>)| {
            let pair = tag.and_then(|tag| key.int(tag)).zip(data);
            pair.map(|(tag, data)| Ok((tag, data.bytes()?))).transpose()
        };
        keys.zip(values).map(tag).collect()
    }

    #[inline(always)]
    fn int(&self, place: Place<'d>) -> Option<i64> {
        match self.kind {
            SparkType::Int(width) => {
                let unused = u64::BITS - u8::BITS * width as u32;
                Some((place.word << unused).cast_signed() >> unused)
            }
            SparkType::Bool => Some(i64::from(place.word as u8 != 0)),
            _ => None,
        }
    }

    fn int_text(&self, place: Place<'d>) -> String {
        self.int(place).unwrap_or_default().to_string()
    }

    fn float(&self, place: Place<'d>) -> f64 {
        match self.kind {
            SparkType::Float => f32::from_bits(place.word as u32).into(),
            _ => f64::from_bits(place.word),
        }
    }

    fn is_text(&self) -> bool {
        matches!(self.kind, SparkType::Text)
    }

    #[inline(always)]
    fn bytes(&self, place: Place<'d>) -> MessageResult<&'d [u8]> {
        place.bytes()
    }
}
