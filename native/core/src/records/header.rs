//! Batch headers, and the positions of batches (KIP-98; Kafka's `DefaultRecordBatch`). Messages of magic 0 and 1 are
//! read as batches, too.

use flate2::Crc;

use super::record::Record;
use crate::wire::chunk;

/// The size of the base offset and the length together. The length counts the bytes after itself.
pub const BEFORE_LENGTH: usize = 12;
/// The position of the length.
pub const LENGTH_AT: usize = 8;
/// The position of the magic, which distinguishes the formats.
const MAGIC_AT: usize = 16;
/// The positions of the parts of a message of magic 0 or 1. Only magic 1 has a timestamp.
const OLD_CRC_AT: usize = 12;
pub const OLD_ATTRIBUTES_AT: usize = 17;
pub const OLD_TIMESTAMP_AT: usize = 18;
/// The size of the header of a batch of magic 2.
pub const HEADER: usize = 61;
/// The minimum value of the length field for any magic: the length of a message of magic 0 without a key or a value.
const SHORTEST: i32 = 14;
/// The position of the attributes, which are the first bytes that the checksum covers.
const CHECKED_FROM: usize = 21;

const CODEC: i16 = 0x07;
const LOG_APPEND_TIME: i16 = 0x08;

/// The reason why reading stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// All bytes were read.
    End,
    /// The last batch is incomplete.
    Truncated,
    /// Zeros follow: the file was made longer than its content.
    Preallocated,
    /// The length is invalid for any batch, or the magic is unknown and the batch is incomplete.
    Damaged,
}

/// Return the size in bytes of the batch that begins with `start`, or the reason if `start` does not begin one. `start`
/// has `HEADER` bytes, or all bytes that are left.
fn size_at(start: &[u8], left: u64) -> Result<usize, Stopped> {
    if start.is_empty() {
        return Err(Stopped::End);
    }
    if start.len() < BEFORE_LENGTH {
        return Err(Stopped::Truncated);
    }
    if start.iter().take(HEADER).all(|byte| *byte == 0) {
        return Err(Stopped::Preallocated);
    }
    let length = i32::from_be_bytes(chunk(start, 8));
    let size = match usize::try_from(length) {
        Ok(size) if length >= SHORTEST => size + BEFORE_LENGTH,
        _ => return Err(Stopped::Damaged),
    };
    if size as u64 <= left {
        return Ok(size);
    }
    // A batch that was only truncated has a known magic.
    if start.get(MAGIC_AT).is_some_and(|magic| *magic > 2) {
        Err(Stopped::Damaged)
    } else {
        Err(Stopped::Truncated)
    }
}

/// Whether the checksum of a readable batch is valid. `data` is the whole batch.
pub fn is_intact(data: &[u8]) -> bool {
    if data[MAGIC_AT] < 2 {
        let mut crc = Crc::new();
        crc.update(&data[MAGIC_AT..]);
        return crc.sum() == u32::from_be_bytes(chunk(data, OLD_CRC_AT));
    }
    let stored = u32::from_be_bytes(chunk(data, MAGIC_AT + 1));
    crc32c::crc32c(&data[CHECKED_FROM..]) == stored
}

/// Return the position of the key in a message of magic 0 or 1, after its timestamp.
pub fn key_at(magic: i8) -> usize {
    if magic == 1 {
        OLD_TIMESTAMP_AT + size_of::<i64>()
    } else {
        OLD_TIMESTAMP_AT
    }
}

/// Return the minimum size of a message of magic 0 or 1, which ends with the lengths of its key and its value.
pub fn shortest_message(magic: i8) -> usize {
    key_at(magic) + 2 * size_of::<i32>()
}

fn has_old_parts(magic: i8, length: usize) -> bool {
    matches!(magic, 0 | 1) && length >= shortest_message(magic)
}

/// The header of a batch.
///
/// A compressed message of magic 0 or 1 has the offset of its last record, and the number of its records is unknown.
/// For an unknown magic, only the position, the length and the base offset are valid.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct Header {
    pub position: u64,
    pub length: usize,
    /// The offset of the first record (magic 2) or of the last record (magic 0 and 1).
    pub base_offset: i64,
    pub magic: i8,
    pub leader_epoch: i32,
    pub attributes: i16,
    pub last_offset_delta: i32,
    pub base_timestamp: i64,
    pub max_timestamp: i64,
    pub producer_id: i64,
    pub producer_epoch: i16,
    pub base_sequence: i32,
    pub record_count: i32,
}

impl Header {
    /// Return the header of the batch that begins with `start`, or the reason if `start` does not begin one. `start`
    /// has `HEADER` bytes, or all bytes that are left.
    pub fn at(start: &[u8], position: u64, left: u64) -> Result<Self, Stopped> {
        let length = size_at(start, left)?;
        let magic = start.get(MAGIC_AT).map_or(-1, |magic| magic.cast_signed());
        let mut bytes = [0; HEADER];
        if has_old_parts(magic, length) {
            // If the file was truncated after `left` was determined, `start` may be shorter than the message.
            let present = start.len().min(HEADER);
            bytes[..present].copy_from_slice(&start[..present]);
            return Ok(Header::of_message(&bytes, position, length, magic));
        }
        if magic == 2 && length >= HEADER && start.len() >= HEADER {
            bytes.copy_from_slice(&start[..HEADER]);
        }
        Ok(Header {
            position,
            length,
            base_offset: i64::from_be_bytes(chunk(start, 0)),
            magic,
            leader_epoch: i32::from_be_bytes(chunk(&bytes, 12)),
            attributes: i16::from_be_bytes(chunk(&bytes, CHECKED_FROM)),
            last_offset_delta: i32::from_be_bytes(chunk(&bytes, 23)),
            base_timestamp: i64::from_be_bytes(chunk(&bytes, 27)),
            max_timestamp: i64::from_be_bytes(chunk(&bytes, 35)),
            producer_id: i64::from_be_bytes(chunk(&bytes, 43)),
            producer_epoch: i16::from_be_bytes(chunk(&bytes, 51)),
            base_sequence: i32::from_be_bytes(chunk(&bytes, 53)),
            record_count: i32::from_be_bytes(chunk(&bytes, 57)),
        })
    }

