//! The interface to the folders and files of a host: this machine, Python or the JVM.

use std::io;

/// A file or a folder.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Entry {
    pub name: String,
    pub size: u64,
    /// Whether it is a folder; also true for a dangling link, because it may have pointed to a folder.
    pub is_folder: bool,
    /// A number that distinguishes the file from a later file of the same name; 0 if unknown.
    pub identity: u64,
    /// The reason if the entry can't be read: its type is unsupported, it is a dangling link, or its name is not UTF-8.
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
    /// Announce folders that will soon be listed one by one, so that the host can list them in parallel now.
    fn expect(&self, _folders: &[&str]) -> io::Result<()> {
        Ok(())
    }
    /// Fail if the user has cancelled the work. This method is called at each file access, so it must be fast.
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
    /// Return `end` if no such position is before `end`.
    fn after_hole(&self, position: u64, _end: u64) -> u64 {
        position
    }
}
