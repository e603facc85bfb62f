//! Reading the batches in a range of a file, one window at a time.

use super::columns::Damage;
use super::evidence::{Evidence, missing_end, other_segment};
use super::index::OpenSegment;
use super::order::Order;
use super::ranges::Range;
use super::report::Shared;
use super::scan::{Scan, Tail, Way, after_damaged, batch_after, first_byte, intact_at};
use super::transactions::Decisions;
use crate::outcome::Outcome;
use crate::records::batch::Batch;
use crate::records::filter::Bounds;
use crate::records::header::{BEFORE_LENGTH, HEADER, Header, Stopped};
use crate::wire::chunk;

const MOST_RAW: u64 = 1 << 24;
/// Reading ends after this many consecutive batches beyond the wanted offsets. One batch is not enough, because a
/// damaged header may name any offset.
const ENOUGH_BEYOND: usize = 2;
const ZEROS: &str = "there are zeros where a batch should begin, and other bytes after them";

/// A range that is being read.
pub struct Part {
    /// The range.
    pub range: Range,
    segment: OpenSegment,
    scan: Scan,
    bounds: Bounds,
    decided: Option<Decisions>,
    order: Order,
    evidence: Evidence,
    /// The end of the last batch that could be opened. If damaged bytes follow it, they explain why batches are
    /// missing.
    good_end: u64,
    beyond: usize,
    batch: Option<OpenBatch>,
}

/// A batch, and whether its records are left out: because a broker wrote them, or because their transaction was not
/// committed.
struct OpenBatch {
    batch: Batch,
    is_control: bool,
    is_aborted: bool,
}

impl Part {
    /// Begin to read a range. Return `None` if it has no bytes, or if it belongs to a different partition, which is
    /// reported.
    pub fn open(segment: OpenSegment, range: Range, shared: &mut Shared) -> Outcome<Option<Part>> {
        if range.start >= range.end && range.segment.size > 0 {
            return Ok(None);
        }
        let decisions = |read_until| Decisions::of(&shared.storage, &segment, &range, read_until, &shared.notes);
        let decided = range.read_until.map(decisions).transpose()?;
        shared.tally.files += 1;
        shared.tally.bytes += range.bytes();
        let scan = Scan::new(&segment.file, range.start, range.end, Way::Whole)?;
        let order = Order::new(&segment, &range)?;
        let bounds = shared.bounds.within(range.offsets);
        let evidence = Evidence::of(&shared.storage, &segment);
        if let Some(message) = other_segment(&segment)? {
            let (position, base_offset) = (range.start, segment.segment.base_offset);
            let damage = Damage {
                position,
                base_offset,
                message,
                part: "segment",
                at: position,
                raw: &[],
            };
            shared.report(&damage)?;
            return Ok(None);
        }
        let good_end = range.start;
        Ok(Some(Part {
            range,
            segment,
            scan,
            bounds,
            decided,
            order,
            evidence,
            good_end,
            beyond: 0,
            batch: None,
        }))
    }

