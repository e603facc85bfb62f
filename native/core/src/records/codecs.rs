//! Decompression of record batches, with a limit on the number of bytes.

use std::io::{Error, ErrorKind, Read};
use std::ops::Range;

use flate2::bufread::MultiGzDecoder;
use lz4_flex::frame::FrameDecoder;
use zstd::stream::read::Decoder as ZstdDecoder;
use zstd::zstd_safe::DCtx;

/// Kafka's names for the compression types, by number.
const NAMES: [&str; 5] = ["none", "gzip", "snappy", "lz4", "zstd"];

/// The numbers of two compression types.
pub const LZ4: i16 = 3;
pub const ZSTD: i16 = 4;

/// The first bytes of a snappy-java stream; two version numbers of 4 bytes each follow.
pub const XERIAL: [u8; 8] = *b"\x82SNAPPY\0";
const XERIAL_HEADER: usize = 16;
/// The maximum number of bytes that Snappy's copy instruction, which itself has 3 bytes, produces.
const LONGEST_SNAPPY_COPY: usize = 64;
/// The first bytes of an LZ4 frame; Kafka does not read the older frame format.
const LZ4_MAGIC: [u8; 4] = 0x184D_2204_u32.to_le_bytes();
/// The kind of error for more bytes than allowed.
pub const TOO_MUCH: ErrorKind = ErrorKind::FileTooLarge;
/// The maximum size in bytes of a buffer that is kept for the next batch.
const LARGEST_KEPT: usize = 1 << 24;

/// Return Kafka's name for a compression type; `None` for an unknown number.
pub fn name(codec: i16) -> Option<&'static str> {
    NAMES.get(usize::try_from(codec).ok()?).copied()
}

/// Return the number of a compression type; `None` for an unknown name.
pub fn number(name: &str) -> Option<i16> {
    NAMES
        .iter()
        .position(|known| *known == name)
        .map(|number| number as i16)
}

/// A decompressor, which reuses its memory from batch to batch.
pub struct Decompressor {
    out: Vec<u8>,
    spare: Vec<u8>,
    zstd: DCtx<'static>,
    most: usize,
}

impl Decompressor {
    /// Create a decompressor that rejects batches with more than `most` decompressed bytes.
    pub fn new(most: usize) -> Self {
        Decompressor {
            out: Vec::new(),
            spare: Vec::new(),
            zstd: DCtx::create(),
            most,
        }
    }

    /// Return the bytes of the latest batch.
    pub fn bytes(&self) -> &[u8] {
        &self.out
    }

    /// Return a buffer that is not in use, to be filled and passed to `hold`.
    pub fn take_spare(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.spare)
    }

    /// Replace the bytes of the latest batch.
    pub fn hold(&mut self, bytes: Vec<u8>) {
        self.spare = std::mem::replace(&mut self.out, bytes);
    }

    /// Decompress `input` with a codec other than `none`; return an error text if that fails.
    pub fn decompress(&mut self, codec: i16, input: &[u8]) -> Result<(), String> {
        if !(1..NAMES.len() as i16).contains(&codec) {
            return Err(format!("unknown compression type {codec}"));
        }
        self.try_decompress(codec, input).map_err(|error| {
            let error = match error.kind() {
                TOO_MUCH => format!("they take more than {} bytes; maxBatchBytes sets this limit", self.most),
                _ => error.to_string(),
            };
            format!(
                "the records can't be decompressed ({}): {error}",
                name(codec).unwrap_or("?")
            )
        })
    }

    /// Decompress `input` with a known codec other than `none`. If the result has more bytes than allowed, the error
    /// kind is [`TOO_MUCH`].
    pub fn try_decompress(&mut self, codec: i16, input: &[u8]) -> Result<(), Error> {
        if self.out.capacity() > LARGEST_KEPT {
            self.out = Vec::new();
        }
        self.out.clear();
        let outcome = match codec {
            1 => limited(MultiGzDecoder::new(input), &mut self.out, self.most),
            2 => snappy(input, &mut self.out, self.most),
            3 => lz4(input, &mut self.out, self.most),
            4 => limited(
                ZstdDecoder::with_context(input, &mut self.zstd),
                &mut self.out,
                self.most,
            ),
            _ => Err(Error::other("an unknown compression")),
        };
        outcome.inspect_err(|_| self.out.clear())
    }
}

