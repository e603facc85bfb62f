//! What tasks read: ranges of files that begin and end between batches, as JSON for whoever hands tasks to workers.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::index::{OpenSegment, latest_time};
use super::log::{Log, Segment, log_now};
use super::names;
use super::options::Options;
use super::paths;
use super::storage::Storage;
use crate::outcome::Outcome;
use crate::records::filter::Bounds;

/// From so much on there is a second task: starting one costs about as much as reading half of it.
const FEW_BYTES: u64 = 16 << 20;
/// This many tasks for each core even out what they take; up to it, tasks may be smaller than `maxPartitionBytes`.
const TASKS_PER_CORE: u64 = 2;
/// Opening a file counts as this part of a task.
const FILES_PER_TASK: u64 = 32;
/// Above this many segments, the tasks find where their parts begin, not the planner.
const MOST_OPENED: usize = 256;

/// Batches of one file, from one position to another.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Range {
    /// The segment, as it was when this was planned.
    pub segment: Segment,
    /// Its topic.
    pub topic: Option<String>,
    /// The number of its partition.
    pub partition: Option<i32>,
    /// The first byte.
    pub start: u64,
    /// The byte after the last one.
    pub end: u64,
    /// For `read_committed` the log's last stable offset (`i64::MAX` where all is decided), otherwise `None`.
    pub read_until: Option<i64>,
    /// The first and the last offset that are wanted of the file, `None` for all.
    pub offsets: Option<(i64, i64)>,
    /// The first and the last offset in the range: positions hold in this file only, offsets after the log cleaner too.
    /// `None` where names tell no offset.
    pub planned: Option<(i64, i64)>,
    /// The offset that the batches before the range reach, where that is known.
    pub reached: Option<i64>,
    /// Whether start and end only say how many bytes to read: `settled` finds where batches begin.
    pub has_goals: bool,
}

impl Range {
    /// All of a segment.
    pub fn whole(log: &Log, segment: &Segment, read_until: Option<i64>) -> Self {
        Range {
            segment: segment.clone(),
            topic: log.topic.clone(),
            partition: log.partition,
            start: 0,
            end: segment.size,
            read_until,
            offsets: wanted_offsets(log, segment),
            planned: segment
                .base_offset
                .map(|base| (base, segment.end_offset().saturating_sub(1))),
            reached: None,
            has_goals: false,
        }
    }

    /// Whether the file ended there when this was planned.
    pub fn ends_file(&self) -> bool {
        self.end == self.segment.size
    }

    /// How many bytes there are.
    pub fn bytes(&self) -> u64 {
        self.end.saturating_sub(self.start)
    }

    /// Whether this is one of several parts of a file which were cut by size: which of its records the others read
    /// can't be told of another file.
    pub fn is_part(&self) -> bool {
        self.has_goals && (self.start, self.end) != (0, self.segment.size)
    }
}

/// What one worker reads.
#[derive(Clone, Debug)]
pub struct Task {
    /// The ranges, as JSON.
    pub text: String,
    /// How many bytes of files.
    pub bytes: u64,
}

