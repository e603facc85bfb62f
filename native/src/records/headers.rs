//! The headers of batches as columns.

use arrow_buffer::NullBufferBuilder;

use super::builders::{Values, structure};
use super::header::{Stopped, frame_at};
use super::table::Origin;
use crate::columns::Finished;

/// What is known of all batches; the magic is kept apart.
const OF_ALL: [(&str, Origin); 3] = [
    ("position", Origin::Place(|place| place.position as i64)),
    ("length", Origin::Place(|place| place.length as i64)),
    ("base_offset", Origin::Place(|place| place.base_offset)),
];

/// What only batches of magic 2 say.
const OF_MAGIC_2: [(&str, Origin); 12] = [
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

/// Columns, where hopping stopped, and why.
pub struct Found {
    pub columns: Finished,
    pub position: usize,
    pub stopped: Stopped,
}

/// Hops from batch to batch.
pub fn hop(data: &[u8], start: usize, max_batches: usize) -> Found {
    let mut all = OF_ALL.map(|(_, origin)| origin.values());
    let mut magics = Vec::new();
    let mut of_magic_2 = OF_MAGIC_2.map(|(_, origin)| origin.values());
    let mut nulls = NullBufferBuilder::new(0);
    let mut position = start;
    let stopped = loop {
        let frame = match frame_at(data, position) {
            Err(reason) => break reason,
            Ok(_) if magics.len() == max_batches => break Stopped::Limit,
            Ok(frame) => frame,
        };
        let place = frame.place();
        for ((_, origin), values) in OF_ALL.iter().zip(&mut all) {
            origin.push_place(values, &place);
        }
        magics.push(i32::from(frame.magic()));
        let header = frame.header();
        for ((_, origin), values) in OF_MAGIC_2.iter().zip(&mut of_magic_2) {
            match &header {
                Some(header) => origin.push_batch(values, header, 1),
                None => values.push_nothing(),
            }
        }
        nulls.append(header.is_some());
        position = frame.end();
    };
    let nulls = nulls.build();
    let all = OF_ALL.iter().zip(all).map(|((name, _), values)| (*name, values.finish(None)));
    let of_magic_2 =
        OF_MAGIC_2.iter().zip(of_magic_2).map(|((name, _), values)| (*name, values.finish(nulls.as_ref())));
    let magic = [("magic", Values::Int32(magics).finish(None))];
    Found { columns: structure(all.chain(magic).chain(of_magic_2), None), position, stopped }
}
