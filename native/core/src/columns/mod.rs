//! Conversion of batches of messages to Arrow columns and back, without an object for each field.

mod decode;
mod defaults;
mod encode;
mod paths;
mod versions;

pub use self::decode::{Decoder, ListShape, MapShape, Options, Schema, Shape, StructShape};
pub use self::defaults::{Defaults, FieldDefault};
pub use self::encode::{ColumnType, Encoder, Held, Needed, Refusal, RowColumns, Source, Tag};
pub use self::paths::Names;
pub use self::versions::{VersionArgument, VersionMap};
