//! Memory that each thread uses again for all its calls: Java copies bytes into the input, and reads the output.
//!
//! To ask Java for the bytes of an array instead takes three calls of the JVM, as long as decoding a few fields.

use std::cell::RefCell;

use messagegen_core::Error;

use crate::door::defect;

/// Output above this is given back before the next call. How much input is kept is up to Java.
const KEPT_BYTES: usize = 4 << 20;

#[derive(Default)]
struct Scratch {
    input: Vec<u8>,
    output: Output,
}

/// What a call gives to Java.
#[derive(Default)]
pub struct Output {
    /// A row.
    pub words: Vec<u64>,
    /// A message.
    pub bytes: Vec<u8>,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// The address of new input of so many bytes for this thread. It ends with the thread, or with the next call of this.
pub fn new_input(bytes: usize) -> *mut u8 {
    SCRATCH.with_borrow_mut(|scratch| {
        // The old memory is given back first.
        scratch.input = Vec::new();
        scratch.input = vec![0; bytes];
        scratch.input.as_mut_ptr()
    })
}

/// Calls a function with the first bytes of the input of this thread, and with its output.
#[inline]
pub fn with<T, E: From<Error>>(bytes: usize, call: impl FnOnce(&[u8], &mut Output) -> Result<T, E>) -> Result<T, E> {
    SCRATCH.with_borrow_mut(|Scratch { input, output }| {
        output.shrink();
        let Some(input) = input.get(..bytes) else {
            return Err(defect("more input than memory for it").into());
        };
        call(input, output)
    })
}

impl Output {
    /// Gives memory back that few results need.
    #[inline]
    fn shrink(&mut self) {
        if size_of::<u64>() * self.words.capacity() > KEPT_BYTES {
            self.words = Vec::new();
        }
        if self.bytes.capacity() > KEPT_BYTES {
            self.bytes = Vec::new();
        }
    }
}
