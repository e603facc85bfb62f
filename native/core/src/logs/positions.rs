//! A stream's positions in a log, always between batches: how far the stream has read, and how far it may read.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::index::OpenSegment;
use super::log::{Log, Segment};
use super::scan::{Tail, header_at};
use super::storage::Storage;
use super::topic_ids::topic_id;
use super::transactions::is_readable;
use crate::outcome::{Error, Kind, Outcome};
use crate::records::header::{Header, Stopped};

const MOST_SHOWN: usize = 100;

/// A position between two batches of a partition's log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Position {
    /// The base offset of the segment.
    pub segment: i64,
    /// The byte position in the segment.
    pub position: u64,
    /// The next offset after the last record before the position. It is used to find the position again after segments
    /// were cleaned, merged or deleted.
    pub offset: i64,
    /// The id of the topic, which distinguishes the topic from an earlier one with the same name.
    #[serde(rename = "topicId", default, skip_serializing_if = "Option::is_none")]
    pub topic_id: Option<String>,
}

/// Positions by folder.
pub type Positions = BTreeMap<String, Position>;

/// The key of the folder at which the next turn begins. Other keys are full paths, so they differ from it.
const NEXT: &str = "next";

/// Return positions as JSON, together with the folder at which the next turn begins.
pub fn to_json(positions: &Positions, next: Option<&String>) -> String {
    let mut json = serde_json::json!(positions);
    if let Some(next) = next {
        json[NEXT] = Value::from(next.as_str());
    }
    json.to_string()
}

/// Parse the JSON of `to_json`. Fail for any other text.
pub fn from_json(text: &str) -> Outcome<(Positions, Option<String>)> {
    let other_version = |found: &str| {
        let shown: String = found.chars().take(MOST_SHOWN).collect();
        let text = format!(
            "the checkpoint has {shown} as the place in a log: another version of messagegen wrote it; \
             start with a new checkpoint folder (option checkpointLocation)"
        );
        Error::new(Kind::Checkpoint, text)
    };
    let mut found: BTreeMap<String, Value> = serde_json::from_str(text).map_err(|_| other_version(text))?;
    let next = found.get(NEXT).and_then(Value::as_str).map(str::to_owned);
    if next.is_some() {
        found.remove(NEXT);
    }
    let position = |value: Value| Position::deserialize(&value).map_err(|_| other_version(&value.to_string()));
    let positions = found
        .into_iter()
        .map(|(folder, value)| Ok((folder, position(value)?)))
        .collect::<Outcome<Positions>>()?;
    Ok((positions, next))
}

/// The amount that one read takes from a log. If the next batch alone exceeds `Bytes` or `Offsets`, the read takes
/// nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    /// All batches.
    All,
    /// The next batch, whatever its size.
    OneBatch,
    /// At most this number of bytes.
    Bytes(u64),
    /// At most this number of offsets. Offsets that the log cleaner removed count, too.
    Offsets(u64),
}

impl Position {
    /// Return the position before the first record that a log still has.
    pub fn beginning(storage: &Storage, log: &Log) -> Self {
        let bases = || log.segments.iter().map(|segment| segment.base_offset.unwrap_or(0));
        let segment = bases()
            .filter(|base| *base <= log.start_offset)
            .max()
            .or_else(|| bases().next())
            .unwrap_or(0);
        let topic_id = topic_id(storage, &log.folder);
        Position {
            segment,
            position: 0,
            offset: segment.max(log.start_offset),
            topic_id,
        }
    }

    /// Whether two positions are known to belong to different topics with the same name. An unknown id proves nothing.
    pub fn is_other_topic(&self, other: &Position) -> bool {
        self.topic_id.is_some() && other.topic_id.is_some() && self.topic_id != other.topic_id
    }

    /// Whether two positions are the same, and not known to belong to different topics.
    pub fn is_same_place(&self, other: &Position) -> bool {
        (self.segment, self.position, self.offset) == (other.segment, other.position, other.offset)
            && !self.is_other_topic(other)
    }

