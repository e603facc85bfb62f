//! Hopping through the batches of a file by their headers, and finding the next batch behind damage: batches lead from
//! one to the next by their lengths only.

use std::sync::Arc;

use super::paths;
use super::storage::Opened;
use crate::outcome::Outcome;
use crate::records::batch::{Batch, ReadBudget};
use crate::records::codecs::Decompressor;
use crate::records::error::RecordsResult;
use crate::records::filter::Bounds;
use crate::records::header::{self, BEFORE_LENGTH, HEADER, Header, Stopped};

/// So much is read at a time to find headers; more where there are many, less where there are few.
const WINDOW: usize = 1 << 16;
const LEAST_WINDOW: usize = 1 << 12;
const MOST_WINDOW: usize = 1 << 22;
/// This many batches in a window are many.
const MANY: usize = 64;
/// So much is read at a time where all bytes are wanted, or one batch where it is larger; the first reads are smaller.
/// It fits into the caches of a processor.
const WHOLE_WINDOW: usize = 1 << 20;
/// The same of an object in a store, where each read is a request.
const STORED_WINDOW: usize = 8 << 20;
const FIRST_WHOLE_WINDOW: usize = 1 << 19;
const SEARCH_WINDOW: usize = 1 << 22;
/// A message of magic 0 without key and value.
const LEAST_BATCH: usize = 26;
/// A search checksums at most this many times the bytes of a file: hostile bytes may look like many batches.
const MOST_CHECKED: u64 = 64;

/// Where and why hopping stopped.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct Tail {
    pub position: u64,
    pub stopped: Stopped,
}

/// What a scan gives.
#[derive(Clone, Copy, PartialEq)]
pub enum Way {
    /// The headers of whole batches, up to bytes that are none.
    Headers,
    /// Those after such bytes, too. `true` where nothing is ever appended: then also after a part of a batch at the
    /// end, which may hold a whole batch in a value elsewhere.
    PastDamage(bool),
    /// The same batches as `Headers`, whose bytes are wanted too.
    Whole,
}

/// Gives one header after the other.
pub struct Scan {
    file: Arc<Opened>,
    way: Way,
    at: u64,
    end: u64,
    planned_end: u64,
    /// Bytes that were read, from a position on.
    bytes: Vec<u8>,
    from: u64,
    /// How many are read at a time, and how many batches began in them.
    size: usize,
    in_window: usize,
    tail: Option<Tail>,
}

impl Scan {
    /// The batches between two positions, of which the first is where a batch begins.
    pub fn new(file: &Arc<Opened>, start: u64, planned_end: u64, way: Way) -> Outcome<Self> {
        let (file, end) = (file.clone(), planned_end.min(file.size()?));
        let size = if way == Way::Whole { FIRST_WHOLE_WINDOW } else { WINDOW };
        let (bytes, from, in_window, tail) = (Vec::new(), 0, MANY / 2, None);
        Ok(Scan {
            file,
            way,
            at: start,
            end,
            planned_end,
            bytes,
            from,
            size,
            in_window,
            tail,
        })
    }

    /// Where the file ends, if that is before the end that was given.
    pub fn end(&self) -> u64 {
        self.end
    }

    /// Goes on at another position. What was read is forgotten: a broker may have written there in the meantime.
    pub fn go_on(&mut self, position: u64) {
        (self.at, self.tail) = (position, None);
        self.bytes.clear();
    }

    /// Where hopping stopped, after the last header.
    pub fn tail(&self) -> Option<Tail> {
        self.tail
    }

    /// The next header; `None` at the end.
    pub fn next(&mut self) -> Outcome<Option<Header>> {
        while self.tail.is_none() {
            let stopped = match self.header()? {
                Ok(found) => return Ok(Some(found)),
                Err(stopped) => stopped,
            };
            let tail = Tail {
                position: self.at,
                stopped,
            };
            let is_searched = match (self.way, stopped) {
                (Way::PastDamage(is_complete), Stopped::Truncated) => is_complete,
                (Way::PastDamage(_), _) => stopped != Stopped::End,
                _ => false,
            };
            match if is_searched {
                batch_after(&self.file, tail, self.end)?
            } else {
                None
            } {
                Some(position) => self.at = position,
                None => self.tail = Some(tail),
            }
        }
        Ok(None)
    }

