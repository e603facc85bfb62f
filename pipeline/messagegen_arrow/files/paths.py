"""Paths and URLs, taken apart and put together alike.

The settings of a URL stand behind a question mark, as in ``s3://bucket/logs?region=eu-central-1``. They stay with every path that is made of it,
so what is handed to another process says how to reach the file; secrets are refused there.
"""

from __future__ import annotations

import posixpath
import re
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import parse_qsl

_URL: Final = re.compile(
    r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]+)://(?P<place>[^/?]*)(?P<key>/.*?)?(?P<query>\?[A-Za-z0-9_.-]+=.*)?"
)
"""A question mark without a setting behind it belongs to a glob."""
_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+")
_LOCAL: Final = re.compile(r"file:(//)?(?=/)")

SETTINGS: Final = {
    "s3": ("region", "endpoint", "profile", "anonymous"),
    "gs": ("endpoint", "anonymous"),
    "azure": ("account", "endpoint", "anonymous"),
    "hdfs": (),
}
"""The settings that URLs may have, by kind of store."""

_KINDS: Final = {"s3": "s3", "s3a": "s3", "gs": "gs", "abfs": "azure", "abfss": "azure", "hdfs": "hdfs"}
_ADVICE: Final = {
    "s3": "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, AWS_PROFILE, or the role of the machine",
    "gs": "GOOGLE_APPLICATION_CREDENTIALS, or the service account of the machine",
    "azure": "AZURE_STORAGE_ACCOUNT_NAME and AZURE_STORAGE_ACCOUNT_KEY, or the managed identity of the machine",
    "hdfs": "HADOOP_USER_NAME, or a ticket of Kerberos (kinit)",
}
_INSTEAD: Final = {
    "viewfs": "name the file system behind the mount, such as hdfs://NAMESERVICE/FOLDER",
    "webhdfs": "use the RPC port of the name node, as in hdfs://HOST:8020/FOLDER",
    "swebhdfs": "use the RPC port of the name node, as in hdfs://HOST:8020/FOLDER",
}
"""What to write for schemes of Hadoop."""


class FileUrlError(ValueError):
    """Raised for a URL that can't be read: its scheme, its bucket, or its settings."""


class Url(NamedTuple):
    """The parts of a URL."""

    scheme: str
    place: str
    """The bucket, the container and its account, or the name service or name node; empty for the default one of Hadoop's settings."""
    key: str
    """Without slashes at its ends; empty for the whole bucket."""
    query: str
    """The settings, as they were written."""

    @property
    def kind(self) -> str:
        """The kind of store: a key of ``SETTINGS``."""
        return _KINDS[self.scheme]

    @property
    def root(self) -> str:
        """The URL of the bucket, without settings."""
        return f"{self.scheme}://{self.place}"

    @property
    def settings(self) -> dict[str, str]:
        """The settings by name."""
        return dict(parse_qsl(self.query))

    @property
    def credentials_advice(self) -> str:
        """Where credentials come from."""
        return _ADVICE[self.kind]

    def at(self, key: str) -> str:
        """The URL of another key."""
        path = f"{self.root}/{key}" if key else self.root
        return f"{path}?{self.query}" if self.query else path


def is_url(path: str) -> bool:
    """Whether this is a URL of a store, and not a local path or ``file:``."""
    scheme, sign, _ = path.partition("://")
    return bool(sign) and scheme.lower() != "file" and _SCHEME.fullmatch(scheme) is not None


def _check_settings(kind: str, query: str) -> None:
    for name, _ in parse_qsl(query, keep_blank_values=True):
        if name not in SETTINGS[kind]:
            expected = ", ".join(SETTINGS[kind]) or "none; settings of Hadoop are in HADOOP_CONF_DIR"
            raise FileUrlError(
                f"invalid setting {name} in a URL: expected {expected}; credentials never stand in URLs, they come "
                f"from the environment: {_ADVICE[kind]}"
            )


def _match(path: str) -> re.Match[str] | None:
    match = _URL.fullmatch(path)
    return None if match is None or match["scheme"].lower() == "file" else match


@lru_cache(maxsize=4096)
def parsed(path: str) -> Url:
    """The parts of a URL. Raises ``FileUrlError``, which does not repeat settings."""
    match = _match(path)
    if match is None:
        raise FileUrlError(
            f"invalid URL {_before_settings(path)}: expected SCHEME://BUCKET/FOLDER, with settings behind it such as ?region=eu-central-1"
        )
    scheme, place, query = match["scheme"].lower(), match["place"], (match["query"] or "").removeprefix("?")
    if scheme not in _KINDS:
        raise FileUrlError(
            f"{scheme}:// can't be read: expected {', '.join(f'{each}://' for each in _KINDS)} or file://, or a local path; "
            f"{_INSTEAD.get(scheme, 'mount other file systems where the driver and every executor see them')}"
        )
    kind = _KINDS[scheme]
    user, sign, _ = place.rpartition("@")
    if sign and (kind != "azure" or ":" in user):
        raise FileUrlError(f"credentials never stand in URLs; they come from the environment: {_ADVICE[kind]}")
    if not place and kind != "hdfs":
        raise FileUrlError(f"{shown(path)} names no bucket: expected {scheme}://BUCKET/FOLDER")
    _check_settings(kind, query)
    return Url(scheme, place, (match["key"] or "").strip("/"), query)


def normal(path: str) -> str:
    """A path without ``file:``, a URL without slashes at its end. Raises ``FileUrlError`` for a URL that can't be read."""
    plain = _LOCAL.sub("", path)
    if not re.match(r"[A-Za-z][A-Za-z0-9+.-]+:/", plain):
        return plain
    if "://" not in plain:
        raise FileUrlError(f"{_before_settings(plain)} is neither a path nor a URL: expected SCHEME://BUCKET/FOLDER")
    url = parsed(plain)
    return url.at(url.key)


def shown(path: str) -> str:
    """A path as people and rows see it: URLs without settings."""
    if not is_url(path):
        return path
    match = _match(path)
    if match is None:
        return _before_settings(path)
    return path[: match.start("query")] if match["query"] else path


def _before_settings(path: str) -> str:
    """What can be shown of a URL that can't be taken apart: behind a question mark there may be secrets."""
    return path.partition("?")[0]


def parent_of(path: str) -> str:
    """The folder of a file or folder."""
    if not is_url(path):
        return str(Path(path).parent)
    url = parsed(path)
    return url.at(posixpath.dirname(url.key))


def name_of(path: str) -> str:
    """The last part of a path; for the whole of a bucket its name."""
    if not is_url(path):
        return path.rstrip("/").rpartition("/")[2]
    url = parsed(path)
    return posixpath.basename(url.key) or url.place


def joined(folder: str, *names: str) -> str:
    """The path of something in a folder."""
    if not is_url(folder):
        return str(Path(folder, *names))
    url = parsed(folder)
    return url.at("/".join((url.key, *names)).lstrip("/"))


def with_suffix(path: str, suffix: str) -> str:
    """The path with another suffix in place of its last one, such as ``.index``."""
    if not is_url(path):
        return str(Path(path).with_suffix(suffix))
    url = parsed(path)
    return url.at(posixpath.splitext(url.key)[0] + suffix)
