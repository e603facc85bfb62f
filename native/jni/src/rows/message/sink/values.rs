//! The values of a row other than structs, and their words.

use messagegen_core::arrow::uuid_text;
use messagegen_core::error::MessageResult;
use messagegen_core::plan::Kind;
use messagegen_core::wire::{chunk, fixed_int, text_bytes};

use super::super::shape::{LeafType, Shape};
use crate::rows::words::{BITS_OF_BYTE, WORD, mark_null, put_bytes, words_of_marks};

/// The high bits of all bytes: none of them is set in a word of ASCII text.
const NOT_ASCII: u64 = u64::from_ne_bytes([0x80; WORD]);

/// An array that is being decoded.
pub struct OpenArray {
    /// The index of the array's first word.
    pub start: usize,
    /// The index of the first word of the array's elements.
    values: usize,
    /// The size of an element in bytes.
    width: usize,
    /// The number of elements that have been set.
    count: usize,
}

/// The words of an unfinished row.
pub struct RowWords<'w> {
    pub words: &'w mut Vec<u64>,
}

impl RowWords<'_> {
    /// Append an array of `count` zeros of `width` bytes each.
    #[inline(always)]
    pub fn open_array(&mut self, width: usize, count: usize) -> OpenArray {
        let start = self.words.len();
        let values = start + 1 + words_of_marks(count);
        self.words.resize(values + (width * count).div_ceil(WORD), 0);
        self.words[start] = count as u64;
        OpenArray {
            start,
            values,
            width,
            count: 0,
        }
    }

    /// Set the next element of an array.
    #[inline(always)]
    pub fn set_element(&mut self, items: &mut OpenArray, value: Option<u64>) {
        match value {
            Some(word) => {
                let at = items.width * items.count;
                self.words[items.values + at / WORD] |= word << (BITS_OF_BYTE * (at % WORD));
            }
            None => {
                mark_null(self.words, items.start + 1, items.count);
            }
        }
        items.count += 1;
    }

    /// Return the word that refers from `holder` to the words from `start` to the end.
    #[inline(always)]
    pub fn reference(&self, start: usize, holder: usize) -> u64 {
        word_of_place(start - holder, WORD * (self.words.len() - start))
    }

    /// Append bytes, and return the word that refers to them.
    #[inline(always)]
    pub fn bytes(&mut self, bytes: &[u8], holder: usize) -> u64 {
        let start = self.words.len();
        put_bytes(bytes, self.words);
        word_of_place(start - holder, bytes.len())
    }

    /// Append a string, and return the word that refers to it. Fails if the string is not UTF-8.
    #[inline(always)]
    pub fn text(&mut self, text: &[u8], holder: usize) -> MessageResult<u64> {
        let start = self.words.len();
        // Most strings are ASCII; only the others need the full check.
        if put_bytes(text, self.words) & NOT_ASCII != 0 {
            text_bytes(text)?;
        }
        Ok(word_of_place(start - holder, text.len()))
    }

    /// Append a UUID as text or bytes, depending on its type, and return the word that refers to it.
    pub fn uuid(&mut self, leaf: LeafType, uuid: [u8; uuid_text::SIZE], holder: usize) -> u64 {
        match leaf {
            LeafType::Text => self.bytes(&uuid_text::write(uuid), holder),
            LeafType::Bytes | LeafType::Bool | LeafType::Int(_) | LeafType::Float => self.bytes(&uuid, holder),
        }
    }

    /// Return the word of the fixed-size value at the start of `bytes`.
    #[inline(always)]
    pub fn fixed(&mut self, leaf: LeafType, kind: Kind, bytes: &[u8], holder: usize) -> u64 {
        match kind {
            Kind::Int32 => int_word(leaf, i64::from(i32::from_be_bytes(chunk(bytes, 0)))),
            Kind::Int64 => int_word(leaf, i64::from_be_bytes(chunk(bytes, 0))),
            Kind::Float64 => u64::from_be_bytes(chunk(bytes, 0)),
            Kind::Uuid => self.uuid(leaf, chunk(bytes, 0), holder),
            Kind::Bool | Kind::Int8 | Kind::Int16 | Kind::UInt16 | Kind::UInt32 => {
                int_word(leaf, fixed_int(kind, bytes, 0))
            }
        }
    }

    /// Append an array of fixed-size values, and return the word that refers to it.
    pub fn fixed_array(&mut self, element: &Shape, kind: Kind, count: usize, bytes: &[u8], holder: usize) -> u64 {
        let Shape::Leaf(leaf) = element else {
            unreachable!("not the shape of a single value")
        };
        let is_number = match kind {
            Kind::Bool | Kind::Uuid => false,
            Kind::Int8 | Kind::Int16 | Kind::UInt16 | Kind::Int32 | Kind::UInt32 | Kind::Int64 | Kind::Float64 => true,
        };
        if is_number && kind.size() == element.width() {
            return self.numbers(kind.size(), count, bytes, holder);
        }
        let mut items = self.open_array(element.width(), count);
        for value in bytes.chunks_exact(kind.size()) {
            let word = self.fixed(*leaf, kind, value, items.start);
            self.set_element(&mut items, Some(word));
        }
        self.reference(items.start, holder)
    }

    /// Append an array of numbers that have the same size in rows as in messages.
    fn numbers(&mut self, size: usize, count: usize, bytes: &[u8], holder: usize) -> u64 {
        let start = self.words.len();
        self.words.push(count as u64);
        self.words.resize(start + 1 + words_of_marks(count), 0);
        match size {
            8 => put_numbers::<8>(bytes, self.words),
            4 => put_numbers::<4>(bytes, self.words),
            2 => put_numbers::<2>(bytes, self.words),
            _ => {
                put_bytes(bytes, self.words);
            }
        }
        self.reference(start, holder)
    }
}

/// Append big-endian numbers of `SIZE` bytes as little-endian numbers, packed into words.
fn put_numbers<const SIZE: usize>(bytes: &[u8], words: &mut Vec<u64>) {
    words.extend(bytes.chunks(WORD).map(|numbers| {
        let mut word = [0; WORD];
        for (place, number) in word.chunks_exact_mut(SIZE).zip(numbers.chunks_exact(SIZE)) {
            place.copy_from_slice(number);
            place.reverse();
        }
        u64::from_le_bytes(word)
    }));
}

/// Return the word of an integer, or of a boolean as 0 or 1. Bytes beyond the size of the type are zero.
#[inline(always)]
pub fn int_word(leaf: LeafType, value: i64) -> u64 {
    let word = value.cast_unsigned();
    match leaf {
        LeafType::Int(4) => word & 0xFFFF_FFFF,
        LeafType::Int(2) => word & 0xFFFF,
        LeafType::Int(1) => word & 0xFF,
        LeafType::Bool => u64::from(value != 0),
        _ => word,
    }
}

/// Return the word that refers to a value: its offset from the holder, given in words, and its size in bytes.
#[inline(always)]
pub fn word_of_place(words: usize, bytes: usize) -> u64 {
    ((WORD * words) as u64) << 32 | bytes as u64
}
