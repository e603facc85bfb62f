//! Why logs can't be planned or read.

use std::io;

/// What a door makes an exception of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// A path that is not there or holds no logs, or a topic that is not there.
    Path,
    /// An option that is unknown, or has a value that it can't have.
    Option,
    /// A damaged batch or segment, where the mode does not keep or drop it.
    Malformed,
    /// A file that ends within a batch, under `failOnTruncated`.
    Truncated,
    /// A file that was replaced or deleted after it was planned.
    DataLoss,
    /// Records that are gone between two positions of a stream.
    Gap,
    /// A checkpoint of another version.
    Checkpoint,
    /// A remote segment that a plugin of tiered storage compressed or encrypted.
    Tiered,
    /// The file system.
    Io,
}

/// An error with its text; those of the file system keep what the host reported.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct LogError {
    pub kind: ErrorKind,
    pub text: String,
    pub io: Option<io::Error>,
    /// The file that the host reported it of.
    pub path: Option<String>,
}

/// The result of planning or reading.
pub type LogResult<T> = Result<T, LogError>;

impl LogError {
    /// An error of some kind.
    pub fn new(kind: ErrorKind, text: impl Into<String>) -> Self {
        LogError { kind, text: text.into(), io: None, path: None }
    }

    /// What the file system said of a file.
    pub fn of_file(path: &str, error: io::Error) -> Self {
        LogError { kind: ErrorKind::Io, text: error.to_string(), io: Some(error), path: Some(path.to_owned()) }
    }

    /// Whether a file is gone.
    pub fn is_gone(&self) -> bool {
        self.io.as_ref().is_some_and(|error| error.kind() == io::ErrorKind::NotFound)
    }
}

/// Fails with a kind and a text.
pub fn fail<T>(kind: ErrorKind, text: impl Into<String>) -> LogResult<T> {
    Err(LogError::new(kind, text))
}

/// `None` for a file that is gone.
pub fn unless_gone<T>(result: LogResult<T>) -> LogResult<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.is_gone() => Ok(None),
        Err(error) => Err(error),
    }
}
