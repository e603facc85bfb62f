//! Batch after batch of a range of a file, a window at a time.

use super::columns::{About, LogTable};
use super::error::{ErrorKind, LogResult, fail};
use super::index::offset_entries;
use super::order::Order;
use super::ranges::Range;
use super::report::{Damage, Shared};
use super::scan::{Found, Tail, Window, after_damaged, batch_after, first_byte, intact_at};
use super::storage::{Opened, Storage};
use super::transactions::{self, Decisions};
use crate::records::batch::{Batch, ReadBudget, Remaining};
use crate::records::filter::Bounds;
use crate::records::header::{BEFORE_LENGTH, HEADER, Header, Place, Stopped, frame_at, header_at, place_at, size_at};
use crate::wire::chunk;

/// So much of a file is held at a time, or one batch where it is larger; the first reads are smaller.
const WINDOW: usize = 8 << 20;
const FIRST_WINDOW: usize = 1 << 20;
const MOST_RAW: u64 = 1 << 24;
/// So many batches beyond the wanted offsets end the reading: one damaged header may name any offset.
const ENOUGH_BEYOND: usize = 2;
const ZEROS: &str = "there are zeros where a batch should begin, and other bytes after them";

/// A range that is being read.
pub struct Part {
    range: Range,
    file: Opened,
    window: Window,
    window_size: usize,
    at: u64,
    end: u64,
    bounds: Bounds,
    decided: Option<Decisions>,
    order: Order,
    beyond: usize,
    batch: Option<OpenBatch>,
}

struct OpenBatch {
    batch: Batch,
    at: u64,
    size: usize,
    left_out: Option<LeftOut>,
}

#[derive(Clone, Copy)]
enum LeftOut {
    Control,
    Aborted,
}

impl Part {
    /// Begins with a range; `None` for one without bytes.
    pub fn open(file: Opened, range: Range, shared: &mut Shared) -> LogResult<Option<Part>> {
        if range.start >= range.end && range.segment.size > 0 {
            return Ok(None);
        }
        let storage = shared.storage.clone();
        let decided = match range.read_until {
            None => None,
            Some(read_until) => {
                let place = transactions::Place {
                    file: &file,
                    start: range.start,
                    end: range.end,
                    is_complete: range.segment.is_complete,
                    first_offset: range.planned.map(|(first, _)| first),
                };
                Some(transactions::decisions(storage.as_ref(), place, read_until, &shared.notes)?)
            }
        };
        shared.tally.files += 1;
        shared.tally.bytes += range.bytes();
        let end = range.end.min(file.size()?);
        let order = Order::new(storage.as_ref(), &file, &range)?;
        let bounds = shared.bounds.within(range.offsets);
        Ok(Some(Part {
            at: range.start,
            end,
            bounds,
            decided,
            order,
            beyond: 0,
            batch: None,
            window: Window::default(),
            window_size: FIRST_WINDOW,
            file,
            range,
        }))
    }

    /// What is the same for all of its rows.
    pub fn about(&self) -> About {
        About::of(&self.range)
    }

    /// Adds rows until there are enough; says whether that was all.
    pub fn fill(&mut self, shared: &mut Shared, table: &mut LogTable) -> LogResult<bool> {
        let mut budget =
            ReadBudget { records: shared.options.max_records_per_batch, bytes: shared.max_bytes, is_empty: true };
        while budget.records > 0 && (budget.bytes > 0 || budget.is_empty) {
            if let Some(open) = self.batch.take() {
                if self.read_batch(open, shared, table, &mut budget)? == Remaining::TooLarge {
                    break;
                }
                continue;
            }
            let rows = table.rows();
            if !self.open_batch(shared, table, &mut budget)? {
                return Ok(true);
            }
            if table.rows() > rows {
                budget.records -= 1;
                budget.is_empty = false;
            }
        }
        Ok(false)
    }

    /// Takes some records of a batch, and keeps it for those that are left.
    fn read_batch(
        &mut self,
        mut open: OpenBatch,
        shared: &mut Shared,
        table: &mut LogTable,
        budget: &mut ReadBudget,
    ) -> LogResult<Remaining> {
        let data = self.window.get(&self.file, open.at, open.size, open.size, self.end)?;
        let Ok(frame) = frame_at(data, 0) else { return Ok(Remaining::Nothing) };
        let bytes = open.batch.bytes(&frame, &shared.decompressor);
        let nothing = Bounds { min_offset: i64::MAX, max_offset: i64::MIN, ..self.bounds };
        let bounds = if open.left_out.is_some() { &nothing } else { &self.bounds };
        let header = open.batch.header;
        let outcome = open.batch.read(bytes, bounds, budget, &mut shared.records);
        match outcome {
            Ok(left) => {
                let place = Place { position: open.at as usize, ..header.place };
                table.push_records(&Header { place, ..header }, &shared.records, bytes)?;
                if left != Remaining::Nothing {
                    self.batch = Some(open);
                    return Ok(left);
                }
                let count = u64::try_from(header.record_count).unwrap_or(0);
                match open.left_out {
                    Some(LeftOut::Control) => shared.tally.control += count,
                    Some(LeftOut::Aborted) => shared.tally.aborted += count,
                    None => {}
                }
                Ok(left)
            }
            Err(error) => {
                budget.bytes = budget.bytes.saturating_sub(shared.bytes_of_error(frame.bytes, &error.message));
                let rows = table.rows();
                shared.report(&self.file.path, Damage::of_batch(open.at, header.place, &error), frame.bytes, table)?;
                budget.records -= usize::from(table.rows() > rows).min(budget.records);
                budget.is_empty = false;
                Ok(Remaining::Nothing)
            }
        }
    }

