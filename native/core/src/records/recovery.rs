//! Finding the next batch after one whose length can't be trusted.

use super::header::{Frame, Stopped, frame_at};

/// So many times the bytes of the buffer are checksummed in the search, no more: hostile bytes may look like many batches.
const MOST_CHECKED: usize = 64;

/// The search for batches in one buffer, each time from further on.
pub struct Recovery {
    /// How many bytes may still be checksummed.
    budget: usize,
}

impl Recovery {
    /// A search in a buffer of so many bytes.
    pub fn new(size: usize) -> Self {
        Recovery { budget: size.saturating_mul(MOST_CHECKED) }
    }

    /// Where the first batch begins, from `start` on, that looks like one and has the right checksum.
    pub fn find(&mut self, data: &[u8], start: usize) -> Option<usize> {
        if self.budget == 0 {
            return None;
        }
        let found = self.search(data, start);
        if found.is_none() {
            // Nothing will be found from further on either.
            self.budget = 0;
        }
        found
    }

    fn search(&mut self, data: &[u8], start: usize) -> Option<usize> {
        for position in start..data.len() {
            let Some(frame) = frame_at(data, position).ok().filter(looks_right) else { continue };
            self.budget = self.budget.saturating_sub(frame.bytes.len());
            if self.budget == 0 {
                return None;
            }
            if frame.is_intact() {
                return Some(position);
            }
        }
        None
    }

    /// Where to go on after a batch with a wrong checksum: at its end, if its length seems to be right.
    pub fn after(&mut self, data: &[u8], damaged: &Frame<'_>) -> usize {
        let end = damaged.end();
        let is_credible = match frame_at(data, end) {
            Ok(next) => looks_right(&next),
            Err(reason) => matches!(reason, Stopped::End | Stopped::Preallocated),
        };
        if !is_credible {
            return self.find(data, damaged.position + 1).unwrap_or(end);
        }
        // A wrong length may be that of several batches. They end where it says; one within a value of a record does not.
        let within = &data[..end];
        self.search(within, damaged.position + 1).filter(|start| leads_to_end(within, *start)).unwrap_or(end)
    }
}

/// Whether batch follows upon batch up to the last byte.
fn leads_to_end(data: &[u8], start: usize) -> bool {
    let mut position = start;
    loop {
        match frame_at(data, position) {
            Ok(frame) => position = frame.end(),
            Err(reason) => return reason == Stopped::End,
        }
    }
}

/// Whether the header of a batch of magic 2 is one that Kafka writes.
fn looks_right(frame: &Frame<'_>) -> bool {
    frame.header().is_some_and(|header| header.looks_right())
}
