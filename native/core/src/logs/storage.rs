//! Access to files: local files are read here, and files in object stores through a host (Python or the JVM).

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use super::host::{Entry, File, Host, is_missing};
use super::local::Local;
use super::paths;
use crate::outcome::{Error, Outcome, unless_gone};

/// Local files, and files at URLs that a host can read.
pub struct Storage(Arc<dyn Host>);

/// The entries of a folder, by name.
pub type Listing = BTreeMap<String, Entry>;

impl Storage {
    /// Read URLs through a host.
    pub fn new(host: impl Host + 'static) -> Self {
        Storage(Arc::new(host))
    }

    fn host(&self, path: &str) -> io::Result<&dyn Host> {
        self.0.check_interrupt()?;
        Ok(if paths::is_url(path) { self.0.as_ref() } else { &Local })
    }

    /// Return the entries of a folder; none if the folder no longer exists.
    pub fn list(&self, folder: &str) -> Outcome<Listing> {
        match self.host(folder).and_then(|host| host.list(folder)) {
            Ok(found) => Ok(found.into_iter().map(|entry| (entry.name.clone(), entry)).collect()),
            Err(error) if is_missing(&error) => Ok(Listing::new()),
            Err(error) => Err(Error::of_file(folder, error)),
        }
    }

    /// Return the file or folder at a path; `None` if nothing exists there.
    pub fn entry(&self, path: &str) -> Outcome<Option<Entry>> {
        self.host(path)
            .and_then(|host| host.entry(path))
            .map_err(|error| Error::of_file(path, error))
    }

    /// Announce folders that will soon be listed one by one, so that the host can list them in parallel now.
    pub fn expect<'f>(&self, folders: impl IntoIterator<Item = &'f String>) -> Outcome<()> {
        let urls: Vec<&str> = folders
            .into_iter()
            .map(String::as_str)
            .filter(|folder| paths::is_url(folder))
            .collect();
        match urls[..] {
            [] | [_] => Ok(()),
            [first, ..] => self.0.expect(&urls).map_err(|error| Error::of_file(first, error)),
        }
    }

    /// Return the entry at a path, or all entries that match a pattern, by path.
    pub fn matching(&self, path: &str) -> Outcome<Listing> {
        let (place, names) = paths::pattern_parts(path);
        let mut found = Listing::from_iter(self.entry(place)?.map(|entry| (place.to_owned(), entry)));
        let mut unreadable = Listing::new();
        for name in names {
            let (broken, folders): (Listing, Listing) = std::mem::take(&mut found)
                .into_iter()
                .partition(|(_, entry)| entry.problem.is_some());
            unreadable.extend(broken);
            if !paths::is_pattern(name) {
                for path in folders.keys().map(|folder| paths::join(folder, name)) {
                    found.extend(self.entry(&path)?.map(|entry| (path, entry)));
                }
                continue;
            }
            self.expect(folders.keys())?;
            for folder in folders.keys() {
                let entries = self
                    .list(folder)?
                    .into_values()
                    .filter(|entry| paths::matches(&entry.name, name));
                found.extend(entries.map(|entry| (paths::join(folder, &entry.name), entry)));
            }
        }
        found.append(&mut unreadable);
        Ok(found)
    }

    /// Open a file; return `None` if it no longer exists.
    pub fn open(&self, path: &str) -> Outcome<Option<Opened>> {
        let file = self
            .host(path)
            .and_then(|host| host.open(path))
            .map_err(|error| Error::of_file(path, error));
        Ok(unless_gone(file)?.map(|file| Opened {
            file,
            path: path.to_owned(),
            host: self.0.clone(),
        }))
    }

    /// Return the content of a small file, or its first `most` bytes; `None` if the file no longer exists.
    ///
    /// A hostile file may be larger than any file that a broker writes, and takes no disk space if it is sparse.
    pub fn small(&self, path: &str, most: usize) -> Outcome<Option<Vec<u8>>> {
        let Some(file) = self.open(path)? else { return Ok(None) };
        let size = usize::try_from(file.size()?).unwrap_or(usize::MAX);
        file.bytes(0, size.min(most)).map(Some)
    }
}

/// An open file, whose errors contain its path.
pub struct Opened {
    file: Box<dyn File>,
    host: Arc<dyn Host>,
    /// The path.
    pub path: String,
}

impl Opened {
    /// Replace the content of `buffer` by `count` bytes from a position on, or by fewer bytes at the end of the file.
    pub fn read(&self, position: u64, count: usize, buffer: &mut Vec<u8>) -> Outcome<()> {
        buffer.resize(count, 0);
        let done = self
            .host
            .check_interrupt()
            .and_then(|()| self.file.read_at(position, buffer));
        let done = done.map_err(|error| Error::of_file(&self.path, error))?;
        buffer.truncate(done);
        Ok(())
    }

    /// Return `count` bytes from a position on, or fewer at the end of the file.
    pub fn bytes(&self, position: u64, count: usize) -> Outcome<Vec<u8>> {
        let mut buffer = Vec::new();
        self.read(position, count, &mut buffer)?;
        Ok(buffer)
    }

    /// Return the current size in bytes.
    pub fn size(&self) -> Outcome<u64> {
        self.file.size().map_err(|error| Error::of_file(&self.path, error))
    }

    /// Return a number that distinguishes the file from a later file of the same name; 0 if unknown.
    pub fn identity(&self) -> Outcome<u64> {
        self.file.identity().map_err(|error| Error::of_file(&self.path, error))
    }

    /// Return the first position at or after `position` that is not in a hole of the file.
    ///
    /// Return `end` if no such position is before `end`.
    pub fn after_hole(&self, position: u64, end: u64) -> u64 {
        self.file.after_hole(position, end)
    }
}
