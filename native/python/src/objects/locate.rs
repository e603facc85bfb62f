//! Locates the error in a message that the decoder rejected, because the decoder itself does not keep paths.

use messagegen_core::error::{Cause, MessageError, MessageResult, path};
use messagegen_core::limits::Limits;
use messagegen_core::plan::Plan;
use messagegen_core::skip::{Meter, Skipper};
use messagegen_core::wire::{Cursor, WireError};

/// The error of a message: the reason, the field, such as `topics[3].name`, and where it begins.
pub type Located = (String, String, usize);

/// Checks that the message at a cursor can be read and is within its limits; `views` says whether zero-copy fields become views.
#[cold]
#[inline(never)]
pub fn locate(plan: &Plan, layout: u32, cursor: Cursor<'_>, views: bool, limits: &Limits) -> Result<(), Located> {
    let costs = Costs { limits, views, cost: 0, most: limits.memory(cursor.left()) };
    let mut skipper = Skipper::new(plan, limits, cursor, costs);
    check(&mut skipper, layout).map_err(|error| match error.cause() {
        Cause::Message(reason, parts) => (reason.text, path(plan, &parts), skipper.start),
        Cause::Batch(reason) => (reason.to_owned(), String::new(), skipper.start),
    })
}

fn check(skipper: &mut Skipper<'_, '_, Costs<'_>>, layout: u32) -> MessageResult<()> {
    let begin = skipper.cursor.at();
    skipper.structure(layout)?;
    // Bytes after the message must not affect whether it is accepted.
    skipper.start = begin;
    skipper.meter.most = skipper.limits.memory(skipper.cursor.at() - begin);
    skipper.meter.charge(|| 0).map_err(MessageError::from)
}

/// Counts what Python objects would cost.
struct Costs<'a> {
    limits: &'a Limits,
    views: bool,
    cost: u64,
    most: u64,
}

impl Meter for Costs<'_> {
    const COUNTS: bool = true;

    fn has_views(&self) -> bool {
        self.views
    }

    fn charge(&mut self, cost: impl FnOnce() -> u64) -> Result<(), WireError> {
        self.cost = self.cost.saturating_add(cost());
        if self.cost > self.most { Err(self.limits.too_much_memory()) } else { Ok(()) }
    }
}
