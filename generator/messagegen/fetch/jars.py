"""Gets the published jars of a Kafka release.

The SHA-256 of the jars of known releases is pinned, so their source does not matter: the folder of jars that Maven has
downloaded, Maven Central, or its mirror. Maven gets the jars of other releases, or from repositories with a login.
"""

from __future__ import annotations

import hashlib
import http.client
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from messagegen import __version__
from messagegen.fetch.digests import SHA256
from messagegen.fetch.maven import download
from messagegen.fetch.settings import MavenSettings, read_settings
from messagegen.fetch.sources import FetchError
from messagegen.places import program

_GROUP: Final = "org/apache/kafka"
_TIMEOUT_S: Final = 60
"""The maximum time to wait for a connection or for more bytes, in seconds."""
_LARGEST_JAR: Final = 64 << 20
"""The maximum size of a jar in bytes; the largest one has 11,000,000."""


class _NotReachedError(Exception):
    """A jar cannot be downloaded without Maven; the text has the reason."""


def published_jars(release: str, artifacts: Sequence[str], folder: Path, settings: Path | None = None) -> list[Path]:
    """Return the paths of the jars of ``artifacts`` in ``release``; downloads are written to the empty ``folder``.

    ``settings`` is the folder of Maven's settings, by default ``~/.m2``. Raise ``FetchError`` if a jar cannot be
    fetched, or has another digest than the published one.
    """
    if release not in SHA256:
        return download(release, artifacts, folder)
    maven = read_settings(settings or Path.home() / ".m2")
    try:
        return [_pinned_jar(release, artifact, folder, maven) for artifact in artifacts]
    except _NotReachedError as failure:
        if program("mvn") is None:
            raise FetchError(
                f"{failure}; check the network and HTTPS_PROXY, install Maven to use more of its settings, "
                "or pass local jars to `messagegen fetch-specs --jar FILE`"
            ) from None
    jars = download(release, artifacts, folder)
    for artifact, jar in zip(artifacts, jars, strict=True):
        _check(jar.name, jar.read_bytes(), SHA256[release][artifact])
    return jars


def _pinned_jar(release: str, artifact: str, folder: Path, maven: MavenSettings) -> Path:
    """Return the path of a jar with the pinned digest."""
    name, expected = f"{artifact}-{release}.jar", SHA256[release][artifact]
    local = maven.local / _GROUP / artifact / release / name
    if local.is_file() and _sha256(local.read_bytes()) == expected:
        return local
    if maven.url is None:
        raise _NotReachedError("the settings of Maven have a login, a proxy or a mirror that only Maven can use")
    url = f"{maven.url}/{_GROUP}/{artifact}/{release}/{name}"
    data = _read(url)
    _check(url, data, expected)
    (folder / name).write_bytes(data)
    return folder / name


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _check(name: str, data: bytes, expected: str) -> None:
    """Raise ``FetchError`` unless a jar has the pinned digest."""
    found = _sha256(data)
    if found != expected:
        raise FetchError(f"expected SHA-256 {expected}, found {found} for {name}; the repository has another file")


def _read(url: str) -> bytes:
    """Return the bytes at a web address."""
    request = urllib.request.Request(url, headers={"User-Agent": f"messagegen/{__version__}"})  # noqa: S310 - as below
    try:
        # The settings only have addresses with http and https.
        with urllib.request.urlopen(request, timeout=_TIMEOUT_S) as response:  # noqa: S310
            data: bytes = response.read(_LARGEST_JAR + 1)
    except (OSError, http.client.HTTPException, ValueError) as failure:
        raise _NotReachedError(f"cannot download {url}: {getattr(failure, 'reason', None) or failure}") from None
    if len(data) > _LARGEST_JAR:
        raise FetchError(f"{url} has more than {_LARGEST_JAR >> 20} MB; no Kafka jar has that")
    return data
