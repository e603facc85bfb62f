//! Decodes messages to rows; the JVM library has no other decoder.

mod refusal;
mod shape;
mod sink;

use arrow_schema::Fields;
use messagegen_core::columns::Decoder;
use messagegen_core::error::Cause;
use messagegen_core::walk::Walk;
use messagegen_core::wire::Cursor;
use messagegen_core::{Error, Outcome};

pub use self::refusal::{FIELDS_OF_ERRORS, Refusal};
use self::shape::StructShape;
use self::sink::RowSink;
use crate::door::defect;

/// Decodes messages to rows.
pub struct RowDecoder {
    pub decoder: Decoder,
    shape: StructShape,
}

impl RowDecoder {
    /// Create a decoder that writes rows with the `wanted` fields, in that order, followed by `nulls` extra slots.
    ///
    /// The decoder must have all of these fields.
    pub fn new(decoder: Decoder, wanted: &Fields, nulls: usize) -> Outcome<Self> {
        Ok(RowDecoder {
            shape: StructShape::of_message(&decoder, wanted, nulls)?,
            decoder,
        })
    }

    /// Append the row of a message to `words`. If the message cannot be decoded, `words` stays unchanged.
    pub fn put(&self, words: &mut Vec<u64>, version: Option<i64>, message: &[u8]) -> Outcome<Result<(), Refusal>> {
        let start = words.len();
        let outcome = self.put_or_part(words, version, message);
        if !matches!(outcome, Ok(Ok(()))) {
            words.truncate(start);
        }
        outcome
    }

    /// Append a row of nulls whose last two slots are the error and the raw bytes. The decoder must have been created
    /// with [`FIELDS_OF_ERRORS`] extra slots.
    pub fn put_refusal(&self, words: &mut Vec<u64>, refusal: &Refusal, raw: &[u8]) {
        refusal.put(words, &self.shape, raw);
    }

    /// Append the row as `put` does, but leave a partial row in `words` if the message cannot be decoded.
    #[inline(always)]
    fn put_or_part(&self, words: &mut Vec<u64>, version: Option<i64>, message: &[u8]) -> Outcome<Result<(), Refusal>> {
        let decoder = &self.decoder;
        let Some(layout) = version.and_then(|version| decoder.layouts.get(version.into())) else {
            let reason = decoder.layouts.unexpected(version.map(i128::from));
            return Ok(Err(Refusal::new(reason, 0)));
        };
        let Ok(cursor) = Cursor::new(message, 0) else {
            return Err(defect("no bytes"));
        };
        let mut walk = Walk::new(&decoder.plan, decoder.limits, cursor);
        let mut sink = RowSink::new(&decoder.plan, &decoder.defaults, words);
        if let Err(error) = sink.message(&mut walk, &self.shape, layout) {
            return match error.cause() {
                Cause::Message(reason, parts) => Ok(Err(Refusal {
                    reason: reason.text,
                    path: decoder.path(&parts),
                    offset: walk.start,
                })),
                Cause::Other(error) => Err(Error::value(error.to_string())),
            };
        }
        match walk.cursor.left() {
            0 => Ok(Ok(())),
            left => {
                let reason = format!("extra bytes after the message: {left}");
                Ok(Err(Refusal::new(reason, walk.cursor.at())))
            }
        }
    }
}
