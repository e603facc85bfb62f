//! Record batches of log segments (magic 2, KIP-98) to Arrow columns, and their headers.

pub(crate) mod batch;
pub mod codecs;
pub(crate) mod error;
pub(crate) mod filter;
pub(crate) mod header;
pub(crate) mod headers;
pub mod packing;
mod prefixes;
pub(crate) mod reader;
pub mod record;
pub(crate) mod recovery;
pub(crate) mod table;

use self::codecs::Decompressor;
pub use self::filter::Filter;
pub use self::header::Stopped;
pub use self::headers::{Headers, read_headers};
pub use self::prefixes::{Prefix, record_groups};
pub use self::reader::Reader;
use self::record::LONGEST;
use self::recovery::Recovery;
use self::table::{Origin, RECORD_COLUMNS};
use crate::outcome::{Error, Outcome};

/// What a batch may grow to by default; brokers take 1 MiB of compressed records unless they are told otherwise.
pub const MAX_BATCH_BYTES: usize = 128 << 20;
/// So many headers stay within Arrow's 32-bit offsets, for each has the name of a codec.
const MOST_BATCHES: usize = 1 << 28;
/// Bytes of the records that one table holds, by default.
pub const MAX_BYTES: usize = 64 << 20;

/// What a reader reads.
pub struct Options<'a> {
    /// Where the first batch begins.
    pub start: usize,
    /// The names of columns; `None` for all.
    pub columns: Option<&'a [String]>,
    pub filter: Filter,
    /// The most bytes that the records of one batch may take.
    pub max_batch_bytes: usize,
    /// Whether to find the next batch after one whose length cannot be trusted.
    pub recover: bool,
}

impl Reader {
    /// A reader of so many bytes. `Kind::Value` for an unknown column, or a limit out of range.
    pub fn with_options(size: usize, options: Options<'_>) -> Outcome<Self> {
        within("max_batch_bytes", options.max_batch_bytes, i32::MAX as usize)?;
        let wanted = options.columns.map_or_else(|| Ok(RECORD_COLUMNS.to_vec()), selected)?;
        let recovery = options.recover.then(|| Recovery::new(size));
        Ok(Reader::new(options.start, wanted, options.filter, Decompressor::new(options.max_batch_bytes), recovery))
    }
}

/// `Kind::Value` for limits of one table that columns cannot hold.
pub fn check_table(max_records: usize, max_bytes: usize) -> Outcome<()> {
    within("max_records", max_records, i32::MAX as usize)?;
    within("max_bytes", max_bytes, LONGEST)
}

/// `Kind::Value` for more headers than columns can hold.
pub fn check_headers(max_batches: usize) -> Outcome<()> {
    within("max_batches", max_batches, MOST_BATCHES)
}

/// The columns with some names, in the order of all columns.
fn selected(names: &[String]) -> Outcome<Vec<(&'static str, Origin)>> {
    if let Some(unknown) = names.iter().find(|name| !RECORD_COLUMNS.iter().any(|(known, _)| known == name)) {
        let known: Vec<&str> = RECORD_COLUMNS.iter().map(|(name, _)| *name).collect();
        let text = format!("unknown column {unknown:?}; the columns are {}", known.join(", "));
        return Err(Error::value(text));
    }
    Ok(RECORD_COLUMNS.into_iter().filter(|(known, _)| names.iter().any(|name| name == known)).collect())
}

fn within(name: &str, value: usize, most: usize) -> Outcome<()> {
    if (1..=most).contains(&value) {
        return Ok(());
    }
    Err(Error::value(format!("{name} must be between 1 and {most}, not {value}")))
}
