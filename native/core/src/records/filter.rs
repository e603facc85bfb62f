//! Which records are wanted.

use super::header::Header;
use super::record::Record;

/// Bounds that are all inclusive, and whether checksums are looked at.
#[derive(Clone, Copy, Debug)]
pub struct Filter {
    pub verify_checksums: bool,
    pub min_offset: i64,
    pub max_offset: i64,
    pub min_timestamp: i64,
    pub max_timestamp: i64,
}

impl Filter {
    /// All records, checked.
    pub const ALL: Filter = Filter {
        verify_checksums: true,
        min_offset: i64::MIN,
        max_offset: i64::MAX,
        min_timestamp: i64::MIN,
        max_timestamp: i64::MAX,
    };

    /// Whether a batch may hold records that are wanted. Only the largest of its timestamps is known.
    pub fn takes_batch(&self, header: &Header) -> bool {
        let is_too_late = header.is_log_append_time() && header.max_timestamp > self.max_timestamp;
        header.last_offset() >= self.min_offset
            && header.place.base_offset <= self.max_offset
            && header.max_timestamp >= self.min_timestamp
            && !is_too_late
    }

    /// Whether a record is wanted.
    #[inline]
    pub fn takes_record(&self, header: &Header, record: &Record) -> bool {
        let (offset, timestamp) = (header.offset(record), header.timestamp(record));
        (self.min_offset..=self.max_offset).contains(&offset)
            && (self.min_timestamp..=self.max_timestamp).contains(&timestamp)
    }
}