    /// Return the header of a message of magic 0 or 1.
    fn of_message(start: &[u8], position: u64, length: usize, magic: i8) -> Self {
        let known = if magic == 0 { CODEC } else { CODEC | LOG_APPEND_TIME };
        let timestamp = if magic == 0 {
            -1
        } else {
            i64::from_be_bytes(chunk(start, OLD_TIMESTAMP_AT))
        };
        Header {
            position,
            length,
            base_offset: i64::from_be_bytes(chunk(start, 0)),
            magic,
            leader_epoch: -1,
            attributes: i16::from(start[OLD_ATTRIBUTES_AT]) & known,
            last_offset_delta: 0,
            base_timestamp: timestamp,
            max_timestamp: timestamp,
            producer_id: -1,
            producer_epoch: -1,
            base_sequence: -1,
            record_count: 1,
        }
    }

    /// Return the position of the next batch.
    pub fn end(&self) -> u64 {
        self.position + self.length as u64
    }

    /// Whether the batch has a known magic and is long enough for a header.
    pub fn is_readable(&self) -> bool {
        (self.magic == 2 && self.length >= HEADER) || has_old_parts(self.magic, self.length)
    }

    /// Whether the batch is a message of magic 0 or 1.
    pub fn is_message(&self) -> bool {
        matches!(self.magic, 0 | 1)
    }

    /// Return the offset of the first record; `None` for compressed messages, whose header contains the offset of the
    /// last record.
    pub fn first_offset(&self) -> Option<i64> {
        if self.is_message() && self.codec() != 0 {
            None
        } else {
            Some(self.base_offset)
        }
    }

    /// Return 0 if producers set the times of records, 1 if the broker did, and -1 for magic 0, which has no times.
    pub fn timestamp_type(&self) -> i64 {
        if self.magic == 0 {
            -1
        } else {
            self.is_log_append_time().into()
        }
    }

    /// Return the number of the compression type.
    pub fn codec(&self) -> i16 {
        self.attributes & CODEC
    }

    /// Whether all records have the timestamp that the broker set.
    pub fn is_log_append_time(&self) -> bool {
        self.attributes & LOG_APPEND_TIME != 0
    }

    /// Whether the records belong to a transaction.
    pub fn is_transactional(&self) -> bool {
        self.attributes & 0x10 != 0
    }

    /// Whether the records are control records, which brokers write.
    pub fn is_control(&self) -> bool {
        self.attributes & 0x20 != 0
    }

    /// Whether all fields have values that Kafka could have written.
    pub fn looks_right(&self) -> bool {
        self.is_readable()
            && self.attributes & !0x7F == 0
            && self.codec() <= if self.is_message() { 3 } else { 4 }
            && self.base_offset >= 0
            && self.last_offset_delta >= 0
            && self.record_count >= 0
            && i64::from(self.record_count) <= i64::from(self.last_offset_delta) + 1
            && self.leader_epoch >= -1
            && self.producer_id >= -1
            && self.base_sequence >= -1
    }

    /// Return the offset of the last record at the time when the batch was written.
    pub fn last_offset(&self) -> i64 {
        self.base_offset.wrapping_add(self.last_offset_delta.into())
    }

    /// Return the offset of a record.
    pub fn offset(&self, record: &Record) -> i64 {
        self.base_offset.wrapping_add(record.offset_delta.into())
    }

    /// Return the timestamp of a record in milliseconds.
    pub fn timestamp(&self, record: &Record) -> i64 {
        if self.is_log_append_time() {
            return self.max_timestamp;
        }
        self.base_timestamp.wrapping_add(record.timestamp_delta)
    }

    /// Return the sequence number of the last record; -1 for a batch without sequence numbers.
    pub fn last_sequence(&self) -> i32 {
        self.sequence_after(self.last_offset_delta)
    }

    /// Return the sequence number of a record; -1 for a batch without sequence numbers. The largest number is followed
    /// by 0 (`DefaultRecordBatch.incrementSequence`).
    pub fn sequence(&self, record: &Record) -> i32 {
        self.sequence_after(record.offset_delta)
    }

    fn sequence_after(&self, delta: i32) -> i32 {
        if self.base_sequence < 0 {
            return -1;
        }
        (i64::from(self.base_sequence) + i64::from(delta)).rem_euclid(1 << 31) as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_in_truncated_files_have_a_header() {
        for magic in [0, 1] {
            let mut message = [0; HEADER];
            message[BEFORE_LENGTH - 1] = 50;
            message[MAGIC_AT] = magic;
            for size in MAGIC_AT + 1..HEADER {
                assert!(Header::at(&message[..size], 0, 100).is_ok());
            }
        }
    }
}
