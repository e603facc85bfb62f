//! Encodes rows to messages, in one call for each row, for Spark's functions `encode_...`.

mod native;
mod source;
mod types;

use messagegen_core::columns::{Encoder, Refusal, RowColumns};
use messagegen_core::logs::{Given, Mode, mode};
use messagegen_core::outcome::{Kind, fail};
use messagegen_core::{Error, Outcome};

use self::types::{SparkColumn, columns_of};
use super::ADVICE;
use crate::content::{plan_error, version_number};
use crate::rows::WORD;

/// The size of the byte count that precedes a result.
const LENGTH: usize = WORD;
/// The size of a row with two fields: null marks, and a word for each field.
const ROW_OF_TWO: usize = 3 * WORD;
const FIRST_IS_NULL: u64 = 1;
const SECOND_IS_NULL: u64 = 2;

/// Encodes rows of one type.
pub struct EncodeFunction {
    message: String,
    encoder: Encoder,
    columns: RowColumns<SparkColumn>,
    mode: Mode,
}

impl EncodeFunction {
    /// Create a function from the name of a message, its plan, the options, and the struct type of the rows, as Spark's
    /// JSON. Fails for unknown options, and for columns that match no field or have a type that does not fit the field.
    pub fn new(message: String, plan: &str, mut given: Given, row_type: &str) -> Outcome<Self> {
        let mode = given.take("mode", mode)?.unwrap_or(Mode::FailFast);
        let version = given.take("version", version_number)?;
        given.finish("functions that encode have")?;
        let in_function = |error: Error| Error::new(error.kind, format!("encode_{message}: {}", error.text));
        let encoder = Encoder::new(plan).map_err(|error| plan_error(&message, &error))?;
        let columns = encoder.columns(columns_of(row_type)?, version).map_err(in_function)?;
        Ok(EncodeFunction {
            message,
            encoder,
            columns,
            mode,
        })
    }

    /// Encode a row. Replace the content of `out` by the size of the result in bytes and the result, or by nothing if
    /// the result is null. The result is the message or, in mode PERMISSIVE, a row that consists of the message and the
    /// error.
    pub fn result(&self, out: &mut Vec<u8>, version: Option<i64>, row: &[u8]) -> Outcome<()> {
        let start = match self.mode {
            Mode::Permissive => LENGTH + ROW_OF_TWO,
            Mode::FailFast | Mode::DropMalformed => LENGTH,
        };
        out.clear();
        out.resize(start, 0);
        let written = self.encoder.row(&self.columns, row, version.map(i128::from), out)?;
        match (written, self.mode) {
            (Ok(()), Mode::Permissive) => {
                set_word(out, LENGTH, SECOND_IS_NULL);
                end_bytes(out, LENGTH + WORD, LENGTH, start);
            }
            (Ok(()), _) => (),
            (Err(refusal), Mode::Permissive) => {
                out.truncate(start);
                put_error(out, &refusal);
            }
            (Err(refusal), Mode::FailFast) => return fail(Kind::Malformed, self.text(&refusal, version)),
            (Err(_), Mode::DropMalformed) => {
                out.clear();
                return Ok(());
            }
        }
        let size = out.len() - LENGTH;
        i32::try_from(size).map_err(|_| Error::value("a value of Spark holds at most 2 GiB"))?;
        set_word(out, 0, size as u64);
        Ok(())
    }

    #[cold]
    fn text(&self, refusal: &Refusal, version: Option<i64>) -> String {
        let message = &self.message;
        let Refusal { reason, path } = refusal;
        let subject = if path.is_empty() { message } else { path };
        let place = version.map_or_else(String::new, |version| format!(" version {version}"));
        format!("{subject}: {reason} ({message}{place}); {ADVICE}")
    }
}

/// Append the error after the words of the outer row, and make the row's message null.
#[cold]
fn put_error(out: &mut Vec<u8>, refusal: &Refusal) {
    set_word(out, LENGTH, FIRST_IS_NULL);
    let error = out.len();
    out.resize(error + ROW_OF_TWO, 0);
    for (number, text) in [&refusal.reason, &refusal.path].into_iter().enumerate() {
        let start = out.len();
        out.extend_from_slice(text.as_bytes());
        end_bytes(out, error + WORD * (1 + number), error, start);
    }
    let size = out.len() - error;
    set_word(out, LENGTH + 2 * WORD, reference(error - LENGTH, size));
}

/// Finish the bytes that begin at `start`: pad them with zeros to a whole word, and make the word at `place` refer to
/// them. The offset in that word counts from `holder`.
fn end_bytes(out: &mut Vec<u8>, place: usize, holder: usize, start: usize) {
    let size = out.len() - start;
    set_word(out, place, reference(start - holder, size));
    out.resize(start + size.next_multiple_of(WORD), 0);
}

fn reference(start: usize, size: usize) -> u64 {
    (start as u64) << u32::BITS | size as u64
}

fn set_word(out: &mut [u8], at: usize, word: u64) {
    out[at..at + WORD].copy_from_slice(&word.to_le_bytes());
}
