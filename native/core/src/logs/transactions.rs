//! Transactions of a log (KIP-98): which batches `read_committed` gives, and the last stable offset.
//!
//! A batch of a transaction is decided by the next end marker of its producer. Tasks look for it: in their own range, and after it for
//! transactions that reach further. Planning only finds the last stable offset, with the snapshots of the producers' states that
//! brokers write beside the segments (upstream: `ProducerStateManager`).

pub mod last_stable;

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, PoisonError};

use super::error::{LogResult, unless_gone};
use super::listing::{Segment, log_now};
use super::paths;
use super::scan::{Found, Scan, first_record};
use super::storage::{Opened, Storage, read_small};
use crate::records::filter::Bounds;
use crate::wire::chunk;

/// A marker has fewer bytes than this; a batch that says otherwise is damaged.
const LARGEST_MARKER: usize = 1 << 20;
const SNAPSHOT_VERSION: i16 = 1;
/// Version, checksum and the number of entries.
const SNAPSHOT_HEADER: usize = 10;
const SNAPSHOT_ENTRY: usize = 46;

/// The offsets at which the open transactions of producers begin.
pub type OpenTransactions = BTreeMap<i64, i64>;

/// Warnings for whoever runs this.
#[derive(Default)]
pub struct Notes(Mutex<Vec<String>>);

impl Notes {
    /// Adds one.
    pub fn add(&self, text: String) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(text);
    }

    /// Takes all.
    pub fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// What a batch of a transaction is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Data,
    Abort,
    Commit,
}

struct Transactional {
    producer: i64,
    what: What,
    offset: i64,
}

/// What a batch is to transactions; `None` if it is not of one. The record of a marker is read. A marker that can't be read is an abort:
/// what it says is not known.
fn transactional(file: &Opened, found: &Found, notes: &Notes) -> LogResult<Option<Transactional>> {
    let Some(header) = found.header.filter(|header| header.is_transactional()) else { return Ok(None) };
    let base = header.place.base_offset;
    let (what, offset) = if header.is_control() {
        match marker(file, found)? {
            Some((None, _)) => return Ok(None),
            Some((Some(what), offset)) => (what, offset),
            None => {
                let (path, position) = (&file.path, found.position());
                notes.add(format!("{path}: the marker at byte {position} (offset {base}) is damaged"));
                (What::Abort, base)
            }
        }
    } else {
        (What::Data, base)
    };
    Ok(Some(Transactional { producer: header.producer_id, what, offset }))
}

/// What the first record of a control batch says (`None`: something else than the end of a transaction), and its offset.
fn marker(file: &Opened, found: &Found) -> LogResult<Option<(Option<What>, i64)>> {
    let Ok(Some(record)) = first_record(file, found, &Bounds::default(), LARGEST_MARKER)? else { return Ok(None) };
    // The key is the schema's version and then the type, in every version so far (upstream: `ControlRecordType`).
    let key = record.key.filter(|key| key.len() >= 4);
    let what = key.and_then(|key| match i16::from_be_bytes(chunk(&key, 2)) {
        0 => Some(What::Abort),
        1 => Some(What::Commit),
        _ => None,
    });
    Ok(Some((what, record.offset)))
}

/// For each producer its end markers, ascending, and whether they commit; what begins at `read_until` or later is undecided.
pub struct Decisions {
    read_until: i64,
    markers: HashMap<i64, Vec<(i64, bool)>>,
}

impl Decisions {
    /// Whether a consumer of committed records gets a batch. Where no marker is known, for it is damaged or gone, neither is the end of
    /// the transaction.
    pub fn takes(&self, found: &Found) -> bool {
        if found.place.base_offset >= self.read_until {
            return false;
        }
        let Some(header) = found.header.filter(|header| header.is_transactional()) else { return true };
        let markers = self.markers.get(&header.producer_id).map_or(&[][..], Vec::as_slice);
        let next = markers.partition_point(|(offset, _)| *offset < header.place.base_offset);
        markers.get(next).is_some_and(|(_, is_commit)| *is_commit)
    }
}

/// A range of a file.
#[derive(Clone, Copy)]
#[allow(missing_docs)]
pub struct Place<'p> {
    pub file: &'p Opened,
    pub start: u64,
    pub end: u64,
    pub is_complete: bool,
    pub first_offset: Option<i64>,
}

