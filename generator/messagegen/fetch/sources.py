"""Reads message specs from the resources of a published jar, or from a source checkout.

Kafka keeps its specs under ``common/message``, ``common/metadata`` and ``message``, depending on the module
and the release. Specs are therefore recognised by their keys and not by their folder.
"""

from __future__ import annotations

import hashlib
import os
import re
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import IO, Final

import tree_sitter_json
from tree_sitter import Language, Node, Parser

ARTIFACT_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
SPEC_FILE_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*\.json")
MESSAGE_TYPES: Final = frozenset(
    {"request", "response", "header", "data", "metadata", "coordinator-key", "coordinator-value"}
)
LARGEST_SPEC: Final = 4 << 20
"""In bytes; a larger JSON file is not a message spec (Kafka's largest has about 20,000)."""

_JAR_NAME = re.compile(r"(?P<artifact>.+?)-(?P<release>[0-9][A-Za-z0-9.+-]*)")
_SOURCE_ROOT = ("src", "main", "resources")
_SKIPPED_FOLDERS = frozenset({"build", "node_modules"})
_CHUNK = 1 << 20


class FetchError(Exception):
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


def is_message_spec(data: bytes) -> bool:
    """Whether ``data`` is a JSON object, comments allowed, with the keys and the ``type`` of a message spec.

    Includes invalid specs; the spec parser reports what is wrong with them.
    """
    if len(data) > LARGEST_SPEC or b'"validVersions"' not in data:
        return False
    tree = Parser(Language(tree_sitter_json.language())).parse(data.removeprefix(b"\xef\xbb\xbf"))
    root = next((node for node in tree.root_node.named_children if node.type == "object"), None)
    if root is None:
        return False
    properties = dict(_properties(root))
    return {"name", "validVersions"} <= properties.keys() and properties.get("type") in MESSAGE_TYPES


def _properties(node: Node) -> Iterable[tuple[str, str]]:
    for pair in node.named_children:
        key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
        if key is not None and value is not None:
            yield _text(key).strip('"'), _text(value).strip('"')


def _text(node: Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")


def read_jar(path: Path) -> Artifact:
    """The message specs in the resources of the jar at ``path``; its file name determines artifact and release.

    Raises ``FetchError`` if the file cannot be read, is not a zip archive, is damaged, or contains names that lead out of it
    or two specs with the same file name.
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
            entries = archive.infolist()
            for entry in entries:
                _refuse_unsafe_name(path, entry.orig_filename)
            candidates = (
                (entry.filename, archive.read(entry))
                for entry in entries
                if entry.filename.endswith(".json") and entry.file_size <= LARGEST_SPEC
            )
            return _by_file_name(str(path), candidates)
    except zipfile.BadZipFile as error:
        raise FetchError(f"{path} is not a jar (a jar is a zip archive): {error}; download it again") from error
    except (zlib.error, EOFError, RuntimeError, NotImplementedError, ValueError) as error:
        raise FetchError(f"{path} is damaged or encrypted: {error}; download it again") from error


def _refuse_unsafe_name(jar: Path, name: str) -> None:
    windows = PureWindowsPath(name)
    if windows.drive or windows.root or ".." in windows.parts or "\0" in name:
        raise FetchError(
            f"{jar} has an entry that leads out of it, {name!r}; no Kafka jar has that: do not use this file"
        )


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


def read_checkout(folder: Path) -> tuple[Artifact, ...]:
    """The message specs of a Kafka source checkout, one artifact per module that has any, sorted by name.

    Reads ``*.json`` below each module's ``src/main/resources``; a module ``clients`` becomes ``kafka-clients``, as
    published. The release is read from ``gradle.properties``. Raises ``FetchError`` if the folder cannot be read or
    has no specs.
    """
    if not folder.is_dir():
        raise FetchError(f"{folder} is not a folder; name the root of a Kafka source checkout")
    try:
        modules: dict[str, list[tuple[str, bytes]]] = {}
        for module, path in _resources(folder):
            if path.stat().st_size <= LARGEST_SPEC:
                modules.setdefault(module, []).append((path.relative_to(folder).as_posix(), path.read_bytes()))
        release = _gradle_release(folder)
    except OSError as error:
        raise FetchError(f"cannot read {error.filename or folder}: {error.strerror or error}") from error
    read = ((name, _by_file_name(str(folder), files)) for name, files in sorted(modules.items()))
    artifacts = tuple(Artifact(name, release, None, specs) for name, specs in read if specs)
    if not artifacts:
        raise FetchError(
            f"no message specs in {folder}; name the root of a Kafka source checkout, which has them in folders "
            "such as clients/src/main/resources/common/message"
        )
    return artifacts


def _resources(folder: Path) -> Iterable[tuple[str, Path]]:
    """Pairs of artifact name and JSON file; links to folders are not followed, so the walk terminates."""
    for parent, folders, files in os.walk(folder, onerror=_raise):
        folders[:] = sorted(name for name in folders if name not in _SKIPPED_FOLDERS and not name.startswith("."))
        module = _module(folder, Path(parent))
        if module is not None:
            yield from ((module, Path(parent, name)) for name in sorted(files) if name.endswith(".json"))


def _raise(error: OSError) -> None:
    raise error


def _module(folder: Path, parent: Path) -> str | None:
    parts = parent.relative_to(folder).parts
    for index in range(len(parts) - len(_SOURCE_ROOT) + 1):
        if parts[index : index + len(_SOURCE_ROOT)] == _SOURCE_ROOT:
            module = parts[index - 1] if index else folder.resolve().name
            return f"kafka-{module}" if ARTIFACT_NAME.fullmatch(module) else None
    return None


def _gradle_release(folder: Path) -> str | None:
    properties = folder / "gradle.properties"
    if not properties.is_file():
        return None
    match = re.search(r"^version\s*=\s*(\S+)", properties.read_text("utf-8", "replace"), re.MULTILINE)
    return match[1] if match else None
