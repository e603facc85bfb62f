//! The error that callers of this library see: each door makes its own exception of it.

use std::fmt;

/// What kind of exception an error is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A value, or bytes, that cannot be used.
    Value,
    /// An argument, or an Arrow array, of the wrong type.
    Type,
    /// A version that the message does not have.
    UnknownVersion(i64),
}

/// What went wrong, for the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    pub kind: Kind,
    pub text: String,
}

/// The result of what may fail for the user.
pub type Outcome<T> = Result<T, Error>;

impl Error {
    /// An error about a value.
    #[cold]
    pub fn value(text: impl Into<String>) -> Self {
        Error { kind: Kind::Value, text: text.into() }
    }

    /// An error about a type.
    #[cold]
    pub fn wrong_type(text: impl Into<String>) -> Self {
        Error { kind: Kind::Type, text: text.into() }
    }

    /// The error for a version that the message does not have.
    #[cold]
    pub fn unknown_version(version: i64) -> Self {
        Error { kind: Kind::UnknownVersion(version), text: format!("the message has no version {version}") }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

impl std::error::Error for Error {}
