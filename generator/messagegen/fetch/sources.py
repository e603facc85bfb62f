"""Reads message specs from the resources of a published jar.

Kafka keeps its specs under ``common/message``, ``common/metadata`` and ``message``, depending on the module
and the release. Specs are therefore recognised by their keys and not by their folder.
"""

from __future__ import annotations

import hashlib
import re
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, Final

from messagegen.findings import UsageError
from messagegen.jsonc import JsonError, parse_json, plain
from messagegen.spec.model import MessageKind
from messagegen.texts import MAX_BYTES

ARTIFACT_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
SPEC_FILE_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*\.json")
MESSAGE_TYPES: Final = frozenset(kind.value for kind in MessageKind)
LARGEST_SPEC: Final = MAX_BYTES
"""In bytes; a larger JSON file is not a message spec (Kafka's largest has about 20,000)."""
LARGEST_SUM: Final = 64 << 20
"""In bytes, of all JSON files of a jar; those of Kafka have about 1,000,000."""

_JAR_NAME = re.compile(r"(?P<artifact>.+?)-(?P<release>[0-9][A-Za-z0-9.+-]*)")


class FetchError(UsageError):
    """Raised if specs could not be fetched; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Jar:
    """The jar that specs come from: its file name and the SHA-256 of its bytes, in hexadecimal."""

    name: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Artifact:
    """The message specs of one Kafka artifact, such as ``kafka-clients``.

    ``release`` is ``None`` if it is not known, ``jar`` if the specs come from a checkout; ``specs`` maps file
    names to the published bytes, sorted by name.
    """

    name: str
    release: str | None
    jar: Jar | None
    specs: Mapping[str, bytes]


@dataclass(frozen=True, slots=True)
class SpecSet:
    """The specs of some artifacts in memory; ``missing`` are artifacts that ``release`` does not publish."""

    release: str | None
    artifacts: tuple[Artifact, ...]
    missing: tuple[str, ...] = ()


def is_message_spec(data: bytes) -> bool:
    """Whether ``data`` is a JSON object, comments allowed, with the keys and the ``type`` of a message spec.

    Includes invalid specs, and text with the key of a spec that is not JSON; the spec parser reports what is wrong with them.
    """
    if len(data) > LARGEST_SPEC or b'"validVersions"' not in data:
        return False
    try:
        value = plain(parse_json(data).root.value)
    except JsonError:
        return True
    return isinstance(value, dict) and {"name", "validVersions"} <= value.keys() and value.get("type") in MESSAGE_TYPES


def read_jar(path: Path) -> Artifact:
    """The message specs in the resources of the jar at ``path``; its file name determines artifact and release.

    Raises ``FetchError`` if the file cannot be read, is not a zip archive, is damaged, or contains two specs with the same file name.
    """
    match = _JAR_NAME.fullmatch(path.stem)
    name = match["artifact"] if match else path.stem
    if ARTIFACT_NAME.fullmatch(name) is None:
        raise FetchError(f"{path}: {name!r} cannot name a folder of specs; rename the jar to ARTIFACT-RELEASE.jar")
    try:
        with path.open("rb") as file:
            jar = Jar(path.name, hashlib.file_digest(file, "sha256").hexdigest())
            specs = _specs_in_zip(path, file)
    except OSError as error:
        raise FetchError(f"cannot read the jar {path}: {error.strerror or error}") from error
    return Artifact(name, match["release"] if match else None, jar, specs)


def _specs_in_zip(path: Path, file: IO[bytes]) -> dict[str, bytes]:
    try:
        with zipfile.ZipFile(file) as archive:
            files = [entry for entry in archive.infolist() if entry.filename.endswith(".json")]
            chosen = [entry for entry in files if entry.file_size <= LARGEST_SPEC]
            if sum(entry.file_size for entry in chosen) > LARGEST_SUM:
                raise FetchError(f"{path} has more than {LARGEST_SUM >> 20} MB of JSON; no Kafka jar has that")
            return _by_file_name(str(path), ((entry.filename, archive.read(entry)) for entry in chosen))
    except zipfile.BadZipFile as error:
        raise FetchError(f"{path} is not a jar (a jar is a zip archive): {error}; download it again") from error
    except (zlib.error, EOFError, RuntimeError, NotImplementedError, ValueError) as error:
        raise FetchError(f"{path} is damaged or encrypted: {error}; download it again") from error


def _by_file_name(origin: str, candidates: Iterable[tuple[str, bytes]]) -> dict[str, bytes]:
    """The specs among ``candidates`` (path and bytes) by file name, sorted; ``origin`` is for error messages."""
    paths: dict[str, str] = {}
    specs: dict[str, bytes] = {}
    for path, data in candidates:
        if not is_message_spec(data):
            continue
        name = PurePosixPath(path).name
        if SPEC_FILE_NAME.fullmatch(name) is None:
            raise FetchError(f"{origin}: the spec {path!r} needs a file name of letters, digits, '.', '_' and '-'")
        # On many disks, two names that differ only in case are the same file.
        other = paths.setdefault(name.casefold(), path)
        if other != path:
            raise FetchError(f"{origin} has two specs with the same file name, {other} and {path}; rename one of them")
        specs[name] = data
    return dict(sorted(specs.items()))
