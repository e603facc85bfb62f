"""Gets the published jars of a Kafka release.

The SHA-256 of the jars of known releases is pinned, and users can give the digests of other releases. So the source of
these jars does not matter: the folder of jars that Maven has downloaded, Maven Central, or its mirror. Maven gets all
other jars: of other releases, and from repositories with a login.
"""

from __future__ import annotations

import hashlib
import http.client
import urllib.request
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from messagegen import __version__
from messagegen.fetch.digests import SHA256
from messagegen.fetch.maven import download
from messagegen.fetch.settings import MavenSettings, read_settings
from messagegen.fetch.sources import SHA256_HEX, FetchError
from messagegen.places import program

_GROUP: Final = "org/apache/kafka"
_TIMEOUT_S: Final = 60
"""The maximum time to wait for a connection or for more bytes, in seconds."""
_LARGEST_JAR: Final = 64 << 20
"""The maximum size of a jar in bytes; the largest one has 11,000,000."""


class _NotReachedError(Exception):
    """A jar cannot be downloaded without Maven; the text has the reason."""


@dataclass(frozen=True, slots=True)
class _Digests:
    """The SHA-256 digests of a release's jars: by artifact if they are pinned, otherwise as passed by the user."""

    pinned: Mapping[str, str]
    given: Collection[str]

    @classmethod
    def of(cls, release: str, given: Collection[str]) -> _Digests:
        """Return the digests of a release. Raise ``FetchError`` for invalid digests, and for a known release."""
        if given and release in SHA256:
            raise FetchError(f"the SHA-256 of the jars of Kafka {release} are known; remove --sha256")
        for digest in given:
            if not SHA256_HEX.fullmatch(digest.lower()):
                raise FetchError(f"{digest!r} is not a SHA-256; write 64 hexadecimal digits")
        return cls(SHA256.get(release, {}), frozenset(digest.lower() for digest in given))

    def __bool__(self) -> bool:
        return bool(self.pinned or self.given)

    def has(self, artifact: str, digest: str) -> bool:
        """Whether a jar may have this digest."""
        return digest == self.pinned[artifact] if self.pinned else digest in self.given

    def check(self, artifact: str, name: str, data: bytes) -> None:
        """Raise ``FetchError`` unless the jar with this ``name`` and ``data`` has an expected digest."""
        found = _sha256(data)
        if self.has(artifact, found):
            return
        if self.pinned:
            expected = self.pinned[artifact]
            raise FetchError(f"expected SHA-256 {expected}, found {found} for {name}; the repository has another file")
        raise FetchError(
            f"{name} has SHA-256 {found}, which was not passed; pass it with --sha256 if you trust this file"
        )


def published_jars(
    release: str, artifacts: Sequence[str], folder: Path, settings: Path | None = None, digests: Collection[str] = ()
) -> list[Path]:
    """Return the paths of the jars of ``artifacts`` in ``release``; downloads are written to the empty ``folder``.

    ``settings`` is the folder of Maven's settings, by default ``~/.m2``. ``digests`` are the SHA-256 of the jars of an
    unknown release, in any order. Raise ``FetchError`` if a jar cannot be fetched, or has an unexpected digest.
    """
    expected = _Digests.of(release, digests)
    if not expected:
        return download(release, artifacts, folder)
    maven = read_settings(settings or Path.home() / ".m2")
    try:
        return [_checked_jar(release, artifact, folder, maven, expected) for artifact in artifacts]
    except _NotReachedError as failure:
        if program("mvn") is None:
            raise FetchError(
                f"{failure}; check the network and HTTPS_PROXY, install Maven to use more of its settings, "
                "or pass local jars to `messagegen fetch-specs --jar FILE`"
            ) from None
    jars = download(release, artifacts, folder)
    for artifact, jar in zip(artifacts, jars, strict=True):
        expected.check(artifact, jar.name, jar.read_bytes())
    return jars


def _checked_jar(release: str, artifact: str, folder: Path, maven: MavenSettings, expected: _Digests) -> Path:
    """Return the path of a jar with an expected digest."""
    name = f"{artifact}-{release}.jar"
    local = maven.local / _GROUP / artifact / release / name
    if local.is_file() and expected.has(artifact, _sha256(local.read_bytes())):
        return local
    if maven.url is None:
        raise _NotReachedError("Maven's settings have a login, a proxy or a mirror that only Maven can use")
    url = f"{maven.url}/{_GROUP}/{artifact}/{release}/{name}"
    data = _read(url)
    expected.check(artifact, url, data)
    (folder / name).write_bytes(data)
    return folder / name


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


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
