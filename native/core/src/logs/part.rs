//! Batch after batch of a range of a file, a window at a time.

use super::columns::LogTable;
use super::index::OpenSegment;
use super::order::Order;
use super::ranges::Range;
use super::reader::{Damage, Shared};
use super::scan::{Found, Scan, Tail, after_damaged, batch_after, first_byte, intact_at};
use super::transactions::Decisions;
use crate::outcome::Outcome;
use crate::records::batch::{Batch, ReadBudget, Remaining};
use crate::records::filter::Bounds;
use crate::records::header::{BEFORE_LENGTH, HEADER, Header, Place, Stopped, frame_at};
use crate::wire::chunk;

const MOST_RAW: u64 = 1 << 24;
/// So many batches beyond the wanted offsets end the reading: one damaged header may name any offset.
const ENOUGH_BEYOND: usize = 2;
const ZEROS: &str = "there are zeros where a batch should begin, and other bytes after them";

/// A range that is being read.
pub struct Part {
    /// What is read.
    pub range: Range,
    segment: OpenSegment,
    scan: Scan,
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
    pub fn open(segment: OpenSegment, range: Range, shared: &mut Shared) -> Outcome<Option<Part>> {
        if range.start >= range.end && range.segment.size > 0 {
            return Ok(None);
        }
        let decisions = |read_until| Decisions::of(&shared.storage, &segment, &range, read_until, &shared.notes);
        let decided = range.read_until.map(decisions).transpose()?;
        shared.tally.files += 1;
        shared.tally.bytes += range.bytes();
        let scan = Scan::whole(&segment.file, range.start, range.end)?;
        let order = Order::new(&segment, &range)?;
        let bounds = shared.bounds.within(range.offsets);
        Ok(Some(Part { range, segment, scan, bounds, decided, order, beyond: 0, batch: None }))
    }

