//! Rows of a task, range after range, so that memory does not depend on the size of files; and what becomes of damage: a row, an error,
//! or a warning, as the mode says.

use std::collections::VecDeque;
use std::sync::Arc;

use arrow_data::ArrayData;
use serde_json::Value;

use super::columns::{About, ERROR, LogTable, RAW, check_columns};
use super::index::OpenSegment;
use super::names;
use super::options::{Mode, Options};
use super::part::Part;
use super::paths;
use super::planner::Pushed;
use super::ranges::{Range, is_too_early, relocated, settled};
use super::storage::Storage;
use super::transactions::Notes;
use crate::outcome::{Error, Kind, Outcome, fail};
use crate::records::codecs::Decompressor;
use crate::records::error::RecordsError;
use crate::records::filter::Bounds;
use crate::records::header::Place;
use crate::records::record::Record;

/// How often a range is looked for again where the log cleaner is at work.
const TRIES: usize = 5;

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

impl Tally {
    /// All counts, with their names.
    pub fn named(&self) -> [(&'static str, u64); 7] {
        let Tally { files, bytes, rows, damaged, control, aborted, by_mode } = *self;
        [
            ("files", files),
            ("bytes", bytes),
            ("rows", rows),
            ("damaged", damaged),
            ("control", control),
            ("aborted", aborted),
            ("by_mode", by_mode),
        ]
    }
}

/// Reads the ranges of a task into columns.
pub struct Reader {
    shared: Shared,
    ranges: VecDeque<(Range, usize)>,
    part: Option<Part>,
    path: String,
}

impl Reader {
    /// Reads a task that was planned with the same options and filters.
    ///
    /// `keep_errors` says whether the mode PERMISSIVE keeps the row of damage where `_error` is not among the columns; otherwise that
    /// is an error as with FAILFAST, for nobody would see it.
    pub fn new(
        task: &str,
        columns: &[String],
        options: Options,
        pushed: &Pushed,
        keep_errors: bool,
        storage: Storage,
    ) -> Outcome<Reader> {
        check_columns(columns)?;
        let ranges: Vec<Range> = serde_json::from_str(task)
            .map_err(|_| Error::new(Kind::Checkpoint, "the text is not a task of this version of messagegen"))?;
        let shared = Shared {
            storage: Arc::new(storage),
            columns: columns.to_vec(),
            bounds: options.bounds.and(pushed.bounds),
            keep_errors,
            max_bytes: 16 << 20,
            tally: Tally::default(),
            notes: Notes::default(),
            decompressor: Decompressor::new(options.max_batch_bytes),
            records: Vec::new(),
            options,
        };
        let ranges = ranges.into_iter().map(|range| (range, TRIES)).collect();
        Ok(Reader { shared, ranges, part: None, path: String::new() })
    }

    /// The same with about so many bytes of records in a batch of rows.
    pub fn with_batch_bytes(mut self, bytes: usize) -> Self {
        self.shared.max_bytes = bytes.clamp(1, 1 << 29);
        self
    }

    /// What was read until now.
    pub fn tally(&self) -> Tally {
        self.shared.tally
    }

    /// The file that the latest rows are of.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// What was noticed since this was asked for the last time.
    pub fn take_warnings(&self) -> Vec<String> {
        self.shared.notes.take()
    }

    /// The next rows, a struct array; `None` at the end.
    #[allow(clippy::should_implement_trait)] // it can fail
    pub fn next(&mut self) -> Outcome<Option<ArrayData>> {
        loop {
            let table = if let Some(part) = &mut self.part {
                let mut table = LogTable::new(&self.shared.columns, About::of(&part.range));
                if part.fill(&mut self.shared, &mut table)? {
                    self.part = None;
                }
                table
            } else {
                let Some((range, tries)) = self.ranges.pop_front() else { return Ok(None) };
                let mut table = LogTable::new(&self.shared.columns, About::of(&range));
                self.open(range, tries, &mut table)?;
                table
            };
            if table.rows() > 0 {
                self.shared.tally.rows += table.rows() as u64;
                self.path.clone_from(table.path());
                return table.finish().map(Some);
            }
        }
    }

