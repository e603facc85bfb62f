//! The headers of batches as columns.

use arrow_data::ArrayData;

use super::header::{Stopped, frame_at};
use super::table::{Origin, Table};

/// The columns; from the leader epoch on they are null unless the magic is 2.
const HEADER_COLUMNS: [(&str, Origin); 16] = [
    ("position", Origin::Place64(|place| place.position as i64)),
    ("length", Origin::Place64(|place| place.length as i64)),
    ("base_offset", Origin::Place64(|place| place.base_offset)),
    ("magic", Origin::Place32(|place| place.magic.into())),
    ("leader_epoch", Origin::Batch32(|header| header.leader_epoch)),
    ("codec", Origin::Codec),
    ("timestamp_type", Origin::Batch32(|header| header.timestamp_type())),
    ("is_transactional", Origin::BatchBool(|header| header.is_transactional())),
    ("is_control", Origin::BatchBool(|header| header.is_control())),
    ("last_offset_delta", Origin::Batch32(|header| header.last_offset_delta)),
    ("base_timestamp", Origin::Batch64(|header| header.base_timestamp)),
    ("max_timestamp", Origin::Batch64(|header| header.max_timestamp)),
    ("producer_id", Origin::Batch64(|header| header.producer_id)),
    ("producer_epoch", Origin::Batch32(|header| header.producer_epoch.into())),
    ("base_sequence", Origin::Batch32(|header| header.base_sequence)),
    ("record_count", Origin::Batch32(|header| header.record_count)),
];

/// The headers of batches, where reading stopped, and why.
pub struct Headers {
    pub columns: ArrayData,
    pub position: usize,
    pub stopped: Stopped,
}

/// Reads header after header.
pub fn read_headers(data: &[u8], start: usize, max_batches: usize) -> Headers {
    let mut table = Table::new(&HEADER_COLUMNS);
    let mut position = start;
    let stopped = loop {
        let frame = match frame_at(data, position) {
            Err(reason) => break reason,
            Ok(_) if table.rows() == max_batches => break Stopped::Limit,
            Ok(frame) => frame,
        };
        match frame.header() {
            Some(header) => table.push_batch(&header),
            None => table.push_place(&frame.place()),
        }
        position = frame.end();
    };
    Headers { columns: table.finish(), position, stopped }
}
