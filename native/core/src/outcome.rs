//! The error that callers of this library see: each door makes its own exception of it.

use std::any::Any;
use std::fmt;
use std::io;

/// What kind of exception an error is. The kinds of logs go to hosts by their names here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A value, or bytes, that cannot be used.
    Value,
    /// An argument, or an Arrow array, of the wrong type.
    Type,
    /// A version that the message does not have.
    UnknownVersion(i64),
    /// A path that is not there or holds no logs, or a topic that is not there.
    Path,
    /// An option that is unknown, or has a value that it can't have.
    Option,
    /// A damaged batch or segment, where the mode does not keep or drop it.
    Malformed,
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

/// What went wrong, for the user.
#[derive(Debug)]
pub struct Error {
    pub kind: Kind,
    pub text: String,
    /// The path of a file, and what the host reported of it.
    pub io: Option<Box<(String, io::Error)>>,
}

/// The result of what may fail for the user.
pub type Outcome<T> = Result<T, Error>;

impl Error {
    /// An error of some kind.
    #[cold]
    pub fn new(kind: Kind, text: impl Into<String>) -> Self {
        Error {
            kind,
            text: text.into(),
            io: None,
        }
    }

    /// An error about a value.
    #[cold]
    pub fn value(text: impl Into<String>) -> Self {
        Error::new(Kind::Value, text)
    }

    /// An error about a type.
    #[cold]
    pub fn wrong_type(text: impl Into<String>) -> Self {
        Error::new(Kind::Type, text)
    }

    /// The error for a version that the message does not have.
    #[cold]
    pub fn unknown_version(version: i64) -> Self {
        Error::new(
            Kind::UnknownVersion(version),
            format!("the message has no version {version}"),
        )
    }

    /// What the file system said of a file.
    #[cold]
    pub fn of_file(path: &str, error: io::Error) -> Self {
        Error {
            kind: Kind::Io,
            text: format!("{path}: {error}"),
            io: Some(Box::new((path.to_owned(), error))),
        }
    }
}

/// Fails with a kind and a text.
#[cold]
pub fn fail<T>(kind: Kind, text: impl Into<String>) -> Outcome<T> {
    Err(Error::new(kind, text))
}

/// What a panic says. It is always a defect.
#[cold]
pub fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied());
    text.unwrap_or("no reason was given")
}

/// `None` for a file that is gone.
pub fn unless_gone<T>(result: Outcome<T>) -> Outcome<Option<T>> {
    match result {
        Err(Error { io: Some(cause), .. }) if cause.1.kind() == io::ErrorKind::NotFound => Ok(None),
        other => other.map(Some),
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

impl std::error::Error for Error {}
