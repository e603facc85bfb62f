//! Evidence in the files beside a segment that batches are missing from it, or belong to a different partition.
//!
//! No checksum covers which offsets a segment has, and most of these files have no checksum, either. So one entry of a
//! file proves nothing unless other entries fit the segment.

use std::collections::HashMap;

use super::index::{Entry, OpenSegment};
use super::log::EPOCHS_FILE;
use super::paths;
use super::producers::{LastBatch, snapshot_entries};
use super::scan::{Scan, Way};
use super::storage::Storage;
use crate::outcome::Outcome;
use crate::records::header::{HEADER, Header};

/// The maximum number of index entries that are compared with the segment.
const SAMPLES: usize = 8;

/// The maximum size of a leader epoch file: enough for tens of thousands of epochs.
const MOST_EPOCHS_BYTES: usize = 1 << 20;

/// An error message, the part of the batch that proves it, and the position of that part.
pub struct Contradiction {
    pub message: String,
    pub part: &'static str,
    pub at: usize,
}

/// The contents of the readable files beside a segment.
pub struct Evidence {
    /// Leader epochs and their first offsets, both ascending.
    epochs: Vec<(i32, i64)>,
    /// The last batch of each producer before the next segment.
    producers: HashMap<i64, LastBatch>,
    /// The number of the latest index entry that was checked for missing bytes before it.
    checked: Option<usize>,
    /// Whether the offsets of the index are within the segment; `None` until checked.
    is_index_right: Option<bool>,
    are_times_right: Option<bool>,
}

impl Evidence {
    /// Read the files beside a segment. Unreadable files prove nothing and are ignored.
    pub fn of(storage: &Storage, segment: &OpenSegment) -> Self {
        let listed = &segment.segment;
        let folder = paths::parent(&listed.path);
        let epochs = if listed.has_epochs {
            epochs_in(storage, &folder)
        } else {
            None
        };
        let snapshot = listed.next_base_offset.filter(|_| listed.has_next_snapshot);
        let snapshot = snapshot.map(|next| paths::join(&folder, &format!("{next:020}.snapshot")));
        let producers = snapshot
            .and_then(|path| snapshot_entries(storage, &path))
            .unwrap_or_default();
        let producers = producers.into_iter().map(|entry| (entry.producer, entry)).collect();
        let (is_index_right, are_times_right) = (None, None);
        Evidence {
            epochs: epochs.unwrap_or_default(),
            producers,
            checked: None,
            is_index_right,
            are_times_right,
        }
    }

    /// Return why a batch with a valid checksum can't belong to this partition; `None` if it can.
    pub fn contradiction(&self, found: &Header) -> Option<Contradiction> {
        self.other_epoch(found)
            .map(|message| Contradiction {
                message,
                part: "leader_epoch",
                at: 12,
            })
            .or_else(|| {
                self.other_producer(found).map(|message| Contradiction {
                    message,
                    part: "producer_id",
                    at: 43,
                })
            })
    }

    /// Return why the leader epoch of a batch must belong to a different partition. Epochs never decrease within a
    /// partition.
    ///
    /// A checkpoint may lack the latest epochs, and the epochs before the log start.
    fn other_epoch(&self, found: &Header) -> Option<String> {
        let (epoch, offset) = (found.leader_epoch, found.base_offset);
        if epoch < 0 {
            return None;
        }
        let following = self.epochs.partition_point(|(_, start)| *start <= offset);
        let current = following.checked_sub(1).map(|number| self.epochs[number]);
        let next = self.epochs.get(following);
        let reason = |(known, start): (i32, i64)| {
            Some(format!(
                "the leader epoch {epoch} of the offset {offset} belongs to another partition: \
                 by {EPOCHS_FILE}, epoch {known} begins at the offset {start}"
            ))
        };
        match (current, next) {
            (Some(current), _) if epoch < current.0 => reason(current),
            (_, Some(next)) if epoch > next.0 => reason(*next),
            (Some(current), Some(next)) if epoch != current.0 => reason(if epoch == next.0 { *next } else { current }),
            _ => None,
        }
    }

