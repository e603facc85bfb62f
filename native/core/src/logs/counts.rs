//! What a planner counts for those who watch a query.

use std::sync::{Mutex, PoisonError};

/// The segments that a plan reads, and what its options and filters leave out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Planned {
    /// Segments of which at least a part is read.
    pub segments: u64,
    /// Other segments of the partitions that are read.
    pub skipped_segments: u64,
    /// Partitions that are there, and are not read.
    pub skipped_partitions: u64,
}

impl Planned {
    /// All of them, in order.
    pub fn counts(&self) -> [u64; 3] {
        let Planned {
            segments,
            skipped_segments,
            skipped_partitions,
        } = *self;
        [segments, skipped_segments, skipped_partitions]
    }
}

/// What a stream has not read yet, of what was there when it looked last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Behind {
    /// The partitions that it follows.
    pub partitions: u64,
    /// Those with bytes that it has not read.
    pub partitions_behind: u64,
    /// The bytes of files that it has not read.
    pub bytes: u64,
}

impl Behind {
    /// All of them, in order.
    pub fn counts(&self) -> [u64; 3] {
        let Behind {
            partitions,
            partitions_behind,
            bytes,
        } = *self;
        [partitions, partitions_behind, bytes]
    }

    /// Adds a partition with so many bytes that are not read.
    pub fn add(&mut self, unread_bytes: u64) {
        self.partitions += 1;
        self.partitions_behind += u64::from(unread_bytes > 0);
        self.bytes = self.bytes.saturating_add(unread_bytes);
    }
}

/// The latest of such counts.
#[derive(Default)]
pub struct Latest<T>(Mutex<Option<T>>);

impl<T: Copy> Latest<T> {
    /// Replaces them.
    pub fn set(&self, counts: T) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(counts);
    }

    /// `None` before the first.
    pub fn get(&self) -> Option<T> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
