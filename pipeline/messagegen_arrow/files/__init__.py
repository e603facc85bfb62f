"""Files by path or URL, on local disks, mounts and in object stores; read only."""

from messagegen_arrow.files.folders import Folders
from messagegen_arrow.files.opening import OpenFile, opened, read_bytes
from messagegen_arrow.files.paths import FileUrlError, is_url, joined, name_of, normal, parent_of, shown
from messagegen_arrow.files.stores import Entry, StoreError

__all__ = [
    "Entry",
    "FileUrlError",
    "Folders",
    "OpenFile",
    "StoreError",
    "is_url",
    "joined",
    "name_of",
    "normal",
    "opened",
    "parent_of",
    "read_bytes",
    "shown",
]
