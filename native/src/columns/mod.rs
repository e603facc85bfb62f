//! Batches of messages to Arrow columns and back, without a Python object for any field.

mod budget;
mod decode;
mod defaults;
mod encode;
mod paths;
mod versions;

pub use self::decode::ColumnDecoder;
pub use self::encode::ColumnEncoder;
