//! The order of offsets, which rise from batch to batch and stay within the range of their segment.
//!
//! No checksum covers the base offset of a batch. A copied log may contain a batch twice or a segment of a different
//! topic, so offsets that do not fit are damage. Compaction leaves gaps, so a gap alone proves nothing.

use super::index::OpenSegment;
use super::names;
use super::ranges::Range;
use super::scan::{Scan, Way, header_at, intact_at};
use crate::outcome::Outcome;
use crate::records::header::Header;

/// The state of a check of offsets, before the next batch.
pub struct Order {
    /// The offset after the last known one.
    pub reached: Option<i64>,
    /// Whether `reached` is exact, because the preceding batches were read or do not exist.
    pub is_exact: bool,
    /// The value of `reached` before the latest batch.
    before_last: Option<i64>,
    /// The position of the latest batch; `None` if it is damaged or bytes were skipped after it.
    last: Option<u64>,
}

impl Order {
    /// Begin before the first batch of a range. If an index locates a batch before the range, the headers from there on
    /// are read first.
    pub fn new(segment: &OpenSegment, range: &Range) -> Outcome<Self> {
        let base = segment.segment.base_offset;
        let reached = range.reached.max(base);
        let is_known = range.start == 0 || range.reached.is_some() || base.is_none();
        let mut order = Order {
            reached,
            is_exact: is_known,
            before_last: reached,
            last: None,
        };
        if !is_known && let Some(start) = segment.some_before(range.start)? {
            order.is_exact = true;
            let mut scan = Scan::new(&segment.file, start, range.start, Way::Headers)?;
            while let Some(found) = scan.next()? {
                order.problem(segment, &found)?;
            }
        }
        Ok(order)
    }

    /// Undo the latest batch: it is damaged, so its offsets do not count.
    pub fn undo(&mut self) {
        self.reached = self.before_last;
        self.last = None;
    }

    /// Forget the latest batch after bytes were skipped: it no longer proves anything about the next batch.
    pub fn forget(&mut self) {
        self.last = None;
    }

    /// Return what is wrong with the offsets of a batch. If nothing is wrong, record the offsets as reached.
    pub fn problem(&mut self, segment: &OpenSegment, found: &Header) -> Outcome<Option<String>> {
        self.before_last = self.reached;
        let last = found.last_offset();
        // For compressed messages, only the last offset is known.
        let base = found
            .first_offset()
            .unwrap_or_else(|| self.reached.unwrap_or(last).min(last));
        let is_intact = |position| intact_at(&segment.file, position, u64::MAX).map(|found| found.is_some());
        if base < 0 && is_intact(found.position)? {
            return Ok(Some(format!("the offset {base} is below 0")));
        }
        if !found.looks_right() {
            return Ok(None);
        }
        let before = self.reached.unwrap_or(i64::MIN);
        let is_tiered = names::is_tiered_segment(&segment.segment.path);
        let end = if is_tiered {
            i64::MAX
        } else {
            segment.segment.end_offset()
        };
        let problem = if base < before {
            // The offsets of a damaged batch do not count.
            let counts = self.last.map_or(Ok(true), is_intact)?;
            counts.then(|| format!("the offsets {base} to {last} repeat earlier ones: the log has reached {before}"))
        } else if last >= end || last < base {
            Some(format!(
                "the offsets {base} to {last} are outside this segment: the next one begins at {end}"
            ))
        } else if base > before && before > i64::MIN {
            jump(segment, found, before)?
        } else {
            None
        };
        if problem.is_none() {
            self.reached = Some(last.saturating_add(1));
            self.last = Some(found.position);
            return Ok(None);
        }
        Ok(if is_intact(found.position)? { problem } else { None })
    }
}

/// Return why the offset of the batch `found`, which follows a gap, is wrong: the next batch begins at or before the
/// last offset of `found`, or the index names a lower offset for `found`.
fn jump(segment: &OpenSegment, found: &Header, before: i64) -> Outcome<Option<String>> {
    let (base, last) = (found.base_offset, found.last_offset());
    let reason = |what: &str, offset: i64| {
        Some(format!(
            "the offsets {base} to {last} skip others: {what} has the offset {offset}"
        ))
    };
    if let Some(next) = header_at(&segment.file, found.end(), u64::MAX)?
        .ok()
        .filter(Header::looks_right)
    {
        let is_before = (before..=last).contains(&next.base_offset);
        let is_intact = is_before && intact_at(&segment.file, found.end(), u64::MAX)?.is_some();
        return Ok(if is_intact {
            reason("the next batch", next.base_offset)
        } else {
            None
        });
    }
    let entry = segment.entries().iter().find(|entry| entry.position == found.position);
    let contradicts = entry.filter(|entry| (before..base).contains(&entry.offset));
    Ok(contradicts.and_then(|entry| reason("the index of the segment", entry.offset)))
}
