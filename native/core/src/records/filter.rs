//! Filtering records by offsets and timestamps.

use serde::Deserialize;

use super::header::Header;
use super::record::Record;

/// Bounds for offsets, and for timestamps in milliseconds, all of them inclusive. The JVM sends them as a list, in this
/// order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[allow(missing_docs)]
pub struct Bounds {
    pub min_offset: i64,
    pub max_offset: i64,
    pub min_timestamp: i64,
    pub max_timestamp: i64,
}

impl Default for Bounds {
    fn default() -> Self {
        Bounds {
            min_offset: i64::MIN,
            max_offset: i64::MAX,
            min_timestamp: i64::MIN,
            max_timestamp: i64::MAX,
        }
    }
}

impl Bounds {
    /// Return the intersection of two bounds.
    pub fn and(self, other: Bounds) -> Bounds {
        Bounds {
            min_offset: self.min_offset.max(other.min_offset),
            max_offset: self.max_offset.min(other.max_offset),
            min_timestamp: self.min_timestamp.max(other.min_timestamp),
            max_timestamp: self.max_timestamp.min(other.max_timestamp),
        }
    }

    /// Return the bounds, also limited to a range of offsets.
    pub fn within(self, offsets: Option<(i64, i64)>) -> Bounds {
        let (min_offset, max_offset) = offsets.unwrap_or((i64::MIN, i64::MAX));
        self.and(Bounds {
            min_offset,
            max_offset,
            ..Bounds::default()
        })
    }

    /// Whether a batch may contain records within the bounds. Of its timestamps, the header contains only the largest.
    pub fn takes_batch(&self, header: &Header) -> bool {
        let is_too_late = header.is_log_append_time() && header.max_timestamp > self.max_timestamp;
        header.last_offset() >= self.min_offset
            && header.first_offset().is_none_or(|first| first <= self.max_offset)
            && header.max_timestamp >= self.min_timestamp
            && !is_too_late
    }

    /// Whether offsets from `first` on and before `end` may be within the bounds.
    pub fn wants_between(&self, first: i64, end: i64) -> bool {
        first < end && first <= self.max_offset && end > self.min_offset
    }

    /// Whether a record is within the bounds.
    #[inline]
    pub fn takes_record(&self, header: &Header, record: &Record) -> bool {
        let (offset, timestamp) = (header.offset(record), header.timestamp(record));
        (self.min_offset..=self.max_offset).contains(&offset)
            && (self.min_timestamp..=self.max_timestamp).contains(&timestamp)
    }
}
