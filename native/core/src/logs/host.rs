//! What a host has: folders and files. One is this machine, others are Python and the JVM.

use std::io;

/// A file or a folder.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Entry {
    pub name: String,
    pub size: u64,
    /// Whether it is a folder; also for a link that leads nowhere, which may have been one.
    pub is_folder: bool,
    /// Tells a file from one that has its name later; 0 where that is not known.
    pub identity: u64,
    /// Why it can't be read: it is neither a folder nor a regular file, its link leads nowhere, or its name is not
    /// UTF-8.
    pub problem: Option<String>,
}

impl Entry {
    /// A file or folder that can be read.
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

/// Lists folders and opens files.
pub trait Host: Send + Sync {
    /// What is in a folder, in any order.
    fn list(&self, folder: &str) -> io::Result<Vec<Entry>>;
    /// What there is at a path; `None` for nothing.
    fn entry(&self, path: &str) -> io::Result<Option<Entry>>;
    /// Opens a file.
    fn open(&self, path: &str) -> io::Result<Box<dyn File>>;
    /// Folders that will be listed one after the other; a host may list them at the same time.
    fn expect(&self, _folders: &[&str]) -> io::Result<()> {
        Ok(())
    }
    /// Fails if the user wants the work to end. It is asked at each access to a file, so it has to be quick.
    fn check_interrupt(&self) -> io::Result<()> {
        Ok(())
    }
}

/// Whether there is nothing at a path.
pub fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// An open file.
pub trait File: Send + Sync {
    /// Reads bytes from a position on: fewer than the buffer has room for only at the end of the file.
    fn read_at(&self, position: u64, buffer: &mut [u8]) -> io::Result<usize>;
    /// How many bytes there are now.
    fn size(&self) -> io::Result<u64>;
    /// Tells the file from one that has its name later; 0 where that is not known.
    fn identity(&self) -> io::Result<u64> {
        Ok(0)
    }
    /// The first position from `position` on that the file system has bytes for; `end` if there is none before it.
    fn after_hole(&self, position: u64, _end: u64) -> u64 {
        position
    }
}
