//! Scans of a file's batches by their headers, and a search for the next batch after damage. Without a search, the next
//! batch can only be found through the length of the batch before it.

use std::sync::Arc;

use super::paths;
use super::storage::Opened;
use crate::outcome::Outcome;
use crate::records::batch::{Batch, ReadBudget};
use crate::records::codecs::Decompressor;
use crate::records::error::RecordsResult;
use crate::records::filter::Bounds;
use crate::records::header::{self, BEFORE_LENGTH, HEADER, Header, Stopped};

/// The initial number of bytes that are read at a time to find headers. The number grows if these bytes contain many
/// batches, and shrinks if they contain few.
const WINDOW: usize = 1 << 16;
const LEAST_WINDOW: usize = 1 << 12;
const MOST_WINDOW: usize = 1 << 22;
/// If at least this number of batches begins in a window, the next window is larger.
const MANY: usize = 64;
/// The number of bytes that are read at a time if all bytes are used; a larger batch is read as a whole. The first
/// reads are smaller. This size fits into the processor caches.
const WHOLE_WINDOW: usize = 1 << 20;
/// The number of bytes that are read at a time from an object in a store, where each read is a request.
const STORED_WINDOW: usize = 8 << 20;
const FIRST_WHOLE_WINDOW: usize = 1 << 19;
const SEARCH_WINDOW: usize = 1 << 22;
/// The size of a message of magic 0 without a key or a value.
const LEAST_BATCH: usize = 26;
/// The limit for the bytes that a search checksums, as a multiple of the bytes that it searches: hostile bytes may look
/// like many batches.
const MOST_CHECKED: u64 = 64;

/// The position at which a scan stopped, and the reason.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct Tail {
    pub position: u64,
    pub stopped: Stopped,
}

/// The kind of a scan: the batches that it returns, and the bytes that it reads of them.
#[derive(Clone, Copy, PartialEq)]
pub enum Way {
    /// The headers of whole batches, up to bytes that are not a batch.
    Headers,
    /// The headers of whole batches, including batches after bytes that are not a batch.
    ///
    /// The scan searches a truncated batch for other batches only if the file never grows (`true`). In a growing file,
    /// the batch may be incomplete so far, and one of its values may contain a whole batch.
    PastDamage(bool),
    /// Whole batches with all their bytes, up to bytes that are not a batch.
    Whole,
}

/// A scan, which returns one header after another.
pub struct Scan {
    file: Arc<Opened>,
    way: Way,
    at: u64,
    end: u64,
    planned_end: u64,
    /// The bytes of the current window, and their position.
    bytes: Vec<u8>,
    from: u64,
    /// The size of a window, and the number of batches that began in the current one.
    size: usize,
    in_window: usize,
    tail: Option<Tail>,
}

impl Scan {
    /// Scan the batches between two positions; a batch must begin at `start`.
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

    /// Return the end of the scan: the planned end, or the end of the file if that is earlier.
    pub fn end(&self) -> u64 {
        self.end
    }

    /// Continue at a different position. The window is dropped, because a broker may have written there in the
    /// meantime.
    pub fn go_on(&mut self, position: u64) {
        (self.at, self.tail) = (position, None);
        self.bytes.clear();
    }

    /// Return where the scan stopped, after the last header.
    pub fn tail(&self) -> Option<Tail> {
        self.tail
    }

    /// Return the next header; `None` at the end.
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
            return Ok(Err(Stopped::Truncated)); // the file has become shorter
        }
        let found = Header::at(start, at, left);
        if let Ok(header) = &found {
            self.at = header.end();
            self.in_window += 1;
        }
        Ok(found)
    }

    /// Return `count` bytes if the window already contains them.
    pub fn peek(&self, position: u64, count: usize) -> Option<&[u8]> {
        let from = usize::try_from(position.checked_sub(self.from)?).ok()?;
        self.bytes.get(from..from.checked_add(count)?)
    }

    /// Return the bytes from a position on: at least `least` bytes, but fewer at the end of the scan.
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

/// Return the header at a position of a file that ends at `end`, or the reason if no batch begins there.
pub fn header_at(file: &Opened, position: u64, end: u64) -> Outcome<Result<Header, Stopped>> {
    let left = end.saturating_sub(position);
    let start = file.bytes(position, left.min(HEADER as u64) as usize)?;
    Ok(Header::at(&start, position, left))
}

/// Return the batch that begins at a position, if its checksum is valid and it does not extend beyond `end`.
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

/// Return the position of the first batch before `end` that has a plausible header and a valid checksum. Return `None`
/// if there is no such batch, or if the search reaches its limit.
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

/// Return the position of the next batch after bytes that are not a batch. If these bytes were zeros, the batch may
/// begin at the same position, because a broker may have written there in the meantime.
pub fn batch_after(file: &Opened, tail: Tail, end: u64) -> Outcome<Option<u64>> {
    if tail.stopped != Stopped::Preallocated {
        return find_batch(file, tail.position + 1, end);
    }
    // A batch may begin with zeros, because a base offset may be zero, but its length is never zero.
    match first_byte(file, tail.position, end)? {
        None => Ok(None),
        Some(first) => find_batch(
            file,
            tail.position.max((first + 1).saturating_sub(BEFORE_LENGTH as u64)),
            end,
        ),
    }
}

/// Return the position of the first byte before `end` that is not zero, or `None`.
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

/// Return where to continue after a batch with an invalid checksum: at its end, if its length seems to be right.
pub fn after_damaged(file: &Arc<Opened>, header: &Header, end: u64) -> Outcome<u64> {
    let (position, following) = (header.position, header.end());
    let is_credible = match header_at(file, following, end)? {
        Ok(header) => header.looks_right(),
        Err(stopped) => matches!(stopped, Stopped::End | Stopped::Preallocated),
    };
    if !is_credible {
        return Ok(find_batch(file, position + 1, end)?.unwrap_or(following));
    }
    // A wrong length may span several batches, which end exactly at `following`. A batch inside the value of a record
    // does not end there.
    match find_batch(file, position + 1, following)? {
        Some(within) if leads_to(file, within, following)? => Ok(within),
        _ => Ok(following),
    }
}

/// Whether batches follow each other from `start` to `end` without a gap.
fn leads_to(file: &Arc<Opened>, start: u64, end: u64) -> Outcome<bool> {
    let mut scan = Scan::new(file, start, end, Way::Headers)?;
    while scan.next()?.is_some() {}
    Ok(scan.tail().is_some_and(|tail| tail.stopped == Stopped::End))
}

/// The first record of a batch.
pub struct FirstRecord {
    /// The offset of the record, or the base offset of a batch without records.
    pub offset: i64,
    /// The key of the record.
    pub key: Option<Vec<u8>>,
}

/// Return the first record of a batch; `None` if the batch is unreadable or has more than `most` bytes.
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
