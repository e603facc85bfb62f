//! A micro-batch of limited size, while it is planned.

use super::log::Log;
use super::planner::Planner;
use super::positions::{Amount, Position};
use super::shares::Unread;
use crate::outcome::Outcome;

/// The most that a micro-batch reads: a number of bytes or offsets, or all that exists.
#[derive(Clone, Copy, Debug, Default)]
#[allow(missing_docs)]
pub struct Limit {
    pub bytes: Option<u64>,
    pub offsets: Option<u64>,
}

/// A micro-batch that is being planned, with its current end in each log.
#[allow(missing_docs)]
pub struct MicroBatch<'a> {
    pub planner: &'a Planner,
    pub logs: &'a [Log],
    pub ends: Vec<Position>,
    pub limit: Limit,
}

impl MicroBatch<'_> {
    /// Return the number of bytes or offsets between the current end in a log and a later position: 0 if both are
    /// equal, otherwise at least 1.
    pub fn size(&self, log: usize, later: &Position) -> u64 {
        let now = &self.ends[log];
        if now == later {
            return 0;
        }
        let size = match self.limit.bytes {
            Some(_) => now
                .unread_bytes(&self.logs[log])
                .saturating_sub(later.unread_bytes(&self.logs[log])),
            None => later.offset.saturating_sub(now.offset).try_into().unwrap_or(0),
        };
        size.max(1)
    }

    fn end(&self, log: usize, amount: Amount) -> Outcome<Position> {
        let (planner, log, begin) = (self.planner, &self.logs[log], &self.ends[log]);
        let end = begin.advanced(&planner.storage, log, amount, log.end_offset)?;
        planner.committed(log, begin, &end, amount)
    }
}

impl Unread for MicroBatch<'_> {
    fn read_one(&mut self, log: usize, most: u64) -> Outcome<Option<u64>> {
        let end = self.end(log, Amount::OneBatch)?;
        let size = self.size(log, &end);
        if size > most {
            return Ok(None);
        }
        self.ends[log] = end;
        Ok(Some(size))
    }

    fn read(&mut self, log: usize, most: u64) -> Outcome<u64> {
        if most == 0 || self.ends[log].unread_bytes(&self.logs[log]) == 0 {
            return Ok(0);
        }
        let amount = match self.limit.bytes {
            Some(_) => Amount::Bytes(most),
            None => Amount::Offsets(most),
        };
        let end = self.end(log, amount)?;
        let size = self.size(log, &end);
        self.ends[log] = end;
        Ok(size)
    }
}
