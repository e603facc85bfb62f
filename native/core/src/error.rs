//! Errors in messages, with their paths.

use std::fmt::Display;

use crate::arrow::builder::Overflow;
use crate::outcome::Error;
use crate::plan::Plan;
use crate::wire::WireError;

/// One part of a path within a message.
#[derive(Clone, Copy, Debug)]
pub enum Part {
    /// A field: the number of a layout of its struct, and the number of the field in the struct.
    Field(u32, usize),
    /// An element of an array.
    Index(usize),
    /// The unknown tagged fields of a newer sender.
    UnknownTags,
}

/// The error of a message that can't be decoded or encoded; boxed, so that a result fits in registers.
pub struct MessageError(Box<Cause>);

/// The result of reading or writing a part of a message.
pub type MessageResult<T> = Result<T, MessageError>;

/// The text of an error.
pub struct Reason {
    /// The text.
    pub text: String,
    /// The text without the value, if `text` contains a value.
    pub redacted: Option<String>,
}

/// The scope of an error.
pub enum Cause {
    /// An error in one message, at the path that consists of these parts, innermost first.
    Message(Reason, Vec<Part>),
    /// An error that the message did not cause. It ends the batch, and the host raises it.
    Other(Box<dyn std::error::Error + Send + Sync>),
}

/// Fail for a message.
#[cold]
#[inline(never)]
pub fn fail<T>(text: impl Into<String>) -> MessageResult<T> {
    Err(MessageError::new(text.into()))
}

/// Fail for a message because of a value, which replaces the `{}` in the text.
#[cold]
#[inline(never)]
pub fn fail_with_value<T>(text: &str, value: impl Display) -> MessageResult<T> {
    let reason = Reason {
        text: text.replace("{}", &value.to_string()),
        redacted: Some(text.replace("{}", "<redacted>")),
    };
    Err(MessageError(Box::new(Cause::Message(reason, Vec::new()))))
}

/// Return the error for an Arrow array with invalid offsets.
#[cold]
pub fn malformed() -> MessageError {
    MessageError::batch("the offsets of the Arrow array do not ascend, or lead out of it")
}

impl From<WireError> for MessageError {
    #[cold]
    fn from(reason: WireError) -> Self {
        MessageError::new(*reason)
    }
}

impl From<Overflow> for MessageError {
    #[cold]
    fn from(_: Overflow) -> Self {
        MessageError::batch("a column would have more than 2 GiB: pass fewer rows at a time")
    }
}

impl MessageError {
    /// Return an error in one message.
    #[cold]
    pub fn new(text: String) -> Self {
        MessageError(Box::new(Cause::Message(Reason { text, redacted: None }, Vec::new())))
    }

    /// Return an error of the whole batch.
    pub fn batch(text: &'static str) -> Self {
        MessageError::other(text)
    }

    /// Return an error that the message did not cause.
    #[cold]
    pub fn other(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        MessageError(Box::new(Cause::Other(error.into())))
    }

    /// Add the next outer part of the path.
    #[cold]
    pub fn within(mut self, part: Part) -> Self {
        if let Cause::Message(_, path) = &mut *self.0 {
            path.push(part);
        }
        self
    }

    /// Return the scope of the error.
    pub fn cause(self) -> Cause {
        *self.0
    }
}

/// The error that ends a batch.
impl From<MessageError> for Error {
    fn from(error: MessageError) -> Self {
        match error.cause() {
            Cause::Message(reason, _) => Error::value(reason.text),
            Cause::Other(error) => Error::value(error.to_string()),
        }
    }
}

/// Return the path that consists of these parts, such as `topics[3].name`. `name_of` is called with each part that is
/// not an index, outermost first.
pub fn path<'n>(parts: &[Part], mut name_of: impl FnMut(Part) -> &'n str) -> String {
    let mut text = String::new();
    for part in parts.iter().rev() {
        match *part {
            Part::Index(index) => text.push_str(&format!("[{index}]")),
            named => push_name(&mut text, name_of(named)),
        }
    }
    text
}

/// Texts with these prefixes do not contain the value.
const WITHOUT_VALUE: [&str; 2] = ["null is not allowed", "this version has no "];

/// Return why a value was rejected, without the value if a field on its path may be sensitive (`runtime/secrets.py`).
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
                let inner = plan.struct_of(&field.type_name).map(|number| &plan.structs[number]);
                (holder.sensitive.contains(&field.attribute), inner)
            }
        };
        if is_hidden {
            let is_without_value = WITHOUT_VALUE.iter().any(|start| text.starts_with(start));
            let refused = || "the value is refused; the field is sensitive, so it is not shown".to_owned();
            return if is_without_value {
                text
            } else {
                redacted.unwrap_or_else(refused)
            };
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
