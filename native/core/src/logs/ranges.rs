//! What tasks read: ranges of files that begin and end between batches, as JSON for whoever hands tasks to workers.

use serde::{Deserialize, Serialize};

use super::error::{ErrorKind, LogError, LogResult, unless_gone};
use super::index::{
    Entry, border_among, latest_time, offset_entries, position_after, position_before, position_of_time,
};
use super::listing::{Log, Segment, log_now};
use super::names;
use super::paths;
use super::storage::{Opened, Storage};
use crate::records::filter::Bounds;
use crate::wire::chunk;

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
    /// The first and the last offset in the range: positions hold in this file only, offsets after the log cleaner too. `None` where
    /// names tell no offset.
    pub planned: Option<(i64, i64)>,
    /// The offset that the batches before the range reach, where that is known.
    pub reached: Option<i64>,
    /// Whether start and end only say how many bytes to read: `settled` finds where batches begin.
    pub has_goals: bool,
}

impl Range {
    /// Whether the file ended there when this was planned.
    pub fn ends_file(&self) -> bool {
        self.end == self.segment.size
    }

    /// How many bytes there are.
    pub fn bytes(&self) -> u64 {
        self.end.saturating_sub(self.start)
    }

    /// How many records there are at most, as far as offsets tell; the share of the segment's.
    pub fn rows(&self) -> Option<u64> {
        let (first, last) = self.planned.filter(|(_, last)| *last < i64::MAX - 1)?;
        let rows = u64::try_from(last.checked_sub(first)?.checked_add(1)?).ok()?;
        if self.has_goals && self.segment.size > 0 {
            let share = u128::from(rows) * u128::from(self.bytes()) / u128::from(self.segment.size);
            return u64::try_from(share).ok();
        }
        Some(rows)
    }

    /// Whether this is one of several parts of a file which were cut by size: which of its records the others read can't be told of another file.
    pub fn is_part(&self) -> bool {
        self.has_goals && (self.start, self.end) != (0, self.segment.size)
    }
}

/// The ranges of a task.
pub fn task_ranges(text: &str) -> LogResult<Vec<Range>> {
    let other_version = "the text is not a task of this version of messagegen";
    serde_json::from_str(text).map_err(|_| LogError::new(ErrorKind::Checkpoint, other_version))
}

/// How many bytes a task reads, and as how many of them opening a file counts.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct TaskSize {
    pub bytes: u64,
    pub of_file: u64,
}

/// From so much on there is a second task: starting one costs about as much as reading half of it.
const FEW_BYTES: u64 = 16 << 20;
/// So many tasks keep a small cluster busy; up to there they get smaller than `maxPartitionBytes`.
const MANY_TASKS: u64 = 32;

impl TaskSize {
    /// Tasks of `most` bytes, or smaller ones where these would be few; at least `least` tasks.
    ///
    /// Few tasks are a power of two, as cores mostly are: of three equal tasks, two cores take as long as for four.
    pub fn of(total: u64, files: u64, most: u64, least: u64) -> TaskSize {
        let tasks = total.div_ceil(FEW_BYTES).max(1).next_power_of_two().min(MANY_TASKS);
        let share = if tasks == 1 { FEW_BYTES } else { total.div_ceil(tasks) };
        let size = most.min(share).max(1);
        let of_file = size.div_ceil(MANY_TASKS);
        let all = total.saturating_add(files.saturating_mul(of_file));
        TaskSize { bytes: size.min(all / least.max(1)).max(1), of_file }
    }

    /// Neighbours together, as long as they cost at most a task's bytes.
    pub fn packed(self, ranges: Vec<Range>) -> Vec<Vec<Range>> {
        let mut groups: Vec<Vec<Range>> = Vec::new();
        let mut cost = 0;
        for each in ranges {
            let own = each.bytes().saturating_add(self.of_file);
            match groups.last_mut() {
                Some(group) if cost + own <= self.bytes + self.of_file => group.push(each),
                _ => {
                    groups.push(vec![each]);
                    cost = 0;
                }
            }
            cost += own;
        }
        groups
    }
}

