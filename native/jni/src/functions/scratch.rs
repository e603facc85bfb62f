//! Memory that each thread reuses for all its calls: Java copies bytes into the input, and reads the output.
//!
//! Without it, getting the bytes of an array would take three JVM calls, which take as long as decoding a few fields.

use std::cell::RefCell;

use messagegen_core::Error;

use crate::door::defect;

/// The maximum size of an output buffer that is kept for the next call. Java decides which input buffers are kept.
const KEPT_BYTES: usize = 4 << 20;

#[derive(Default)]
struct Scratch {
    input: Vec<u8>,
    output: Output,
}

/// The result of a call, which Java reads.
#[derive(Default)]
pub struct Output {
    /// The size and the words of a decoded row.
    pub words: Vec<u64>,
    /// The size and the bytes of an encoded result.
    pub bytes: Vec<u8>,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// Replace the input of this thread by `bytes` zero bytes, and return its address. It is valid until the thread ends or
/// calls this function again.
pub fn new_input(bytes: usize) -> *mut u8 {
    SCRATCH.with_borrow_mut(|scratch| {
        // Free the old memory first, so that old and new memory never exist at the same time.
        scratch.input = Vec::new();
        scratch.input = vec![0; bytes];
        scratch.input.as_mut_ptr()
    })
}

/// Call a function with the first `bytes` bytes of this thread's input, and with this thread's output.
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
    /// Free memory that is only needed for large results.
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
