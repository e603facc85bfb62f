//! The last stable offset of a log: where its first undecided transaction begins.

use super::{Notes, OpenTransactions, What, gone, open_transactions_at, transactional};
use crate::logs::error::{LogResult, unless_gone};
use crate::logs::index::position_before;
use crate::logs::listing::{Log, Segment};
use crate::logs::names;
use crate::logs::scan::{Found, Scan, first_record};
use crate::logs::storage::{Opened, Storage};
use crate::records::filter::Bounds;
use crate::records::header::HEADER;

/// The transactions that were open at a place of a log; a later search goes on from there.
#[derive(Clone, Default)]
pub struct OpenAt {
    /// The number of the segment in the log.
    segment: usize,
    position: u64,
    open: OpenTransactions,
    /// Identity, position and header of the last batch before the place that was read.
    seen: Option<(u64, u64, Vec<u8>)>,
}

/// The offset of the first record of a transaction that begins up to `last_offset` and has no end in the log, `None` if there is no such
/// transaction; and the place that was reached.
///
/// Headers are read from `known` on, or from the last place that an intact snapshot of the producers' states tells of, or else from the
/// beginning; up to the end of the log, or until each transaction that begins up to `last_offset` has its end. A segment that is gone
/// is passed over.
pub fn last_stable_offset(
    storage: &dyn Storage,
    log: &Log,
    last_offset: i64,
    known: Option<&OpenAt>,
    notes: &Notes,
) -> LogResult<(Option<i64>, OpenAt)> {
    let mut at = match known.map(|known| known.again(storage, log)).transpose()?.flatten() {
        Some(at) => at,
        None => from_snapshot(storage, log)?.unwrap_or_default(),
    };
    at.advance(storage, log, last_offset, notes)?;
    let mut undecided: Vec<(i64, i64)> = at.open.iter().map(|(producer, first)| (*first, *producer)).collect();
    undecided.retain(|(first, _)| *first <= last_offset);
    undecided.sort_unstable();
    let mut found: Option<i64> = None;
    for (first, producer) in undecided {
        if found.is_some_and(|found| found <= first) {
            break;
        }
        let offset = first_intact(storage, log, producer, first, notes)?.filter(|offset| *offset <= last_offset);
        found = found.into_iter().chain(offset).min();
    }
    Ok((found, at))
}

/// The latest place for which a snapshot is there, is intact, and does not mention what is after the log's end.
fn from_snapshot(storage: &dyn Storage, log: &Log) -> LogResult<Option<OpenAt>> {
    let has_holes = log.segments.iter().any(|each| each.base_offset.is_none() || each.damage.is_some());
    let follows = log.segments.windows(2).all(|pair| pair[0].next_base_offset == pair[1].base_offset);
    if log.segments.is_empty() || has_holes || !follows {
        return Ok(None);
    }
    let Ok(listed) = storage.list(&log.folder) else { return Ok(None) };
    let mut offsets: Vec<i64> = listed.iter().filter_map(|entry| names::offset_of_snapshot(&entry.name)).collect();
    offsets.sort_unstable();
    for offset in offsets.into_iter().rev() {
        if let Some((segment, position)) = place_of(storage, log, offset)?
            && let Some(open) = open_transactions_at(storage, &log.folder, offset)
        {
            return Ok(Some(OpenAt { segment, position, open, seen: None }));
        }
    }
    Ok(None)
}

/// Number of the segment and position at which the batches from an offset on begin.
fn place_of(storage: &dyn Storage, log: &Log, offset: i64) -> LogResult<Option<(usize, u64)>> {
    if let Some(number) = log.segments.iter().position(|segment| segment.base_offset == Some(offset)) {
        return Ok(Some((number, 0)));
    }
    let Some(last) = log.segments.last().filter(|last| last.base_offset.is_some_and(|base| base <= offset)) else {
        return Ok(None);
    };
    let Some(file) = unless_gone(Opened::new(storage, &last.path))? else { return Ok(None) };
    let start = position_before(storage, &file, last, offset - 1)?;
    let mut scan = Scan::past_damage(&file, start, last.size, false)?;
    let mut end = None;
    while let Some(found) = scan.next()? {
        if found.place.base_offset >= offset {
            break;
        }
        end = (found.last_offset() == offset - 1).then(|| found.end());
    }
    Ok(end.map(|end| (log.segments.len() - 1, end)))
}

