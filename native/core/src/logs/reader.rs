//! Rows of a task: a window of a file at a time, batch after batch, so that memory does not depend on the size of files.

use std::collections::VecDeque;
use std::sync::Arc;

use arrow_data::ArrayData;
use serde_json::Value;

use super::columns::{About, ERROR, LogTable, RAW, check_columns};
use super::error::{ErrorKind, LogResult, fail, unless_gone};
use super::index::offset_entries;
use super::names;
use super::options::{Mode, Options};
use super::order::Order;
use super::paths;
use super::planner::Pushed;
use super::ranges::{Bounds, Range, has_begin, is_too_early, relocated, settled, task_ranges};
use super::scan::{Found, Tail, Window, after_damaged, batch_after, first_byte, intact_at};
use super::storage::{Opened, Storage, read_small};
use super::transactions::{self, Decisions, Notes};
use crate::records::batch::{Batch, ReadBudget, Remaining};
use crate::records::codecs::Decompressor;
use crate::records::error::RecordsError;
use crate::records::filter::Filter;
use crate::records::header::{BEFORE_LENGTH, HEADER, Header, Place, Stopped, frame_at, header_at, place_at, size_at};
use crate::records::record::Record;
use crate::wire::chunk;

/// So much of a file is held at a time, or one batch where it is larger; the first reads are smaller.
const WINDOW: usize = 8 << 20;
const FIRST_WINDOW: usize = 1 << 20;
const MOST_RAW: u64 = 1 << 24;
/// How often a range is looked for again where the log cleaner is at work.
const TRIES: usize = 5;
/// So many batches beyond the wanted offsets end the reading: one damaged header may name any offset.
const ENOUGH_BEYOND: usize = 2;
const ZEROS: &str = "there are zeros where a batch should begin, and other bytes after them";

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

/// Reads the ranges of a task into columns.
pub struct Reader {
    shared: Shared,
    ranges: VecDeque<(Range, usize)>,
    part: Option<Part>,
    path: String,
}

struct Shared {
    storage: Arc<dyn Storage>,
    columns: Vec<String>,
    options: Options,
    bounds: Bounds,
    keep_errors: bool,
    max_bytes: usize,
    window: usize,
    tally: Tally,
    notes: Notes,
    decompressor: Decompressor,
    /// Memory to be used again.
    records: Vec<Record>,
}

/// A range that is being read.
struct Part {
    range: Range,
    about: About,
    file: Opened,
    window: Window,
    window_size: usize,
    at: u64,
    end: u64,
    filter: Filter,
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
            window: WINDOW,
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

