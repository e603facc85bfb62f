//! Where files are: what a host (Python, the JVM) does for the planner and the reader.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::rc::Rc;

use super::error::{LogError, LogResult, unless_gone};
use super::paths;

/// What a name in a folder is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A file.
    File,
    /// A folder.
    Folder,
    /// A link to nothing.
    BrokenLink,
}

/// A name in a folder.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Entry {
    pub name: String,
    pub size: u64,
    pub kind: Kind,
    /// Tells a file from one that has its name later; 0 where that is not known.
    pub identity: u64,
}

/// Lists folders and opens files.
pub trait Storage: Send + Sync {
    /// What is in a folder, in any order.
    fn list(&self, folder: &str) -> io::Result<Vec<Entry>>;
    /// What there is at a path; `None` for nothing.
    fn entry(&self, path: &str) -> io::Result<Option<Entry>>;
    /// Opens a file.
    fn open(&self, path: &str) -> io::Result<Box<dyn File>>;
    /// Whether the files at a path are on this machine, so that opening one costs microseconds.
    fn is_local(&self, path: &str) -> bool;
    /// Folders that will be listed one after the other; a host may list them at the same time.
    fn expect(&self, _folders: &[String]) -> io::Result<()> {
        Ok(())
    }
    /// Whether a regular expression of the host matches a whole topic; says what is wrong with the expression otherwise.
    fn matches(&self, pattern: &str, topic: &str) -> Result<bool, String>;
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

/// The files of this machine.
pub struct LocalStorage;

impl Storage for LocalStorage {
    fn list(&self, folder: &str) -> io::Result<Vec<Entry>> {
        let names = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.file_name()));
        let names = names.collect::<io::Result<Vec<_>>>()?;
        let entries = names.into_iter().filter_map(|name| name.into_string().ok());
        entries.filter_map(|name| self.entry(&paths::join(folder, &name)).transpose()).collect()
    }

    fn entry(&self, path: &str) -> io::Result<Option<Entry>> {
        let name = paths::name(path).to_owned();
        match fs::metadata(path) {
            Ok(found) => {
                let kind = if found.is_dir() { Kind::Folder } else { Kind::File };
                Ok(Some(Entry { name, size: found.len(), kind, identity: found.ino() }))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => match fs::symlink_metadata(path) {
                Ok(_) => Ok(Some(Entry { name, size: 0, kind: Kind::BrokenLink, identity: 0 })),
                Err(_) => Ok(None),
            },
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn open(&self, path: &str) -> io::Result<Box<dyn File>> {
        Ok(Box::new(LocalFile(fs::File::open(path)?)))
    }

    fn is_local(&self, _path: &str) -> bool {
        true
    }

    fn matches(&self, _pattern: &str, _topic: &str) -> Result<bool, String> {
        Err("there are no regular expressions here".to_owned())
    }
}

/// A file that is read, never mapped: a broker that truncates its log would take the mapped bytes, and the process, away.
struct LocalFile(fs::File);

impl File for LocalFile {
    fn read_at(&self, position: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let mut done = 0;
        while done < buffer.len() {
            match self.0.read_at(&mut buffer[done..], position + done as u64) {
                Ok(0) => break,
                Ok(count) => done += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(done)
    }

    fn size(&self) -> io::Result<u64> {
        Ok(self.0.metadata()?.len())
    }

    fn identity(&self) -> io::Result<u64> {
        Ok(self.0.metadata()?.ino())
    }

    /// Preallocated segments are mostly holes, which take long to read.
    #[cfg(target_os = "linux")]
    fn after_hole(&self, position: u64, end: u64) -> u64 {
        use rustix::fs::{SeekFrom, seek};
        match seek(&self.0, SeekFrom::Data(position)) {
            Ok(found) => found.min(end).max(position),
            Err(rustix::io::Errno::NXIO) => end,
            Err(_) => position,
        }
    }
}

/// An open file that names its path in errors.
pub struct Opened {
    file: Box<dyn File>,
    /// The path.
    pub path: String,
}

impl Opened {
    /// Opens a file.
    pub fn new(storage: &dyn Storage, path: &str) -> LogResult<Self> {
        let file = storage.open(path).map_err(|error| LogError::of_file(path, error))?;
        Ok(Opened { file, path: path.to_owned() })
    }

    /// The bytes from a position on, fewer at the end of the file; replaces what the buffer holds.
    pub fn read(&self, position: u64, count: usize, buffer: &mut Vec<u8>) -> LogResult<()> {
        buffer.resize(count, 0);
        let done = self.file.read_at(position, buffer).map_err(|error| LogError::of_file(&self.path, error))?;
        buffer.truncate(done);
        Ok(())
    }

    /// The same in a new buffer.
    pub fn bytes(&self, position: u64, count: usize) -> LogResult<Vec<u8>> {
        let mut buffer = Vec::new();
        self.read(position, count, &mut buffer)?;
        Ok(buffer)
    }

    /// How many bytes there are now.
    pub fn size(&self) -> LogResult<u64> {
        self.file.size().map_err(|error| LogError::of_file(&self.path, error))
    }

    /// Tells the file from one that has its name later.
    pub fn identity(&self) -> LogResult<u64> {
        self.file.identity().map_err(|error| LogError::of_file(&self.path, error))
    }

    /// The first position from `position` on that may have other bytes than zeros.
    pub fn after_hole(&self, position: u64, end: u64) -> u64 {
        self.file.after_hole(position, end)
    }
}

/// All bytes of a small file; `None` if it is gone.
pub fn read_small(storage: &dyn Storage, path: &str) -> LogResult<Option<Vec<u8>>> {
    let Some(file) = unless_gone(Opened::new(storage, path))? else { return Ok(None) };
    let size = file.size()?;
    file.bytes(0, usize::try_from(size).unwrap_or(usize::MAX).min(1 << 26)).map(Some)
}

/// Folders as they are when they are first asked for.
pub struct Folders<'s> {
    /// Where they are.
    pub storage: &'s dyn Storage,
    listed: RefCell<HashMap<String, Rc<Listing>>>,
    expected: RefCell<HashSet<String>>,
}

/// What is in a folder, by name.
pub type Listing = BTreeMap<String, Entry>;

impl<'s> Folders<'s> {
    /// None listed yet.
    pub fn new(storage: &'s dyn Storage) -> Self {
        Folders { storage, listed: RefCell::default(), expected: RefCell::default() }
    }

    /// What is in a folder; nothing if it is gone.
    pub fn list(&self, folder: &str) -> LogResult<Rc<Listing>> {
        if let Some(known) = self.listed.borrow().get(folder) {
            return Ok(known.clone());
        }
        let found = Rc::new(self.list_again(folder)?);
        self.listed.borrow_mut().insert(folder.to_owned(), found.clone());
        Ok(found)
    }

    /// The same as it is now.
    pub fn list_again(&self, folder: &str) -> LogResult<Listing> {
        match self.storage.list(folder) {
            Ok(found) => Ok(found.into_iter().map(|entry| (entry.name.clone(), entry)).collect()),
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                Ok(Listing::new())
            }
            Err(error) => Err(LogError::of_file(folder, error)),
        }
    }

    /// What there is at a path.
    pub fn entry(&self, path: &str) -> LogResult<Option<Entry>> {
        let folder = paths::parent(path);
        if self.expected.borrow().contains(&folder) || self.listed.borrow().contains_key(&folder) {
            return Ok(self.list(&folder)?.get(paths::name(path)).cloned());
        }
        self.storage.entry(path).map_err(|error| LogError::of_file(path, error))
    }

    /// Folders that will be asked for.
    pub fn expect(&self, folders: &[String]) -> LogResult<()> {
        let unknown: Vec<String> =
            folders.iter().filter(|folder| !self.listed.borrow().contains_key(*folder)).cloned().collect();
        self.expected.borrow_mut().extend(unknown.iter().cloned());
        if unknown.len() < 2 {
            return Ok(());
        }
        self.storage.expect(&unknown).map_err(|error| LogError::of_file(&unknown[0], error))
    }

    /// The paths that match a pattern, sorted; a path without one is itself.
    pub fn expanded(&self, pattern: &str) -> LogResult<Vec<String>> {
        if !paths::is_pattern(pattern) {
            return Ok(vec![pattern.to_owned()]);
        }
        let (place, names) = paths::pattern_parts(pattern);
        let mut found = vec![place.to_owned()];
        for name in names {
            if !paths::is_pattern(name) {
                found = found.iter().map(|folder| paths::join(folder, name)).collect();
                continue;
            }
            self.expect(&found)?;
            let mut next = Vec::new();
            for folder in &found {
                let listing = self.list(folder)?;
                let names = listing.keys().filter(|each| paths::matches(each, name));
                next.extend(names.map(|each| paths::join(folder, each)));
            }
            found = next;
        }
        let mut there = Vec::new();
        for path in found {
            if self.entry(&path)?.is_some() {
                there.push(path);
            }
        }
        there.sort();
        Ok(there)
    }
}
