"""Files by path or URL, on local disks, mounts and in object stores; read only."""

from messagegen_arrow.files.folders import Folders
from messagegen_arrow.files.opening import OpenFile, opened
from messagegen_arrow.files.paths import is_url, joined, name_of, normal, shown
from messagegen_arrow.files.stores import StoreError

__all__ = [
    "Folders",
    "OpenFile",
    "StoreError",
    "is_url",
    "joined",
    "name_of",
    "normal",
    "opened",
    "shown",
]
