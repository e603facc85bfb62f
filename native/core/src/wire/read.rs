//! Reading of values from bytes.

use super::error::{HIGHEST_TAG, LONGEST_STRING, WireError, null, too_few_bytes, too_few_bytes_for, wrong, wrong_tag};
use crate::plan::{Length, NullMark};

type Read<T> = Result<T, WireError>;

#[cold]
#[inline(never)]
fn ends_early<T>() -> Read<T> {
    Err(wrong(format_args!("the bytes end early")))
}

/// A position in the bytes of a message.
#[derive(Clone, Copy)]
pub struct Cursor<'a> {
    data: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    /// Return a cursor at an offset, which must not be past the end.
    pub fn new(data: &'a [u8], at: usize) -> Read<Self> {
        if at > data.len() {
            return ends_early();
        }
        Ok(Cursor { data, at })
    }

    /// Return all bytes of the message, including the bytes before the cursor.
    pub fn data(&self) -> &'a [u8] {
        self.data
    }

    /// Return the offset of the next byte.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Return the number of bytes that are left.
    pub fn left(&self) -> usize {
        self.data.len() - self.at
    }

    /// Return the next `size` bytes.
    #[inline(always)]
    pub fn take(&mut self, size: usize) -> Read<&'a [u8]> {
        let left = self.left();
        if size > left {
            return Err(too_few_bytes(size, left));
        }
        let start = self.at;
        self.at += size;
        Ok(&self.data[start..self.at])
    }

    /// Return the next `SIZE` bytes.
    #[inline]
    pub fn array<const SIZE: usize>(&mut self) -> Read<[u8; SIZE]> {
        match self.data[self.at..].first_chunk() {
            Some(bytes) => {
                self.at += SIZE;
                Ok(*bytes)
            }
            None => Err(too_few_bytes(SIZE, self.left())),
        }
    }

    /// Skip `size` bytes and a zero byte after them; return `false` if that byte is missing or not zero.
    #[inline(always)]
    pub fn pass_before_zero(&mut self, size: usize) -> bool {
        let is_zero = self.data[self.at..].get(size) == Some(&0);
        if is_zero {
            self.at += size + 1;
        }
        is_zero
    }

    #[inline(always)]
    fn byte(&mut self) -> Read<u8> {
        let Some(&byte) = self.data.get(self.at) else {
            return ends_early();
        };
        self.at += 1;
        Ok(byte)
    }

    /// Read an unsigned varint of at most 5 bytes and 32 bits.
    #[inline(always)]
    pub fn uvarint(&mut self) -> Read<u32> {
        let byte = self.byte()?;
        if byte < 0x80 {
            return Ok(u32::from(byte));
        }
        self.long_uvarint(byte)
    }

    #[inline(never)]
    fn long_uvarint(&mut self, first: u8) -> Read<u32> {
        let mut value = u64::from(first & 0x7F);
        for shift in [7, 14, 21, 28] {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return u32::try_from(value).map_err(|_| wrong(format_args!("the varint has more than 32 bits")));
            }
        }
        Err(wrong(format_args!("the varint has more than 5 bytes")))
    }

    /// Read the number of fields in a tag section, which is at most the number of bytes left.
    #[inline(always)]
    pub fn tag_count(&mut self) -> Read<u32> {
        let count = self.uvarint()?;
        if count > 0 {
            self.announced(count as usize, "tagged fields")?;
        }
        Ok(count)
    }

    /// Read a tag, and the size of its value in bytes.
    #[inline]
    pub fn tag(&mut self) -> Read<(u32, usize)> {
        let (tag, size) = (self.uvarint()?, self.uvarint()? as usize);
        if tag > HIGHEST_TAG {
            Err(wrong_tag(tag))
        } else {
            Ok((tag, size))
        }
    }

    /// Read a signed value with `bits` bits from a zig-zag varint.
    #[inline]
    pub fn packed(&mut self, bits: u32) -> Read<i64> {
        let value = self.varint_bits(bits)?;
        Ok((value >> 1).cast_signed() ^ -((value & 1).cast_signed()))
    }

    /// Read a signed value with `bits` bits from a varint of its two's complement.
    pub fn upacked(&mut self, bits: u32) -> Read<i64> {
        let unused = 64 - bits;
        Ok((self.varint_bits(bits)? << unused).cast_signed() >> unused)
    }

    #[inline]
    fn varint_bits(&mut self, bits: u32) -> Read<u64> {
        let first = self.byte()?;
        if first < 0x80 {
            return Ok(u64::from(first));
        }
        let second = self.byte()?;
        let value = u64::from(first & 0x7F) | u64::from(second & 0x7F) << 7;
        if second < 0x80 {
            Ok(value)
        } else {
            self.long_varint(value, bits)
        }
    }

    /// Read the rest of a varint that has more than two bytes. Most varints in records are shorter.
    #[inline(never)]
    fn long_varint(&mut self, mut value: u64, bits: u32) -> Read<u64> {
        let mut shift = 14;
        loop {
            let byte = self.byte()?;
            let part = u64::from(byte & 0x7F);
            value |= part << shift;
            if byte < 0x80 {
                let is_cut_off = shift == 63 && part > 1;
                let is_wide = is_cut_off || bits < 64 && value >> bits != 0;
                let too_wide = || wrong(format_args!("the varint does not fit in {bits} bits"));
                return if is_wide { Err(too_wide()) } else { Ok(value) };
            }
            shift += 7;
            if shift >= bits {
                return Err(wrong(format_args!("the varint is too long for {bits} bits")));
            }
        }
    }

    /// Read the length of a string and its bytes; return `None` for null.
    #[inline(always)]
    pub fn string(&mut self, form: Length) -> Read<Option<&'a [u8]>> {
        let length = if form.compact {
            self.compact_length()?
        } else {
            i64::from(i16::from_be_bytes(self.array()?))
        };
        let Some(length) = self.not_null(length, form)? else {
            return Ok(None);
        };
        if length > LONGEST_STRING {
            return Err(wrong(format_args!(
                "a string has at most {LONGEST_STRING} bytes, not {length}"
            )));
        }
        self.announced(length, "bytes")?;
        self.take(length).map(Some)
    }

    /// Read the length of bytes and the bytes; return `None` for null.
    #[inline]
    pub fn bytes(&mut self, form: Length) -> Read<Option<&'a [u8]>> {
        let length = self.length(form)?;
        let Some(length) = self.not_null(length, form)? else {
            return Ok(None);
        };
        self.announced(length, "bytes")?;
        self.take(length).map(Some)
    }

    /// Read the number of elements in an array, which is at most the number of bytes left; return `None` for null.
    #[inline(always)]
    pub fn count(&mut self, form: Length) -> Read<Option<usize>> {
        let length = self.length(form)?;
        let Some(count) = self.not_null(length, form)? else {
            return Ok(None);
        };
        self.announced(count, "elements")?;
        Ok(Some(count))
    }

    /// Read the mark before a struct; return whether the struct is null.
    #[inline]
    pub fn is_null(&mut self, mark: NullMark) -> Read<bool> {
        Ok(match mark {
            NullMark::Never => false,
            NullMark::Int8 => self.array::<1>()?[0] > 0x7F,
            NullMark::Varint => self.uvarint()? == 0,
        })
    }

    #[inline(always)]
    fn compact_length(&mut self) -> Read<i64> {
        Ok(i64::from(self.uvarint()?) - 1)
    }

    #[inline(always)]
    fn length(&mut self, form: Length) -> Read<i64> {
        if form.compact {
            self.compact_length()
        } else {
            Ok(i64::from(i32::from_be_bytes(self.array()?)))
        }
    }

    #[inline(always)]
    fn not_null(&self, length: i64, form: Length) -> Read<Option<usize>> {
        match usize::try_from(length) {
            Ok(length) => Ok(Some(length)),
            Err(_) if form.nullable => Ok(None),
            Err(_) => Err(null()),
        }
    }

    #[inline(always)]
    fn announced(&self, length: usize, what: &'static str) -> Read<()> {
        let left = self.left();
        if length > left {
            Err(too_few_bytes_for(length, what, left))
        } else {
            Ok(())
        }
    }
}

