//! Where files are: those of this machine are read here, those of stores by a host (Python, the JVM).

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use super::host::{Entry, File, Host, is_missing};
use super::local::Local;
use super::paths;
use crate::outcome::{Error, Outcome, unless_gone};

/// Local files, and the files that a host has of URLs.
pub struct Storage(Arc<dyn Host>);

/// What is in a folder, by name.
pub type Listing = BTreeMap<String, Entry>;

impl Storage {
    /// With a host for URLs.
    pub fn new(host: impl Host + 'static) -> Self {
        Storage(Arc::new(host))
    }

    fn host(&self, path: &str) -> io::Result<&dyn Host> {
        self.0.check_interrupt()?;
        Ok(if paths::is_url(path) { self.0.as_ref() } else { &Local })
    }

    /// What is in a folder; nothing if it is gone.
    pub fn list(&self, folder: &str) -> Outcome<Listing> {
        match self.host(folder).and_then(|host| host.list(folder)) {
            Ok(found) => Ok(found.into_iter().map(|entry| (entry.name.clone(), entry)).collect()),
            Err(error) if is_missing(&error) => Ok(Listing::new()),
            Err(error) => Err(Error::of_file(folder, error)),
        }
    }

    /// What there is at a path.
    pub fn entry(&self, path: &str) -> Outcome<Option<Entry>> {
        self.host(path)
            .and_then(|host| host.entry(path))
            .map_err(|error| Error::of_file(path, error))
    }

    /// Folders that will be listed one after the other.
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

    /// What is at a path, or matches a pattern, by path.
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

    /// Opens a file; `None` if it is gone.
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

    /// All bytes of a small file; `None` if it is gone.
    pub fn small(&self, path: &str) -> Outcome<Option<Vec<u8>>> {
        let Some(file) = self.open(path)? else { return Ok(None) };
        let size = usize::try_from(file.size()?).unwrap_or(usize::MAX);
        file.bytes(0, size.min(1 << 26)).map(Some)
    }
}

/// An open file that names its path in errors.
pub struct Opened {
    file: Box<dyn File>,
    host: Arc<dyn Host>,
    /// The path.
    pub path: String,
}

impl Opened {
    /// The bytes from a position on, fewer at the end of the file; replaces what the buffer holds.
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

    /// The same in a new buffer.
    pub fn bytes(&self, position: u64, count: usize) -> Outcome<Vec<u8>> {
        let mut buffer = Vec::new();
        self.read(position, count, &mut buffer)?;
        Ok(buffer)
    }

    /// How many bytes there are now.
    pub fn size(&self) -> Outcome<u64> {
        self.file.size().map_err(|error| Error::of_file(&self.path, error))
    }

    /// Tells the file from one that has its name later.
    pub fn identity(&self) -> Outcome<u64> {
        self.file.identity().map_err(|error| Error::of_file(&self.path, error))
    }

    /// The first position from `position` on that may have other bytes than zeros.
    pub fn after_hole(&self, position: u64, end: u64) -> u64 {
        self.file.after_hole(position, end)
    }
}
