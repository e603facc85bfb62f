//! A cache of values in the same message.
//!
//! Long arrays repeat values: brokers, epochs, entity types, quota keys. Making and freeing such an object takes several times
//! as long as finding an equal one, except for ints, which are not cached. Each table is direct-mapped: a value has one place,
//! which holds the latest value with that place.

use messagegen_core::plan::Kind;
use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyString, PyTuple};

const PLACES: usize = 64;
/// Longer texts and arrays are not cached: they take long to compare and are rarely equal.
const LONGEST: usize = 64;

/// An array and what it costs.
type Costly<'py> = (Bound<'py, PyTuple>, u64);

/// The latest values of one message.
pub struct Cache<'a, 'py> {
    floats: Table<u64, Bound<'py, PyAny>>,
    strings: Table<&'a [u8], Bound<'py, PyString>>,
    arrays: Table<(Kind, &'a [u8]), Costly<'py>>,
}

impl<'a, 'py> Cache<'a, 'py> {
    /// An empty cache.
    pub fn new() -> Self {
        Cache { floats: Table::new(), strings: Table::new(), arrays: Table::new() }
    }

    /// The float object of a value. Values are equal if their bits are.
    #[inline]
    pub fn float(&mut self, py: Python<'py>, value: f64) -> Bound<'py, PyAny> {
        let bits = value.to_bits();
        self.floats.get_or(mixed(bits), bits, || PyFloat::new(py, value).into_any())
    }

    /// The text of bytes. Fails if they are not UTF-8.
    #[inline]
    pub fn string(&mut self, py: Python<'py>, text: &'a [u8]) -> PyResult<Bound<'py, PyString>> {
        if text.len() > LONGEST {
            return PyString::from_bytes(py, text);
        }
        self.strings.get_or_try(place_of(text), text, || PyString::from_bytes(py, text))
    }

    /// The tuple of an array of fixed-size elements and its cost, if it is cached.
    #[inline]
    pub fn array(&self, kind: Kind, run: &'a [u8]) -> Option<Costly<'py>> {
        if run.len() > LONGEST { None } else { self.arrays.get(place_of(run), &(kind, run)).cloned() }
    }

    /// Caches the tuple of an array and its cost.
    #[inline]
    pub fn put_array(&mut self, kind: Kind, run: &'a [u8], tuple: &Bound<'py, PyTuple>, cost: u64) {
        if run.len() <= LONGEST {
            self.arrays.put(place_of(run), (kind, run), (tuple.clone(), cost));
        }
    }
}

/// The latest value for each place, with its bytes.
struct Table<K, V>(Vec<Option<(K, V)>>);

impl<K: PartialEq, V: Clone> Table<K, V> {
    /// Allocates nothing until the first value is added.
    const fn new() -> Self {
        Table(Vec::new())
    }

    #[inline]
    fn get(&self, place: usize, key: &K) -> Option<&V> {
        match self.0.get(place) {
            Some(Some((held, value))) if held == key => Some(value),
            _ => None,
        }
    }

    #[inline]
    fn put(&mut self, place: usize, key: K, value: V) {
        if self.0.is_empty() {
            self.0.resize_with(PLACES, || None);
        }
        self.0[place] = Some((key, value));
    }

    #[inline]
    fn get_or(&mut self, place: usize, key: K, make: impl FnOnce() -> V) -> V {
        if let Some(value) = self.get(place, &key) {
            return value.clone();
        }
        let value = make();
        self.put(place, key, value.clone());
        value
    }

    #[inline]
    fn get_or_try(&mut self, place: usize, key: K, make: impl FnOnce() -> PyResult<V>) -> PyResult<V> {
        if let Some(value) = self.get(place, &key) {
            return Ok(value.clone());
        }
        let value = make()?;
        self.put(place, key, value.clone());
        Ok(value)
    }
}

/// Spreads neighbouring numbers over all places (Fibonacci hashing).
#[inline]
const fn mixed(value: u64) -> usize {
    (value.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 58) as usize
}

/// The place of some bytes, by their first and last eight and their number.
#[inline]
fn place_of(bytes: &[u8]) -> usize {
    let (first, last) = match (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        (Some(first), Some(last)) => (u64::from_le_bytes(*first), u64::from_le_bytes(*last)),
        _ => (bytes.iter().fold(0, |word, &byte| word << 8 | u64::from(byte)), 0),
    };
    mixed(first ^ last.rotate_left(29) ^ bytes.len() as u64)
}
