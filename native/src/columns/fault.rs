//! What is wrong with a row, and where in its message.

use super::store::TooMuch;
use crate::plan::Plan;
use crate::wire::Refused;

/// One step from a struct to what lies in it.
#[derive(Clone, Copy, Debug)]
pub enum Part {
    /// A field, by the number of a layout of its struct and its own.
    Field(u32, usize),
    /// An element of an array.
    Index(usize),
    /// What a newer sender added.
    UnknownTags,
}

/// Why a row ended early; boxed, so that a result fits in registers.
pub struct Stop(Box<Cause>);

/// What may stop.
pub type Outcome<T> = Result<T, Stop>;

/// Why a row ended early.
pub enum Cause {
    /// The row is wrong; the parts lead to where it is, the innermost first.
    Row(String, Vec<Part>),
    /// No other row can be done either.
    Batch(&'static str),
}

/// Stops for a row.
#[cold]
#[inline(never)]
pub fn refuse<T>(text: impl Into<String>) -> Outcome<T> {
    Err(Stop(Box::new(Cause::Row(text.into(), Vec::new()))))
}

/// Stops for an Arrow array that contradicts itself.
#[cold]
pub fn malformed() -> Stop {
    Stop::batch("the offsets of the Arrow array do not ascend, or lead out of it")
}

impl From<Refused> for Stop {
    #[cold]
    fn from(reason: Refused) -> Self {
        Stop(Box::new(Cause::Row(reason.to_string(), Vec::new())))
    }
}

impl From<TooMuch> for Stop {
    #[cold]
    fn from(_: TooMuch) -> Self {
        Stop::batch("a column would have more than 2 GiB: pass fewer rows at a time")
    }
}

impl Stop {
    /// Stops for a row.
    #[cold]
    pub fn row(text: String) -> Self {
        Stop(Box::new(Cause::Row(text, Vec::new())))
    }

    /// Stops for all rows.
    pub fn batch(text: &'static str) -> Self {
        Stop(Box::new(Cause::Batch(text)))
    }

    /// Adds, on the way out, where it happened.
    #[cold]
    pub fn within(mut self, part: Part) -> Self {
        if let Cause::Row(_, path) = &mut *self.0 {
            path.push(part);
        }
        self
    }

    /// Why it was.
    pub fn cause(self) -> Cause {
        *self.0
    }
}

/// The path that parts make, such as `topics[3].name`.
pub fn path(plan: &Plan, parts: &[Part]) -> String {
    let mut text = String::new();
    for part in parts.iter().rev() {
        match part {
            Part::Field(layout, field) => {
                let owner = &plan.structs[plan.layouts[*layout as usize].struct_number];
                push_name(&mut text, &owner.fields[*field].attribute);
            }
            Part::UnknownTags => push_name(&mut text, "unknown_tagged_fields"),
            Part::Index(index) => text.push_str(&format!("[{index}]")),
        }
    }
    text
}

fn push_name(text: &mut String, name: &str) {
    if !text.is_empty() {
        text.push('.');
    }
    text.push_str(name);
}
