//! The records of one batch. All of them are checked first, and then returned in chunks.

use super::codecs::Decompressor;
use super::error::{RecordsError, RecordsResult, fail_at};
use super::filter::Bounds;
use super::header::{HEADER, Header, is_intact};
use super::message_sets::{too_short, translate};
use super::record::{Record, SMALLEST, read_record};
use crate::wire::Cursor;

/// The number of records that are processed at a time: few enough that their places stay in the processor's cache.
const CHUNK: usize = 1024;

/// The number of records, and the number of their bytes, that may still be read.
pub struct ReadBudget {
    pub records: usize,
    pub bytes: usize,
    /// Whether no record has been read yet. The first record is read even if it exceeds `bytes`.
    pub is_empty: bool,
}

/// A batch that is being read.
pub struct Batch {
    pub header: Header,
    is_plain: bool,
    is_checked: bool,
    /// The number of records, how many of them have been read, and the position of the next one in their bytes.
    count: usize,
    next: usize,
    at: usize,
}

impl Batch {
    /// Open the batch in `data` and decompress its records. Return `None` if the header rules out records within the
    /// bounds.
    ///
    /// Positions in errors count from the start of the batch.
    pub fn open(
        header: Header,
        data: &[u8],
        bounds: &Bounds,
        is_verified: bool,
        decompressor: &mut Decompressor,
    ) -> RecordsResult<Option<Self>> {
        if !header.is_readable() {
            return unreadable(&header);
        }
        if !bounds.takes_batch(&header) {
            return Ok(None);
        }
        if is_verified && !is_intact(data) {
            let at = if header.is_message() { 12 } else { 17 };
            return fail_at("the checksum is wrong: the batch was damaged".to_owned(), "crc", at);
        }
        if header.is_message() {
            let header = translate(&header, data, is_verified, decompressor)?;
            let count = usize::try_from(header.record_count).unwrap_or(0);
            return Ok(Some(Batch {
                header,
                is_plain: false,
                is_checked: false,
                count,
                next: 0,
                at: 0,
            }));
        }
        let Ok(count) = usize::try_from(header.record_count) else {
            let text = format!("invalid number of records: {}", header.record_count);
            return fail_at(text, "records", HEADER - 4);
        };
        let payload = &data[HEADER..];
        if count == 0 && payload.is_empty() {
            return Ok(None);
        }
        let is_plain = header.codec() == 0;
        if !is_plain {
            let outcome = decompressor.decompress(header.codec(), payload);
            outcome.or_else(|text| fail_at(text, "records", HEADER))?;
        }
        let batch = Batch {
            header,
            is_plain,
            is_checked: false,
            count,
            next: 0,
            at: 0,
        };
        let left = batch.bytes(data, decompressor).len();
        if count > left / SMALLEST {
            let text = format!("invalid number of records, {count}; bytes left: {left}");
            return fail_at(text, "records", HEADER - 4);
        }
        Ok(Some(batch))
    }

    /// Return the decompressed bytes of the records.
    pub fn bytes<'a>(&self, data: &'a [u8], decompressor: &'a Decompressor) -> &'a [u8] {
        if self.is_plain {
            &data[HEADER..]
        } else {
            decompressor.bytes()
        }
    }

    /// Replace the content of `records` by up to `CHUNK` records within the bounds and the budget. Return whether the
    /// batch is finished. A record that is too large for the budget uses up the budget.
    ///
    /// The first call also checks the remaining records: a batch returns no records unless all of them are valid.
    pub fn read(
        &mut self,
        bytes: &[u8],
        bounds: &Bounds,
        budget: &mut ReadBudget,
        records: &mut Vec<Record>,
    ) -> RecordsResult<bool> {
        records.clear();
        let mut cursor = self.cursor(bytes, self.at)?;
        while self.next < self.count {
            if records.len() == budget.records.min(CHUNK) {
                break;
            }
            let record = read_record(&mut cursor).map_err(|error| self.in_record(self.next, *error))?;
            if bounds.takes_record(&self.header, &record) {
                if record.size > budget.bytes && !budget.is_empty {
                    budget.bytes = 0;
                    break;
                }
                budget.bytes = budget.bytes.saturating_sub(record.size);
                budget.is_empty = false;
                records.push(record);
            }
            self.next += 1;
            self.at = cursor.at();
        }
        if !self.is_checked {
            self.check_rest(bytes)?;
            self.is_checked = true;
        }
        budget.records -= records.len();
        Ok(self.next == self.count)
    }

    fn check_rest(&self, bytes: &[u8]) -> RecordsResult<()> {
        let mut cursor = self.cursor(bytes, self.at)?;
        for number in self.next..self.count {
            read_record(&mut cursor).map_err(|error| self.in_record(number, *error))?;
        }
        match cursor.left() {
            0 => Ok(()),
            left => fail_at(
                format!("extra bytes after the last record: {left}"),
                "records",
                self.position(cursor.at()),
            ),
        }
    }

    fn cursor<'a>(&self, bytes: &'a [u8], at: usize) -> RecordsResult<Cursor<'a>> {
        Cursor::new(bytes, at).or_else(|error| fail_at(*error, "records", self.position(0)))
    }

    #[cold]
    fn in_record(&self, number: usize, error: RecordsError) -> Box<RecordsError> {
        let RecordsError { message, path, at } = error;
        Box::new(RecordsError {
            message,
            path: format!("records[{number}].{path}"),
            at: self.position(at),
        })
    }

    /// Convert a position in the bytes of the records to a position in the batch. For compressed records, return where
    /// they start.
    fn position(&self, at: usize) -> usize {
        HEADER + if self.is_plain { at } else { 0 }
    }
}

fn unreadable<T>(header: &Header) -> RecordsResult<T> {
    let (text, path, at) = match header.magic {
        2 => (
            format!("a batch has at least {HEADER} bytes, not {}", header.length),
            "length",
            8,
        ),
        magic @ (0 | 1) => (too_short(magic, header.length), "length", 8),
        magic => (format!("unsupported magic {magic}; expected 0, 1 or 2"), "magic", 16),
    };
    fail_at(text, path, at)
}