impl OpenAt {
    /// The same place, if the log is what it was up to there, as far as its last header tells.
    fn again(&self, storage: &dyn Storage, log: &Log) -> LogResult<Option<Self>> {
        let Some((identity, position, header)) = &self.seen else { return Ok(None) };
        for (number, segment) in log.segments.iter().enumerate() {
            if segment.identity != *identity || segment.size < self.position || segment.damage.is_some() {
                continue;
            }
            let Some(file) = unless_gone(Opened::new(storage, &segment.path))? else { return Ok(None) };
            if file.bytes(*position, HEADER)? == *header {
                return Ok(Some(OpenAt { segment: number, ..self.clone() }));
            }
        }
        Ok(None)
    }

    /// Takes note of what begins and ends after a place, as far as that matters.
    fn advance(&mut self, storage: &dyn Storage, log: &Log, last_offset: i64, notes: &Notes) -> LogResult<()> {
        for number in self.segment..log.segments.len() {
            let segment = &log.segments[number];
            if number > self.segment {
                *self = OpenAt { segment: number, position: 0, seen: None, open: std::mem::take(&mut self.open) };
            }
            if segment.damage.is_some() {
                continue;
            }
            let Some(file) = unless_gone(Opened::new(storage, &segment.path))? else {
                notes.add(gone(segment, "the outcome of transactions in it is unknown"));
                continue;
            };
            let mut scan = Scan::past_damage(&file, self.position, segment.size, segment.is_complete)?;
            let mut last = None;
            while let Some(found) = scan.next()? {
                let is_past = found.place.base_offset > last_offset;
                if is_past && !self.open.values().any(|first| *first <= last_offset) {
                    return self.reach(&file, segment, last);
                }
                match transactional(&file, &found, notes)? {
                    Some(each) if each.what == What::Data => {
                        self.open.entry(each.producer).or_insert(each.offset);
                    }
                    Some(each) => {
                        self.open.remove(&each.producer);
                    }
                    None => {}
                }
                last = Some(found);
            }
            self.reach(&file, segment, last)?;
        }
        Ok(())
    }

    fn reach(&mut self, file: &Opened, segment: &Segment, last: Option<Found>) -> LogResult<()> {
        if let Some(found) = last {
            self.position = found.end();
            self.seen = Some((segment.identity, found.position(), file.bytes(found.position(), HEADER)?));
        }
        Ok(())
    }
}

/// The base offset of the first batch of an open transaction that can be read.
///
/// `None` if there is none: a damaged header must not make all after it look undecided.
fn first_intact(storage: &dyn Storage, log: &Log, producer: i64, first: i64, notes: &Notes) -> LogResult<Option<i64>> {
    for segment in &log.segments {
        if segment.end_offset() <= first || segment.damage.is_some() {
            continue;
        }
        let Some(file) = unless_gone(Opened::new(storage, &segment.path))? else {
            notes.add(gone(segment, "an open transaction in it is not known"));
            continue;
        };
        let start = position_before(storage, &file, segment, first)?;
        let mut scan = Scan::past_damage(&file, start, segment.size, segment.is_complete)?;
        while let Some(found) = scan.next()? {
            let is_own = found.header.is_some_and(|header| {
                header.is_transactional() && !header.is_control() && header.producer_id == producer
            });
            if is_own && found.place.base_offset >= first && is_readable(&file, &found)? {
                return Ok(Some(found.place.base_offset));
            }
        }
    }
    Ok(None)
}

/// Whether all records of a batch can be read.
pub fn is_readable(file: &Opened, found: &Found) -> LogResult<bool> {
    Ok(first_record(file, found, &Bounds::default(), 128 << 20)?.is_ok())
}
