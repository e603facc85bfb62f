//! What a task has read, and what becomes of damage: a row, an error, or a warning, as the mode says.

use std::sync::Arc;

use super::columns::{ERROR, LogTable, RAW};
use super::error::{ErrorKind, LogResult, fail};
use super::options::{Mode, Options};
use super::ranges::Range;
use super::storage::Storage;
use super::transactions::Notes;
use crate::records::codecs::Decompressor;
use crate::records::error::RecordsError;
use crate::records::filter::Bounds;
use crate::records::header::Place;
use crate::records::record::Record;

/// What was read and what was left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Tally {
    pub files: u64,
    pub bytes: u64,
    pub rows: u64,
    /// Damaged batches.
    pub damaged: u64,
    /// Records that brokers made.
    pub control: u64,
    /// Records of transactions that were aborted, or are not decided.
    pub aborted: u64,
    /// Damaged batches that the mode leaves out.
    pub by_mode: u64,
}

/// What the ranges of a task have in common.
#[allow(missing_docs)]
pub struct Shared {
    pub storage: Arc<dyn Storage>,
    pub columns: Vec<String>,
    pub options: Options,
    pub bounds: Bounds,
    pub keep_errors: bool,
    pub max_bytes: usize,
    pub tally: Tally,
    pub notes: Notes,
    pub decompressor: Decompressor,
    /// Memory to be used again.
    pub records: Vec<Record>,
}

/// Bytes that can't be read as a batch.
#[allow(missing_docs)]
pub struct Damage<'d> {
    pub place: Place,
    pub has_offset: bool,
    pub message: String,
    pub part: &'d str,
    pub at: u64,
}

impl<'d> Damage<'d> {
    /// What is wrong with the batch, or the records, at a position.
    pub fn of_batch(at: u64, place: Place, error: &'d RecordsError) -> Self {
        let place = Place { position: at as usize, ..place };
        Damage { place, has_offset: true, message: error.message.clone(), part: &error.path, at: at + error.at as u64 }
    }
}

impl Shared {
    /// Fails for a file that is gone, or warns without `failOnDataLoss`.
    pub fn gone(&mut self, path: &str) -> LogResult<()> {
        let reason = format!("{path} is gone: a broker or somebody else deleted it since the query was planned");
        if self.options.fail_on_data_loss {
            return fail(ErrorKind::DataLoss, format!("{reason}; option failOnDataLoss=false continues without it"));
        }
        self.notes.add(format!("{reason}; its records are missing"));
        Ok(())
    }

    /// A segment of which nothing is there.
    pub fn lost_segment(&mut self, range: &Range, reason: &str, table: &mut LogTable) -> LogResult<()> {
        let place = Place { position: 0, length: 0, base_offset: range.segment.base_offset.unwrap_or(0), magic: 2 };
        let has_offset = range.segment.base_offset.is_some();
        let damage = Damage { place, has_offset, message: reason.to_owned(), part: "segment", at: 0 };
        self.report(&range.segment.path, damage, &[], table)
    }

    /// Does with damage what the mode says.
    pub fn report(&mut self, path: &str, damage: Damage<'_>, raw: &[u8], table: &mut LogTable) -> LogResult<()> {
        self.tally.damaged += 1;
        let Damage { place, has_offset, message, part, at } = damage;
        let is_told = self.keep_errors || self.columns.iter().any(|name| name == ERROR);
        if self.options.mode == Mode::Permissive && is_told {
            let error = RecordsError { message, path: part.to_owned(), at: at as usize };
            return table.push_error(&place, &error, has_offset, raw);
        }
        let base = if has_offset { place.base_offset.to_string() } else { "unknown".to_owned() };
        let described = format!(
            "{}: the batch at byte {} (base offset {base}) can't be read: {part}: {message} (byte {at})",
            path, place.position
        );
        if self.options.mode == Mode::DropMalformed {
            self.tally.by_mode += 1;
            self.notes.add(format!("left out: {described}"));
            return Ok(());
        }
        let text = format!(
            "{described}; mode DROPMALFORMED leaves such batches out; mode PERMISSIVE keeps them, with the reason in _error"
        );
        fail(ErrorKind::Malformed, text)
    }

    /// How many bytes the row of a damaged batch takes.
    pub fn bytes_of_error(&self, raw: &[u8], message: &str) -> usize {
        let is_shown = self.columns.iter().any(|name| name == RAW);
        message.len() + if is_shown { raw.len() } else { 0 }
    }
}
