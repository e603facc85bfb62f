//! The memory budget of one message (`docs/design/009-limits.md`).
//!
//! Every byte of a message pays for a fixed number of bytes of memory. Array elements and tagged fields may take more
//! memory than their bytes pay for. This difference is their charge, which the plan contains.
//!
//! All charges of an array are taken as soon as its count is known, before its first element is created. So hostile
//! bytes can't claim more elements than the budget allows.

use crate::limits::Limits;

/// The bytes of memory that each byte of a message pays for; the same number as in the runtime (`runtime/errors.py`).
pub const PAID_PER_BYTE: u64 = 12;

/// The memory in bytes that one message may still take, in addition to the memory that its bytes pay for.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// The budget at the start of the message.
    start: u64,
    left: u64,
}

impl Budget {
    /// The budget for bytes that have already been read within their limits.
    pub const UNLIMITED: Budget = Budget {
        start: u64::MAX,
        left: u64::MAX,
    };

    /// Return the budget of a message; `size` is the number of bytes from its start to the end of the buffer.
    pub fn new(limits: &Limits, size: usize) -> Self {
        let of_each_byte = limits.memory_factor.saturating_sub(PAID_PER_BYTE);
        let start = of_each_byte
            .saturating_mul(size as u64)
            .saturating_add(limits.memory_constant);
        Budget { start, left: start }
    }

    /// Take the charges of `count` elements; return `false` if not enough is left.
    #[inline(always)]
    pub fn take(&mut self, count: usize, charge: u32) -> bool {
        // Neither factor has more than 32 bits: counts are varints or of type int32.
        debug_assert!(u32::try_from(count).is_ok());
        let charges = (count as u64).wrapping_mul(u64::from(charge));
        match self.left.checked_sub(charges) {
            Some(left) => {
                self.left = left;
                true
            }
            None => false,
        }
    }

    /// Whether a complete message of `size` bytes stayed within its own limit. The start of the budget also counts
    /// bytes after the message, which must not make it acceptable.
    pub fn suffices(&self, limits: &Limits, size: usize) -> bool {
        let size = size as u64;
        let taken = (self.start - self.left).saturating_add(size.saturating_mul(PAID_PER_BYTE));
        let most = limits
            .memory_factor
            .saturating_mul(size)
            .saturating_add(limits.memory_constant);
        taken <= most
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits {
        memory_factor: 20,
        memory_constant: 100,
        ..Limits::DEFAULT
    };

    #[test]
    fn charges_are_taken_until_nothing_is_left() {
        let mut budget = Budget::new(&LIMITS, 10); // 8 * 10 + 100
        assert!(budget.take(17, 10));
        assert!(budget.take(1, 10));
        assert!(!budget.take(1, 1));
        assert!(budget.take(1_000_000, 0));
    }

    #[test]
    fn bytes_after_a_message_do_not_make_it_acceptable() {
        let mut budget = Budget::new(&LIMITS, 1_000);
        assert!(budget.take(1, 140));
        assert!(budget.suffices(&LIMITS, 5));
        assert!(!budget.suffices(&LIMITS, 4));
    }

    #[test]
    fn a_memory_factor_of_zero_refuses_long_messages() {
        let limits = Limits {
            memory_factor: 0,
            ..LIMITS
        };
        let budget = Budget::new(&limits, 10);
        assert!(budget.suffices(&limits, 8)); // 12 * 8 <= 100
        assert!(!budget.suffices(&limits, 9));
    }

    #[test]
    fn the_highest_limits_do_not_overflow() {
        let limits = Limits {
            memory_factor: u64::MAX,
            memory_constant: u64::MAX,
            ..LIMITS
        };
        let mut budget = Budget::new(&limits, usize::MAX);
        assert!(budget.take(u32::MAX as usize, u32::MAX));
        assert!(budget.suffices(&limits, usize::MAX));
    }
}
