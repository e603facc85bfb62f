"""Reads message specs from the resources of a published jar.

Kafka keeps its specs under ``common/message``, ``common/metadata`` and ``message``, depending on the module and the
release. So specs are recognized by their keys, not by their folder.
"""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from messagegen.findings import UsageError
from messagegen.jsonc import JsonError, parse_json, plain
from messagegen.spec.model import MessageKind
from messagegen.texts import MAX_BYTES, open_file

ARTIFACT_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
SHA256_HEX: Final = re.compile("[0-9a-f]{64}")
"""A SHA-256 digest in lower-case hexadecimal digits."""
SPEC_FILE_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*\.json")
MESSAGE_TYPES: Final = frozenset(kind.value for kind in MessageKind)
LARGEST_SPEC: Final = MAX_BYTES
"""The maximum size of a message spec in bytes. Larger JSON files are ignored; Kafka's largest spec has about 20,000."""
LARGEST_SUM: Final = 64 << 20
"""The maximum size of all JSON files in a jar in bytes; Kafka's jars have about 1,000,000."""

_JAR_NAME = re.compile(r"(?P<artifact>.+?)-(?P<release>[0-9][A-Za-z0-9.+-]*)")


class FetchError(UsageError):
    """Raised if specs could not be fetched; the message contains the reason and advice."""


@dataclass(frozen=True, slots=True)
class SpecSet:
    """The published bytes of specs, by ``ARTIFACT/NAME.json``; ``release`` is ``None`` if it is unknown."""

    release: str | None
    texts: Mapping[str, bytes]


def is_message_spec(data: bytes) -> bool:
    """Whether ``data`` is a JSON object, comments allowed, with the keys and the ``type`` of a message spec.

    Invalid specs count, too, and so does text that is not JSON but contains the key ``validVersions``. The spec parser
    then reports the problems.
    """
    if len(data) > LARGEST_SPEC or b'"validVersions"' not in data:
        return False
    try:
        value = plain(parse_json(data).root.value)
    except JsonError:
        return True
    return isinstance(value, dict) and {"name", "validVersions"} <= value.keys() and value.get("type") in MESSAGE_TYPES


def read_jar(path: Path) -> SpecSet:
    """Return the message specs in the resources of the jar at ``path``; its file name determines artifact and release.

    Raise ``FetchError`` if the file cannot be read, is not a zip archive, is damaged, or contains two specs with the
    same file name.
    """
    match = _JAR_NAME.fullmatch(path.stem)
    artifact = match["artifact"] if match else path.stem
    release = match["release"] if match else None
    if ARTIFACT_NAME.fullmatch(artifact) is None:
        raise FetchError(
            f"{path}: {artifact!r} is not allowed as the name of a folder of specs; "
            "rename the jar to ARTIFACT-RELEASE.jar"
        )
    try:
        with open_file(path) as file, zipfile.ZipFile(file) as archive:
            files = [entry for entry in archive.infolist() if entry.filename.endswith(".json")]
            chosen = [entry for entry in files if entry.file_size <= LARGEST_SPEC]
            if sum(entry.file_size for entry in chosen) > LARGEST_SUM:
                raise FetchError(f"{path} has more than {LARGEST_SUM >> 20} MB of JSON; no Kafka jar has that")
            texts = {entry.filename: archive.read(entry) for entry in chosen}
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError) as error:
        raise FetchError(f"{path} is not a jar, or it is damaged: {error}; download it again") from error
    except OSError as error:
        raise FetchError(f"cannot read the jar {path}: {error.strerror or error}") from error
    specs = sorted((PurePosixPath(name).name, text) for name, text in texts.items() if is_message_spec(text))
    # On many disks, two names that differ only in case refer to the same file.
    if len({name.casefold() for name, _ in specs}) < len(specs) or not all(
        SPEC_FILE_NAME.fullmatch(name) for name, _ in specs
    ):
        raise FetchError(
            f"{path}: expected a unique file name for each spec, with only letters, digits, '.', '_' and '-'"
        )
    return SpecSet(release, {f"{artifact}/{name}": text for name, text in specs})
