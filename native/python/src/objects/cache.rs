//! A cache for the values of one message.
//!
//! Long arrays often repeat values such as brokers, entity types and quota keys. Creating and freeing such an object
//! takes several times as long as finding an equal one. This is not true of numbers, so they are not cached. Each table
//! is direct-mapped: a value has only one possible place, which holds the latest value that hashed to it.

use messagegen_core::plan::Kind;
use pyo3::prelude::*;

const PLACES: usize = 64;
/// The maximum size in bytes of a cached value. Longer strings and arrays take long to compare and are rarely equal.
const LONGEST: usize = 64;

/// The latest values of one message, by type.
#[derive(Default)]
pub struct Cache<'a, 'py> {
    pub strings: Table<'a, 'py>,
    pub arrays: Table<'a, 'py>,
}

/// The latest value in each place, with the kind of its elements and with its bytes.
#[derive(Default)]
pub struct Table<'a, 'py>(Vec<Option<Entry<'a, 'py>>>);

type Entry<'a, 'py> = (Option<Kind>, &'a [u8], Bound<'py, PyAny>);

impl<'a, 'py> Table<'a, 'py> {
    /// Return the cached value for `bytes`, if any.
    #[inline]
    pub fn get(&self, kind: Option<Kind>, bytes: &[u8]) -> Option<Bound<'py, PyAny>> {
        match self.0.get(place_of(bytes))? {
            Some((held, known, value)) if *held == kind && *known == bytes => Some(value.clone()),
            _ => None,
        }
    }

    /// Cache a value.
    #[inline]
    pub fn put(&mut self, kind: Option<Kind>, bytes: &'a [u8], value: &Bound<'py, PyAny>) {
        if bytes.len() > LONGEST {
            return;
        }
        if self.0.is_empty() {
            self.0.resize_with(PLACES, || None);
        }
        self.0[place_of(bytes)] = Some((kind, bytes, value.clone()));
    }
}

/// Return the place of `bytes`: a Fibonacci hash of their first and last eight bytes and their length.
#[inline]
fn place_of(bytes: &[u8]) -> usize {
    let (first, last) = match (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        (Some(first), Some(last)) => (u64::from_le_bytes(*first), u64::from_le_bytes(*last)),
        _ => (bytes.iter().fold(0, |word, &byte| word << 8 | u64::from(byte)), 0),
    };
    let word = first ^ last.rotate_left(29) ^ bytes.len() as u64;
    (word.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 58) as usize
}