    /// Return why the producer data of a batch must belong to a different partition. The producer snapshot at the end
    /// of the segment contains the last batch of each producer.
    fn other_producer(&self, found: &Header) -> Option<String> {
        let known = self
            .producers
            .get(&found.producer_id)
            .filter(|known| known.offset >= 0)?;
        if found.is_control() || found.producer_epoch > known.epoch {
            return None;
        }
        let (producer, base, last) = (found.producer_id, found.base_offset, found.last_offset());
        let is_later = base > known.offset;
        let is_same = (base..=last).contains(&known.offset);
        let sequence = found.last_sequence();
        let is_last = (last, sequence) == (known.offset, known.sequence);
        let is_other = is_same && found.producer_epoch == known.epoch && !is_last;
        (is_later || is_other).then(|| {
            format!(
                "the offsets {base} to {last} are of another partition: by the producer snapshot of the next segment, \
                 the last batch of producer {producer} ends at the offset {} with sequence {}, not {sequence}",
                known.offset, known.sequence
            )
        })
    }

    /// Return the proof that the offsets between `reached` and a batch are missing, and were not removed by compaction:
    /// the segment's own indexes name one of them.
    pub fn missing(&mut self, segment: &OpenSegment, found: &Header, reached: i64) -> Outcome<Option<String>> {
        let Some(base) = found.first_offset().filter(|base| *base > reached) else {
            return Ok(None);
        };
        let named = match self.missing_bytes(segment, found, reached)? {
            None => self.missing_time(segment, found, reached)?,
            named => named,
        };
        Ok(named.map(|named| format!("the offsets {reached} to {} are missing: {named}", base - 1)))
    }

    /// Whether the next index entry is right about its batch, so that no bytes are missing before that batch.
    ///
    /// This only looks at bytes that `scan` has already read.
    pub fn fits_ahead(&mut self, segment: &OpenSegment, scan: &Scan, found: &Header, reached: i64) -> bool {
        let entries = segment.entries();
        let next = entries.partition_point(|entry| entry.offset < reached);
        let Some(entry) = entries.get(next).filter(|entry| entry.offset >= found.base_offset) else {
            return false;
        };
        let start = scan.peek(entry.position, HEADER);
        let there = start
            .and_then(|start| Header::at(start, entry.position, u64::MAX).ok())
            .filter(Header::looks_right);
        let fits = there.is_some_and(|there| (there.base_offset..=there.last_offset()).contains(&entry.offset));
        if fits {
            self.checked = Some(next);
        }
        fits
    }

    /// Return how the offset index proves that bytes are missing in the gap before `found`; `None` if it does not.
    fn missing_bytes(&mut self, segment: &OpenSegment, found: &Header, reached: i64) -> Outcome<Option<String>> {
        let entries = segment.entries();
        let next = entries.partition_point(|entry| entry.offset < reached);
        let Some(entry) = entries.get(next).filter(|_| self.checked != Some(next)) else {
            return Ok(None);
        };
        self.checked = Some(next);
        let check = || is_within(segment, entries.iter().map(|entry| entry.offset));
        if !*self.is_index_right.get_or_insert_with(check) {
            return Ok(None);
        }
        let lost = lost_before(segment, next)?;
        let is_named = entry.offset < found.base_offset;
        let at = if is_named {
            Some(found.position)
        } else {
            position_of(segment, found, next)?
        };
        let Some(at) = at else { return Ok(None) };
        // If several batches were appended together, the index names the position of the first one, but never an
        // earlier position.
        let is_exact = is_named && entry.position == at + lost;
        let is_proven = is_exact
            || (entry.position > at + lost
                && (any_fits(segment, (0..next).rev(), lost)? || self.fits_after(segment, found, next, is_named)?));
        let Entry { offset, position } = *entry;
        Ok(
            is_proven
                .then(|| format!("the index of the segment names a batch with offset {offset} at byte {position}")),
        )
    }