    /// Opens a range; where the log cleaner was at work, the ranges that hold its records now come next.
    fn open(&mut self, range: Range, tries: usize, table: &mut LogTable) -> Outcome<()> {
        let shared = &mut self.shared;
        let segment = &range.segment;
        if let Some(reason) = segment.damage.clone() {
            // Nothing of the segment is there.
            let place = Place { position: 0, length: 0, base_offset: segment.base_offset.unwrap_or(0), magic: 2 };
            let has_offset = segment.base_offset.is_some();
            let damage = Damage { place, has_offset, message: reason, part: "segment", at: 0 };
            return shared.report(&segment.path, damage, &[], table);
        }
        if range.has_goals && is_too_early(&shared.storage, segment, shared.bounds.within(range.offsets)) {
            return Ok(());
        }
        if let Some(file) = OpenSegment::new(&shared.storage, segment)? {
            let is_as_planned = range.planned.is_none() || file.file.identity()? == segment.identity;
            if tries == 0 || is_as_planned {
                check_plain(&shared.storage, &segment.path)?;
                let range = settled(&shared.storage, &file, range, shared.bounds)?;
                self.part = Part::open(file, range, shared)?;
                return Ok(());
            }
        }
        let path = &segment.path;
        if range.is_part() {
            let text = format!("{path} was replaced or deleted since the query was planned: run it again");
            return fail(Kind::DataLoss, text);
        }
        let Some(planned) = range.planned.filter(|_| tries > 0) else { return shared.gone(path) };
        let (ranges, has_begin) = relocated(&shared.storage, &range, planned)?;
        if !has_begin {
            shared.gone(path)?;
        }
        for each in ranges.into_iter().rev() {
            self.ranges.push_front((each, tries - 1));
        }
        Ok(())
    }
}

/// What the ranges of a task have in common.
#[allow(missing_docs)]
pub struct Shared {
    pub storage: Arc<Storage>,
    columns: Vec<String>,
    pub options: Options,
    pub bounds: Bounds,
    keep_errors: bool,
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
    fn gone(&mut self, path: &str) -> Outcome<()> {
        let reason = format!("{path} is gone: a broker or somebody else deleted it since the query was planned");
        if self.options.fail_on_data_loss {
            return fail(Kind::DataLoss, format!("{reason}; option failOnDataLoss=false continues without it"));
        }
        self.notes.add(format!("{reason}; its records are missing"));
        Ok(())
    }

    /// Does with damage what the mode says.
    pub fn report(&mut self, path: &str, damage: Damage<'_>, raw: &[u8], table: &mut LogTable) -> Outcome<()> {
        self.tally.damaged += 1;
        let is_told = self.keep_errors || self.columns.iter().any(|name| name == ERROR);
        if self.options.mode == Mode::Permissive && is_told {
            return table.push_error(&damage, raw);
        }
        let Damage { place, has_offset, message, part, at } = damage;
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
        fail(Kind::Malformed, text)
    }

    /// How many bytes the row of a damaged batch takes.
    pub fn bytes_of_error(&self, raw: &[u8], message: &str) -> usize {
        let is_shown = self.columns.iter().any(|name| name == RAW);
        message.len() + if is_shown { raw.len() } else { 0 }
    }
}

/// Fails for a remote segment that its plugin has compressed or encrypted, as the manifest beside it says.
fn check_plain(storage: &Storage, path: &str) -> Outcome<()> {
    if !names::is_tiered_segment(path) {
        return Ok(());
    }
    let manifest = paths::with_suffix(path, ".rsm-manifest");
    let Some(data) = storage.small(&manifest)? else { return Ok(()) };
    let about: Value = serde_json::from_slice(&data)
        .map_err(|problem| Error::new(Kind::Tiered, format!("{manifest} is not a manifest: {problem}")))?;
    let is_set = |name: &str| about.get(name).is_some_and(|value| !value.is_null() && *value != Value::Bool(false));
    let done = match (is_set("compression"), is_set("encryption")) {
        (false, false) => return Ok(()),
        (true, false) => "compressed",
        (false, true) => "encrypted",
        (true, true) => "compressed and encrypted",
    };
    let text = format!(
        "{path} was {done} by the plugin of tiered storage, and only plain segments can be read: consume the topic from a broker, \
         which has the plugin; for new segments turn compression.enabled and encryption.enabled off"
    );
    fail(Kind::Tiered, text)
}
