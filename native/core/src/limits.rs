//! Limits for decoding a message, with the names and defaults of the runtime (`runtime/errors.py`).

use crate::wire::{WireError, wrong};

/// The limits of one message.
#[derive(Clone, Copy)]
pub struct Limits {
    /// The maximum number of elements in one array (Kafka 4.4: `MessageUtil.MAX_ARRAY_LENGTH`).
    pub array_length: u64,
    /// The maximum number of fields in one tag section (Kafka 4.4: `MessageUtil.MAX_TAGGED_FIELD_COUNT`).
    pub tagged_field_count: u64,
    /// The bytes of memory that each byte of the message allows.
    pub memory_factor: u64,
    /// The bytes of memory that are allowed in addition, whatever the message's size.
    pub memory_constant: u64,
}

/// Limits as hosts pass them, in the order of [`Limits`].
pub type PackedLimits = (u64, u64, u64, u64);

impl Limits {
    /// The defaults of the runtime.
    pub const DEFAULT: Limits = Limits {
        array_length: 1_000_000,
        tagged_field_count: 10_000,
        memory_factor: 32,
        memory_constant: 32_000_000,
    };

    /// Return the limits as hosts pass them.
    pub const fn packed(&self) -> PackedLimits {
        (
            self.array_length,
            self.tagged_field_count,
            self.memory_factor,
            self.memory_constant,
        )
    }

    /// No limits, for bytes that have already been read within their limits.
    pub const NONE: Limits = Limits {
        array_length: u64::MAX,
        tagged_field_count: u64::MAX,
        memory_factor: u64::MAX,
        memory_constant: u64::MAX,
    };

    /// Fail for an array with too many elements.
    #[inline]
    pub fn check_elements(&self, count: usize) -> Result<(), WireError> {
        let (count, most) = (count as u64, self.array_length);
        if count > most {
            Err(too_many("elements", count, most, "array_length"))
        } else {
            Ok(())
        }
    }

    /// Fail for a tag section with too many fields.
    #[inline]
    pub fn check_tags(&self, count: u32) -> Result<(), WireError> {
        let (count, most) = (u64::from(count), self.tagged_field_count);
        if count > most {
            Err(too_many("tagged fields", count, most, "tagged_field_count"))
        } else {
            Ok(())
        }
    }

    /// Return the error for a message that exceeds its memory limit.
    #[cold]
    #[inline(never)]
    pub fn too_much_memory(&self) -> WireError {
        let (factor, constant) = (self.memory_factor, self.memory_constant);
        wrong(format_args!(
            "decoding takes more memory than {factor} times the bytes of the message plus {constant} bytes; \
             to allow more, pass limits=Limits(memory_factor=...)"
        ))
    }
}

#[cold]
#[inline(never)]
fn too_many(what: &str, count: u64, most: u64, limit: &str) -> WireError {
    wrong(format_args!(
        "{count} {what} are more than {most}; to allow more, pass limits=Limits({limit}=...)"
    ))
}

impl From<PackedLimits> for Limits {
    fn from((array_length, tagged_field_count, memory_factor, memory_constant): PackedLimits) -> Self {
        Limits {
            array_length,
            tagged_field_count,
            memory_factor,
            memory_constant,
        }
    }
}
