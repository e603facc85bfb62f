//! Where a sparse file has bytes. Preallocated segments are mostly holes, which take long to read.
#![allow(unsafe_code)]

use std::fs::File;
use std::os::fd::AsRawFd;

#[cfg(target_os = "linux")]
const SEEK_DATA: i32 = 3;

#[cfg(target_os = "linux")]
unsafe extern "C" {
    fn lseek(descriptor: i32, offset: i64, whence: i32) -> i64;
}

/// The first position from `position` on that has bytes; `end` if there is none before it.
#[cfg(target_os = "linux")]
pub fn after_hole(file: &File, position: u64, end: u64) -> u64 {
    let Ok(from) = i64::try_from(position) else { return position };
    // SAFETY: the descriptor is open as long as `file` is borrowed. Its offset, which this moves, is used by nobody: files are
    // read at positions.
    let found = unsafe { lseek(file.as_raw_fd(), from, SEEK_DATA) };
    match u64::try_from(found) {
        Ok(found) => found.min(end).max(position),
        // Nothing but a hole (ENXIO), or a file system that does not tell.
        Err(_) if std::io::Error::last_os_error().raw_os_error() == Some(6) => end,
        Err(_) => position,
    }
}

/// Other systems do not tell.
#[cfg(not(target_os = "linux"))]
pub fn after_hole(_file: &File, position: u64, _end: u64) -> u64 {
    position
}