fn limited(input: impl Read, out: &mut Vec<u8>, most: usize) -> Result<(), Error> {
    input.take((most as u64).saturating_add(1)).read_to_end(out)?;
    if out.len() > most { Err(TOO_MUCH.into()) } else { Ok(()) }
}

/// Decompress LZ4 frames. The decoder accepts input that ends between two blocks, so also check for an end mark:
/// without it, blocks may be missing.
fn lz4(input: &[u8], out: &mut Vec<u8>, most: usize) -> Result<(), Error> {
    limited(FrameDecoder::new(input), out, most)?;
    if ends_with_mark(input) {
        Ok(())
    } else {
        Err(ErrorKind::UnexpectedEof.into())
    }
}

/// Return the part of an LZ4 frame that the header checksum covers: the flags, the block size, and the optional fields.
/// The checksum follows this part.
pub fn lz4_descriptor(frame: &[u8]) -> Option<Range<usize>> {
    let flags = *frame.strip_prefix(&LZ4_MAGIC)?.first()?;
    let with = |bit: u8, bytes: usize| if flags & bit == 0 { 0 } else { bytes };
    let start = LZ4_MAGIC.len();
    // The optional fields are the content size and the number of a dictionary.
    Some(start..start + 2 + with(0x08, 8) + with(0x01, 4))
}

/// Whether an end mark, a block of size zero, follows the blocks of a frame that was decompressed successfully.
fn ends_with_mark(frame: &[u8]) -> bool {
    let (Some(descriptor), Some(flags)) = (lz4_descriptor(frame), frame.get(LZ4_MAGIC.len())) else {
        return false;
    };
    let checksum = if flags & 0x10 == 0 { 0 } else { 4 };
    let mut at = descriptor.end + 1;
    loop {
        let Some((size, _)) = frame.get(at..).and_then(|rest| rest.split_first_chunk::<4>()) else {
            return false;
        };
        // The highest bit marks a block that is not compressed.
        match u32::from_le_bytes(*size) & 0x7FFF_FFFF {
            0 => return true,
            size => at += 4 + size as usize + checksum,
        }
    }
}

/// Decompress either a single block, which most clients write, or the blocks of one or more snappy-java streams.
fn snappy(input: &[u8], out: &mut Vec<u8>, most: usize) -> Result<(), Error> {
    if !input.starts_with(&XERIAL) {
        return snappy_block(input, out, most);
    }
    let mut left = input;
    while !left.is_empty() {
        if left.starts_with(&XERIAL) {
            left = left.get(XERIAL_HEADER..).ok_or(ErrorKind::UnexpectedEof)?;
            continue;
        }
        let (length, rest) = left.split_first_chunk().ok_or(ErrorKind::UnexpectedEof)?;
        let length = usize::try_from(i32::from_be_bytes(*length));
        let length = length.map_err(|_| Error::other("a block has a negative length"))?;
        let (block, rest) = rest.split_at_checked(length).ok_or(ErrorKind::UnexpectedEof)?;
        snappy_block(block, out, most)?;
        left = rest;
    }
    Ok(())
}

fn snappy_block(block: &[u8], out: &mut Vec<u8>, most: usize) -> Result<(), Error> {
    let length = snap::raw::decompress_len(block)?;
    if length > most - out.len() {
        return Err(TOO_MUCH.into());
    }
    if length / LONGEST_SNAPPY_COPY > block.len() {
        return Err(Error::other(format!("{} bytes can't hold {length}", block.len())));
    }
    let start = out.len();
    out.try_reserve(length)?;
    out.resize(start + length, 0);
    snap::raw::Decoder::new().decompress(block, &mut out[start..])?;
    Ok(())
}
