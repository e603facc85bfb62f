//! Undecodable values, as rows of nulls with `_error` and `_raw`.

use super::shape::{StructShape, nulls};
use super::sink::word_of_place;
use crate::rows::words::{WORD, put_bytes, unmark};

/// The number of fields of `_error`: message, path and offset.
const ERROR_FIELDS: usize = 3;
/// The number of slots after the fields of the message: `_error` and `_raw`.
pub const FIELDS_OF_ERRORS: usize = 2;

/// The reason why a value cannot be decoded.
pub struct Refusal {
    pub reason: String,
    /// The path of the invalid field; empty for the message as a whole.
    pub path: String,
    pub offset: usize,
}

impl Refusal {
    /// Create a refusal of the message as a whole.
    pub fn new(reason: String, offset: usize) -> Self {
        Refusal {
            reason,
            path: String::new(),
            offset,
        }
    }

    /// Append a row of nulls whose last two slots are the error and the raw bytes. The shape has [`FIELDS_OF_ERRORS`]
    /// slots after the fields of the message.
    #[cold]
    pub fn put(&self, words: &mut Vec<u64>, shape: &StructShape, raw: &[u8]) {
        let row = words.len();
        let slots = shape.start.len() - shape.marks;
        words.extend(nulls(slots));
        let error = words.len();
        words.extend(nulls(ERROR_FIELDS));
        // None of the error's fields is null.
        words[error] = 0;
        for (number, text) in [&self.reason, &self.path].into_iter().enumerate() {
            words[error + 1 + number] = put(text.as_bytes(), error, words);
        }
        words[error + ERROR_FIELDS] = self.offset as u64;
        let error = word_of_place(error - row, WORD * (words.len() - error));
        let raw = put(raw, row, words);
        let first = slots - FIELDS_OF_ERRORS;
        for (number, word) in [error, raw].into_iter().enumerate() {
            words[row + shape.marks + first + number] = word;
            unmark(words, row, first + number);
        }
    }
}

/// Append bytes, and return the word that refers to them from `holder`.
fn put(bytes: &[u8], holder: usize, words: &mut Vec<u64>) -> u64 {
    let word = word_of_place(words.len() - holder, bytes.len());
    put_bytes(bytes, words);
    word
}