    /// Add rows until the budget is spent; return whether the range is finished.
    pub fn fill(&mut self, shared: &mut Shared) -> Outcome<bool> {
        while shared.budget.records > 0 && (shared.budget.bytes > 0 || shared.budget.is_empty) {
            if let Some(open) = self.batch.take() {
                self.read_batch(open, shared)?;
            } else if !self.open_batch(shared)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Read some records of a batch, and keep the batch if it has more records.
    fn read_batch(&mut self, mut open: OpenBatch, shared: &mut Shared) -> Outcome<()> {
        let header = open.batch.header;
        let data = self.scan.bytes(header.position, header.length)?;
        let Some(data) = data.get(..header.length) else {
            return Ok(());
        };
        let bytes = open.batch.bytes(data, &shared.decompressor);
        let nothing = Bounds {
            min_offset: i64::MAX,
            max_offset: i64::MIN,
            ..self.bounds
        };
        let bounds = if open.is_control || open.is_aborted {
            &nothing
        } else {
            &self.bounds
        };
        let is_all = match open.batch.read(bytes, bounds, &mut shared.budget, &mut shared.records) {
            Ok(is_all) => is_all,
            Err(error) => {
                let damage = Damage::of_batch(&header, error.message, &error.path, error.at, data);
                return shared.report(&damage);
            }
        };
        shared.table.push_records(&header, &shared.records, bytes)?;
        if !is_all {
            self.batch = Some(open);
        } else if open.is_control {
            shared.tally.control += u64::try_from(header.record_count).unwrap_or(0);
        } else if open.is_aborted {
            shared.tally.aborted += u64::try_from(header.record_count).unwrap_or(0);
        }
        Ok(())
    }

    /// Continue with the next batch; return `false` if no further batch has to be read.
    fn open_batch(&mut self, shared: &mut Shared) -> Outcome<bool> {
        let Some(header) = self.scan.next()? else {
            return self.pass_over(shared);
        };
        let (at, size) = (header.position, header.length);
        if size.saturating_sub(HEADER) > shared.options.max_batch_bytes {
            self.pass_over_large(&header, shared)?;
            return Ok(true);
        }
        if self.scan.bytes(at, size)?.len() < size {
            // The file has become shorter.
            let tail = Tail {
                position: at,
                stopped: Stopped::Truncated,
            };
            self.finish(tail, shared)?;
            return Ok(false);
        }

        let reached = self.order.reached.filter(|_| self.order.is_exact);
        if let Some((message, part, part_at)) = self.contradiction(&header)? {
            let data = &self.scan.bytes(at, size)?[..size];
            shared.report(&Damage::of_batch(&header, message, part, part_at, data))?;
            return Ok(true);
        }
        if let Some(reached) = reached {
            self.report_missing(&header, reached, shared)?;
        }
        if self.is_enough_beyond(&header)? {
            return Ok(false);
        }
        self.begin_batch(header, shared)?;
        Ok(true)
    }

    /// Report a batch that is larger than `maxBatchBytes`, and continue after it.
    fn pass_over_large(&mut self, header: &Header, shared: &mut Shared) -> Outcome<()> {
        let (size, most) = (header.length, shared.options.max_batch_bytes);
        let raw = self.scan.bytes(header.position, HEADER)?;
        let message = format!("the batch has {size} bytes; maxBatchBytes ({most}) sets a limit");
        let raw = &raw[..HEADER.min(raw.len())];
        shared.report(&Damage::of_batch(header, message, "length", 8, raw))?;
        self.go_on_after(header)
    }

    /// Continue after a batch whose length may be wrong.
    fn go_on_after(&mut self, header: &Header) -> Outcome<()> {
        let next = after_damaged(&self.segment.file, header, self.scan.end())?;
        self.scan.go_on(next);
        Ok(())
    }

    /// Report that batches between `reached` and this batch are missing, if the files beside the segment prove that.
    fn report_missing(&mut self, header: &Header, reached: i64, shared: &mut Shared) -> Outcome<()> {
        if self.good_end == header.position
            && self.bounds.wants_between(reached, header.base_offset)
            && !self.evidence.fits_ahead(&self.segment, &self.scan, header, reached)
            && let Some(message) = self.evidence.missing(&self.segment, header, reached)?
        {
            shared.report(&Damage {
                position: header.position,
                base_offset: Some(reached),
                message,
                part: "base_offset",
                at: header.position,
                raw: &[],
            })?;
        }
        Ok(())
    }

    /// Whether `ENOUGH_BEYOND` consecutive batches, including this one, are beyond the wanted offsets.
    fn is_enough_beyond(&mut self, header: &Header) -> Outcome<bool> {
        let is_beyond = header.base_offset > self.bounds.max_offset
            && intact_at(&self.segment.file, header.position, header.end())?.is_some();
        self.beyond = if is_beyond { self.beyond + 1 } else { 0 };
        Ok(self.beyond == ENOUGH_BEYOND)
    }

    /// Check and decompress a batch. Its records will be read next, unless the bounds exclude all of them.
    fn begin_batch(&mut self, header: Header, shared: &mut Shared) -> Outcome<()> {
        let data = &self.scan.bytes(header.position, header.length)?[..header.length];
        match Batch::open(
            header,
            data,
            &self.bounds,
            shared.options.verify_checksum,
            &mut shared.decompressor,
        ) {
            Ok(wanted) => {
                self.good_end = header.end();
                self.order.is_exact = true;
                self.batch = wanted.map(|batch| OpenBatch {
                    batch,
                    is_control: header.is_control() && !shared.options.include_control,
                    is_aborted: self.decided.as_ref().is_some_and(|decided| !decided.takes(&header)),
                });
            }
            Err(error) => {
                let damage = Damage::of_batch(&header, error.message, &error.path, error.at, data);
                shared.report(&damage)?;
                if error.path == "crc" {
                    self.order.undo();
                    self.go_on_after(&header)?;
                }
            }
        }
        Ok(())
    }

    /// Return why a batch is in the wrong place in the log: a message, the part of the batch that proves it, and the
    /// position of that part.
    fn contradiction(&mut self, header: &Header) -> Outcome<Option<(String, &'static str, usize)>> {
        if let Some(message) = self.order.problem(&self.segment, header)? {
            return Ok(Some((message, "base_offset", 0)));
        }
        let Some(found) = self.evidence.contradiction(header) else {
            return Ok(None);
        };
        if intact_at(&self.segment.file, header.position, header.end())?.is_none() {
            return Ok(None);
        }
        self.order.undo();
        Ok(Some((found.message, found.part, found.at)))
    }

    /// Report bytes that are not a batch, and continue at the next batch. Return `false` if the range has no further
    /// batch.
    fn pass_over(&mut self, shared: &mut Shared) -> Outcome<bool> {
        let Some(tail) = self.scan.tail() else { return Ok(false) };
        let (file, at, stopped) = (&self.segment.file, tail.position, tail.stopped);
        let is_over = at >= self.scan.end();
        let next = if is_over {
            None
        } else {
            batch_after(file, tail, self.scan.end())?
        };
        if next != Some(at) && (next.is_some() || stopped == Stopped::Damaged) {
            let raw = file.bytes(at, BEFORE_LENGTH)?;
            let is_whole = raw.len() == BEFORE_LENGTH;
            let length = if is_whole {
                i32::from_be_bytes(chunk(&raw, 8))
            } else {
                -1
            };
            let message = match stopped {
                Stopped::Truncated => format!("a length of {length} goes beyond the end, yet another batch follows"),
                Stopped::Preallocated => ZEROS.to_owned(),
                _ => format!("invalid batch length {length}; the position of the next batch is unknown"),
            };
            let base_offset = is_whole.then(|| i64::from_be_bytes(chunk(&raw, 0)));
            let damage = Damage {
                position: at,
                base_offset,
                message,
                part: "length",
                at: at + 8,
                raw: &raw,
            };
            shared.report(&damage)?;
            self.order.forget();
        }
        match next {
            Some(position) => self.scan.go_on(position),
            None => self.finish(tail, shared)?,
        }
        Ok(next.is_some())
    }

    /// Report what is wrong with the end of a range, if anything.
    fn finish(&self, tail: Tail, shared: &mut Shared) -> Outcome<()> {
        let Some(message) = self.loss(tail, shared)? else {
            return Ok(());
        };
        let (file, position) = (&self.segment.file, tail.position);
        let raw = file.bytes(position, self.range.end.saturating_sub(position).min(MOST_RAW) as usize)?;
        let is_known = raw.len() >= BEFORE_LENGTH && tail.stopped == Stopped::Truncated;
        let base_offset = if is_known {
            Some(i64::from_be_bytes(chunk(&raw, 0)))
        } else {
            self.order.reached
        };
        let damage = Damage {
            position,
            base_offset,
            message,
            part: "length",
            at: position,
            raw: &raw,
        };
        shared.report(&damage)
    }

    /// Describe unreported damage at the end of the range, if any; `None` if the bytes may still become a batch.
    fn loss(&self, Tail { position, stopped }: Tail, shared: &mut Shared) -> Outcome<Option<String>> {
        let is_complete = self.range.segment.is_complete;
        match stopped {
            Stopped::End => self.ends_before_its_indexes(),
            Stopped::Truncated if is_complete || !self.range.ends_file() => {
                Ok(Some("the bytes of the last batch are not all there".to_owned()))
            }
            Stopped::Truncated => {
                let path = &self.segment.file.path;
                shared.notes.add(format!(
                    "{path} ends within the batch at byte {position}, which is not read"
                ));
                Ok(None)
            }
            // The next range begins at a batch, so zeros before it are damage.
            Stopped::Preallocated if !self.range.ends_file() => Ok(Some(ZEROS.to_owned())),
            Stopped::Preallocated => {
                let has_others = first_byte(&self.segment.file, position, self.range.end)?.is_some();
                let at_end =
                    "there are zeros where a batch should begin, though no more batches are appended to this segment";
                Ok(if has_others {
                    Some(ZEROS.to_owned())
                } else {
                    is_complete.then(|| at_end.to_owned())
                })
            }
            Stopped::Damaged => Ok(None),
        }
    }

    /// Return the proof that a segment has lost batches although it ends between two batches: its own indexes name a
    /// later offset.
    fn ends_before_its_indexes(&self) -> Outcome<Option<String>> {
        let Some((reached, next)) = self.unknown_end() else {
            return Ok(None);
        };
        match self.ends_before_its_index(reached, next) {
            None if self.good_end == self.scan.end() && self.order.is_exact => missing_end(&self.segment, reached),
            named => Ok(named),
        }
    }

    /// Return the offset that a segment reaches and the first offset of the next segment, if there are other offsets
    /// between them.
    fn unknown_end(&self) -> Option<(i64, i64)> {
        let segment = &self.range.segment;
        let next = segment
            .next_base_offset
            .filter(|_| self.range.ends_file() && segment.is_complete)?;
        let reached = self
            .order
            .reached
            .or(segment.base_offset)
            .filter(|reached| *reached < next)?;
        Some((reached, next))
    }

    fn ends_before_its_index(&self, reached: i64, next: i64) -> Option<String> {
        let (entries, end) = (self.segment.entries(), self.scan.end());
        let beyond = entries.partition_point(|entry| entry.position < end);
        let entry = entries
            .get(beyond)
            .filter(|entry| (reached..next).contains(&entry.offset))?;
        let is_rising = entries[..=beyond]
            .windows(2)
            .all(|pair| pair[0].offset < pair[1].offset);
        is_rising.then(|| {
            format!(
                "the segment ends at byte {end}, but its index names a batch with offset {} at byte {}",
                entry.offset, entry.position
            )
        })
    }
}
