"""Files by path or URL, on local disks, mounts and in object stores; read only."""

from messagegen_arrow.files.folders import Folders, is_pattern
from messagegen_arrow.files.opening import OpenFile, opened, read_bytes
from messagegen_arrow.files.paths import FileUrlError, is_url, joined, name_of, normal, parent_of, shown, with_suffix
from messagegen_arrow.files.stores import Entry, StoreError

__all__ = [
    "Entry",
    "FileUrlError",
    "Folders",
    "OpenFile",
    "StoreError",
    "is_pattern",
    "is_url",
    "joined",
    "name_of",
    "normal",
    "opened",
    "parent_of",
    "read_bytes",
    "shown",
    "with_suffix",
]
