//! The walk over the bytes of a message.
//!
//! It is the only reader of the wire format: it knows where each value of a layout begins and ends, what is refused,
//! and where an error is. What is made of the values is up to a [`Sink`]: nothing ([`Skip`]), columns, or objects of a
//! host's language. The compiler makes a walk for each sink.
//!
//! The walk takes the same steps as the reference codec (`runtime/walk.py`), so both report the same error at the same
//! position.

mod skip;
mod tags;
mod values;

pub use self::skip::Skip;
pub use self::values::{Leaf, Sink, Walk};
