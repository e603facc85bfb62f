//! The error type of this library; each binding converts it to its own exceptions.

use std::any::Any;
use std::fmt;
use std::io;

/// The kind of an error, which determines the exception. Hosts receive the kinds of log errors by these names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A value, or bytes, that cannot be used.
    Value,
    /// An argument, or an Arrow array, of the wrong type.
    Type,
    /// An unknown version of the message.
    UnknownVersion(i64),
    /// A path that does not exist or has no logs, or a topic that does not exist.
    Path,
    /// An unknown option, or an invalid value of an option.
    Option,
    /// A damaged batch or segment, unless the mode keeps or drops it.
    Malformed,
    /// A file that was replaced or deleted after it was planned.
    DataLoss,
    /// Records that are gone between two positions of a stream.
    Gap,
    /// A checkpoint or a task from a different version of messagegen.
    Checkpoint,
    /// A remote segment that a tiered storage plugin has compressed or encrypted.
    Tiered,
    /// An error of the file system.
    Io,
}

/// An error for the user.
#[derive(Debug)]
pub struct Error {
    pub kind: Kind,
    pub text: String,
    /// The path of a file, and the error that the host reported for it.
    pub io: Option<Box<(String, io::Error)>>,
}

/// The result of an operation that may fail with an error for the user.
pub type Outcome<T> = Result<T, Error>;

impl Error {
    /// Return an error of some kind.
    #[cold]
    pub fn new(kind: Kind, text: impl Into<String>) -> Self {
        Error {
            kind,
            text: text.into(),
            io: None,
        }
    }

    /// Return an error about a value.
    #[cold]
    pub fn value(text: impl Into<String>) -> Self {
        Error::new(Kind::Value, text)
    }

    /// Return an error about a type.
    #[cold]
    pub fn wrong_type(text: impl Into<String>) -> Self {
        Error::new(Kind::Type, text)
    }

    /// Return the error for an unknown version of the message.
    #[cold]
    pub fn unknown_version(version: i64) -> Self {
        Error::new(
            Kind::UnknownVersion(version),
            format!("the message has no version {version}"),
        )
    }

    /// Return an error of the file system about a file.
    #[cold]
    pub fn of_file(path: &str, error: io::Error) -> Self {
        Error {
            kind: Kind::Io,
            text: format!("{path}: {error}"),
            io: Some(Box::new((path.to_owned(), error))),
        }
    }
}

/// Fail with the given kind and text.
#[cold]
pub fn fail<T>(kind: Kind, text: impl Into<String>) -> Outcome<T> {
    Err(Error::new(kind, text))
}

/// Return the error text for a panic, which is always a defect.
#[cold]
pub fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied());
    text.unwrap_or("no reason was given")
}

/// Return `None` if the error means that a file is gone; return other results unchanged.
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