/// Return a string's bytes as text; fail if they are not UTF-8.
pub fn utf8(bytes: &[u8]) -> Read<&str> {
    std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        wrong(format_args!("the string is not UTF-8 at its byte {at}"))
    })
}

/// Return a string's bytes if they are UTF-8; otherwise fail.
#[inline]
pub fn text_bytes(bytes: &[u8]) -> Read<&[u8]> {
    // Most names are ASCII, which is much faster to check.
    if bytes.is_ascii() {
        Ok(bytes)
    } else {
        utf8(bytes).map(str::as_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::super::write::{write_packed, write_upacked};
    use super::*;

    fn cursor(bytes: &[u8]) -> Cursor<'_> {
        Cursor::new(bytes, 0).expect("an offset within the bytes")
    }

    #[test]
    fn varints_are_read_as_they_are_written() {
        for bits in [16, 32, 64] {
            let lowest = i64::MIN >> (64 - bits);
            for value in [0, 1, -1, 63, -64, 64, 300, lowest, !lowest] {
                let mut packed = Vec::new();
                write_packed(&mut packed, value);
                assert_eq!(cursor(&packed).packed(bits).expect("a varint"), value);
                let mut upacked = Vec::new();
                write_upacked(&mut upacked, value, bits);
                assert_eq!(cursor(&upacked).upacked(bits).expect("a varint"), value);
            }
        }
    }

    #[test]
    fn varints_that_do_not_fit_are_refused() {
        assert!(cursor(&[0xFF, 0xFF, 0xFF, 0xFF, 0x1F]).uvarint().is_err());
        assert!(cursor(&[0x80, 0x80, 0x80, 0x80, 0x80, 0]).uvarint().is_err());
        assert!(cursor(&[0x80, 0x80, 0x04]).packed(16).is_err());
        assert!(cursor(&[0xFF; 10]).packed(64).is_err());
        assert!(cursor(&[]).uvarint().is_err());
    }

    #[test]
    fn lengths_beyond_the_bytes_are_refused_before_anything_is_read() {
        let form = Length {
            compact: false,
            nullable: true,
        };
        let null = [0xFF; 4];
        assert_eq!(cursor(&null).bytes(form).expect("null"), None);
        assert_eq!(cursor(&null[..2]).string(form).expect("null"), None);
        assert!(cursor(&[0x7F, 0xFF, 0xFF, 0xFF]).count(form).is_err());
        assert!(
            cursor(&[0x80, 0x00])
                .string(Length {
                    nullable: false,
                    ..form
                })
                .is_err()
        );
    }
}
