//! Kafka's log folders: which segments, offsets, timestamps, transactions and damaged parts are read, and the rows of them.
//!
//! A [`Planner`] lists folders and plans tasks, for queries over what is there and for micro-batches of streams. A [`Reader`] reads a task
//! into Arrow columns. Both see files through a [`Storage`], which Python and the JVM have their own of.

mod checkpoints;
mod columns;
mod error;
mod index;
mod listing;
mod names;
mod offsets;
mod options;
mod order;
mod part;
mod paths;
mod planner;
mod positions;
mod ranges;
mod reader;
mod report;
mod scan;
mod storage;
mod stream;
mod times;
mod transactions;

pub use self::columns::schema;
pub use self::error::{ErrorKind, LogError, LogResult};
pub use self::listing::{Log, Segment};
pub use self::options::{Mode, Options, flag, one_of, without_table_properties};
pub use self::paths::is_url;
pub use self::planner::{Plan, Planner, Pushed, Task};
pub use self::reader::Reader;
pub use self::report::Tally;
pub use self::storage::{Entry, File, Kind, LocalStorage, Storage};
pub use self::stream::Limit;
pub use crate::records::filter::Bounds;
