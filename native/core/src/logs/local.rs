//! The files of this machine.

use std::ffi::OsString;
use std::fs::{self, FileType, Metadata, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::Path;

use rustix::fs::OFlags;

use super::host::{Entry, File, Host, is_missing};
use super::paths;

/// The files of this machine.
pub struct Local;

impl Host for Local {
    fn list(&self, folder: &str) -> io::Result<Vec<Entry>> {
        let names = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.file_name()));
        let names = names.collect::<io::Result<Vec<_>>>()?;
        let entry = |name: OsString| match name.into_string() {
            Ok(name) => self.entry(&paths::join(folder, &name)).transpose(),
            Err(name) => Some(Ok(not_utf_8(folder, name))),
        };
        names.into_iter().filter_map(entry).collect()
    }

    fn entry(&self, path: &str) -> io::Result<Option<Entry>> {
        let name = paths::name(path).to_owned();
        match fs::metadata(path) {
            Ok(found) => Ok(Some(entry_of(name, &found))),
            // A dangling link, or a link to itself, still counts as existing.
            Err(error) if fs::symlink_metadata(path).is_ok_and(|own| own.is_symlink()) => {
                let problem = Some(format!("it is a link that can't be followed: {}", reason(&error)));
                Ok(Some(Entry {
                    problem,
                    ..Entry::new(name, 0, true, 0)
                }))
            }
            Err(error) if is_missing(&error) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Open a regular file. Opening a FIFO would wait for a writer, and opening a device may have side effects.
    fn open(&self, path: &str) -> io::Result<Box<dyn File>> {
        check_regular(&fs::metadata(path)?)?;
        let flags = OFlags::NONBLOCK.bits().cast_signed();
        let file = OpenOptions::new().read(true).custom_flags(flags).open(path)?;
        check_regular(&file.metadata()?)?;
        Ok(Box::new(LocalFile(file)))
    }
}

fn entry_of(name: String, found: &Metadata) -> Entry {
    let problem = check_regular(found)
        .err()
        .filter(|_| !found.is_dir())
        .map(|error| error.to_string());
    let size = if problem.is_none() { found.len() } else { 0 };
    Entry {
        problem,
        ..Entry::new(name, size, found.is_dir(), found.ino())
    }
}

/// Return an unreadable entry for a name that is not UTF-8, because the engine handles paths as strings.
fn not_utf_8(folder: &str, name: OsString) -> Entry {
    let is_folder = Path::new(folder).join(&name).is_dir();
    let problem = Some("its name is not UTF-8; rename it".to_owned());
    Entry {
        problem,
        ..Entry::new(name.to_string_lossy().into_owned(), 0, is_folder, 0)
    }
}

fn check_regular(found: &Metadata) -> io::Result<()> {
    if found.is_file() {
        return Ok(());
    }
    let kind = kind(found.file_type());
    Err(io::Error::new(
        io::ErrorKind::InvalidInput,
        format!("it is a {kind}, not a regular file"),
    ))
}

fn kind(found: FileType) -> &'static str {
    match found {
        found if found.is_dir() => "folder",
        found if found.is_fifo() => "named pipe (FIFO)",
        found if found.is_socket() => "socket",
        _ => "device",
    }
}

/// Return the system's error message, without the error number.
fn reason(error: &io::Error) -> String {
    error
        .to_string()
        .split(" (os error")
        .next()
        .unwrap_or_default()
        .to_owned()
}

/// A file that is never memory-mapped: if a broker truncated a mapped file, the next access would kill the process.
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

    /// Skip holes, because preallocated segments consist mostly of holes, which would take long to read.
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
