//! Lazy decoding: a message is checked as a whole, and its values are made when an attribute is first read.
//!
//! A lazily decoded struct is an instance of a subclass that adds nothing to the slots of its class. Its attributes are
//! [`field::LazyField`]s instead of the interpreter's descriptors of slots, so the slots can hold what is not a value
//! yet:
//!
//! - **Asleep**: no value was made. The first slot holds the [`super::part::Source`], that of the unknown tagged fields
//!   an int that says where the struct begins and how long it is; the others are empty. Elements of arrays start so.
//! - **Awake**: the slots hold values, but an array, a struct or bytes that take more than a few bytes on the wire are
//!   a [`super::part::Part`]. The message itself starts so.
//! - **Complete**: all slots hold values, and the object is made an instance of its class itself.
//!
//! Encoding copies the bytes of what is asleep and of parts.

mod classes;
mod field;
mod make;

pub use self::classes::prepare;
pub use self::make::{fill_message, wake};