    /// Goes on to the next batch; says whether there may be one.
    fn open_batch(&mut self, shared: &mut Shared, table: &mut LogTable, budget: &mut ReadBudget) -> LogResult<bool> {
        let left = self.end.saturating_sub(self.at);
        if left == 0 {
            let stopped = if self.end == self.range.end { Stopped::End } else { Stopped::Truncated };
            self.finish(stopped, shared, table)?;
            return Ok(false);
        }
        let window = self.window_size;
        let start = self.window.get(&self.file, self.at, HEADER, window, self.end)?;
        if (start.len() as u64) < left.min(HEADER as u64) {
            // The file is shorter than it was.
            self.finish(Stopped::Truncated, shared, table)?;
            return Ok(false);
        }
        let size = match size_at(start, left) {
            Ok(size) => size,
            Err(stopped) => return self.pass_over(stopped, shared, table),
        };
        let place = place_at(start, self.at as usize, size);
        if size.saturating_sub(HEADER) > shared.options.max_batch_bytes {
            let raw = &start[..HEADER.min(start.len())];
            let most = shared.options.max_batch_bytes;
            let message = format!("the batch has {size} bytes; maxBatchBytes ({most}) sets a limit");
            let damage = Damage { place, has_offset: true, message, part: "length", at: self.at + 8 };
            shared.report(&self.file.path, damage, raw, table)?;
            self.at = after_damaged(&self.file, self.at, size, self.end)?;
            return Ok(true);
        }
        let data = self.window.get(&self.file, self.at, size, window.max(size), self.end)?;
        if data.len() < size {
            self.finish(Stopped::Truncated, shared, table)?;
            return Ok(false);
        }
        self.window_size = (self.window_size * 2).min(WINDOW);
        let found = Found { place, header: header_at(data, place) };
        let data = &data[..size];
        if let Some(message) = self.order.problem(shared.storage.as_ref(), &self.file, &found)? {
            budget.bytes = budget.bytes.saturating_sub(shared.bytes_of_error(data, &message));
            let damage = Damage { place, has_offset: true, message, part: "base_offset", at: self.at };
            shared.report(&self.file.path, damage, data, table)?;
            self.at = found.end();
            return Ok(true);
        }
        if place.base_offset > self.bounds.max_offset && intact_at(&self.file, self.at, self.end)?.is_some() {
            self.beyond += 1;
            if self.beyond == ENOUGH_BEYOND {
                return Ok(false);
            }
        } else {
            self.beyond = 0;
        }
        let Ok(frame) = frame_at(data, 0) else { return Ok(false) };
        match Batch::open(&frame, &self.bounds, shared.options.verify_checksum, &mut shared.decompressor) {
            Ok(Some(batch)) => {
                let is_control = batch.header.is_control() && !shared.options.include_control;
                let is_aborted = self.decided.as_ref().is_some_and(|decided| !decided.takes(&found));
                let left_out = if is_aborted { Some(LeftOut::Aborted) } else { is_control.then_some(LeftOut::Control) };
                self.batch = Some(OpenBatch { batch, at: self.at, size, left_out });
                self.at = found.end();
            }
            Ok(None) => self.at = found.end(),
            Err(error) => {
                budget.bytes = budget.bytes.saturating_sub(shared.bytes_of_error(data, &error.message));
                let at = self.at;
                self.at = found.end();
                if error.path == "crc" {
                    self.order.undo();
                    self.at = after_damaged(&self.file, at, size, self.end)?;
                }
                shared.report(&self.file.path, Damage::of_batch(at, place, &error), data, table)?;
            }
        }
        Ok(true)
    }