    /// Adds rows until there are enough; says whether that was all.
    pub fn fill(&mut self, shared: &mut Shared, table: &mut LogTable) -> Outcome<bool> {
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
    ) -> Outcome<Remaining> {
        let data = self.scan.bytes(open.at, open.size)?;
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
                shared.report(
                    &self.segment.file.path,
                    Damage::of_batch(open.at, header.place, &error),
                    frame.bytes,
                    table,
                )?;
                budget.records -= usize::from(table.rows() > rows).min(budget.records);
                budget.is_empty = false;
                Ok(Remaining::Nothing)
            }
        }
    }

    /// Goes on to the next batch; says whether there may be one.
    fn open_batch(&mut self, shared: &mut Shared, table: &mut LogTable, budget: &mut ReadBudget) -> Outcome<bool> {
        let Some(found) = self.scan.next()? else { return self.pass_over(shared, table) };
        let Found { place, header } = found;
        let (file, at, size) = (&self.segment.file, found.position(), place.length);
        let most = shared.options.max_batch_bytes;
        if size.saturating_sub(HEADER) > most {
            let raw = self.scan.bytes(at, HEADER)?;
            let message = format!("the batch has {size} bytes; maxBatchBytes ({most}) sets a limit");
            let damage = Damage { place, has_offset: true, message, part: "length", at: at + 8 };
            shared.report(&file.path, damage, &raw[..HEADER.min(raw.len())], table)?;
            self.scan.go_on(after_damaged(file, at, size, self.scan.end())?);
            return Ok(true);
        }
        let data = self.scan.bytes(at, size)?;
        if data.len() < size {
            // The file is shorter than it was.
            self.finish(Tail { position: at, stopped: Stopped::Truncated }, shared, table)?;
            return Ok(false);
        }
        let data = &data[..size];
        if let Some(message) = self.order.problem(&self.segment, &found)? {
            budget.bytes = budget.bytes.saturating_sub(shared.bytes_of_error(data, &message));
            let damage = Damage { place, has_offset: true, message, part: "base_offset", at };
            shared.report(&file.path, damage, data, table)?;
            return Ok(true);
        }
        if place.base_offset > self.bounds.max_offset && intact_at(file, at, found.end())?.is_some() {
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
                let is_control = header.is_some_and(|header| header.is_control()) && !shared.options.include_control;
                let is_aborted = self.decided.as_ref().is_some_and(|decided| !decided.takes(&found));
                let left_out = if is_aborted { Some(LeftOut::Aborted) } else { is_control.then_some(LeftOut::Control) };
                self.batch = Some(OpenBatch { batch, at, size, left_out });
            }
            Ok(None) => {}
            Err(error) => {
                budget.bytes = budget.bytes.saturating_sub(shared.bytes_of_error(data, &error.message));
                shared.report(&file.path, Damage::of_batch(at, place, &error), data, table)?;
                if error.path == "crc" {
                    self.order.undo();
                    self.scan.go_on(after_damaged(file, at, size, self.scan.end())?);
                }
            }
        }
        Ok(true)
    }

    /// Looks for the next batch behind bytes that are none.
    fn pass_over(&mut self, shared: &mut Shared, table: &mut LogTable) -> Outcome<bool> {
        let Some(tail) = self.scan.tail() else { return Ok(false) };
        let (file, at, stopped) = (&self.segment.file, tail.position, tail.stopped);
        let is_over = at >= self.scan.end();
        let next = if is_over { None } else { batch_after(file, tail, self.scan.end())? };
        if next != Some(at) && (next.is_some() || stopped == Stopped::Damaged) {
            let raw = file.bytes(at, BEFORE_LENGTH)?;
            let length = if raw.len() == BEFORE_LENGTH { i32::from_be_bytes(chunk(&raw, 8)) } else { -1 };
            let message = match stopped {
                Stopped::Truncated => format!("a length of {length} goes beyond the end, yet another batch follows"),
                Stopped::Preallocated => ZEROS.to_owned(),
                _ => format!("invalid batch length {length}; the position of the next batch is unknown"),
            };
            let has_offset = raw.len() == BEFORE_LENGTH;
            let base_offset = if has_offset { i64::from_be_bytes(chunk(&raw, 0)) } else { 0 };
            let place = Place { position: at as usize, length: BEFORE_LENGTH, base_offset, magic: 2 };
            let damage = Damage { place, has_offset, message, part: "length", at: at + 8 };
            shared.report(&file.path, damage, &raw, table)?;
            self.order.forget();
        }
        match next {
            Some(position) => self.scan.go_on(position),
            None => self.finish(tail, shared, table)?,
        }
        Ok(next.is_some())
    }

    /// Says what is wrong with the end of a range.
    fn finish(&mut self, tail: Tail, shared: &mut Shared, table: &mut LogTable) -> Outcome<()> {
        let Some(message) = self.loss(tail, shared)? else { return Ok(()) };
        let left = self.range.end.saturating_sub(tail.position);
        let raw = self.segment.file.bytes(tail.position, left.min(MOST_RAW) as usize)?;
        let is_known = raw.len() >= BEFORE_LENGTH && tail.stopped == Stopped::Truncated;
        let base_offset = if is_known { Some(i64::from_be_bytes(chunk(&raw, 0))) } else { self.order.reached };
        let (position, length) = (tail.position as usize, left as usize);
        let place = Place { position, length, base_offset: base_offset.unwrap_or(0), magic: 2 };
        let has_offset = base_offset.is_some();
        let damage = Damage { place, has_offset, message, part: "length", at: tail.position };
        shared.report(&self.segment.file.path, damage, &raw, table)
    }

    /// Why the bytes up to the end of the range are damage, and not something that will be a batch.
    fn loss(&self, Tail { position, stopped }: Tail, shared: &mut Shared) -> Outcome<Option<String>> {
        let is_complete = self.range.segment.is_complete;
        match stopped {
            Stopped::End => Ok(self.ends_before_its_index()),
            Stopped::Truncated if is_complete || !self.range.ends_file() => {
                Ok(Some("the bytes of the last batch are not all there".to_owned()))
            }
            Stopped::Truncated => {
                let path = &self.segment.file.path;
                shared.notes.add(format!("{path} ends within the batch at byte {position}, which is not read"));
                Ok(None)
            }
            // Another range begins at a batch, so zeros before it are damage.
            Stopped::Preallocated if !self.range.ends_file() => Ok(Some(ZEROS.to_owned())),
            Stopped::Preallocated => {
                let has_others = first_byte(&self.segment.file, position, self.range.end)?.is_some();
                let at_end =
                    "there are zeros where a batch should begin, though nothing is appended to this segment any more";
                Ok(if has_others { Some(ZEROS.to_owned()) } else { is_complete.then(|| at_end.to_owned()) })
            }
            Stopped::Damaged => Ok(None),
        }
    }

    /// Why a segment that ends between batches has lost some: its own index names one behind the end.
    fn ends_before_its_index(&self) -> Option<String> {
        let segment = &self.range.segment;
        let next = segment.next_base_offset.filter(|_| self.range.ends_file() && segment.is_complete)?;
        let reached = self.order.reached.or(segment.base_offset).filter(|reached| *reached < next)?;
        let (entries, end) = (self.segment.entries(), self.scan.end());
        let beyond = entries.partition_point(|entry| entry.position < end);
        let entry = entries.get(beyond).filter(|entry| (reached..next).contains(&entry.offset))?;
        let is_rising = entries[..=beyond].windows(2).all(|pair| pair[0].offset < pair[1].offset);
        is_rising.then(|| {
            format!(
                "the segment ends at byte {end}, but its index names a batch with offset {} at byte {}",
                entry.offset, entry.position
            )
        })
    }
}
