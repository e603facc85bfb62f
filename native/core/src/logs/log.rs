//! The log in one folder: its segments and snapshots, recognized by file name.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::host::Entry;
use super::names::{self, LogName};
use super::paths;
use super::storage::{Listing, Storage};
use crate::outcome::Outcome;

const CLUSTER_METADATA_TOPIC: &str = "__cluster_metadata";

/// The file of leader epochs and their first offsets (upstream: `LeaderEpochCheckpointFile`).
pub const EPOCHS_FILE: &str = "leader-epoch-checkpoint";

/// The first `size` bytes of one file of record batches.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Segment {
    /// The path.
    pub path: String,
    /// The size in bytes.
    pub size: u64,
    /// The offset in the file's name; `None` if the name contains no offset.
    pub base_offset: Option<i64>,
    /// The base offset of the next segment; `None` for the last segment, which may still grow.
    pub next_base_offset: Option<i64>,
    /// Whether the file never grows: it is a snapshot, a segment in tiered storage, or not the last segment.
    pub is_complete: bool,
    /// A number that distinguishes the file from a later file of the same name.
    pub identity: u64,
    /// Whether a non-empty offset index is beside the file.
    pub is_indexed: bool,
    /// Whether the partition's leader epoch file is beside the file.
    pub has_epochs: bool,
    /// Whether a producer snapshot for the end of the segment is beside the file.
    pub has_next_snapshot: bool,
    /// The reason if the file can't be read at all: it is missing, or not a regular file.
    pub damage: Option<String>,
}

impl Segment {
    /// Return the first offset after the segment; `i64::MAX` for the last segment.
    pub fn end_offset(&self) -> i64 {
        self.next_base_offset.unwrap_or(i64::MAX)
    }
}

/// All or some files of one partition in one folder, sorted by offset.
#[derive(Clone, Debug, Serialize)]
pub struct Log {
    /// The folder.
    pub folder: String,
    /// The topic, if the name of the folder or of a file contains it.
    pub topic: Option<String>,
    /// The number of the partition.
    pub partition: Option<i32>,
    /// The files.
    pub segments: Vec<Segment>,
    /// The log start offset; earlier records count as deleted.
    pub start_offset: i64,
    /// The exclusive end of the offsets to read, such as the high watermark; `i64::MAX` for no limit.
    pub end_offset: i64,
}

impl Log {
    /// Return a log that reads all offsets of its segments.
    fn new(folder: &str, name: Option<LogName>, segments: Vec<Segment>) -> Self {
        let (topic, partition) = name.map_or((None, None), |name| (Some(name.topic), Some(name.partition)));
        Log {
            folder: folder.to_owned(),
            topic,
            partition,
            segments,
            start_offset: 0,
            end_offset: i64::MAX,
        }
    }

    /// Return the log of a folder that can't be listed, as one segment without bytes.
    pub fn unreadable(folder: &str, name: Option<LogName>, problem: String) -> Self {
        let segment = Segment {
            path: folder.to_owned(),
            is_complete: true,
            damage: Some(problem),
            ..Segment::default()
        };
        Log::new(folder, name, vec![segment])
    }

    /// Return the topic and partition; an unknown topic is empty, and an unknown partition is 0.
    pub fn key(&self) -> (String, i32) {
        (self.topic.clone().unwrap_or_default(), self.partition.unwrap_or(0))
    }

    /// Return the first and the last offset to read, or `None` for all.
    pub fn offsets(&self) -> Option<(i64, i64)> {
        if (self.start_offset, self.end_offset) == (0, i64::MAX) {
            return None;
        }
        Some((self.start_offset, self.end_offset.saturating_sub(1)))
    }
}

/// The files of one folder that will be read.
#[derive(Default)]
pub struct Files {
    /// Whether all segments are read. Snapshots are not segments.
    is_all_segments: bool,
    /// The names of other files to read, of any kind.
    names: BTreeSet<String>,
    /// The entries of the folder, if it has already been listed.
    listing: Option<Listing>,
}

impl Files {
    /// Choose all segments of a folder.
    pub fn all_segments(listing: Option<Listing>) -> Self {
        Files {
            is_all_segments: true,
            listing,
            ..Files::default()
        }
    }

    /// Choose one file.
    pub fn one(name: String) -> Self {
        Files {
            names: BTreeSet::from([name]),
            ..Files::default()
        }
    }

    /// Add other files of the same folder.
    pub fn add(&mut self, others: Files) {
        self.is_all_segments |= others.is_all_segments;
        self.names.extend(others.names);
        self.listing = others.listing.or(self.listing.take());
    }
}

/// Whether a folder has segments.
pub fn has_segments(listing: &Listing) -> bool {
    listing.keys().any(|name| is_segment(listing, name))
}

fn is_segment(listing: &Listing, name: &str) -> bool {
    names::is_segment_among(name, |other| listing.contains_key(other))
}