    fn header(&mut self) -> Outcome<Result<Header, Stopped>> {
        let (at, left) = (self.at, self.end.saturating_sub(self.at));
        if left == 0 {
            return Ok(Err(if self.end == self.planned_end {
                Stopped::End
            } else {
                Stopped::Truncated
            }));
        }
        let start = self.bytes(at, HEADER)?;
        if (start.len() as u64) < left.min(HEADER as u64) {
            return Ok(Err(Stopped::Truncated)); // the file is shorter than it was
        }
        let found = Header::at(start, at, left);
        if let Ok(header) = &found {
            self.at = header.end();
            self.in_window += 1;
        }
        Ok(found)
    }

    /// Some bytes, if they were read already.
    pub fn peek(&self, position: u64, count: usize) -> Option<&[u8]> {
        let from = usize::try_from(position.checked_sub(self.from)?).ok()?;
        self.bytes.get(from..from.checked_add(count)?)
    }

    /// The bytes from a position on, `least` of them or more; fewer at the end.
    pub fn bytes(&mut self, position: u64, least: usize) -> Outcome<&[u8]> {
        let left = self.end.saturating_sub(position);
        let least = (least as u64).min(left);
        if position < self.from || position - self.from + least > self.bytes.len() as u64 {
            let whole = if paths::is_url(&self.file.path) {
                STORED_WINDOW
            } else {
                WHOLE_WINDOW
            };
            self.size = match self.in_window {
                _ if self.way == Way::Whole => (self.size * 2).min(whole),
                MANY.. => (self.size * 2).min(MOST_WINDOW),
                0..4 => (self.size / 2).max(LEAST_WINDOW),
                _ => self.size,
            };
            self.in_window = 0;
            let count = (self.size as u64).max(least).min(left) as usize;
            self.file.read(position, count, &mut self.bytes)?;
            self.from = position;
        }
        let from = (position - self.from) as usize;
        Ok(&self.bytes[from.min(self.bytes.len())..])
    }
}

/// The header at a position of a file that ends at `end`, or why there is none.
pub fn header_at(file: &Opened, position: u64, end: u64) -> Outcome<Result<Header, Stopped>> {
    let left = end.saturating_sub(position);
    let start = file.bytes(position, left.min(HEADER as u64) as usize)?;
    Ok(Header::at(&start, position, left))
}

/// The batch with the right checksum that begins at a position and ends before `end`.
pub fn intact_at(file: &Opened, position: u64, end: u64) -> Outcome<Option<Header>> {
    match header_at(file, position, end)? {
        Ok(header) if header.is_readable() && is_intact(file, &header)? => Ok(Some(header)),
        _ => Ok(None),
    }
}

fn is_intact(file: &Opened, header: &Header) -> Outcome<bool> {
    let data = file.bytes(header.position, header.length)?;
    Ok(data.len() == header.length && header::is_intact(&data))
}

/// Where the first batch begins that looks like one and has the right checksum, `None` if there is none before `end`.
pub fn find_batch(file: &Opened, start: u64, end: u64) -> Outcome<Option<u64>> {
    let mut budget = MOST_CHECKED.saturating_mul(end.saturating_sub(start));
    let mut position = file.after_hole(start, end);
    let mut data = Vec::new();
    while position < end {
        file.read(position, (SEARCH_WINDOW as u64).min(end - position) as usize, &mut data)?;
        let is_last = position + data.len() as u64 >= end;
        let least = if is_last { LEAST_BATCH } else { HEADER };
        for at in 0..data.len().saturating_sub(least - 1) {
            if data[at + 16] > 2 {
                continue;
            }
            let found = position + at as u64;
            let header = Header::at(&data[at..], found, end - found)
                .ok()
                .filter(Header::looks_right);
            let Some(header) = header else { continue };
            let Some(left) = budget.checked_sub(header.length as u64) else {
                return Ok(None);
            };
            budget = left;
            if is_intact(file, &header)? {
                return Ok(Some(found));
            }
        }
        if is_last || data.len() < HEADER {
            return Ok(None);
        }
        position += (data.len() - HEADER + 1) as u64;
    }
    Ok(None)
}