    /// Return the number of bytes in a log after this position.
    pub fn unread_bytes(&self, log: &Log) -> u64 {
        segments_from(log, self.segment)
            .map(|segment| segment.size)
            .sum::<u64>()
            .saturating_sub(self.position)
    }

    /// Return where a read of `amount` ends if it begins at this position.
    ///
    /// The end is before the first batch that begins at `limit_offset` or later. An incomplete batch at the end of the
    /// last segment is left for a later read.
    pub fn advanced(&self, storage: &Arc<Storage>, log: &Log, amount: Amount, limit_offset: i64) -> Outcome<Position> {
        let (mut left, most_offsets) = match amount {
            Amount::All => (u64::MAX, i64::MAX),
            Amount::OneBatch => (0, i64::MAX),
            Amount::Bytes(bytes) => (bytes, i64::MAX),
            Amount::Offsets(offsets) => (u64::MAX, offsets.try_into().unwrap_or(i64::MAX)),
        };
        let last_end = self.offset.saturating_add(most_offsets);
        let mut at = self.clone();
        for segment in segments_from(log, self.segment) {
            let base = segment.base_offset.unwrap_or(0);
            if base != at.segment {
                at = Position {
                    segment: base,
                    position: 0,
                    offset: base,
                    ..at
                };
            }
            let size = segment.size.saturating_sub(at.position);
            let is_whole = segment
                .next_base_offset
                .filter(|next| size <= left && *next <= limit_offset.min(last_end));
            match is_whole {
                Some(next) => {
                    at = Position {
                        position: segment.size,
                        offset: at.offset.max(next),
                        ..at
                    };
                    left -= size;
                }
                None => {
                    let Some(file) = OpenSegment::new(storage, segment)? else {
                        return Ok(at);
                    };
                    return at.hop(&file, left, limit_offset, last_end, amount == Amount::OneBatch);
                }
            }
        }
        Ok(at)
    }

    /// Return the furthest position within the limits in one segment: batches begin before `limit_offset`, and end at
    /// or before `last_end`. The scan starts at the last batch that the index names within these limits.
    fn hop(
        self,
        file: &OpenSegment,
        budget: u64,
        limit_offset: i64,
        last_end: i64,
        mut is_one_needed: bool,
    ) -> Outcome<Position> {
        let end = self.position.saturating_add(budget);
        let named = file.last_indexed(self.position, end.min(file.segment.size), limit_offset.min(last_end))?;
        let mut scan = file.scan(named.unwrap_or(self.position))?;
        let least = self.offset;
        let (mut at, mut last) = (self, None);
        while let Some(found) = scan.next()? {
            let base = found.base_offset;
            let is_beyond = found.end() > end || found.last_offset().saturating_add(1) > last_end;
            if base >= limit_offset || (is_beyond && !is_one_needed) {
                // If the next batch begins before `at.offset`, one of the two offsets is wrong. Keep the lower one.
                let offset = at.offset.min(base).max(least);
                // A position before damaged bytes could not be distinguished from a position in a replaced file.
                let position = last.map_or(at.position, |_| found.position);
                return Ok(Position { position, offset, ..at });
            }
            is_one_needed = false;
            at = Position {
                position: found.end(),
                offset: least.max(found.last_offset().saturating_add(1)),
                ..at
            };
            last = Some(found);
        }
        at.at_tail(file, last, scan.tail())
    }

    /// Return the position to use at the end of a segment. It is after bytes that are damaged or will never become a
    /// batch, so that the reader reports these bytes.
    fn at_tail(self, file: &OpenSegment, last: Option<Header>, tail: Option<Tail>) -> Outcome<Position> {
        let Some(tail) = tail.filter(|tail| tail.stopped != Stopped::End) else {
            return Ok(self);
        };
        if file.segment.is_complete || tail.stopped == Stopped::Damaged {
            return Ok(Position {
                position: file.segment.size,
                ..self
            });
        }
        if let Some(found) = last.filter(|_| tail.stopped == Stopped::Preallocated)
            && !is_readable(file, &found)?
        {
            // A broker has not yet written all bytes of this batch into preallocated zeros.
            return Ok(Position {
                position: found.position,
                offset: found.base_offset,
                ..self
            });
        }
        Ok(self)
    }