/// Return the topic and partition of files in a folder, if the name of the folder or of a file contains them.
pub fn topic_of(folder: &str, files: &[String]) -> Option<LogName> {
    names::log_name(folder).or_else(|| {
        // The bootstrap snapshot of a cluster is beside the folders of partitions.
        let is_metadata = !files.is_empty() && files.iter().all(|name| names::is_snapshot(name));
        is_metadata.then(|| LogName {
            topic: CLUSTER_METADATA_TOPIC.to_owned(),
            partition: 0,
            state: None,
        })
    })
}

/// List a partition's folder now, and return the log of all its segments.
pub fn log_now(storage: &Storage, folder: &str) -> Outcome<Log> {
    log_of(storage, folder, Files::all_segments(None))
}

/// Return the log of the chosen files in a folder, without files that no longer exist.
pub fn log_of(storage: &Storage, folder: &str, files: Files) -> Outcome<Log> {
    let listing = files.listing.map_or_else(|| storage.list(folder), Ok)?;
    let is_wanted = |(name, entry): &(&String, &Entry)| {
        let is_named = files.names.contains(*name) || (files.is_all_segments && is_segment(&listing, name));
        is_named && (!entry.is_folder || entry.problem.is_some())
    };
    let mut chosen: Vec<String> = listing.iter().filter(is_wanted).map(|(name, _)| name.clone()).collect();
    let name = topic_of(folder, &chosen);

    // A segment ends where the next one begins, even if the next one is not to be read.
    let all = listing.keys().filter(|name| is_segment(&listing, name)).chain(&chosen);
    let mut bases: Vec<i64> = all.filter_map(|name| names::base_offset(name)).collect();
    if files.is_all_segments {
        let missing = missing_segments(storage, folder, &listing, &bases)?;
        chosen.extend(missing.iter().map(|base| format!("{base:020}.log")));
        bases.extend(missing);
    }
    bases.sort_unstable();

    let mut segments: Vec<Segment> = chosen
        .iter()
        .map(|name| segment(folder, &listing, name, &bases))
        .collect();
    sort(&mut segments);
    Ok(Log::new(folder, name, segments))
}

/// Sort segments by offset, with snapshots last. If tiered storage has several copies of a segment, keep only the
/// largest.
fn sort(segments: &mut Vec<Segment>) {
    // Sort by number rather than by name, because names in tiered storage may have no leading zeros.
    segments.sort_by_cached_key(|each| {
        (
            names::is_snapshot(&each.path),
            each.base_offset,
            each.size,
            each.path.clone(),
        )
    });
    segments.dedup_by(|larger, each| {
        let are_copies = names::is_tiered_segment(&each.path) && larger.base_offset == each.base_offset;
        if are_copies {
            std::mem::swap(larger, each);
        }
        are_copies
    });
}

/// Return the segment with this name, marked as missing if the folder has no such file.
fn segment(folder: &str, listing: &Listing, name: &str, bases: &[i64]) -> Segment {
    let is_snapshot = names::is_snapshot(name);
    let base_offset = names::base_offset(name).filter(|_| !is_snapshot);
    let following = |base| bases.get(bases.partition_point(|each| *each <= base)).copied();
    let next_base_offset = base_offset.and_then(following);
    let entry = listing.get(name);
    let missing = || Some("the segment is missing, but its index is there".to_owned());
    Segment {
        path: paths::join(folder, name),
        size: entry.map_or(0, |entry| entry.size),
        base_offset,
        next_base_offset,
        is_complete: is_snapshot || next_base_offset.is_some() || names::is_tiered_segment(name),
        identity: entry.map_or(0, |entry| entry.identity),
        is_indexed: listing
            .get(&paths::with_suffix(name, ".index"))
            .is_some_and(|index| index.size > 0),
        has_epochs: base_offset.is_some() && listing.contains_key(EPOCHS_FILE),
        has_next_snapshot: next_base_offset.is_some_and(|next| listing.contains_key(&format!("{next:020}.snapshot"))),
        damage: entry.map_or_else(missing, |entry| entry.problem.clone()),
    }
}

/// Return the base offsets of missing segments, whose indexes still exist and which are followed by other segments.
///
/// A broker that deletes a segment renames the segment first, and its indexes right after that.
fn missing_segments(storage: &Storage, folder: &str, listing: &Listing, bases: &[i64]) -> Outcome<Vec<i64>> {
    let last = bases.iter().max().copied().unwrap_or(i64::MIN);
    let missing = |listing: &Listing| -> Vec<i64> {
        let indexed = listing
            .keys()
            .filter_map(|name| names::base_offset_of_index(name))
            .filter(|base| *base < last);
        let has = |base: i64| listing.keys().any(|name| name.starts_with(&format!("{base:020}.log")));
        indexed.filter(|base| !bases.contains(base) && !has(*base)).collect()
    };
    let found = missing(listing);
    if found.is_empty() {
        return Ok(found);
    }
    // Listing a folder is not atomic, so a second listing has to confirm it.
    let again = missing(&storage.list(folder)?);
    Ok(found.into_iter().filter(|base| again.contains(base)).collect())
}
