//! The counts of a planner, for query metrics.

use std::sync::{Mutex, PoisonError};

/// The number of segments that a plan reads, and the numbers of segments and partitions that its options and filters
/// leave out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Planned {
    /// Segments that are read, in whole or in part.
    pub segments: u64,
    /// Other segments of the partitions that are read.
    pub skipped_segments: u64,
    /// Partitions that exist but are not read.
    pub skipped_partitions: u64,
}

impl Planned {
    /// Return all counts, in the order of the fields.
    pub fn counts(&self) -> [u64; 3] {
        let Planned {
            segments,
            skipped_segments,
            skipped_partitions,
        } = *self;
        [segments, skipped_segments, skipped_partitions]
    }
}

/// The amount of data that a stream had not read yet when it last listed its files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Behind {
    /// The number of all partitions of the stream.
    pub partitions: u64,
    /// The number of partitions with unread bytes.
    pub partitions_behind: u64,
    /// The number of unread bytes in files.
    pub bytes: u64,
}

impl Behind {
    /// Return all counts, in the order of the fields.
    pub fn counts(&self) -> [u64; 3] {
        let Behind {
            partitions,
            partitions_behind,
            bytes,
        } = *self;
        [partitions, partitions_behind, bytes]
    }

    /// Add a partition with `unread_bytes`, which may be 0.
    pub fn add(&mut self, unread_bytes: u64) {
        self.partitions += 1;
        self.partitions_behind += u64::from(unread_bytes > 0);
        self.bytes = self.bytes.saturating_add(unread_bytes);
    }
}

/// The latest counts, shared between threads.
#[derive(Default)]
pub struct Latest<T>(Mutex<Option<T>>);

impl<T: Copy> Latest<T> {
    /// Replace the counts.
    pub fn set(&self, counts: T) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(counts);
    }

    /// Return the latest counts; `None` before the first call of `set`.
    pub fn get(&self) -> Option<T> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
