//! Locates the error in a message that the decoder rejected, because the decoder itself does not keep paths.

use messagegen_core::error::{Cause, MessageError, MessageResult, path};
use messagegen_core::limits::Limits;
use messagegen_core::plan::{Kind, Plan};
use messagegen_core::skip::{Meter, Skipper};
use messagegen_core::wire::{Cursor, WireError};

use super::costs;

/// The error of a message.
pub struct Located {
    pub reason: String,
    /// The field, such as `topics[3].name`.
    pub path: String,
    /// Where the field begins.
    pub offset: usize,
}

/// Checks that the message at a cursor can be read and is within its limits; `views` says whether zero-copy fields become views.
#[cold]
#[inline(never)]
pub fn locate(plan: &Plan, layout: u32, cursor: Cursor<'_>, views: bool, limits: &Limits) -> Result<(), Located> {
    let costs = Costs { limits, views, cost: 0, most: limits.memory(cursor.left()) };
    let mut skipper = Skipper::new(plan, limits, cursor, costs);
    check(&mut skipper, layout).map_err(|error| {
        let (reason, path) = match error.cause() {
            Cause::Message(reason, parts) => (reason.text, path(plan, &parts)),
            Cause::Batch(reason) => (reason.to_owned(), String::new()),
        };
        Located { reason, path, offset: skipper.start }
    })
}

fn check(skipper: &mut Skipper<'_, '_, Costs<'_>>, layout: u32) -> MessageResult<()> {
    let begin = skipper.cursor.at();
    skipper.structure(layout)?;
    // Bytes after the message must not affect whether it is accepted.
    skipper.start = begin;
    skipper.meter.most = skipper.limits.memory(skipper.cursor.at() - begin);
    skipper.meter.charge(0).map_err(MessageError::from)
}

/// Counts what Python objects would cost.
struct Costs<'a> {
    limits: &'a Limits,
    views: bool,
    cost: u64,
    most: u64,
}

impl Costs<'_> {
    fn charge(&mut self, cost: u64) -> Result<(), WireError> {
        self.cost = self.cost.saturating_add(cost);
        if self.cost > self.most { Err(self.limits.too_much_memory()) } else { Ok(()) }
    }
}

impl Meter for Costs<'_> {
    const COUNTS: bool = true;

    fn structure(&mut self, fields: usize) -> Result<(), WireError> {
        self.charge(costs::structure(fields))
    }

    fn fixed(&mut self, kind: Kind, bytes: &[u8]) -> Result<(), WireError> {
        self.charge(costs::fixed(kind, bytes, 0))
    }

    fn int(&mut self, value: i64, bits: u32) -> Result<(), WireError> {
        self.charge(costs::int(value, bits))
    }

    fn string(&mut self, text: &[u8]) -> Result<(), WireError> {
        self.charge(costs::string(text))
    }

    fn bytes(&mut self, length: usize, zero_copy: bool) -> Result<(), WireError> {
        self.charge(if zero_copy && self.views { costs::VIEW } else { costs::bytes(length) })
    }

    fn array(&mut self, count: usize, sleeps: bool) -> Result<(), WireError> {
        self.charge(costs::array(count, sleeps))
    }

    fn numbers(&mut self, kind: Kind, run: &[u8]) -> Result<(), WireError> {
        self.charge(costs::numbers(kind, run))
    }

    fn tag(&mut self, tag: u32, size: usize, is_first: bool) -> Result<(), WireError> {
        self.charge(costs::tag(tag, size) + if is_first { costs::ARRAY } else { 0 })
    }
}
