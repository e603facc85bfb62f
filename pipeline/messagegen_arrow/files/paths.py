"""Functions that split and join local paths and URLs of object stores in the same way."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Final

SCHEMES: Final = ("s3", "gs", "abfs", "abfss")
_URL: Final = re.compile(r"(?P<root>(?P<scheme>[a-z][a-z0-9+.-]+)://[^/?]*)(?P<key>/.*)?", re.IGNORECASE)
_LOCAL: Final = re.compile(r"file:(//)?(?=/)")
_SETTINGS: Final = re.compile(r"\?[^/]*=.*", re.DOTALL)
"""Settings in a URL. A question mark that is not followed by a setting belongs to a glob."""


class FileUrlError(ValueError):
    """Raised for a URL that cannot be read because of its scheme, its bucket, or settings in it."""


def is_url(path: str) -> bool:
    """Whether a path is the URL of an object store, rather than a local path or a ``file:`` URL."""
    match = _URL.fullmatch(path)
    return match is not None and match["scheme"].lower() != "file"


def split_url(url: str) -> tuple[str, str]:
    """Return the URL of the bucket, and the key without slashes at its ends. Raises ``FileUrlError``."""
    match = _URL.fullmatch(url)
    if match is None or _SETTINGS.search(url):
        raise FileUrlError(
            f"invalid URL {shown(url)}: expected SCHEME://BUCKET/FOLDER; credentials and settings come from the "
            "environment, "
            "such as AWS_ACCESS_KEY_ID, AWS_REGION and AWS_ENDPOINT_URL"
        )
    scheme = match["scheme"].lower()
    if scheme not in SCHEMES:
        expected = ", ".join(f"{each}://" for each in SCHEMES)
        raise FileUrlError(
            f"invalid scheme {scheme}://: expected {expected} or file://; Spark reads hdfs:// and s3a://"
        )
    bucket = match["root"].partition("://")[2]
    if not bucket or ("@" in bucket and not scheme.startswith("abfs")):
        raise FileUrlError(f"invalid URL: expected {scheme}://BUCKET/FOLDER; credentials come from the environment")
    return f"{scheme}://{bucket}", (match["key"] or "").strip("/")


def normal(path: str) -> str:
    """Return a path without ``file:``, or a URL without slashes at its end.

    Raises ``FileUrlError`` for a URL that cannot be read.
    """
    plain = _LOCAL.sub("", path)
    if not re.match(r"[A-Za-z][A-Za-z0-9+.-]+:/", plain):
        return plain
    return "/".join(split_url(plain)).rstrip("/")


def shown(path: str) -> str:
    """Return a path to show to people, without a part that looks like URL settings, because these may be secret."""
    return _SETTINGS.sub("", path) if ":/" in path else path


def parent_of(path: str) -> str:
    """Return the folder of a file or folder."""
    if not is_url(path):
        return str(Path(path).parent)
    root, key = split_url(path)
    return f"{root}/{posixpath.dirname(key)}".rstrip("/")


def name_of(path: str) -> str:
    """Return the last part of a path; for a whole bucket, return its name."""
    return path.rstrip("/").rpartition("/")[2]


def joined(folder: str, *names: str) -> str:
    """Return the path of something in a folder."""
    return "/".join((folder.rstrip("/"), *names)) if is_url(folder) else str(Path(folder, *names))
