"""Read-only access to files, by path or URL, on local disks, on mounts and in object stores."""

from messagegen_arrow.files.folders import Folders
from messagegen_arrow.files.paths import is_url, joined, name_of, normal, parent_of, shown
from messagegen_arrow.files.stores import StoredFile, StoreError

__all__ = [
    "Folders",
    "StoreError",
    "StoredFile",
    "is_url",
    "joined",
    "name_of",
    "normal",
    "parent_of",
    "shown",
]
