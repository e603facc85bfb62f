//! Batch after batch into tables.

use super::batch::{Batch, ReadBudget, Remaining};
use super::codecs::Decompressor;
use super::error::RecordsError;
use super::filter::Filter;
use super::header::{BEFORE_LENGTH, Place, Stopped, frame_at};
use super::record::Record;
use super::recovery::Recovery;
use super::table::{Origin, Table};
use crate::wire::chunk;

/// How far reading has come.
pub struct Reader {
    filter: Filter,
    /// The selected columns.
    wanted: Vec<(&'static str, Origin)>,
    decompressor: Decompressor,
    /// `None`: lengths are believed, and an impossible one is the end.
    recovery: Option<Recovery>,
    batch: Option<Batch>,
    at: usize,
    stopped: Option<Stopped>,
    /// Memory to be used again.
    records: Vec<Record>,
}

impl Reader {
    /// Starts at a position.
    pub fn new(
        at: usize,
        wanted: Vec<(&'static str, Origin)>,
        filter: Filter,
        decompressor: Decompressor,
        recovery: Option<Recovery>,
    ) -> Self {
        Reader { filter, wanted, decompressor, recovery, batch: None, at, stopped: None, records: Vec::new() }
    }

    /// Where the first batch begins that was not read to its end.
    pub fn position(&self) -> usize {
        self.batch.as_ref().map_or(self.at, |batch| batch.header.place.position)
    }

    /// Why there is no more.
    pub fn stopped(&self) -> Option<Stopped> {
        self.stopped
    }

    /// The next rows, of which there are none once `stopped`. `data` is always the same.
    pub fn read(&mut self, data: &[u8], max_records: usize, max_bytes: usize) -> Table {
        let mut table = Table::new(&self.wanted).with_errors();
        let mut budget = ReadBudget { records: max_records, bytes: max_bytes, is_empty: true };
        while budget.records > 0 && (budget.bytes > 0 || budget.is_empty) && self.stopped.is_none() {
            if self.batch.is_none() {
                self.open_next(data, &mut table, &mut budget);
            } else if self.read_batch(data, &mut table, &mut budget) == Remaining::TooLarge {
                break;
            }
        }
        table
    }

    fn open_next(&mut self, data: &[u8], table: &mut Table, budget: &mut ReadBudget) {
        let frame = match frame_at(data, self.at) {
            Ok(frame) => frame,
            Err(reason) => return self.stop_or_recover(reason, data, table, budget),
        };
        self.at = frame.end();
        match Batch::open(&frame, &self.filter, &mut self.decompressor) {
            Ok(batch) => self.batch = batch,
            Err(error) => {
                if let Some(recovery) = &mut self.recovery
                    && matches!(error.path.as_str(), "crc" | "length")
                {
                    self.at = recovery.after(data, &frame);
                }
                push_error(table, budget, &frame.place(), &error);
            }
        }
    }

    fn stop_or_recover(&mut self, reason: Stopped, data: &[u8], table: &mut Table, budget: &mut ReadBudget) {
        let next = match (&mut self.recovery, reason) {
            (Some(recovery), Stopped::Damaged | Stopped::Truncated) => recovery.find(data, self.at + 1),
            _ => None,
        };
        if next.is_some() || reason == Stopped::Damaged {
            let (place, error) = damaged_length(data, self.at, reason);
            push_error(table, budget, &place, &error);
        }
        match next {
            Some(position) => self.at = position,
            None => self.stopped = Some(reason),
        }
    }

    /// Takes some records of the batch that is open, and closes it after the last.
    fn read_batch(&mut self, data: &[u8], table: &mut Table, budget: &mut ReadBudget) -> Remaining {
        let Some(mut batch) = self.batch.take() else { return Remaining::Nothing };
        let Ok(frame) = batch.frame(data) else { return Remaining::Nothing };
        let bytes = batch.bytes(&frame, &self.decompressor);
        match batch.read(bytes, &self.filter, budget, &mut self.records) {
            Ok(left) => {
                table.push_records(&batch.header, &self.records, bytes);
                if left != Remaining::Nothing {
                    self.batch = Some(batch);
                }
                left
            }
            Err(error) => {
                push_error(table, budget, &batch.header.place, &error);
                Remaining::Nothing
            }
        }
    }
}

/// Appends the row of an error, whose text counts as the bytes of records do: a buffer may be full of errors.
fn push_error(table: &mut Table, budget: &mut ReadBudget, place: &Place, error: &RecordsError) {
    budget.bytes = budget.bytes.saturating_sub(error.message.len() + error.path.len());
    table.push_error(place, error);
    budget.records -= 1;
    budget.is_empty = false;
}

fn damaged_length(data: &[u8], position: usize, reason: Stopped) -> (Place, RecordsError) {
    let start = &data[position..];
    let length = i32::from_be_bytes(chunk(start, 8));
    let message = match reason {
        Stopped::Truncated => format!("a length of {length} goes beyond the end, yet another batch follows"),
        _ => format!("invalid batch length {length}; the position of the next batch is unknown"),
    };
    let place = Place { position, length: BEFORE_LENGTH, base_offset: i64::from_be_bytes(chunk(start, 0)), magic: 2 };
    (place, RecordsError { message, path: "length".to_owned(), at: position + 8 })
}
