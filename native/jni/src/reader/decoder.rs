//! The column of messages, of that of values.

use arrow_array::{Array, BinaryArray, Int64Array};
use arrow_buffer::{BooleanBufferBuilder, Buffer, NullBuffer};
use arrow_data::ArrayData;
use arrow_schema::DataType;
use messagegen_core::Outcome;
use messagegen_core::arrow::builder::Columns;
use messagegen_core::arrow::errors::ErrorColumn;
use messagegen_core::columns::{Decoder, VersionArgument};
use messagegen_core::error::MessageError;
use messagegen_core::logs::ERROR;

use crate::content::{VERSION_BYTES, version_of, without_error};
use crate::door::defect;
use crate::rows::{Refusal, RowDecoder, WORD};

/// The type of messages that are rows: the bytes of each. A batch may have more than int32 has.
pub const ROWS: DataType = DataType::LargeBinary;

/// Decodes values.
pub struct MessageDecoder {
    form: Form,
    /// `None`: each value begins with its version.
    version: Option<i64>,
}

/// What messages become.
enum Form {
    Columns(Decoder),
    /// Rows as Spark keeps them, each the bytes of one value: nothing but a copy of them is left to do.
    Rows(RowDecoder),
}

impl MessageDecoder {
    /// Decodes values of a version, or with a version each, to rows or to columns.
    pub fn new(decoder: Decoder, version: Option<i64>, as_rows: bool) -> Outcome<Self> {
        let form = match as_rows {
            true => Form::Rows(RowDecoder::new(decoder, 0)?),
            false => Form::Columns(decoder),
        };
        Ok(MessageDecoder { form, version })
    }

    /// The messages of values, null where there is no value or an error, and the errors.
    pub fn decode(&self, values: &ArrayData) -> Outcome<(ArrayData, ArrayData)> {
        match &self.form {
            Form::Columns(decoder) => self.columns(decoder, values),
            Form::Rows(decoder) => self.rows(decoder, values),
        }
    }

    fn columns(&self, decoder: &Decoder, values: &ArrayData) -> Outcome<(ArrayData, ArrayData)> {
        let decoded = match self.version {
            Some(version) => decoder.decode(values, &VersionArgument::One(version), 0)?,
            None => decoder.decode(values, &VersionArgument::Each(versions(values)), VERSION_BYTES)?,
        };
        let DataType::Struct(fields) = decoded.data_type() else {
            return Err(defect("no struct"));
        };
        let at = fields
            .iter()
            .position(|field| field.name() == ERROR)
            .ok_or_else(|| defect("no errors"))?;
        let mut children = decoded.child_data().to_vec();
        let errors = children.remove(at);
        let mut nulls = values.nulls().cloned();
        if errors.null_count() < errors.len() {
            let is_right: NullBuffer = (0..errors.len()).map(|row| errors.is_null(row)).collect();
            nulls = NullBuffer::union(nulls.as_ref(), Some(&is_right));
        }
        let message = ArrayData::builder(DataType::Struct(without_error(fields)))
            .len(decoded.len())
            .nulls(nulls);
        Ok((message.child_data(children).build().map_err(defect)?, errors))
    }

    fn rows(&self, decoder: &RowDecoder, values: &ArrayData) -> Outcome<(ArrayData, ArrayData)> {
        let values = BinaryArray::from(values.clone());
        let mut words = Vec::new();
        let mut ends = vec![0];
        let mut is_message = BooleanBufferBuilder::new(values.len());
        let mut errors = Columns::default();
        let error = ErrorColumn::add(&mut errors, true);
        for (number, value) in values.iter().enumerate() {
            let refusal = value.map(|value| self.put(decoder, &mut words, value)).transpose()?;
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

    /// Puts the row of the message in a value.
    #[inline]
    fn put(&self, decoder: &RowDecoder, words: &mut Vec<u64>, value: &[u8]) -> Outcome<Result<(), Refusal>> {
        match self.version {
            Some(_) => decoder.put(words, self.version, value),
            None => decoder.put(words, version_of(value), value.get(VERSION_BYTES..).unwrap_or_default()),
        }
    }
}

/// The int16 that each value begins with; null for a value that has none.
fn versions(values: &ArrayData) -> ArrayData {
    BinaryArray::from(values.clone())
        .iter()
        .map(|value| version_of(value?))
        .collect::<Int64Array>()
        .into_data()
}