    /// Whether the first index entry after the gap and a later entry are off from their batches by the same number of
    /// bytes.
    fn fits_after(&self, segment: &OpenSegment, found: &Header, next: usize, is_named: bool) -> Outcome<bool> {
        let first = next + usize::from(is_named);
        let Some(entry) = segment.entries().get(first) else {
            return Ok(false);
        };
        let Some(position) = position_of(segment, found, first)? else {
            return Ok(false);
        };
        any_fits(segment, first + 1..segment.entries().len(), entry.position - position)
    }

    /// Return how the time index proves that an offset in a gap is missing; `None` if it does not.
    ///
    /// The entries of a time index name batches that remain after compaction. To be trusted, the index must also fit
    /// the segment: either its next entry, or an entry of the offset index.
    fn missing_time(&mut self, segment: &OpenSegment, found: &Header, reached: i64) -> Outcome<Option<String>> {
        let times = segment.times();
        let next = times.partition_point(|(_, offset)| *offset < reached);
        let Some((_, offset)) = times.get(next).filter(|(_, offset)| *offset < found.base_offset) else {
            return Ok(None);
        };
        let check = || is_within(segment, times.iter().map(|(_, offset)| *offset));
        if !*self.are_times_right.get_or_insert_with(check) {
            return Ok(None);
        }
        let following = times[next..].iter().find(|(_, offset)| *offset >= found.base_offset);
        let is_next_right = match following {
            Some((time, offset)) => {
                let there = batch_with(segment, found.position, u64::MAX, *offset)?;
                there.is_some_and(|there| there.base_offset <= *offset && there.max_timestamp == *time)
            }
            None => false,
        };
        let before = segment.entries().partition_point(|entry| entry.offset < reached);
        let is_proven = is_next_right || any_fits(segment, (0..before).rev(), 0)?;
        Ok(is_proven.then(|| format!("the time index of the segment names the offset {offset}")))
    }
}

/// Return how the time index proves that the segment had offsets from `reached` on; `None` if it does not.
///
/// The time index is only trusted if an entry of the offset index fits the segment.
pub fn missing_end(segment: &OpenSegment, reached: i64) -> Outcome<Option<String>> {
    let times = segment.times();
    let offset = times
        .last()
        .map(|(_, offset)| *offset)
        .filter(|offset| *offset >= reached);
    let Some(offset) = offset.filter(|_| is_within(segment, times.iter().map(|(_, offset)| *offset))) else {
        return Ok(None);
    };
    let is_proven = any_fits(segment, (0..segment.entries().len()).rev(), 0)?;
    Ok(is_proven
        .then(|| format!("the segment ends before the offset {reached}, but its time index names the offset {offset}")))
}

/// Return why a segment, or its indexes, must belong to a different partition: both indexes are valid, but no checked
/// entry of either index fits.
pub fn other_segment(segment: &OpenSegment) -> Outcome<Option<String>> {
    let entries = segment.entries();
    if entries.len() < 2 || !is_within(segment, entries.iter().map(|entry| entry.offset)) {
        return Ok(None);
    }
    let step = entries.len().div_ceil(SAMPLES);
    for number in (0..entries.len()).step_by(step) {
        if fits(segment, number, 0)? {
            return Ok(None);
        }
    }
    let times = segment.times();
    if times.len() < 2 || !is_within(segment, times.iter().map(|(_, offset)| *offset)) {
        return Ok(None);
    }
    let (mut scan, mut times) = (segment.scan(0)?, times.iter().peekable());
    let mut is_any = false;
    while let Some(found) = scan.next()? {
        while let Some((time, _)) = times.next_if(|(_, offset)| *offset <= found.last_offset()) {
            is_any = true;
            if found.max_timestamp == *time {
                return Ok(None);
            }
        }
    }
    let text =
        "the segment is of another partition, or its indexes are: neither its offset index nor its time index fits";
    Ok(is_any.then(|| text.to_owned()))
}

