"""Files by path or URL, on local disks, mounts and in object stores; read only."""

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
