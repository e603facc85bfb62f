//! The interface to a host's folders and files. This machine is one host; Python and the JVM are others.

use std::io;

/// A file or a folder.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Entry {
    pub name: String,
    pub size: u64,
    /// Whether it is a folder; also true for a dangling link, which may have led to one.
    pub is_folder: bool,
    /// A number that distinguishes the file from a later file of the same name; 0 if unknown.
    pub identity: u64,
    /// The reason if it can't be read: its type is unsupported, its link leads nowhere, or its name is not UTF-8.
    pub problem: Option<String>,
}

impl Entry {
    /// Return a readable file or folder.
    pub fn new(name: String, size: u64, is_folder: bool, identity: u64) -> Self {
        Entry {
            name,
            size,
            is_folder,
            identity,
            problem: None,
        }
    }
}

/// The folders and files of a host.
pub trait Host: Send + Sync {
    /// Return the entries of a folder, in any order.
    fn list(&self, folder: &str) -> io::Result<Vec<Entry>>;
    /// Return the file or folder at a path; `None` if nothing exists there.
    fn entry(&self, path: &str) -> io::Result<Option<Entry>>;
    /// Open a file.
    fn open(&self, path: &str) -> io::Result<Box<dyn File>>;
    /// Announce folders that will be listed one after another, so that a host may list them in parallel.
    fn expect(&self, _folders: &[&str]) -> io::Result<()> {
        Ok(())
    }
    /// Fail if the user has cancelled the work. This is called at each access to a file, so it must be fast.
    fn check_interrupt(&self) -> io::Result<()> {
        Ok(())
    }
}

/// Whether an error means that nothing exists at a path.
pub fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// An open file.
pub trait File: Send + Sync {
    /// Read bytes at a position and return their number, which is less than the buffer's size only at the end of the
    /// file.
    fn read_at(&self, position: u64, buffer: &mut [u8]) -> io::Result<usize>;
    /// Return the current size in bytes.
    fn size(&self) -> io::Result<u64>;
    /// Return a number that distinguishes the file from a later file of the same name; 0 if unknown.
    fn identity(&self) -> io::Result<u64> {
        Ok(0)
    }
    /// Return the first position at or after `position` that is not in a hole of the file.
    ///
    /// Return `end` if the file has no such position before it.
    fn after_hole(&self, position: u64, _end: u64) -> u64 {
        position
    }
}