/// What became of the transactions with records in a range of a file.
///
/// Its headers are read, and those after it until each transaction that reaches further has its end. `read_until` is the log's last
/// stable offset; what begins there or later is undecided, and its end is not looked for.
pub fn decisions(storage: &dyn Storage, place: Place<'_>, read_until: i64, notes: &Notes) -> LogResult<Decisions> {
    let mut decided = Decisions { read_until, markers: HashMap::new() };
    if place.first_offset.is_some_and(|first| first >= read_until) {
        return Ok(decided);
    }
    let mut open = OpenTransactions::new();
    let mut scan = Scan::past_damage(place.file, place.start, place.end, place.is_complete)?;
    while let Some(found) = scan.next()? {
        let Some(each) = transactional(place.file, &found, notes)? else { continue };
        if each.what == What::Data {
            open.entry(each.producer).or_insert(each.offset);
        } else {
            open.remove(&each.producer);
            decided.note(&each);
        }
    }
    open.retain(|_, first| *first < read_until);
    if !open.is_empty() {
        decided.find_ends(storage, place, &mut open, notes)?;
    }
    for markers in decided.markers.values_mut() {
        markers.sort_unstable();
    }
    Ok(decided)
}

impl Decisions {
    fn note(&mut self, marker: &Transactional) {
        self.markers.entry(marker.producer).or_default().push((marker.offset, marker.what == What::Commit));
    }

    /// Adds the markers after a range that end transactions, which are taken out of `open`.
    fn find_ends(
        &mut self,
        storage: &dyn Storage,
        place: Place<'_>,
        open: &mut OpenTransactions,
        notes: &Notes,
    ) -> LogResult<()> {
        let path = &place.file.path;
        let folder = paths::parent(path);
        let segments = log_now(storage, &folder)?.segments;
        let own = segments.iter().position(|segment| segment.path == *path);
        let size = place.file.size()?;
        if !own.is_some_and(|own| are_open_after(storage, &folder, &segments[own], open)) {
            self.find_ends_in(place.file, place.end, size, place.is_complete, open, notes)?;
        }
        for segment in own.map_or(&[][..], |own| &segments[own + 1..]) {
            if open.is_empty() {
                return Ok(());
            }
            if segment.damage.is_some() || are_open_after(storage, &folder, segment, open) {
                continue;
            }
            match unless_gone(Opened::new(storage, &segment.path))? {
                Some(file) => self.find_ends_in(&file, 0, segment.size, segment.is_complete, open, notes)?,
                None => notes.add(gone(segment, "the outcome of transactions in it is unknown")),
            }
        }
        if !open.is_empty() {
            let (path, count) = (path, open.len());
            notes.add(format!("{path}: the outcome of transactions of {count} producers is unknown"));
        }
        Ok(())
    }

    fn find_ends_in(
        &mut self,
        file: &Opened,
        start: u64,
        end: u64,
        is_complete: bool,
        open: &mut OpenTransactions,
        notes: &Notes,
    ) -> LogResult<()> {
        let mut scan = Scan::past_damage(file, start, end, is_complete)?;
        while !open.is_empty() {
            let Some(found) = scan.next()? else { return Ok(()) };
            let Some(each) = transactional(file, &found, notes)? else { continue };
            // The first marker of each producer is the one that counts.
            if each.what != What::Data && open.remove(&each.producer).is_some() {
                self.note(&each);
            }
        }
        Ok(())
    }
}

fn gone(segment: &Segment, so: &str) -> String {
    format!("{} is gone, so {so}", &segment.path)
}

/// Whether a snapshot tells that all these transactions were still open after a segment, which then has none of their ends.
fn are_open_after(storage: &dyn Storage, folder: &str, segment: &Segment, open: &OpenTransactions) -> bool {
    let known = segment.next_base_offset.and_then(|offset| open_transactions_at(storage, folder, offset));
    known.is_some_and(|known| open.iter().all(|(producer, first)| known.get(producer).is_some_and(|at| at <= first)))
}

/// The transactions that were open before an offset, as a broker wrote it down for a new segment or at an orderly shutdown; `None` where
/// no intact snapshot tells.
pub fn open_transactions_at(storage: &dyn Storage, folder: &str, offset: i64) -> Option<OpenTransactions> {
    let data = read_small(storage, &paths::join(folder, &format!("{offset:020}.snapshot"))).ok()??;
    if data.len() < SNAPSHOT_HEADER || i16::from_be_bytes(chunk(&data, 0)) != SNAPSHOT_VERSION {
        return None;
    }
    let entries = &data[SNAPSHOT_HEADER..];
    let count = usize::try_from(i32::from_be_bytes(chunk(&data, 6))).ok()?;
    let is_intact = crc32c::crc32c(&data[6..]) == u32::from_be_bytes(chunk(&data, 2));
    if !is_intact || count.checked_mul(SNAPSHOT_ENTRY) != Some(entries.len()) {
        return None;
    }
    let entries = entries.chunks_exact(SNAPSHOT_ENTRY);
    let first = |entry: &[u8]| (i64::from_be_bytes(chunk(entry, 0)), i64::from_be_bytes(chunk(entry, 38)));
    Some(entries.map(first).filter(|(_, first)| *first >= 0).collect())
}
