//! Rows of a task, range after range, so that memory does not depend on the size of files.

use std::collections::VecDeque;
use std::sync::Arc;

use arrow_data::ArrayData;
use serde_json::Value;

use super::columns::{About, LogTable, check_columns};
use super::error::{ErrorKind, LogResult, fail, unless_gone};
use super::names;
use super::options::Options;
use super::part::Part;
use super::paths;
use super::planner::Pushed;
use super::ranges::{Range, has_begin, is_too_early, relocated, settled, task_ranges};
use super::report::{Shared, Tally};
use super::storage::{Opened, Storage, read_small};
use super::transactions::Notes;
use crate::records::codecs::Decompressor;

/// How often a range is looked for again where the log cleaner is at work.
const TRIES: usize = 5;

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
        options: &Options,
        pushed: &Pushed,
        keep_errors: bool,
        storage: Arc<dyn Storage>,
    ) -> LogResult<Reader> {
        check_columns(columns)?;
        let ranges = task_ranges(task)?.into_iter().map(|range| (range, TRIES)).collect();
        let shared = Shared {
            storage,
            columns: columns.to_vec(),
            bounds: options.bounds().and(pushed.bounds),
            keep_errors,
            max_bytes: 16 << 20,
            tally: Tally::default(),
            notes: Notes::default(),
            decompressor: Decompressor::new(options.max_batch_bytes),
            records: Vec::new(),
            options: options.clone(),
        };
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
    pub fn take_warnings(&mut self) -> Vec<String> {
        self.shared.notes.take()
    }

    /// The next rows, a struct array; `None` at the end.
    #[allow(clippy::should_implement_trait)] // it can fail
    pub fn next(&mut self) -> LogResult<Option<ArrayData>> {
        loop {
            let table = if let Some(part) = &mut self.part {
                let mut table = LogTable::new(&self.shared.columns, part.about());
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
    fn open(&mut self, range: Range, tries: usize, table: &mut LogTable) -> LogResult<()> {
        let shared = &mut self.shared;
        let storage = shared.storage.clone();
        if let Some(reason) = &range.segment.damage {
            return shared.lost_segment(&range, reason, table);
        }
        let bounds = shared.bounds.within(range.offsets);
        if range.has_goals && is_too_early(storage.as_ref(), &range.segment, bounds)? {
            return Ok(());
        }
        if let Some(file) = unless_gone(Opened::new(storage.as_ref(), &range.segment.path))? {
            let is_as_planned = range.planned.is_none() || file.identity()? == range.segment.identity;
            if tries == 0 || is_as_planned {
                check_plain(storage.as_ref(), &range.segment.path)?;
                let range = settled(storage.as_ref(), &file, &range, shared.bounds)?;
                self.part = Part::open(file, range, shared)?;
                return Ok(());
            }
        }
        let path = &range.segment.path;
        if range.is_part() {
            let text = format!("{path} was replaced or deleted since the query was planned: run it again");
            return fail(ErrorKind::DataLoss, text);
        }
        let Some(planned) = range.planned.filter(|_| tries > 0) else { return shared.gone(path) };
        if !has_begin(storage.as_ref(), &range, planned.0)? {
            shared.gone(path)?;
        }
        for each in relocated(storage.as_ref(), &range, planned)?.into_iter().rev() {
            self.ranges.push_front((each, tries - 1));
        }
        Ok(())
    }
}

/// Fails for a remote segment that its plugin has compressed or encrypted, as the manifest beside it says.
fn check_plain(storage: &dyn Storage, path: &str) -> LogResult<()> {
    if !names::is_tiered_segment(path) {
        return Ok(());
    }
    let manifest = paths::with_suffix(path, ".rsm-manifest");
    let Some(data) = read_small(storage, &manifest)? else { return Ok(()) };
    let about: Value = match serde_json::from_slice(&data) {
        Ok(about) => about,
        Err(problem) => {
            return fail(ErrorKind::Tiered, format!("{} is not a manifest: {problem}", &manifest));
        }
    };
    let is_set = |name: &str| about.get(name).is_some_and(|value| !value.is_null() && *value != Value::Bool(false));
    let done: Vec<&str> = [("compressed", "compression"), ("encrypted", "encryption")]
        .into_iter()
        .filter(|(_, name)| is_set(name))
        .map(|(done, _)| done)
        .collect();
    if done.is_empty() {
        return Ok(());
    }
    let text = format!(
        "{} was {} by the plugin of tiered storage, and only plain segments can be read: consume the topic from a broker, \
         which has the plugin; for new segments turn compression.enabled and encryption.enabled off",
        path,
        done.join(" and ")
    );
    fail(ErrorKind::Tiered, text)
}