    /// Looks for the next batch behind bytes that are none.
    fn pass_over(&mut self, stopped: Stopped, shared: &mut Shared, table: &mut LogTable) -> LogResult<bool> {
        let next = batch_after(&self.file, Tail { position: self.at, stopped }, self.end)?;
        if next != Some(self.at) && (next.is_some() || stopped == Stopped::Damaged) {
            let raw = self.file.bytes(self.at, BEFORE_LENGTH)?;
            let length = if raw.len() == BEFORE_LENGTH { i32::from_be_bytes(chunk(&raw, 8)) } else { -1 };
            let message = match stopped {
                Stopped::Truncated => format!("a length of {length} goes beyond the end, yet another batch follows"),
                Stopped::Preallocated => ZEROS.to_owned(),
                _ => format!("invalid batch length {length}; the position of the next batch is unknown"),
            };
            let has_offset = raw.len() == BEFORE_LENGTH;
            let base_offset = if has_offset { i64::from_be_bytes(chunk(&raw, 0)) } else { 0 };
            let place = Place { position: self.at as usize, length: BEFORE_LENGTH, base_offset, magic: 2 };
            let damage = Damage { place, has_offset, message, part: "length", at: self.at + 8 };
            shared.report(&self.file.path, damage, &raw, table)?;
            self.order.forget();
        }
        match next {
            Some(position) => {
                // A broker may have written there since the window was read.
                self.window = Window::default();
                self.at = position;
                Ok(true)
            }
            None => {
                self.finish(stopped, shared, table)?;
                Ok(false)
            }
        }
    }

    /// Says what is wrong with the end of a range.
    fn finish(&mut self, stopped: Stopped, shared: &mut Shared, table: &mut LogTable) -> LogResult<()> {
        let message = if stopped == Stopped::End {
            self.ends_before_its_index(shared.storage.as_ref())?
        } else {
            self.loss(stopped, shared)?
        };
        let Some(message) = message else { return Ok(()) };
        let end = self.range.end;
        let raw = self.file.bytes(self.at, end.saturating_sub(self.at).min(MOST_RAW) as usize)?;
        let is_known = raw.len() >= BEFORE_LENGTH && stopped == Stopped::Truncated;
        let base_offset = if is_known { Some(i64::from_be_bytes(chunk(&raw, 0))) } else { self.order.reached() };
        let length = end.saturating_sub(self.at) as usize;
        let place = Place { position: self.at as usize, length, base_offset: base_offset.unwrap_or(0), magic: 2 };
        let damage = Damage { place, has_offset: base_offset.is_some(), message, part: "length", at: self.at };
        shared.report(&self.file.path, damage, &raw, table)
    }

    /// Why the bytes up to the end of the range are damage, and not something that will be a batch.
    fn loss(&self, stopped: Stopped, shared: &mut Shared) -> LogResult<Option<String>> {
        let path = &self.file.path;
        let is_complete = self.range.segment.is_complete;
        match stopped {
            Stopped::Truncated if shared.options.fail_on_truncated => {
                fail(ErrorKind::Truncated, format!("{path} ends within the batch at byte {}", self.at))
            }
            Stopped::Truncated if is_complete || !self.range.ends_file() => {
                Ok(Some("the bytes of the last batch are not all there".to_owned()))
            }
            Stopped::Truncated => {
                shared.notes.add(format!("{path} ends within the batch at byte {}, which is not read", self.at));
                Ok(None)
            }
            // Another range begins at a batch, so zeros before it are damage.
            Stopped::Preallocated if !self.range.ends_file() => Ok(Some(ZEROS.to_owned())),
            Stopped::Preallocated => {
                let has_others = first_byte(&self.file, self.at, self.range.end)?.is_some();
                let at_end =
                    "there are zeros where a batch should begin, though nothing is appended to this segment any more";
                Ok(if has_others { Some(ZEROS.to_owned()) } else { is_complete.then(|| at_end.to_owned()) })
            }
            _ => Ok(None),
        }
    }

    /// Why a segment that ends between batches has lost some: its own index names one behind the end.
    fn ends_before_its_index(&self, storage: &dyn Storage) -> LogResult<Option<String>> {
        let segment = &self.range.segment;
        let next =
            segment.next_base_offset.filter(|_| self.range.ends_file() && segment.is_complete && segment.is_indexed);
        let reached = self.order.reached().or(segment.base_offset);
        let (Some(next), Some(reached)) = (next, reached) else { return Ok(None) };
        if reached >= next {
            return Ok(None);
        }
        let entries = offset_entries(storage, segment)?;
        let beyond = entries.partition_point(|entry| entry.position < self.end);
        let is_rising =
            entries[..(beyond + 1).min(entries.len())].windows(2).all(|pair| pair[0].offset < pair[1].offset);
        let lost = entries.get(beyond).filter(|entry| is_rising && (reached..next).contains(&entry.offset));
        Ok(lost.map(|entry| {
            format!(
                "the segment ends at byte {}, but its index names a batch with offset {} at byte {}",
                self.end, entry.offset, entry.position
            )
        }))
    }
}