/// Tasks of about equal size, at least as many as the options say; each reads neighbours, or parts of large ranges.
///
/// No object of a store is opened, nor are many local files, unless positions are `exact`: then the tasks find where
/// the parts of segments begin. Few tasks are a power of two, as cores mostly are: of three equal tasks, two cores take
/// as long as for four.
pub fn tasks(
    storage: &Arc<Storage>,
    ranges: Vec<Range>,
    options: &Options,
    cores: u64,
    is_exact: bool,
) -> Outcome<Vec<Task>> {
    let (total, files): (u64, _) = (ranges.iter().map(Range::bytes).sum(), ranges.len() as u64);
    let count = total
        .div_ceil(FEW_BYTES)
        .max(1)
        .next_power_of_two()
        .min(cores.max(1) * TASKS_PER_CORE);
    let share = if count == 1 { FEW_BYTES } else { total.div_ceil(count) };
    let size = options.max_partition_bytes.min(share).max(1);
    let of_file = size.div_ceil(FILES_PER_TASK);
    let all = total.saturating_add(files.saturating_mul(of_file));
    let size = size.min(all / options.min_partitions).max(1);
    let is_local = ranges.iter().all(|each| !paths::is_url(&each.segment.path));
    let is_opened = is_exact || (is_local && ranges.iter().filter(|each| each.bytes() > size).count() <= MOST_OPENED);
    let mut groups: Vec<Vec<Range>> = Vec::new();
    let mut cost = 0;
    for range in ranges {
        for each in if is_opened {
            cut(storage, range, size)?
        } else {
            cut_by_size(range, size)
        } {
            let own = each.bytes().saturating_add(of_file);
            match groups.last_mut() {
                Some(group) if cost + own <= size + of_file => group.push(each),
                _ => {
                    groups.push(vec![each]);
                    cost = 0;
                }
            }
            cost += own;
        }
    }
    let task = |group: &Vec<Range>| Task {
        text: serde_json::json!(group).to_string(),
        bytes: group.iter().map(Range::bytes).sum(),
    };
    Ok(groups.iter().map(task).collect())
}

/// The parts of a range, cut by their size alone, if an index will tell where batches begin there.
fn cut_by_size(range: Range, target: u64) -> Vec<Range> {
    let count = if range.segment.is_indexed {
        range.bytes().div_ceil(target).max(1)
    } else {
        1
    };
    let size = range.bytes().div_ceil(count);
    let part = |number: u64| {
        let start = (range.start + number * size).min(range.end);
        Range {
            start,
            end: (start + size).min(range.end),
            has_goals: true,
            ..range.clone()
        }
    };
    (0..count)
        .map(part)
        .filter(|each| each.bytes() > 0 || count == 1)
        .collect()
}

/// The parts of a range, of about `target` bytes each, which begin where batches do.
fn cut(storage: &Arc<Storage>, mut left: Range, target: u64) -> Outcome<Vec<Range>> {
    let (start, count) = (left.start, left.bytes().div_ceil(target));
    let size = left.bytes().div_ceil(count.max(1));
    let mut parts = Vec::new();
    if count > 1
        && let Some(file) = OpenSegment::new(storage, &left.segment)?
    {
        for goal in (1..count).map(|number| start + number * size) {
            let found = file.border(left.start, goal)?.filter(|found| found.position < left.end);
            let Some(found) = found else { break };
            if found.position > left.start {
                let (position, offset) = (found.position, found.base_offset);
                let planned = left.planned.map(|(first, _)| (first, offset.saturating_sub(1)));
                let rest = left.planned.map(|(_, last)| (offset, last));
                parts.push(Range {
                    end: position,
                    planned,
                    ..left.clone()
                });
                left = Range {
                    start: position,
                    planned: rest,
                    reached: None,
                    ..left
                };
            }
        }
    }
    parts.push(left);
    Ok(parts)
}

/// From where to where a segment may hold records that are wanted, as far as its indexes tell; both are between
/// batches.
pub fn wanted_bytes(storage: &Arc<Storage>, segment: &Segment, bounds: Bounds) -> Outcome<(u64, u64)> {
    let has_base = segment.base_offset.is_some();
    let begins_before = segment.base_offset.is_some_and(|base| base < bounds.min_offset);
    let ends_after = has_base && bounds.max_offset < segment.end_offset().saturating_sub(1);
    let has_times = has_base && bounds.min_timestamp > i64::MIN;
    let (mut start, mut stop) = (0, segment.size);
    if is_too_early(storage, segment, bounds) {
        return Ok((stop, stop));
    }
    if !(begins_before || ends_after || has_times) {
        return Ok((start, stop));
    }
    let Some(file) = OpenSegment::new(storage, segment)? else {
        return Ok((start, stop));
    };
    if begins_before {
        start = file.position_before(bounds.min_offset)?;
    }
    if ends_after {
        stop = file.position_after(bounds.max_offset)?;
    }
    if has_times {
        start = start.max(file.position_of_time(bounds.min_timestamp)?);
    }
    Ok((start, stop))
}

