//! The walk through the bytes of a message.
//!
//! It is the only reader of the wire format: it finds the start and end of each value of a layout, rejects invalid
//! bytes, and locates errors. A [`Sink`] receives the values: it converts them to columns or to objects of the host's
//! language, or skips them ([`Skip`]). The compiler generates a separate walk for each sink.
//!
//! The walk takes the same steps as the reference codec (`runtime/walk.py`), so both report the same error at the same
//! position.

mod skip;
mod tags;
mod values;

pub use self::skip::Skip;
pub use self::values::{Leaf, Sink, Walk};
