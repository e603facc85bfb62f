//! Decodes the values of records as messages, and handles undecodable values.

use arrow_array::{Array, BinaryArray, BooleanArray, Int64Array, StringArray};
use arrow_buffer::NullBuffer;
use arrow_data::ArrayData;
use arrow_data::transform::MutableArrayData;
use messagegen_core::Outcome;
use messagegen_core::logs::Mode;
use messagegen_core::outcome::{Kind, fail};

use super::decoder::MessageDecoder;
use crate::content::REDACTED;
use crate::door::defect;

const WITHOUT_VERSION: &str = "; without the option version, each value begins with its version";
const ADVICE: &str =
    "; mode DROPMALFORMED leaves such records out; mode PERMISSIVE keeps them, with the reason in _error";

/// Decodes values, and handles undecodable values as the mode requires.
pub struct Messages {
    decoder: MessageDecoder,
    hides_secrets: bool,
    pub numbers: Numbers,
    pub left_out: usize,
    pub warnings: Vec<String>,
}

/// The positions of columns.
pub struct Numbers {
    pub value: usize,
    pub offset: usize,
    pub error: Option<usize>,
    pub raw: Option<usize>,
    /// Only set if control records are read, too; their values are not messages.
    pub is_control: Option<usize>,
}

impl Messages {
    /// Create a decoder for the values in columns at these positions.
    pub fn new(decoder: MessageDecoder, hides_secrets: bool, numbers: Numbers) -> Self {
        Messages {
            decoder,
            hides_secrets,
            numbers,
            left_out: 0,
            warnings: Vec::new(),
        }
    }

    /// Append the column of messages. If values are undecodable, the mode decides whether to fail, drop their rows, or
    /// fill the error columns.
    pub fn decode(&mut self, columns: &mut Vec<ArrayData>, mode: Mode, path: &str) -> Outcome<()> {
        let (message, errors) = self.decoded(columns)?;
        if let Some(number) = self.numbers.raw.filter(|_| self.hides_secrets) {
            columns[number] = chosen(&columns[number], &redacted(errors.len()), &columns[number])?;
        }
        columns.push(message);
        let wrong = errors.len() - errors.null_count();
        if wrong == 0 {
            return Ok(());
        }
        match mode {
            Mode::Permissive => self.tell(columns, &errors),
            Mode::FailFast => fail(Kind::Malformed, self.first(columns, &errors, path) + ADVICE),
            Mode::DropMalformed => {
                let text = self.first(columns, &errors, path);
                self.left_out += wrong;
                self.warnings.push(format!(
                    "left out {wrong} values that are no messages; the first: {text}"
                ));
                for column in columns {
                    *column = gathered(&[column], errors.len(), |row| errors.is_null(row).then_some(0))?;
                }
                Ok(())
            }
        }
    }

    /// Return the messages and the errors of the values. Control records have neither.
    fn decoded(&self, columns: &[ArrayData]) -> Outcome<(ArrayData, ArrayData)> {
        let values = &columns[self.numbers.value];
        let Some(is_control) = self.numbers.is_control else {
            return self.decoder.decode(values);
        };
        let is_control = BooleanArray::from(columns[is_control].clone());
        let is_data: NullBuffer = is_control.iter().map(|mark| mark != Some(true)).collect();
        let nulls = NullBuffer::union(values.nulls(), Some(&is_data));
        self.decoder
            .decode(&values.clone().into_builder().nulls(nulls).build().map_err(defect)?)
    }

    /// Describe the first undecodable value.
    fn first(&self, columns: &[ArrayData], errors: &ArrayData, path: &str) -> String {
        let row = (0..errors.len()).find(|row| errors.is_valid(*row)).unwrap_or(0);
        let offset = Int64Array::from(columns[self.numbers.offset].clone()).value(row);
        let [reasons, fields] = [0, 1].map(|child| StringArray::from(errors.child_data()[child].clone()));
        let reason = reasons.value(row);
        let field = fields.value(row);
        let place = if field.is_empty() {
            String::new()
        } else {
            format!("{field}: ")
        };
        let version = if self.decoder.reads_versions() {
            WITHOUT_VERSION
        } else {
            ""
        };
        format!("{path}: the value of the record at offset {offset} can't be decoded: {place}{reason}{version}")
    }

    /// Add the errors and raw values to the error columns, which already describe damaged batches.
    fn tell(&self, columns: &mut [ArrayData], errors: &ArrayData) -> Outcome<()> {
        if let Some(number) = self.numbers.error {
            columns[number] = chosen(errors, errors, &columns[number])?;
        }
        if let Some(number) = self.numbers.raw {
            let shown = if self.hides_secrets {
                redacted(errors.len())
            } else {
                columns[self.numbers.value].clone()
            };
            columns[number] = chosen(errors, &shown, &columns[number])?;
        }
        Ok(())
    }
}

fn redacted(count: usize) -> ArrayData {
    BinaryArray::from_iter_values(std::iter::repeat_n(REDACTED, count)).into_data()
}

/// Return the rows of `one` where `where_valid` is not null, and the rows of `other` elsewhere.
fn chosen(where_valid: &ArrayData, one: &ArrayData, other: &ArrayData) -> Outcome<ArrayData> {
    gathered(&[one, other], other.len(), |row| {
        Some(usize::from(where_valid.is_null(row)))
    })
}

/// Take each row from the array that `source` selects for it; drop the row if `source` returns `None`.
fn gathered(sources: &[&ArrayData], rows: usize, source: impl Fn(usize) -> Option<usize>) -> Outcome<ArrayData> {
    let mut kept = MutableArrayData::new(sources.to_vec(), false, rows);
    for row in 0..rows {
        if let Some(number) = source(row) {
            kept.try_extend(number, row, row + 1).map_err(defect)?;
        }
    }
    Ok(kept.freeze())
}
