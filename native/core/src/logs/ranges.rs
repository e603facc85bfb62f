//! The ranges of files that tasks read, which begin and end between batches. They are serialized as JSON, so that hosts
//! can send them to workers.

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

/// By default, a plan has only one task unless it reads more bytes than this. Starting a task takes about as long as
/// reading half of these bytes.
const FEW_BYTES: u64 = 16 << 20;
/// Tasks may be smaller than `maxPartitionBytes`, up to this number of tasks for each core. More than one task evens
/// out the load of the cores.
const TASKS_PER_CORE: u64 = 2;
/// Opening a file is as expensive as reading `1 / FILES_PER_TASK` of the bytes of a task.
const FILES_PER_TASK: u64 = 32;
/// If more segments than this must be split, the tasks rather than the planner find where the parts begin.
const MOST_OPENED: usize = 256;

/// Batches of one file, from one position to another.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Range {
    /// The segment, as it was when the range was planned.
    pub segment: Segment,
    /// Its topic.
    pub topic: Option<String>,
    /// The number of its partition.
    pub partition: Option<i32>,
    /// The first byte.
    pub start: u64,
    /// The byte after the last one.
    pub end: u64,
    /// The log's last stable offset for `read_committed` (`i64::MAX` if all transactions are decided), otherwise
    /// `None`.
    pub read_until: Option<i64>,
    /// The first and the last offset to read from the file; `None` for all.
    pub offsets: Option<(i64, i64)>,
    /// The first and the last offset in the range; `None` if the file's name contains no offset. They remain valid
    /// after the log cleaner has replaced the file; positions do not.
    pub planned: Option<(i64, i64)>,
    /// The first offset after the batches before the range; `None` if it is unknown.
    pub reached: Option<i64>,
    /// Whether `start` and `end` are only approximate; [`settled`] moves them to the starts of batches.
    pub has_goals: bool,
}

impl Range {
    /// Return the range of a whole segment.
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

    /// Whether the range ends at the end that the file had when the range was planned.
    pub fn ends_file(&self) -> bool {
        self.end == self.segment.size
    }

    /// Return the number of bytes in the range.
    pub fn bytes(&self) -> u64 {
        self.end.saturating_sub(self.start)
    }

    /// Whether this is one of several parts into which a file was split by size. The offsets in such a part are
    /// unknown, so it can't be read from a replaced file.
    pub fn is_part(&self) -> bool {
        self.has_goals && (self.start, self.end) != (0, self.segment.size)
    }
}

/// The work of one worker.
#[derive(Clone, Debug)]
pub struct Task {
    /// The ranges, as JSON.
    pub text: String,
    /// The number of bytes that the task reads from files.
    pub bytes: u64,
}

/// Return tasks of about equal size, at least `minPartitions` of them if segments can be split into so many parts. Each
/// reads adjacent ranges, or a part of a large range.
///
/// Unless `is_exact` requires exact positions, the planner opens no objects in stores, and no local files if many of
/// them must be split. The tasks then find where the parts of segments begin.
///
/// A small number of tasks is rounded up to a power of two, because the number of cores is usually also a power of
/// two: two cores take as long for three equal tasks as for four.
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
    let (size, of_file) = if all.div_ceil(size) < options.min_partitions {
        // Count bytes alone, because a task for each small file could not have a part of a large one.
        ((total / options.min_partitions).max(1), 0)
    } else {
        (size, of_file)
    };
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

/// Split a range into parts by size alone. A range of a segment without an index stays whole, because only an index can
/// later locate the first batch of a part.
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

/// Split a range into parts of about `target` bytes that begin at batches.
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

/// Return the start and the end of the bytes in a segment that may contain records within bounds, according to its
/// indexes. Both are between batches.
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

/// Whether the indexes of a segment prove that all its records are earlier than the bounds.
fn is_too_early(storage: &Storage, segment: &Segment, bounds: Bounds) -> bool {
    bounds.min_timestamp > i64::MIN
        && segment.is_complete
        && segment.damage.is_none()
        && latest_time(storage, segment).is_some_and(|latest| latest < bounds.min_timestamp)
}

/// Return the segments whose offsets, judged by their names, may be within bounds. Segments without bytes are included
/// only if `with_empty`.
pub fn segments_within(log: &Log, bounds: Bounds, with_empty: bool) -> impl Iterator<Item = &Segment> {
    log.segments.iter().filter(move |segment| {
        let ends_before = segment.next_base_offset.is_some_and(|next| next <= bounds.min_offset);
        let begins_after = segment.base_offset.is_some_and(|base| base > bounds.max_offset);
        // An empty segment whose index has entries has lost its batches.
        let has_bytes = segment.size > 0 || segment.damage.is_some() || (segment.is_complete && segment.is_indexed);
        (has_bytes || with_empty) && !ends_before && !begins_after
    })
}

/// Return the offsets to read from a segment; `None` for all. In tiered storage, segments of different leaders may
/// overlap, so each is only read up to the start of the next one.
fn wanted_offsets(log: &Log, segment: &Segment) -> Option<(i64, i64)> {
    match segment.next_base_offset {
        Some(next) if names::is_tiered_segment(&segment.path) => {
            let (first, last) = log.offsets().unwrap_or((0, i64::MAX));
            Some((first, last.min(next - 1)))
        }
        _ => log.offsets(),
    }
}

/// Move the borders of a range to batches, and leave out bytes that the indexes exclude. The result may be empty.
///
/// A border depends only on the segment and the position, so the task with the preceding part finds the same border.
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

/// Return ranges for all segments that may now contain the offsets of a range. Each covers a whole segment, but is
/// limited to these offsets.
///
/// Also return whether the log still contains a segment that begins at or before the first of these offsets.
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