/// Whether the indexes of a segment alone tell that no record is late enough.
fn is_too_early(storage: &Storage, segment: &Segment, bounds: Bounds) -> bool {
    bounds.min_timestamp > i64::MIN
        && segment.is_complete
        && segment.damage.is_none()
        && latest_time(storage, segment).is_some_and(|latest| latest < bounds.min_timestamp)
}

/// The segments whose offsets, as their names say, may be within bounds; those without bytes only if they are wanted
/// too.
pub fn segments_within(log: &Log, bounds: Bounds, with_empty: bool) -> impl Iterator<Item = &Segment> {
    log.segments.iter().filter(move |segment| {
        let ends_before = segment.next_base_offset.is_some_and(|next| next <= bounds.min_offset);
        let begins_after = segment.base_offset.is_some_and(|base| base > bounds.max_offset);
        // An empty segment whose index has entries has lost its batches.
        let has_bytes = segment.size > 0 || segment.damage.is_some() || (segment.is_complete && segment.is_indexed);
        (has_bytes || with_empty) && !ends_before && !begins_after
    })
}

/// What is wanted of a segment. In tiered storage segments of several leaders overlap: each counts up to the next one.
fn wanted_offsets(log: &Log, segment: &Segment) -> Option<(i64, i64)> {
    match segment.next_base_offset {
        Some(next) if names::is_tiered_segment(&segment.path) => {
            let (first, last) = log.offsets().unwrap_or((0, i64::MAX));
            Some((first, last.min(next - 1)))
        }
        _ => log.offsets(),
    }
}

/// A range with borders where batches begin, and without what the indexes leave out; empty if nothing is left.
///
/// A border depends on the segment and the position alone, so the task before finds the same one.
pub fn settled(storage: &Arc<Storage>, file: &OpenSegment, each: Range, bounds: Bounds) -> Outcome<Range> {
    if !each.has_goals {
        return Ok(each);
    }
    let size = each.segment.size;
    let border = |goal: u64| -> Outcome<u64> {
        match goal {
            0 => Ok(0),
            goal if goal == size => Ok(size),
            goal => Ok(file.border(0, goal)?.map_or(size, |found| found.position)),
        }
    };
    let (start, end) = (border(each.start)?, border(each.end)?);
    let (first, stop) = wanted_bytes(storage, &each.segment, bounds.within(each.offsets))?;
    let (start, end) = (start.max(first), end.min(stop));
    Ok(Range {
        start,
        end: end.max(start),
        has_goals: false,
        ..each
    })
}

/// The ranges of the segments that may hold the offsets of a range now, each as a whole and bounded by these offsets;
/// and whether the log still begins at the first of them, or before it.
pub fn relocated(storage: &Arc<Storage>, each: &Range, (first, last): (i64, i64)) -> Outcome<(Vec<Range>, bool)> {
    let log = log_now(storage, &paths::parent(&each.segment.path))?;
    let has_begin = log
        .segments
        .iter()
        .any(|segment| segment.base_offset.is_some_and(|base| base <= first));
    let (least, most) = each.offsets.unwrap_or((i64::MIN, i64::MAX));
    let offsets = Some((first.max(least), last.min(most)));
    let bounds = Bounds::default().within(offsets);
    let range = |segment: &Segment| Range {
        offsets,
        planned: offsets,
        topic: each.topic.clone(),
        partition: each.partition,
        ..Range::whole(&log, segment, each.read_until)
    };
    let has_base = |segment: &&Segment| segment.base_offset.is_some();
    Ok((
        segments_within(&log, bounds, false)
            .filter(has_base)
            .map(range)
            .collect(),
        has_begin,
    ))
}
