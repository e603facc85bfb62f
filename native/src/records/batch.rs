//! The records of one batch, some at a time, after all of them have been looked at.

use super::codecs::Decompressor;
use super::filter::Filter;
use super::header::{Frame, HEADER, Header, Stopped, frame_at};
use super::record::{Broken, Record, SMALLEST, read_record};
use super::table::Problem;
use crate::wire::Cursor;

/// So many records are gone through at a time, so that what is known of them stays in the processor's cache.
const CHUNK: usize = 1024;

/// How many records, and how many bytes of them, may still be taken.
pub struct Room {
    pub records: usize,
    pub bytes: usize,
    /// Whether nothing was taken yet: then a record is taken even if it has more bytes.
    pub is_empty: bool,
}

/// What there is after some records were read.
#[derive(Debug, PartialEq)]
pub enum Left {
    /// Nothing.
    Nothing,
    /// More records.
    Records,
    /// More records, and the next one has no room.
    TooMuch,
}

/// A batch being read.
pub struct Batch {
    pub header: Header,
    is_plain: bool,
    is_checked: bool,
    /// How many records it has, how many were read, and where among their bytes the next one begins.
    count: usize,
    next: usize,
    at: usize,
}

impl Batch {
    /// The batch in a frame, its records decompressed; `None` if there is nothing to read.
    pub fn open(frame: &Frame<'_>, filter: &Filter, decompressor: &mut Decompressor) -> Result<Option<Self>, Problem> {
        let Some(header) = frame.header() else {
            return Err(without_header(frame));
        };
        if !filter.takes_batch(&header) {
            return Ok(None);
        }
        if filter.verify_checksums && !frame.is_intact() {
            return Err(problem(frame, 17, "crc", "the checksum is wrong: the batch was damaged".to_owned()));
        }
        let Ok(count) = usize::try_from(header.record_count) else {
            let text = format!("{} is not a number of records", header.record_count);
            return Err(problem(frame, HEADER - 4, "records", text));
        };
        let payload = &frame.bytes[HEADER..];
        if count == 0 && payload.is_empty() {
            return Ok(None);
        }
        let is_plain = header.codec() == 0;
        if !is_plain {
            let outcome = decompressor.decompress(header.codec(), payload);
            outcome.map_err(|text| problem(frame, HEADER, "records", text))?;
        }
        let batch = Batch { header, is_plain, is_checked: false, count, next: 0, at: 0 };
        let left = batch.bytes(frame, decompressor).len();
        if count > left / SMALLEST {
            let text = format!("{count} records are announced, but only {left} bytes are left");
            return Err(problem(frame, HEADER - 4, "records", text));
        }
        Ok(Some(batch))
    }

    /// The frame it was opened from.
    pub fn frame<'a>(&self, data: &'a [u8]) -> Result<Frame<'a>, Stopped> {
        frame_at(data, self.header.place.position)
    }

    /// The bytes of its records, decompressed.
    pub fn bytes<'a>(&self, frame: &Frame<'a>, decompressor: &'a Decompressor) -> &'a [u8] {
        if self.is_plain { &frame.bytes[HEADER..] } else { decompressor.bytes() }
    }

    /// Reads as many of the records as there is room for, and replaces `records` by those that pass the filter.
    ///
    /// The first time the others are looked at too: no record of a batch is given before all are known to be right.
    pub fn read(
        &mut self,
        bytes: &[u8],
        filter: &Filter,
        room: &mut Room,
        records: &mut Vec<Record>,
    ) -> Result<Left, Problem> {
        records.clear();
        let mut left = Left::Nothing;
        let mut cursor = self.cursor(bytes, self.at)?;
        while self.next < self.count {
            if records.len() == room.records.min(CHUNK) {
                left = Left::Records;
                break;
            }
            let record = read_record(&mut cursor).map_err(|broken| self.broken(self.next, &broken))?;
            if filter.takes_record(&self.header, &record) {
                if record.size > room.bytes && !room.is_empty {
                    left = Left::TooMuch;
                    break;
                }
                room.bytes = room.bytes.saturating_sub(record.size);
                room.is_empty = false;
                records.push(record);
            }
            self.next += 1;
            self.at = cursor.at();
        }
        if !self.is_checked {
            self.check_rest(bytes)?;
            self.is_checked = true;
        }
        room.records -= records.len();
        Ok(left)
    }

    fn check_rest(&self, bytes: &[u8]) -> Result<(), Problem> {
        let mut cursor = self.cursor(bytes, self.at)?;
        for number in self.next..self.count {
            read_record(&mut cursor).map_err(|broken| self.broken(number, &broken))?;
        }
        match cursor.left() {
            0 => Ok(()),
            left => Err(self.problem(cursor.at(), "records", format!("{left} bytes are left after the last record"))),
        }
    }

    fn cursor<'a>(&self, bytes: &'a [u8], at: usize) -> Result<Cursor<'a>, Problem> {
        Cursor::new(bytes, at).map_err(|reason| self.problem(0, "records", reason.to_string()))
    }

    #[cold]
    fn broken(&self, number: usize, broken: &Broken) -> Problem {
        self.problem(broken.at, &format!("records[{number}].{}", broken.part), broken.fault.to_string())
    }

    /// A problem with a byte of the records. Within compressed ones no byte of the buffer is to blame but the first.
    fn problem(&self, at: usize, path: &str, message: String) -> Problem {
        let at = if self.is_plain { at } else { 0 };
        Problem { message, path: path.to_owned(), at: self.header.place.position + HEADER + at }
    }
}

fn without_header(frame: &Frame<'_>) -> Problem {
    match frame.magic() {
        2 => problem(frame, 8, "length", format!("a batch has {HEADER} bytes at least, not {}", frame.bytes.len())),
        magic @ (0 | 1) => {
            let text = format!("messages of magic {magic} (before Kafka 0.11) are not read, only batches of magic 2");
            problem(frame, 16, "magic", text)
        }
        magic => problem(frame, 16, "magic", format!("there are no batches of magic {magic}, only 2 is read")),
    }
}

fn problem(frame: &Frame<'_>, at: usize, path: &str, message: String) -> Problem {
    Problem { message, path: path.to_owned(), at: frame.position + at }
}
