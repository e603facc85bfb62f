//! What is wrong with a row, and where in its message.

use std::fmt::Display;

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

/// What is wrong, in words.
pub struct Reason {
    /// As it is said.
    pub text: String,
    /// The same without the value, where the text has one.
    pub redacted: Option<String>,
}

/// Why a row ended early.
pub enum Cause {
    /// The row is wrong; the parts lead to where it is, the innermost first.
    Row(Reason, Vec<Part>),
    /// No other row can be done either.
    Batch(&'static str),
}

/// Stops for a row.
#[cold]
#[inline(never)]
pub fn refuse<T>(text: impl Into<String>) -> Outcome<T> {
    Err(Stop::row(text.into()))
}

/// Stops for a row because of a value, which stands for `{}` in the text.
#[cold]
#[inline(never)]
pub fn refuse_value<T>(text: &str, value: impl Display) -> Outcome<T> {
    let reason =
        Reason { text: text.replace("{}", &value.to_string()), redacted: Some(text.replace("{}", "<redacted>")) };
    Err(Stop(Box::new(Cause::Row(reason, Vec::new()))))
}

/// Stops for an Arrow array that contradicts itself.
#[cold]
pub fn malformed() -> Stop {
    Stop::batch("the offsets of the Arrow array do not ascend, or lead out of it")
}

impl From<Refused> for Stop {
    #[cold]
    fn from(reason: Refused) -> Self {
        Stop::row(reason.to_string())
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
        Stop(Box::new(Cause::Row(Reason { text, redacted: None }, Vec::new())))
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

/// Texts that begin so say nothing of the value.
const HARMLESS: [&str; 2] = ["null is not allowed", "this version has no "];

/// Why a value was refused, without the value where a field on the way to it may be sensitive (`runtime/secrets.py`).
#[cold]
pub fn shown_reason(plan: &Plan, reason: Reason, parts: &[Part]) -> String {
    let Reason { text, redacted } = reason;
    let mut owner = plan.structs.first();
    for part in parts.iter().rev() {
        let (is_hidden, inner) = match part {
            Part::Index(_) => continue,
            Part::UnknownTags => (owner.is_some_and(|owner| !owner.sensitive.is_empty()), None),
            Part::Field(layout, field) => {
                let holder = &plan.structs[plan.layouts[*layout as usize].struct_number];
                let field = &holder.fields[*field];
                let inner_type = field.type_name.trim_start_matches("[]");
                let inner = plan.structs.iter().find(|each| each.class_name == inner_type);
                (holder.sensitive.contains(&field.attribute), inner)
            }
        };
        if is_hidden {
            let is_harmless = HARMLESS.iter().any(|start| text.starts_with(start));
            let refused = || "the value is refused; the field is sensitive, so it is not shown".to_owned();
            return if is_harmless { text } else { redacted.unwrap_or_else(refused) };
        }
        owner = inner;
    }
    match redacted {
        Some(redacted) if owner.is_some_and(|owner| !owner.sensitive.is_empty()) => redacted,
        _ => text,
    }
}

fn push_name(text: &mut String, name: &str) {
    if !text.is_empty() {
        text.push('.');
    }
    text.push_str(name);
}