/// Whether the offsets of an index never decrease, and are within the segment.
fn is_within(segment: &OpenSegment, mut offsets: impl Iterator<Item = i64>) -> bool {
    let mut least = segment.segment.base_offset.unwrap_or(0);
    let end = segment.segment.end_offset();
    offsets.all(|offset| {
        let is_right = (least..end).contains(&offset);
        least = offset;
        is_right
    })
}

/// Whether any of the first `SAMPLES` index entries in `numbers` fits the segment.
fn any_fits(segment: &OpenSegment, numbers: impl Iterator<Item = usize>, lost: u64) -> Outcome<bool> {
    for number in numbers.take(SAMPLES) {
        if fits(segment, number, lost)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether an intact batch begins `lost` bytes before the position of an index entry, and the entry's offset is in this
/// batch or in a later one before the next entry.
///
/// The offset may be in a later batch, because several batches may be appended together.
fn fits(segment: &OpenSegment, number: usize, lost: u64) -> Outcome<bool> {
    let entries = segment.entries();
    let (Some(entry), next) = (entries.get(number), entries.get(number + 1)) else {
        return Ok(false);
    };
    let Some(position) = entry.position.checked_sub(lost) else {
        return Ok(false);
    };
    if segment.intact_at(position)?.is_none() {
        return Ok(false);
    }
    let end = next.map_or(u64::MAX, |next| next.position.saturating_sub(lost));
    let there = batch_with(segment, position, end, entry.offset)?;
    Ok(there.is_some_and(|there| there.first_offset().is_none_or(|first| first <= entry.offset)))
}

/// Return how many bytes are missing before the batch that index entry `number - 1` names.
fn lost_before(segment: &OpenSegment, number: usize) -> Outcome<u64> {
    let Some(last) = number.checked_sub(1) else {
        return Ok(0);
    };
    let mut start = 0;
    for each in (0..=last).rev().take(SAMPLES) {
        if fits(segment, each, 0)? {
            start = segment.entries()[each].position;
            break;
        }
    }
    let last = segment.entries()[last];
    let there = batch_with(segment, start, u64::MAX, last.offset)?;
    Ok(there.map_or(0, |there| last.position.saturating_sub(there.position)))
}

/// Search from `found` on for the batch with the offset of index entry `number`, and return its position.
///
/// Return `None` if no such batch begins before the position of the entry.
fn position_of(segment: &OpenSegment, found: &Header, number: usize) -> Outcome<Option<u64>> {
    let entry = segment.entries()[number];
    Ok(batch_with(segment, found.position, entry.position, entry.offset)?.map(|there| there.position))
}

/// Return the first batch between `start` and `end` whose last offset is `offset` or later.
fn batch_with(segment: &OpenSegment, start: u64, end: u64, offset: i64) -> Outcome<Option<Header>> {
    let mut scan = Scan::new(&segment.file, start, segment.segment.size, Way::Headers)?;
    while let Some(found) = scan.next()? {
        if found.position >= end {
            break;
        }
        if found.last_offset() >= offset {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// Return the leader epochs and their first offsets from the file in `folder`; `None` if it is missing or invalid.
///
/// The lines of the file are a version, a count, and then two numbers for each epoch.
fn epochs_in(storage: &Storage, folder: &str) -> Option<Vec<(i32, i64)>> {
    let data = storage
        .small(&paths::join(folder, EPOCHS_FILE), MOST_EPOCHS_BYTES)
        .ok()??;
    let text = String::from_utf8(data).ok()?;
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let (version, count): (i32, usize) = (lines.next()?.parse().ok()?, lines.next()?.parse().ok()?);
    let parsed = lines.map(|line| {
        let (epoch, start) = line.split_once(' ')?;
        Some((epoch.parse().ok()?, start.parse().ok()?))
    });
    let found: Vec<(i32, i64)> = parsed.collect::<Option<_>>()?;
    let is_rising = found
        .windows(2)
        .all(|pair| pair[0].0 < pair[1].0 && pair[0].1 <= pair[1].1);
    (version == 0 && found.len() == count && is_rising).then_some(found)
}
