//! Errors in a batch or a record.

use crate::wire::WireError;

/// An error in a part of a batch or record. `RecordsResult` boxes it, so that results fit in registers.
#[derive(Debug)]
pub struct RecordsError {
    pub message: String,
    /// The part of the batch, or of the record.
    pub path: String,
    /// The position of the error: in the buffer if it is about a batch, in the batch's records if it is about a record.
    pub at: usize,
}

/// The result of reading a part of a batch or a record.
pub type RecordsResult<T> = Result<T, Box<RecordsError>>;

/// Fail with a message; the caller adds the part and the position.
#[cold]
#[inline(never)]
pub fn fail<T>(message: String) -> RecordsResult<T> {
    fail_at(message, "", 0)
}

/// Fail with a message, a part and a position.
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
