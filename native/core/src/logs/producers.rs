//! Producer snapshots, which contain the state of each producer. Brokers write a snapshot with a checksum for each new
//! segment (upstream: `ProducerStateManager`).

use super::storage::Storage;
use crate::wire::chunk;

const VERSION: i16 = 1;
/// The size of the version, the checksum and the number of entries.
const HEADER: usize = 10;
const ENTRY: usize = 46;
/// The maximum size of a snapshot: enough for hundreds of thousands of producers.
const MOST_BYTES: usize = 1 << 25;

/// The state of a producer before an offset.
#[derive(Clone, Copy, Debug)]
pub struct LastBatch {
    pub producer: i64,
    pub epoch: i16,
    /// The last sequence and the last offset of the producer's last batch of records; -1 if it has no such batch.
    pub sequence: i32,
    pub offset: i64,
    /// The first offset of the producer's open transaction; -1 if no transaction is open.
    pub open_from: i64,
}

/// Return the entries of a snapshot; `None` if it is missing or damaged.
pub fn snapshot_entries(storage: &Storage, path: &str) -> Option<Vec<LastBatch>> {
    let data = storage.small(path, MOST_BYTES).ok()??;
    if data.len() < HEADER || i16::from_be_bytes(chunk(&data, 0)) != VERSION {
        return None;
    }
    let entries = &data[HEADER..];
    let count = usize::try_from(i32::from_be_bytes(chunk(&data, 6))).ok()?;
    let is_intact = crc32c::crc32c(&data[6..]) == u32::from_be_bytes(chunk(&data, 2));
    if !is_intact || count.checked_mul(ENTRY) != Some(entries.len()) {
        return None;
    }
    let entry = |bytes: &[u8]| LastBatch {
        producer: i64::from_be_bytes(chunk(bytes, 0)),
        epoch: i16::from_be_bytes(chunk(bytes, 8)),
        sequence: i32::from_be_bytes(chunk(bytes, 10)),
        offset: i64::from_be_bytes(chunk(bytes, 14)),
        open_from: i64::from_be_bytes(chunk(bytes, 38)),
    };
    Some(entries.chunks_exact(ENTRY).map(entry).collect())
}