/// Where the next batch begins after bytes that are none. For zeros it may be the place itself: a broker may have
/// written there in the meantime.
pub fn batch_after(file: &Opened, tail: Tail, end: u64) -> Outcome<Option<u64>> {
    if tail.stopped != Stopped::Preallocated {
        return find_batch(file, tail.position + 1, end);
    }
    // A base offset may be zero, but no length is.
    match first_byte(file, tail.position, end)? {
        None => Ok(None),
        Some(first) => find_batch(
            file,
            tail.position.max((first + 1).saturating_sub(BEFORE_LENGTH as u64)),
            end,
        ),
    }
}

/// The position of the first byte that is not zero, `None` if there is none before `end`.
pub fn first_byte(file: &Opened, start: u64, end: u64) -> Outcome<Option<u64>> {
    let mut position = start;
    let mut data = Vec::new();
    while position < end {
        file.read(position, (SEARCH_WINDOW as u64).min(end - position) as usize, &mut data)?;
        if data.is_empty() {
            break;
        }
        if let Some(at) = data.iter().position(|byte| *byte != 0) {
            return Ok(Some(position + at as u64));
        }
        position = file.after_hole(position + data.len() as u64, end);
    }
    Ok(None)
}

/// Where to go on after a batch with a wrong checksum: at its end, if its length seems to be right.
pub fn after_damaged(file: &Arc<Opened>, header: &Header, end: u64) -> Outcome<u64> {
    let (position, following) = (header.position, header.end());
    let is_credible = match header_at(file, following, end)? {
        Ok(header) => header.looks_right(),
        Err(stopped) => matches!(stopped, Stopped::End | Stopped::Preallocated),
    };
    if !is_credible {
        return Ok(find_batch(file, position + 1, end)?.unwrap_or(following));
    }
    // A wrong length may be that of several batches. They end where it says; one within a value of a record does not.
    match find_batch(file, position + 1, following)? {
        Some(within) if leads_to(file, within, following)? => Ok(within),
        _ => Ok(following),
    }
}

/// Whether batch follows upon batch up to a position.
fn leads_to(file: &Arc<Opened>, start: u64, end: u64) -> Outcome<bool> {
    let mut scan = Scan::new(file, start, end, Way::Headers)?;
    while scan.next()?.is_some() {}
    Ok(scan.tail().is_some_and(|tail| tail.stopped == Stopped::End))
}

/// The first record of a batch.
pub struct FirstRecord {
    /// Its offset; that of the batch if it has no record.
    pub offset: i64,
    /// Its key.
    pub key: Option<Vec<u8>>,
}

/// The first record of a batch; `None` if not all of them can be read, or it has more than `most` bytes.
pub fn first_record(file: &Opened, header: &Header, most: usize) -> Outcome<Option<FirstRecord>> {
    if header.length > most {
        return Ok(None);
    }
    let data = file.bytes(header.position, header.length)?;
    let read = || -> RecordsResult<FirstRecord> {
        let (bounds, mut decompressor, mut records) = (Bounds::default(), Decompressor::new(most), Vec::new());
        let mut first = FirstRecord {
            offset: header.base_offset,
            key: None,
        };
        if let Some(mut batch) = Batch::open(*header, &data, &bounds, true, &mut decompressor)? {
            let bytes = batch.bytes(&data, &decompressor);
            let mut budget = ReadBudget {
                records: 1,
                bytes: usize::MAX,
                is_empty: true,
            };
            batch.read(bytes, &bounds, &mut budget, &mut records)?;
            for record in &records {
                first = FirstRecord {
                    offset: batch.header.offset(record),
                    key: record.key.of(bytes).map(<[u8]>::to_vec),
                };
            }
        }
        Ok(first)
    };
    Ok(if data.len() == header.length { read().ok() } else { None })
}
