//! Batch after batch into tables, without the interpreter.

use super::batch::{Batch, Left, Room};
use super::codecs::Decompressor;
use super::filter::Filter;
use super::header::{BEFORE_LENGTH, Place, Stopped, frame_at};
use super::record::Record;
use super::recovery::Recovery;
use super::table::{Problem, Table};
use crate::wire::chunk;

/// How far reading has come.
pub struct Reader {
    filter: Filter,
    /// Numbers of columns.
    wanted: Vec<usize>,
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
        wanted: Vec<usize>,
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
        let mut table = Table::new(&self.wanted);
        let mut room = Room { records: max_records, bytes: max_bytes, is_empty: true };
        while room.records > 0 && (room.bytes > 0 || room.is_empty) && self.stopped.is_none() {
            if self.batch.is_none() {
                self.open_next(data, &mut table, &mut room);
            } else if self.read_batch(data, &mut table, &mut room) == Left::TooMuch {
                break;
            }
        }
        table
    }

    fn open_next(&mut self, data: &[u8], table: &mut Table, room: &mut Room) {
        let frame = match frame_at(data, self.at) {
            Ok(frame) => frame,
            Err(reason) => return self.stop_or_recover(reason, data, table, room),
        };
        self.at = frame.end();
        match Batch::open(&frame, &self.filter, &mut self.decompressor) {
            Ok(batch) => self.batch = batch,
            Err(problem) => {
                if let Some(recovery) = &mut self.recovery
                    && problem.path == "crc"
                {
                    self.at = recovery.after(data, &frame);
                }
                push_problem(table, room, &frame.place(), problem);
            }
        }
    }

    fn stop_or_recover(&mut self, reason: Stopped, data: &[u8], table: &mut Table, room: &mut Room) {
        let next = match (&mut self.recovery, reason) {
            (Some(recovery), Stopped::Damaged | Stopped::Truncated) => recovery.find(data, self.at + 1),
            _ => None,
        };
        if next.is_some() || reason == Stopped::Damaged {
            let (place, problem) = damaged_length(data, self.at, reason);
            push_problem(table, room, &place, problem);
        }
        match next {
            Some(position) => self.at = position,
            None => self.stopped = Some(reason),
        }
    }

    /// Takes some records of the batch that is open, and closes it after the last.
    fn read_batch(&mut self, data: &[u8], table: &mut Table, room: &mut Room) -> Left {
        let Some(mut batch) = self.batch.take() else { return Left::Nothing };
        let Ok(frame) = batch.frame(data) else { return Left::Nothing };
        let bytes = batch.bytes(&frame, &self.decompressor);
        match batch.read(bytes, &self.filter, room, &mut self.records) {
            Ok(left) => {
                table.push_records(&batch.header, &self.records, bytes);
                if left != Left::Nothing {
                    self.batch = Some(batch);
                }
                left
            }
            Err(problem) => {
                push_problem(table, room, &batch.header.place, problem);
                Left::Nothing
            }
        }
    }
}

/// Appends the row of a problem, whose text takes room as the bytes of records do: a buffer may be full of them.
fn push_problem(table: &mut Table, room: &mut Room, place: &Place, problem: Problem) {
    room.bytes = room.bytes.saturating_sub(problem.message.len() + problem.path.len());
    table.push_problem(place, problem);
    room.records -= 1;
    room.is_empty = false;
}

fn damaged_length(data: &[u8], position: usize, reason: Stopped) -> (Place, Problem) {
    let start = &data[position..];
    let length = i32::from_be_bytes(chunk(start, 8));
    let message = match reason {
        Stopped::Truncated => format!("a length of {length} goes beyond the end, yet another batch follows"),
        _ => format!("no batch has a length of {length}, so where the next one begins is not known"),
    };
    let place = Place { position, length: BEFORE_LENGTH, base_offset: i64::from_be_bytes(chunk(start, 0)) };
    (place, Problem { message, path: "length".to_owned(), at: position + 8 })
}