    /// Return where this position is now: before the first record that has its offset or a later one.
    ///
    /// After the log cleaner has moved batches, a later batch may begin at the same byte, and bytes of a batch may look
    /// like a header. So only a header with the position's own offset proves the position; otherwise the segment is
    /// searched.
    pub fn found(&self, storage: &Arc<Storage>, log: &Log) -> Outcome<Position> {
        if self.is_proven(storage, log)? {
            return Ok(self.clone());
        }
        self.found_by_offset(storage, log)
    }

    fn is_proven(&self, storage: &Arc<Storage>, log: &Log) -> Outcome<bool> {
        let Some(segment) = self.segment_in(log).filter(|segment| self.position <= segment.size) else {
            return Ok(false);
        };
        if self.position == segment.size {
            return Ok(segment.next_base_offset.is_none_or(|next| next == self.offset));
        }
        if self.position == 0 {
            return Ok(true);
        }
        let Some(file) = OpenSegment::new(storage, segment)? else {
            return Ok(false);
        };
        let header = header_at(&file.file, self.position, segment.size)?;
        Ok(header.is_ok_and(|found| found.base_offset == self.offset && (0..=2).contains(&found.magic)))
    }

    /// Return the position of the first batch that ends with this position's offset or a later one.
    pub fn found_by_offset(&self, storage: &Arc<Storage>, log: &Log) -> Outcome<Position> {
        let reached = log
            .segments
            .iter()
            .rfind(|segment| segment.base_offset.unwrap_or(0) <= self.offset);
        let Some(segment) = reached else {
            return Ok(self.clone());
        };
        let base = segment.base_offset.unwrap_or(0);
        let at = |position| {
            Ok(Position {
                segment: base,
                position,
                ..self.clone()
            })
        };
        let Some(file) = OpenSegment::new(storage, segment)? else {
            return at(segment.size);
        };
        let mut position = file.position_before(self.offset)?;
        let mut scan = file.scan(position)?;
        while let Some(found) = scan.next()? {
            if found.last_offset() >= self.offset {
                return at(found.position);
            }
            position = found.end();
        }
        if base == self.segment && (position..=segment.size).contains(&self.position) {
            // The scan stopped at damage that has already been reported.
            position = self.position;
        }
        at(position)
    }

    /// Whether the offset is in the middle of the batch at the position. This is possible if the offset comes from an
    /// option.
    pub fn is_within_batch(&self, storage: &Arc<Storage>, log: &Log) -> Outcome<bool> {
        let Some(segment) = self.segment_in(log) else {
            return Ok(false);
        };
        let Some(file) = OpenSegment::new(storage, segment)? else {
            return Ok(false);
        };
        let header = header_at(&file.file, self.position, u64::MAX)?;
        let begins_before = |header: &Header| header.first_offset().is_none_or(|first| first < self.offset);
        Ok(header.is_ok_and(|header| begins_before(&header) && self.offset <= header.last_offset()))
    }

    fn segment_in<'l>(&self, log: &'l Log) -> Option<&'l Segment> {
        log.segments
            .iter()
            .find(|segment| segment.base_offset == Some(self.segment))
    }
}

fn segments_from(log: &Log, start: i64) -> impl Iterator<Item = &Segment> {
    log.segments
        .iter()
        .filter(move |segment| segment.base_offset.is_some_and(|base| base >= start))
}

/// Return the segments between two positions, each with the start and end of its bytes between them.
pub fn between<'l>(log: &'l Log, start: &Position, end: &Position) -> Vec<(&'l Segment, u64, u64)> {
    let mut found = Vec::new();
    for segment in segments_from(log, start.segment) {
        let base = segment.base_offset.unwrap_or(0);
        if base > end.segment {
            break;
        }
        let first = if base == start.segment { start.position } else { 0 };
        let stop = if base == end.segment {
            end.position
        } else {
            segment.size
        };
        let is_lost = base < end.segment && segment.size == 0 && (segment.damage.is_some() || segment.is_indexed);
        if stop > first || is_lost {
            found.push((segment, first, stop));
        }
    }
    found
}
