//! What is wrong with a batch or a record.

use crate::wire::WireError;

/// What is wrong, in which part, and at which byte; boxed, so that results fit in registers.
#[derive(Debug)]
pub struct RecordsError {
    pub message: String,
    /// The part of the batch, or of the record.
    pub path: String,
    /// The byte: of the buffer for a batch, of the records of the batch for a record.
    pub at: usize,
}

/// The result of reading a part of a batch or a record.
pub type RecordsResult<T> = Result<T, Box<RecordsError>>;

/// Fails in a part and at a byte that the caller adds.
#[cold]
#[inline(never)]
pub fn fail<T>(message: String) -> RecordsResult<T> {
    fail_at(message, "", 0)
}

/// Fails in a part and at a byte.
#[cold]
#[inline(never)]
pub fn fail_at<T>(message: String, path: impl Into<String>, at: usize) -> RecordsResult<T> {
    Err(Box::new(RecordsError {
        message,
        path: path.into(),
        at,
    }))
}

impl From<WireError> for Box<RecordsError> {
    #[cold]
    fn from(error: WireError) -> Self {
        Box::new(RecordsError {
            message: *error,
            path: String::new(),
            at: 0,
        })
    }
}
