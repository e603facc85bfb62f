//! Kafka's log folders: planning which parts of them to read, by segment, offset, timestamp, transaction and damage,
//! and reading these parts as rows.
//!
//! A [`Planner`] lists folders and plans tasks, for queries over existing data and for micro-batches of streams. A
//! [`Reader`] reads a task into Arrow columns. Local files are read here, and files in object stores through a
//! [`Host`], which Python and the JVM each implement.

mod checkpoints;
mod columns;
mod counts;
mod evidence;
mod host;
mod index;
mod local;
mod log;
mod micro_batch;
mod names;
mod options;
mod order;
mod part;
mod paths;
mod planner;
mod positions;
mod producers;
mod ranges;
mod reader;
mod report;
mod scan;
mod search;
mod shares;
mod storage;
mod stream;
mod table;
mod times;
mod topic_ids;
mod transactions;

pub use self::columns::{ERROR, HEADERS, RAW, chosen_columns};
pub use self::counts::{Behind, Planned};
pub use self::host::{Entry, File, Host};
pub use self::log::{Log, Segment};
pub use self::micro_batch::Limit;
pub use self::names::suggestion;
pub use self::options::{Given, Mode, Options, flag, listed, mode, one_of};
pub use self::planner::{Planner, Pushed};
pub use self::ranges::Task;
pub use self::reader::Reader;
pub use self::report::Tally;
pub use self::storage::Storage;
pub use self::table::schema;
pub use crate::records::filter::Bounds;