/// From where to where a segment may hold records that are wanted, as far as its indexes tell; both are between batches.
pub fn wanted_bytes(storage: &dyn Storage, segment: &Segment, bounds: Bounds) -> LogResult<(u64, u64)> {
    let whole = (0, segment.size);
    let begins_before = segment.base_offset.is_some_and(|base| base < bounds.min_offset);
    let ends_after = segment.base_offset.is_some() && bounds.max_offset < segment.end_offset().saturating_sub(1);
    let has_times = segment.base_offset.is_some() && bounds.min_timestamp > i64::MIN;
    if segment.damage.is_some() || !(begins_before || ends_after || has_times) {
        return Ok(whole);
    }
    if is_too_early(storage, segment, bounds)? {
        return Ok((segment.size, segment.size));
    }
    let Some(file) = unless_gone(Opened::new(storage, &segment.path))? else { return Ok(whole) };
    let (mut start, mut stop) = whole;
    if begins_before {
        start = position_before(storage, &file, segment, bounds.min_offset)?;
    }
    if ends_after {
        stop = position_after(storage, &file, segment, bounds.max_offset)?;
    }
    if has_times {
        start = start.max(position_of_time(storage, &file, segment, bounds.min_timestamp)?);
    }
    Ok((start, stop))
}

/// Whether the indexes of a segment alone tell that no record is late enough.
pub fn is_too_early(storage: &dyn Storage, segment: &Segment, bounds: Bounds) -> LogResult<bool> {
    if bounds.min_timestamp == i64::MIN || !segment.is_complete || segment.damage.is_some() {
        return Ok(false);
    }
    Ok(latest_time(storage, segment)?.is_some_and(|latest| latest < bounds.min_timestamp))
}

/// The segments whose offsets, as their names say, may be within bounds.
pub fn segments_within(log: &Log, bounds: Bounds) -> impl Iterator<Item = &Segment> {
    log.segments.iter().filter(move |segment| {
        let ends_before = segment.next_base_offset.is_some_and(|next| next <= bounds.min_offset);
        let begins_after = segment.base_offset.is_some_and(|base| base > bounds.max_offset);
        // An empty segment whose index has entries has lost its batches.
        let has_bytes = segment.size > 0 || segment.damage.is_some() || (segment.is_complete && segment.is_indexed);
        has_bytes && !ends_before && !begins_after
    })
}

/// What is wanted of a segment. In tiered storage segments of several leaders overlap: each counts up to the next one.
pub fn wanted_offsets(log: &Log, segment: &Segment) -> Option<(i64, i64)> {
    match segment.next_base_offset {
        Some(next) if names::is_tiered_segment(&segment.path) => {
            let (first, last) = log.offsets().unwrap_or((0, i64::MAX));
            Some((first, last.min(next - 1)))
        }
        _ => log.offsets(),
    }
}

/// From where to where, and the first and last offset in it.
pub type Cut = (u64, u64, Option<(i64, i64)>);