    /// The same, holding about so many bytes of a file at a time.
    #[cfg(test)]
    pub fn with_window(mut self, bytes: usize) -> Self {
        self.shared.window = bytes;
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
    pub fn next(&mut self) -> LogResult<Option<ArrayData>> {
        loop {
            let mut table = LogTable::new(&self.shared.columns);
            let about = if let Some(part) = &mut self.part {
                let is_done = part.fill(&mut self.shared, &mut table)?;
                let about = part.about.clone();
                if is_done {
                    self.part = None;
                }
                about
            } else {
                let Some((range, tries)) = self.ranges.pop_front() else { return Ok(None) };
                let about = about(&range);
                self.open(range, tries, &mut table)?;
                about
            };
            if table.rows() > 0 {
                self.shared.tally.rows += table.rows() as u64;
                self.path.clone_from(&about.path);
                return table.finish(&about).map(Some);
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

fn about(range: &Range) -> About {
    let path = range.segment.path.clone();
    About { topic: range.topic.clone(), partition: range.partition, path }
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

/// Bytes that can't be read as a batch.
struct Damage<'d> {
    place: Place,
    has_offset: bool,
    message: String,
    part: &'d str,
    at: u64,
}

impl Shared {
    fn gone(&mut self, path: &str) -> LogResult<()> {
        let reason = format!("{path} is gone: a broker or somebody else deleted it since the query was planned");
        if self.options.fail_on_data_loss {
            return fail(ErrorKind::DataLoss, format!("{reason}; option failOnDataLoss=false continues without it"));
        }
        self.notes.add(format!("{reason}; its records are missing"));
        Ok(())
    }

    /// A segment of which nothing is there.
    fn lost_segment(&mut self, range: &Range, reason: &str, table: &mut LogTable) -> LogResult<()> {
        let place = Place { position: 0, length: 0, base_offset: range.segment.base_offset.unwrap_or(0), magic: 2 };
        let has_offset = range.segment.base_offset.is_some();
        let damage = Damage { place, has_offset, message: reason.to_owned(), part: "segment", at: 0 };
        self.report(&range.segment.path, damage, Vec::new(), table)
    }

    /// Does with damage what the mode says.
    fn report(&mut self, path: &str, damage: Damage<'_>, raw: Vec<u8>, table: &mut LogTable) -> LogResult<()> {
        self.tally.damaged += 1;
        let Damage { place, has_offset, message, part, at } = damage;
        let is_told = self.keep_errors || self.columns.iter().any(|name| name == ERROR);
        if self.options.mode == Mode::Permissive && is_told {
            let error = RecordsError { message, path: part.to_owned(), at: at as usize };
            table.push_error(&place, &error, has_offset, raw);
            return Ok(());
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
            "{described}; mode DROPMALFORMED leaves such batches out; format('kafka-log') in mode PERMISSIVE, with the \
             column _error, keeps them and says what is wrong"
        );
        fail(ErrorKind::Malformed, text)
    }

    fn wants_raw(&self) -> bool {
        self.columns.iter().any(|name| name == RAW)
    }
}

impl Part {
    /// Begins with a range; `None` for one without bytes.
    fn open(file: Opened, range: Range, shared: &mut Shared) -> LogResult<Option<Part>> {
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
        let filter = shared.bounds.within(range.offsets).filter(shared.options.verify_checksum);
        Ok(Some(Part {
            about: about(&range),
            at: range.start,
            end,
            filter,
            decided,
            order,
            beyond: 0,
            batch: None,
            window: Window::default(),
            window_size: FIRST_WINDOW.min(shared.window),
            file,
            range,
        }))
    }

    /// Adds rows until there are enough; says whether that was all.
    fn fill(&mut self, shared: &mut Shared, table: &mut LogTable) -> LogResult<bool> {
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
        let nothing = Filter { min_offset: i64::MAX, max_offset: i64::MIN, ..self.filter };
        let filter = if open.left_out.is_some() { &nothing } else { &self.filter };
        let header = open.batch.header;
        let outcome = open.batch.read(bytes, filter, budget, &mut shared.records);
        match outcome {
            Ok(left) => {
                let place = Place { position: open.at as usize, ..header.place };
                table.push_records(&Header { place, ..header }, &shared.records, bytes);
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
                let raw = if shared.wants_raw() { frame.bytes.to_vec() } else { Vec::new() };
                budget.bytes = budget.bytes.saturating_sub(raw.len() + error.message.len());
                let rows = table.rows();
                self.report_batch(open.at, header.place, &error, raw, shared, table)?;
                budget.records -= usize::from(table.rows() > rows).min(budget.records);
                budget.is_empty = false;
                Ok(Remaining::Nothing)
            }
        }
    }

    fn report_batch(
        &self,
        at: u64,
        place: Place,
        error: &RecordsError,
        raw: Vec<u8>,
        shared: &mut Shared,
        table: &mut LogTable,
    ) -> LogResult<()> {
        let damage = Damage {
            place: Place { position: at as usize, ..place },
            has_offset: true,
            message: error.message.clone(),
            part: &error.path,
            at: at + error.at as u64,
        };
        shared.report(&self.file.path, damage, raw, table)
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
            let raw = start[..HEADER.min(start.len())].to_vec();
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
        self.window_size = (self.window_size * 2).min(shared.window);
        let found = Found { place, header: header_at(data, place) };
        let data = &data[..size];
        if let Some(message) = self.order.problem(shared.storage.as_ref(), &self.file, &found)? {
            let raw = if shared.wants_raw() { data.to_vec() } else { Vec::new() };
            budget.bytes = budget.bytes.saturating_sub(raw.len() + message.len());
            let damage = Damage { place, has_offset: true, message, part: "base_offset", at: self.at };
            shared.report(&self.file.path, damage, raw, table)?;
            self.at = found.end();
            return Ok(true);
        }
        if place.base_offset > self.filter.max_offset && intact_at(&self.file, self.at, self.end)?.is_some() {
            self.beyond += 1;
            if self.beyond == ENOUGH_BEYOND {
                return Ok(false);
            }
        } else {
            self.beyond = 0;
        }
        let Ok(frame) = frame_at(data, 0) else { return Ok(false) };
        match Batch::open(&frame, &self.filter, &mut shared.decompressor) {
            Ok(Some(batch)) => {
                let is_control = batch.header.is_control() && !shared.options.include_control;
                let is_aborted = self.decided.as_ref().is_some_and(|decided| !decided.takes(&found));
                let left_out = if is_aborted { Some(LeftOut::Aborted) } else { is_control.then_some(LeftOut::Control) };
                self.batch = Some(OpenBatch { batch, at: self.at, size, left_out });
                self.at = found.end();
            }
            Ok(None) => self.at = found.end(),
            Err(error) => {
                let raw = if shared.wants_raw() { data.to_vec() } else { Vec::new() };
                budget.bytes = budget.bytes.saturating_sub(raw.len() + error.message.len());
                let at = self.at;
                self.at = found.end();
                if error.path == "crc" {
                    self.order.forget();
                    self.at = after_damaged(&self.file, at, size, self.end)?;
                }
                self.report_batch(at, place, &error, raw, shared, table)?;
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
                _ => format!("no batch has a length of {length}, so where the next one begins is not known"),
            };
            let has_offset = raw.len() == BEFORE_LENGTH;
            let base_offset = if has_offset { i64::from_be_bytes(chunk(&raw, 0)) } else { 0 };
            let place = Place { position: self.at as usize, length: BEFORE_LENGTH, base_offset, magic: 2 };
            let damage = Damage { place, has_offset, message, part: "length", at: self.at + 8 };
            shared.report(&self.file.path, damage, raw, table)?;
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
        let raw = if shared.wants_raw() { raw } else { Vec::new() };
        shared.report(&self.file.path, damage, raw, table)
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
