"""Files by path or URL: on local disks and mounts, in object stores and in HDFS."""

from messagegen_arrow.files.folders import Entry, Folders, is_pattern
from messagegen_arrow.files.opening import OpenFile, opened, read_bytes, stream_of_file
from messagegen_arrow.files.paths import FileUrlError, is_url, joined, name_of, normal, parent_of, shown, with_suffix
from messagegen_arrow.files.store import StoreError

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
    "stream_of_file",
    "with_suffix",
]
