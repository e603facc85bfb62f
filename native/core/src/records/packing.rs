//! Compression of record batches, as Kafka's Java client does it.

use std::io::{Error, Write};

use lz4_flex::frame::{BlockMode, BlockSize, FrameEncoder, FrameInfo};

use super::codecs::XERIAL;

/// The version of the snappy-java stream format, and the oldest version that can read it.
const XERIAL_VERSIONS: [u8; 8] = [0, 0, 0, 1, 0, 0, 0, 1];
const SNAPPY_BLOCK: usize = 1 << 15;

/// Return the compressed bytes of `input`.
pub fn pack(codec: &str, input: &[u8]) -> Result<Vec<u8>, Error> {
    match codec {
        "snappy" => snappy(input),
        "lz4" => lz4(input),
        "zstd" => zstd::encode_all(input, zstd::DEFAULT_COMPRESSION_LEVEL),
        _ => Err(Error::other("an unknown compression")),
    }
}

fn snappy(input: &[u8]) -> Result<Vec<u8>, Error> {
    let mut out = XERIAL.to_vec();
    out.extend(XERIAL_VERSIONS);
    let mut encoder = snap::raw::Encoder::new();
    for block in input.chunks(SNAPPY_BLOCK) {
        let packed = encoder.compress_vec(block)?;
        out.extend((packed.len() as u32).to_be_bytes());
        out.extend(packed);
    }
    Ok(out)
}

/// Compress to independent blocks of 64 KB, because Kafka reads only these.
fn lz4(input: &[u8]) -> Result<Vec<u8>, Error> {
    let info = FrameInfo::new()
        .block_mode(BlockMode::Independent)
        .block_size(BlockSize::Max64KB);
    let mut encoder = FrameEncoder::with_frame_info(info, Vec::new());
    encoder.write_all(input)?;
    Ok(encoder.finish()?)
}
