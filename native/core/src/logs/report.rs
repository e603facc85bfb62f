//! The counts of a task, and how it handles damage: as a row, an error or a warning, depending on the mode.

use std::sync::Arc;

use super::columns::{About, Damage, ERROR, RAW};
use super::log::Segment;
use super::options::{Mode, Options};
use super::ranges::Range;
use super::storage::Storage;
use super::table::LogTable;
use super::transactions::Notes;
use crate::outcome::{Kind, Outcome, fail};
use crate::records::batch::ReadBudget;
use crate::records::codecs::Decompressor;
use crate::records::filter::Bounds;
use crate::records::record::Record;

/// Counts of the data that was read or left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Tally {
    pub files: u64,
    pub bytes: u64,
    pub rows: u64,
    /// Damaged batches.
    pub damaged: u64,
    /// Control records, which brokers write.
    pub control: u64,
    /// Records of transactions that were aborted or are undecided.
    pub aborted: u64,
    /// Damaged batches that were left out because of the mode.
    pub by_mode: u64,
}

impl Tally {
    /// Return all counts, in the order of the fields.
    pub fn counts(&self) -> [u64; 7] {
        let Tally {
            files,
            bytes,
            rows,
            damaged,
            control,
            aborted,
            by_mode,
        } = *self;
        [files, bytes, rows, damaged, control, aborted, by_mode]
    }
}

/// The state that the ranges of a task share.
#[allow(missing_docs)]
pub struct Shared {
    pub storage: Arc<Storage>,
    columns: Vec<String>,
    pub options: Options,
    pub bounds: Bounds,
    keep_errors: bool,
    batch_bytes: usize,
    pub tally: Tally,
    pub notes: Notes,
    pub decompressor: Decompressor,
    /// The records of the latest batch; the memory is reused.
    pub records: Vec<Record>,
    /// The rows that are being collected; `path` is their file, and `budget` is how much may be added.
    pub table: LogTable,
    pub path: String,
    pub budget: ReadBudget,
}

impl Shared {
    /// Return the state before the first range.
    pub fn new(
        columns: &[String],
        options: Options,
        bounds: Bounds,
        keep_errors: bool,
        batch_bytes: usize,
        storage: Storage,
    ) -> Self {
        Shared {
            storage: Arc::new(storage),
            columns: columns.to_vec(),
            bounds: options.bounds.and(bounds),
            keep_errors,
            batch_bytes: batch_bytes.clamp(1, 1 << 29),
            tally: Tally::default(),
            notes: Notes::default(),
            decompressor: Decompressor::new(options.max_batch_bytes),
            records: Vec::new(),
            table: LogTable::default(),
            path: String::new(),
            budget: ReadBudget {
                records: 0,
                bytes: 0,
                is_empty: true,
            },
            options,
        }
    }

    /// Fail because a file is gone, or only warn if `failOnDataLoss` is false.
    pub fn gone(&mut self, path: &str) -> Outcome<()> {
        let reason = format!("{path} is gone: a broker or another program deleted it since the query was planned");
        if self.options.fail_on_data_loss {
            return fail(
                Kind::DataLoss,
                format!("{reason}; option failOnDataLoss=false continues without it"),
            );
        }
        self.notes.add(format!("{reason}; its records are missing"));
        Ok(())
    }

    /// Begin a batch of rows for a range.
    pub fn begin(&mut self, range: &Range) {
        self.table = LogTable::new(&self.columns, About::of(range));
        self.path.clone_from(&range.segment.path);
        let records = self.options.max_records_per_batch;
        self.budget = ReadBudget {
            records,
            bytes: self.batch_bytes,
            is_empty: true,
        };
    }

    /// Add a row for a segment, if the option `includeSegments` is set and the file's name contains an offset.
    pub fn tell_segment(&mut self, segment: &Segment) -> Outcome<()> {
        match segment.base_offset.filter(|_| self.options.include_segments) {
            Some(base_offset) => self.table.push_segment(base_offset),
            None => Ok(()),
        }
    }

    /// Handle damage as the mode requires.
    pub fn report(&mut self, damage: &Damage<'_>) -> Outcome<()> {
        self.tally.damaged += 1;
        let is_told = self.keep_errors || self.columns.iter().any(|name| name == ERROR);
        if self.options.mode == Mode::Permissive && is_told {
            let is_raw_shown = self.columns.iter().any(|name| name == RAW);
            let size = damage.message.len() + if is_raw_shown { damage.raw.len() } else { 0 };
            let ReadBudget { records, bytes, .. } = self.budget;
            let (records, bytes) = (records.saturating_sub(1), bytes.saturating_sub(size));
            self.budget = ReadBudget {
                records,
                bytes,
                is_empty: false,
            };
            return self.table.push_error(damage);
        }
        let Damage {
            position,
            base_offset,
            message,
            part,
            at,
            ..
        } = damage;
        let base = base_offset.map_or("unknown".to_owned(), |offset| offset.to_string());
        let described = format!(
            "{}: the batch at byte {position} (base offset {base}) can't be read: {part}: {message} (byte {at})",
            self.path
        );
        if self.options.mode == Mode::DropMalformed {
            self.tally.by_mode += 1;
            self.notes.add(format!("left out: {described}"));
            return Ok(());
        }
        let text = format!(
            "{described}; mode DROPMALFORMED leaves such batches out; mode PERMISSIVE keeps them, \
             with the reason in _error"
        );
        fail(Kind::Malformed, text)
    }
}
