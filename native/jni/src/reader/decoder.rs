//! Decodes the column of values to the column of messages.

use arrow_array::{Array, BinaryArray};
use arrow_buffer::{BooleanBufferBuilder, Buffer, NullBuffer};
use arrow_data::ArrayData;
use arrow_schema::{DataType, Fields};
use messagegen_core::Outcome;
use messagegen_core::arrow::builder::Columns;
use messagegen_core::arrow::errors::ErrorColumn;
use messagegen_core::columns::Decoder;
use messagegen_core::error::MessageError;

use crate::content::{VERSION_BYTES, version_of};
use crate::door::defect;
use crate::rows::{Refusal, RowDecoder, WORD, bytes_of_row};

/// The type of the column: each value is the bytes of a Spark row. It is a large type, because the rows of a batch may
/// exceed 2 GiB.
pub const ROWS: DataType = DataType::LargeBinary;

/// Decodes values to Spark rows.
pub struct MessageDecoder {
    rows: RowDecoder,
    /// `None`: each value begins with its version.
    version: Option<i64>,
}

impl MessageDecoder {
    /// Create a decoder that writes structs with the `wanted` fields. `version` is the version of all values; `None` if
    /// each value begins with its version.
    pub fn new(decoder: Decoder, wanted: &Fields, version: Option<i64>) -> Outcome<Self> {
        Ok(MessageDecoder {
            rows: RowDecoder::new(decoder, wanted, 0)?,
            version,
        })
    }

    /// Whether each value begins with its version.
    pub fn reads_versions(&self) -> bool {
        self.version.is_none()
    }

    /// Return the messages and the errors of `values`. A message is null if its value is null or undecodable.
    pub fn decode(&self, values: &ArrayData) -> Outcome<(ArrayData, ArrayData)> {
        let values = BinaryArray::from(values.clone());
        let mut words = Vec::new();
        let mut ends = vec![0];
        let mut is_message = BooleanBufferBuilder::new(values.len());
        let mut errors = Columns::default();
        let error = ErrorColumn::add(&mut errors, true);
        for (number, value) in values.iter().enumerate() {
            let refusal = value.map(|value| self.put(&mut words, value)).transpose()?;
            if let Some(Err(Refusal { reason, path, offset })) = &refusal {
                errors.push_nulls(error.column, number - errors.length(error.column));
                let pushed = error.push(&mut errors, reason, path, *offset as u64);
                pushed.map_err(MessageError::from)?;
            }
            is_message.append(matches!(refusal, Some(Ok(()))));
            ends.push((WORD * words.len()) as i64);
        }
        errors.push_nulls(error.column, values.len() - errors.length(error.column));
        let rows = ArrayData::builder(ROWS)
            .len(values.len())
            .nulls(Some(NullBuffer::new(is_message.finish())))
            .add_buffer(Buffer::from_vec(ends))
            .add_buffer(Buffer::from_vec(words));
        Ok((rows.build().map_err(defect)?, errors.finish(error.column)))
    }

    /// Append the row of the message in `value` to `words`.
    #[inline]
    fn put(&self, words: &mut Vec<u64>, value: &[u8]) -> Outcome<Result<(), Refusal>> {
        let start = words.len();
        let refused = match self.version {
            Some(_) => self.rows.put(words, self.version, value),
            None => {
                let message = value.get(VERSION_BYTES..).unwrap_or_default();
                self.rows.put(words, version_of(value), message)
            }
        }?;
        bytes_of_row(&words[start..])?;
        Ok(refused)
    }
}
