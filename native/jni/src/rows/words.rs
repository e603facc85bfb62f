//! The words of Spark's rows, arrays and maps.

use messagegen_core::{Error, Outcome};

/// The size of a word in bytes.
pub const WORD: usize = 8;
/// The number of null marks in a word.
pub const NULLS_OF_WORD: usize = 64;
pub const BITS_OF_BYTE: usize = 8;

/// Return the number of words for the null marks of `values` values, one bit each.
pub const fn words_of_marks(values: usize) -> usize {
    values.div_ceil(NULLS_OF_WORD)
}

/// Mark a value as null. `marks` is the index of the first word of marks.
#[inline(always)]
pub fn mark_null(words: &mut [u64], marks: usize, value: usize) {
    words[marks + value / NULLS_OF_WORD] |= 1 << (value % NULLS_OF_WORD);
}

/// Clear the null mark of a value.
#[inline(always)]
pub fn unmark(words: &mut [u64], marks: usize, value: usize) {
    words[marks + value / NULLS_OF_WORD] &= !(1 << (value % NULLS_OF_WORD));
}

/// Whether a value is marked as null.
#[inline(always)]
pub fn is_marked(words: &[u64], marks: usize, value: usize) -> bool {
    words[marks + value / NULLS_OF_WORD] >> (value % NULLS_OF_WORD) & 1 == 1
}

/// Return the size of a row in bytes. Fails if it exceeds Spark's limit of 2 GiB.
#[inline]
pub fn bytes_of_row(row: &[u64]) -> Outcome<usize> {
    let bytes = size_of_val(row);
    match i32::try_from(bytes) {
        Ok(_) => Ok(bytes),
        Err(_) => Err(Error::value("a row of Spark holds at most 2 GiB")),
    }
}

/// Append bytes, padded with zeros to a whole word. Returns the bitwise OR of the appended words.
#[inline]
pub fn put_bytes(bytes: &[u8], words: &mut Vec<u64>) -> u64 {
    let (whole, rest) = bytes.as_chunks::<WORD>();
    let mut bits = 0;
    words.extend(whole.iter().map(|word| {
        let word = u64::from_le_bytes(*word);
        bits |= word;
        word
    }));
    if !rest.is_empty() {
        let word = last_word(bytes, rest);
        bits |= word;
        words.push(word);
    }
    bits
}

/// Return the last, partial word of `bytes`. Where possible, it is read in one or two loads rather than byte by byte.
#[inline(always)]
fn last_word(bytes: &[u8], rest: &[u8]) -> u64 {
    if let Some(last) = bytes.last_chunk() {
        return u64::from_le_bytes(*last) >> (BITS_OF_BYTE * (WORD - rest.len()));
    }
    if let (Some(first), Some(last)) = (rest.first_chunk(), rest.last_chunk()) {
        // The halves may overlap; overlapping bytes are equal.
        let first = u64::from(u32::from_le_bytes(*first));
        let last = u64::from(u32::from_le_bytes(*last));
        return first | last << (BITS_OF_BYTE * (rest.len() - size_of::<u32>()));
    }
    rest.iter().rfold(0, |word, byte| word << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_padded_with_zeros_to_whole_words() {
        let bytes: Vec<u8> = (1..=100).collect();
        for length in 0..=bytes.len() {
            let mut words = vec![7];
            let bits = put_bytes(&bytes[..length], &mut words);
            let put: Vec<u8> = words[1..].iter().flat_map(|word| word.to_le_bytes()).collect();
            assert_eq!(put.len(), length.next_multiple_of(WORD));
            assert_eq!(put[..length], bytes[..length]);
            assert!(put[length..].iter().all(|byte| *byte == 0));
            assert_eq!(bits, words[1..].iter().fold(0, |bits, word| bits | word));
        }
    }
}
