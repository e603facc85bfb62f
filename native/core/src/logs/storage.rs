//! Where files are: those of this machine are read here, those of stores by a host (Python, the JVM).

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt};

use super::paths;
use crate::outcome::{Error, Outcome, unless_gone};

/// A file or a folder.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Entry {
    pub name: String,
    pub size: u64,
    pub is_folder: bool,
    /// Tells a file from one that has its name later; 0 where that is not known.
    pub identity: u64,
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
}

/// Local files, and the files that a host has of URLs.
pub struct Storage(Box<dyn Host>);

/// What is in a folder, by name.
pub type Listing = BTreeMap<String, Entry>;

impl Storage {
    /// With a host for URLs.
    pub fn new(host: impl Host + 'static) -> Self {
        Storage(Box::new(host))
    }

    fn host(&self, path: &str) -> &dyn Host {
        if paths::is_url(path) { self.0.as_ref() } else { &Local }
    }

    /// What is in a folder; nothing if it is gone.
    pub fn list(&self, folder: &str) -> Outcome<Listing> {
        match self.host(folder).list(folder) {
            Ok(found) => Ok(found.into_iter().map(|entry| (entry.name.clone(), entry)).collect()),
            Err(error) if is_missing(&error) => Ok(Listing::new()),
            Err(error) => Err(Error::of_file(folder, error)),
        }
    }

    /// What there is at a path.
    pub fn entry(&self, path: &str) -> Outcome<Option<Entry>> {
        self.host(path).entry(path).map_err(|error| Error::of_file(path, error))
    }

    /// Folders that will be listed one after the other.
    pub fn expect<'f>(&self, folders: impl IntoIterator<Item = &'f String>) -> Outcome<()> {
        let urls: Vec<&str> = folders.into_iter().map(String::as_str).filter(|folder| paths::is_url(folder)).collect();
        match urls[..] {
            [] | [_] => Ok(()),
            [first, ..] => self.0.expect(&urls).map_err(|error| Error::of_file(first, error)),
        }
    }

    /// What is at a path, or matches a pattern: by path whether it is a folder.
    pub fn matching(&self, path: &str) -> Outcome<BTreeMap<String, bool>> {
        let (place, names) = paths::pattern_parts(path);
        let mut found = BTreeMap::from_iter(self.entry(place)?.map(|entry| (place.to_owned(), entry.is_folder)));
        for name in names {
            let folders = std::mem::take(&mut found);
            if !paths::is_pattern(name) {
                for path in folders.keys().map(|folder| paths::join(folder, name)) {
                    found.extend(self.entry(&path)?.map(|entry| (path, entry.is_folder)));
                }
                continue;
            }
            self.expect(folders.keys())?;
            for folder in folders.keys() {
                let entries = self.list(folder)?.into_values().filter(|entry| paths::matches(&entry.name, name));
                found.extend(entries.map(|entry| (paths::join(folder, &entry.name), entry.is_folder)));
            }
        }
        Ok(found)
    }

    /// Opens a file; `None` if it is gone.
    pub fn open(&self, path: &str) -> Outcome<Option<Opened>> {
        let file = self.host(path).open(path).map_err(|error| Error::of_file(path, error));
        Ok(unless_gone(file)?.map(|file| Opened { file, path: path.to_owned() }))
    }

    /// All bytes of a small file; `None` if it is gone.
    pub fn small(&self, path: &str) -> Outcome<Option<Vec<u8>>> {
        let Some(file) = self.open(path)? else { return Ok(None) };
        let size = usize::try_from(file.size()?).unwrap_or(usize::MAX);
        file.bytes(0, size.min(1 << 26)).map(Some)
    }
}

fn is_missing(error: &io::Error) -> bool {
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

/// The files of this machine.
struct Local;

impl Host for Local {
    fn list(&self, folder: &str) -> io::Result<Vec<Entry>> {
        let names = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.file_name()));
        let names = names.collect::<io::Result<Vec<_>>>()?;
        let entries = names.into_iter().filter_map(|name| name.into_string().ok());
        entries.filter_map(|name| self.entry(&paths::join(folder, &name)).transpose()).collect()
    }

    fn entry(&self, path: &str) -> io::Result<Option<Entry>> {
        let name = paths::name(path).to_owned();
        match fs::metadata(path) {
            Ok(found) => Ok(Some(Entry { name, size: found.len(), is_folder: found.is_dir(), identity: found.ino() })),
            Err(error) if is_missing(&error) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn open(&self, path: &str) -> io::Result<Box<dyn File>> {
        Ok(Box::new(LocalFile(fs::File::open(path)?)))
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
    /// The bytes from a position on, fewer at the end of the file; replaces what the buffer holds.
    pub fn read(&self, position: u64, count: usize, buffer: &mut Vec<u8>) -> Outcome<()> {
        buffer.resize(count, 0);
        let done = self.file.read_at(position, buffer).map_err(|error| Error::of_file(&self.path, error))?;
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
