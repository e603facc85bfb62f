//! Record batches in log segments: batches of magic 2 (KIP-98) and messages of magic 0 and 1. Also the types and
//! versions in records of internal topics.

pub(crate) mod batch;
pub mod codecs;
pub(crate) mod error;
pub(crate) mod filter;
pub(crate) mod header;
mod message_sets;
pub mod packing;
mod prefixes;
pub mod record;

pub use self::prefixes::{Prefix, record_groups};