/// The parts of a segment between two positions, of about `target` bytes each, which begin where batches do; each with the first
/// and last offset in it. `first` is the first offset if that is known better, `last` the last offset before `stop`.
pub fn parts(
    storage: &dyn Storage,
    segment: &Segment,
    (start, stop): (u64, u64),
    target: u64,
    first: Option<i64>,
    last: Option<i64>,
) -> LogResult<Vec<Cut>> {
    let mut cuts: Vec<(u64, Option<i64>)> = vec![(start, first)];
    let count = (stop - start).div_ceil(target.max(1));
    let is_cut = count > 1 || start > 0 || stop < segment.size;
    let file = if is_cut { unless_gone(Opened::new(storage, &segment.path))? } else { None };
    if let Some(file) = file.as_ref().filter(|_| count > 1) {
        let size = (stop - start).div_ceil(count);
        let entries = offset_entries(storage, segment)?;
        for goal in (1..count).map(|number| start + number * size) {
            let from = cuts.last().map_or(start, |(at, _)| *at);
            let Some(found) = border_among(&entries, file, segment, from, goal)? else { break };
            if found.position() > from && found.position() < stop {
                cuts.push((found.position(), Some(found.place.base_offset)));
            }
        }
    }
    let base_at = |position: u64| match &file {
        _ if position == 0 => Ok(segment.base_offset),
        Some(file) => {
            file.bytes(position, 8).map(|data| (data.len() == 8).then(|| i64::from_be_bytes(chunk(&data, 0))))
        }
        None => Ok(None),
    };
    if segment.base_offset.is_none() {
        let ends = cuts.iter().skip(1).map(|(at, _)| *at).chain([stop]);
        return Ok(cuts.iter().zip(ends).map(|((at, _), end)| (*at, end, None)).collect());
    }
    if cuts[0].1.is_none() {
        cuts[0].1 = base_at(start)?;
    }
    let after = match last {
        Some(last) => Some(last.saturating_add(1)),
        None if stop < segment.size => base_at(stop)?,
        None => segment.next_base_offset,
    };
    cuts.push((stop, after));
    let offsets = |pair: &[(u64, Option<i64>)]| {
        (pair[0].1.unwrap_or(i64::MAX), pair[1].1.map_or(i64::MAX, |following| following.saturating_sub(1)))
    };
    Ok(cuts.windows(2).map(|pair| (pair[0].0, pair[1].0, Some(offsets(pair)))).collect())
}

/// A range with borders where batches begin, and without what the indexes leave out; `None` if nothing is left.
///
/// A border depends on the segment and the position alone, so the task before finds the same one.
pub fn settled(storage: &dyn Storage, file: &Opened, each: &Range, bounds: Bounds) -> LogResult<Range> {
    let segment = &each.segment;
    if !each.has_goals {
        return Ok(each.clone());
    }
    let entries: Vec<Entry> = if each.is_part() { offset_entries(storage, segment)? } else { Vec::new() };
    let border = |goal: u64| -> LogResult<u64> {
        if goal == 0 || goal == segment.size {
            return Ok(goal);
        }
        Ok(border_among(&entries, file, segment, 0, goal)?.map_or(segment.size, |found| found.position()))
    };
    let (start, end) = (border(each.start)?, border(each.end)?);
    let (first, stop) = wanted_bytes(storage, segment, bounds.within(each.offsets))?;
    let (start, end) = (start.max(first), end.min(stop));
    Ok(Range { start, end: end.max(start), has_goals: false, ..each.clone() })
}

/// The ranges of the segments that may hold the offsets of a range now, each as a whole and bounded by these offsets.
pub fn relocated(storage: &dyn Storage, each: &Range, (first, last): (i64, i64)) -> LogResult<Vec<Range>> {
    let (least, most) = each.offsets.unwrap_or((i64::MIN, i64::MAX));
    let (first, last) = (first.max(least), last.min(most));
    let log = log_now(storage, &paths::parent(&each.segment.path))?;
    let wanted = log
        .segments
        .into_iter()
        .filter(|segment| segment.base_offset.is_some_and(|base| base <= last) && segment.end_offset() > first);
    let range = |segment: Segment| Range {
        start: 0,
        end: segment.size,
        offsets: Some((first, last)),
        planned: Some((first, last)),
        reached: None,
        has_goals: false,
        segment,
        ..each.clone()
    };
    Ok(wanted.map(range).collect())
}

/// Whether the log of a range's folder still begins at an offset, or before it.
pub fn has_begin(storage: &dyn Storage, each: &Range, first: i64) -> LogResult<bool> {
    let log = log_now(storage, &paths::parent(&each.segment.path))?;
    Ok(log.segments.iter().any(|segment| segment.base_offset.is_some_and(|base| base <= first)))
}
