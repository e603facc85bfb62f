//! Lazy decoding: a message is checked as a whole, but its values are only created when an attribute is first accessed.
//!
//! A lazily decoded struct is an instance of a subclass that adds no slots to its class. Its attributes are
//! [`field::LazyField`]s instead of the interpreter's slot descriptors, so the slots can hold objects other than
//! values:
//!
//! - **Asleep**: no value has been created. The first slot holds the [`super::part::Source`], and the slot of the
//!   unknown tagged fields holds an int with the start and the length of the struct. The other slots are empty. Structs
//!   in arrays begin in this state.
//! - **Awake**: the slots hold values, or a [`super::part::Part`] in place of an array, a struct or bytes that take
//!   more than a few bytes on the wire. The message itself begins in this state.
//! - **Complete**: all slots hold values, and the object becomes an instance of its plain class.
//!
//! Encoding copies the bytes of sleeping structs and of parts.

mod classes;
mod field;
mod make;

pub use self::classes::prepare;
pub use self::make::{fill_message, wake};
