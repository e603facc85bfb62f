"""Which store a URL names."""

from __future__ import annotations

import os
from functools import lru_cache

from messagegen_arrow.files.hdfs import hdfs
from messagegen_arrow.files.object_store import object_store
from messagegen_arrow.files.paths import parsed
from messagegen_arrow.files.store import Store


def located(path: str) -> tuple[Store, str]:
    """The store of a URL, and the key in it. Raises ``FileUrlError``, and ``StoreError`` for missing libraries, profiles and settings."""
    url = parsed(path)
    return _store(url.root, url.query, os.getpid()), url.key


@lru_cache(maxsize=32)
def _store(root: str, query: str, _process: int) -> Store:
    # A child process can't use the connections of its parent.
    url = parsed(f"{root}?{query}" if query else root)
    return hdfs(url) if url.kind == "hdfs" else object_store(url)
