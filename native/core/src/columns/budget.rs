//! The memory that one message may take in columns: hostile bytes announce large arrays, and a value can take more
//! memory in columns than on the wire.
//!
//! Elements of an array are charged before they are appended, each with the bits of its column and of all columns below
//! it up to the next array. These are known from the columns, so an array costs one multiplication and a value nothing.
//! Texts, bytes and arrays of constant size are charged as bytes of the message, because each byte goes into at most
//! one column.
//!
//! A column that grows value by value takes up to three times its size for a moment: its memory doubles, and the old
//! memory is not freed at once. So elements are charged twice.

use crate::limits::Limits;

/// How often the bytes of the message are charged.
const OWN_BYTES: u64 = 3;
/// How often elements are charged.
const GROWTH: u64 = 2;

/// What one message may still append, in bits.
#[derive(Clone, Copy)]
pub struct Budget {
    left: u64,
}

/// What an element costs that goes into columns.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// Bits of columns.
    pub bits: u64,
    /// The least number of bytes that it takes of the message.
    pub smallest: usize,
}

impl Budget {
    /// The budget of a message of so many bytes.
    pub fn new(limits: &Limits, size: usize) -> Self {
        // The bytes are charged at once: texts as columns that grow, arrays of constant size at up to twice their size.
        let bytes = (size as u64)
            .saturating_mul(limits.memory_factor.saturating_sub(OWN_BYTES))
            .saturating_add(limits.memory_constant);
        Budget {
            left: bytes.saturating_mul(8),
        }
    }

    /// Charges announced elements, of a message of which so many bytes are left: these can't have more than are
    /// charged. `false` if the budget is used up.
    #[inline]
    pub fn charge(&mut self, count: usize, cost: Cost, left: usize) -> bool {
        let possible = left
            .checked_div(cost.smallest)
            .map_or(count, |most| count.min(most + 1));
        let rest = self
            .left
            .checked_sub((possible as u64).saturating_mul(GROWTH * cost.bits));
        self.left = rest.unwrap_or(0);
        rest.is_some()
    }
}
