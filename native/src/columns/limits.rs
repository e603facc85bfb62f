//! How much one message may be: hostile bytes announce large arrays, and columns hold more of a value than the wire does.
//!
//! What a message appends is charged before it is: so many bits for an element of an array, with all columns below it that
//! are not those of a further array. These are known from the columns, so that a batch costs one multiplication for each array
//! and nothing for each value. Texts, bytes and arrays of constant size are charged as the bytes of the message, of which each
//! goes into one column at most.
//!
//! A column that grows value by value takes up to three times its size meanwhile: it doubles, and what it outgrew is not given
//! back at once. So elements are charged twice, but for those of a large array, for which memory is reserved at once.

use super::fault::{Outcome, Stop};

/// How often the message's own bytes are charged.
const OWN_BYTES: u64 = 3;
/// Memory is reserved for so many elements.
pub const LARGE: usize = 1024;
/// How often elements are charged for which no memory is reserved.
const GROWTH: u64 = 2;

/// What one message may be; the names and the defaults are those of the runtime (`limits.py`).
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Elements of one array (Kafka 4.4: `MessageUtil.MAX_ARRAY_LENGTH`).
    array_length: u64,
    /// Fields of one tag section (Kafka 4.4: `MessageUtil.MAX_TAGGED_FIELD_COUNT`).
    tagged_field_count: u64,
    /// So many bytes of columns for each byte of the message,
    memory_factor: u64,
    /// and so many more.
    memory_constant: u64,
}

/// The limits in the order of their names in the runtime, as Python gives them; `None` for the defaults.
pub type Packed = Option<(u64, u64, u64, u64)>;

impl From<Packed> for Limits {
    fn from(packed: Packed) -> Self {
        let (array_length, tagged_field_count, memory_factor, memory_constant) =
            packed.unwrap_or((1_000_000, 10_000, 10, 1_000_000));
        Limits { array_length, tagged_field_count, memory_factor, memory_constant }
    }
}

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

impl Cost {
    /// How many of so many announced elements may be appended, of a message of which so many bytes are left.
    pub fn possible(self, count: usize, left: usize) -> usize {
        left.checked_div(self.smallest).map_or(count, |most| count.min(most + 1))
    }
}

impl Limits {
    /// The budget of a message of so many bytes.
    pub fn budget(&self, size: usize) -> Budget {
        // Its own bytes are charged at once: texts as columns that grow, arrays of constant size at up to twice their size.
        let bytes = (size as u64)
            .saturating_mul(self.memory_factor.saturating_sub(OWN_BYTES))
            .saturating_add(self.memory_constant);
        Budget { left: bytes.saturating_mul(8) }
    }

    /// The most elements of one array.
    pub fn longest(&self) -> usize {
        usize::try_from(self.array_length).unwrap_or(usize::MAX)
    }

    /// Why an array was refused that is too long.
    #[cold]
    #[inline(never)]
    pub fn too_long(&self, count: usize) -> Stop {
        too_many(count as u64, "elements", self.array_length, "array_length")
    }

    /// Refuses tag sections with too many fields.
    #[inline(always)]
    pub fn check_tags(&self, count: u32) -> Outcome<()> {
        let (count, most) = (u64::from(count), self.tagged_field_count);
        if count > most { Err(too_many(count, "tagged fields", most, "tagged_field_count")) } else { Ok(()) }
    }

    /// Why a message was refused whose budget is used up.
    #[cold]
    pub fn too_large(&self) -> Stop {
        let Limits { memory_factor, memory_constant, .. } = self;
        Stop::row(format!(
            "decoding takes more memory than {memory_factor} times the bytes of the message plus {memory_constant} bytes; \
             to allow more, pass limits=Limits(memory_factor=...)"
        ))
    }
}

#[cold]
#[inline(never)]
fn too_many(count: u64, what: &str, most: u64, name: &str) -> Stop {
    Stop::row(format!("{count} {what} are more than {most}; to allow more, pass limits=Limits({name}=...)"))
}

impl Budget {
    /// Charges so many elements, of a message of which so many bytes are left; `false` if the budget is used up.
    #[inline(always)]
    pub fn charge(&mut self, count: usize, cost: Cost, left: usize) -> bool {
        let bits = if count < LARGE { GROWTH * cost.bits } else { cost.bits };
        match self.left.checked_sub((count as u64).saturating_mul(bits)) {
            Some(rest) => {
                self.left = rest;
                true
            }
            None => self.charge_what_is_there(count, cost, left),
        }
    }

    /// Of elements that the message can't have, no more than it can have are ever appended.
    #[cold]
    fn charge_what_is_there(&mut self, count: usize, cost: Cost, left: usize) -> bool {
        let possible = cost.possible(count, left);
        match self.left.checked_sub((possible as u64).saturating_mul(GROWTH * cost.bits)) {
            Some(rest) if possible < count => {
                self.left = rest;
                true
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits { array_length: 10, tagged_field_count: 2, memory_factor: 4, memory_constant: 8 };

    #[test]
    fn a_budget_is_a_multiple_of_the_message_and_a_constant() {
        let cost = Cost { bits: 8, smallest: 1 };
        let mut budget = LIMITS.budget(100);
        assert!(budget.charge(50, cost, 1_000) && budget.charge(4, cost, 1_000));
        assert!(!budget.charge(1, cost, 1_000));
        assert!(LIMITS.budget(10_000).charge(10_000, cost, 10_000));
        let most = Limits { memory_factor: u64::MAX, memory_constant: u64::MAX, ..LIMITS };
        assert!(most.budget(usize::MAX).charge(1 << 40, cost, 0));
    }

    #[test]
    fn elements_that_cannot_be_there_are_not_charged() {
        let mut budget = LIMITS.budget(100);
        assert!(budget.charge(1_000, Cost { bits: 32, smallest: 8 }, 100));
        assert!(!budget.charge(1_000, Cost { bits: 32, smallest: 0 }, 100));
    }

    #[test]
    fn a_refusal_names_what_sets_the_limit() {
        assert!(LIMITS.longest() == 10 && LIMITS.check_tags(2).is_ok());
        let text = |outcome: Outcome<()>| match outcome.expect_err("too much").cause() {
            super::super::fault::Cause::Row(reason, _) => reason.text,
            super::super::fault::Cause::Batch(text) => text.to_owned(),
        };
        assert!(text(Err(LIMITS.too_long(11))).contains("array_length="));
        assert!(text(LIMITS.check_tags(3)).contains("tagged_field_count="));
        assert!(text(Err(LIMITS.too_large())).contains("4 times the bytes of the message plus 8 bytes"));
    }
}
