//! Reading the rows of a task, one range after another, so that memory usage does not depend on the size of files.

use std::collections::VecDeque;

use arrow_data::ArrayData;
use serde_json::Value;

use super::columns::{Damage, check_columns};
use super::index::OpenSegment;
use super::names;
use super::options::Options;
use super::part::Part;
use super::paths;
use super::planner::Pushed;
use super::ranges::{Range, relocated, settled};
use super::report::{Shared, Tally};
use super::storage::Storage;
use crate::outcome::{Error, Kind, Outcome, fail};

/// The maximum number of attempts to find a range again while the log cleaner replaces files.
const TRIES: usize = 5;

/// The maximum size of a remote segment's manifest, which may contain a long index of chunks.
const MOST_MANIFEST_BYTES: usize = 1 << 24;

/// Reads the ranges of a task into columns.
pub struct Reader {
    shared: Shared,
    ranges: VecDeque<(Range, usize)>,
    part: Option<Part>,
}

impl Reader {
    /// Create a reader for a task that was planned with the same options and filters.
    ///
    /// A batch of rows has about `batch_bytes` bytes of records. Without a column `_error`, users would not see damage,
    /// so in mode PERMISSIVE damage is an error, as in mode FAILFAST. If `keep_errors` is set, it is a row
    /// nevertheless.
    pub fn new(
        task: &str,
        columns: &[String],
        options: Options,
        pushed: &Pushed,
        keep_errors: bool,
        batch_bytes: usize,
        storage: Storage,
    ) -> Outcome<Reader> {
        check_columns(columns)?;
        let ranges: Vec<Range> = serde_json::from_str(task)
            .map_err(|_| Error::new(Kind::Checkpoint, "the text is not a task of this version of messagegen"))?;
        let shared = Shared::new(columns, options, pushed.bounds, keep_errors, batch_bytes, storage);
        let ranges = ranges.into_iter().map(|range| (range, TRIES)).collect();
        Ok(Reader {
            shared,
            ranges,
            part: None,
        })
    }

    /// Return the current counts.
    pub fn tally(&self) -> Tally {
        self.shared.tally
    }

    /// Return the path of the file that contains the latest rows.
    pub fn path(&self) -> &str {
        &self.shared.path
    }

    /// Return the warnings since the last call.
    pub fn take_warnings(&self) -> Vec<String> {
        self.shared.notes.take()
    }

    /// Return the next rows as a struct array; `None` at the end.
    #[allow(clippy::should_implement_trait)] // it can fail
    pub fn next(&mut self) -> Outcome<Option<ArrayData>> {
        loop {
            if let Some(mut part) = self.part.take() {
                self.shared.begin(&part.range);
                let is_all = part.fill(&mut self.shared)?;
                self.part = Some(part).filter(|_| !is_all);
            } else {
                let Some((range, tries)) = self.ranges.pop_front() else {
                    return Ok(None);
                };
                self.shared.begin(&range);
                self.open(range, tries)?;
            }
            let rows = self.shared.table.rows();
            if rows > 0 {
                self.shared.tally.rows += rows as u64;
                return Ok(Some(std::mem::take(&mut self.shared.table).finish()));
            }
        }
    }

    /// Open a range. If the log cleaner has replaced its file, queue the ranges that now contain its records.
    fn open(&mut self, range: Range, tries: usize) -> Outcome<()> {
        let shared = &mut self.shared;
        let segment = &range.segment;
        if let Some(reason) = segment.damage.clone() {
            // The segment has no readable bytes at all.
            let (position, base_offset, at) = (0, segment.base_offset, 0);
            let damage = Damage {
                position,
                base_offset,
                message: reason,
                part: "segment",
                at,
                raw: &[],
            };
            return shared.report(&damage);
        }
        if let Some(file) = OpenSegment::new(&shared.storage, segment)? {
            let is_as_planned = range.planned.is_none() || file.file.identity()? == segment.identity;
            if tries == 0 || is_as_planned {
                check_plain(&shared.storage, &segment.path)?;
                if range.start == 0 {
                    shared.tell_segment(segment)?;
                }
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
        let Some(planned) = range.planned.filter(|_| tries > 0) else {
            return shared.gone(path);
        };
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

/// Fail for a remote segment that its plugin has compressed or encrypted, according to the manifest beside it.
fn check_plain(storage: &Storage, path: &str) -> Outcome<()> {
    if !names::is_tiered_segment(path) {
        return Ok(());
    }
    let manifest = paths::with_suffix(path, ".rsm-manifest");
    let Some(data) = storage.small(&manifest, MOST_MANIFEST_BYTES)? else {
        return Ok(());
    };
    let about: Value = serde_json::from_slice(&data)
        .map_err(|problem| Error::new(Kind::Tiered, format!("{manifest} is not a manifest: {problem}")))?;
    let is_set = |name: &str| {
        about
            .get(name)
            .is_some_and(|value| !value.is_null() && *value != Value::Bool(false))
    };
    let mut done = [("compression", "compressed"), ("encryption", "encrypted")].into_iter();
    let Some((_, done)) = done.find(|(name, _)| is_set(name)) else {
        return Ok(());
    };
    let text = format!(
        "{path} was {done} by the plugin of tiered storage, and only plain segments can be read: consume the topic \
         from a broker, which has the plugin; for new segments turn compression.enabled and encryption.enabled off"
    );
    fail(Kind::Tiered, text)
}
