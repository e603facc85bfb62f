"""The lock file of a folder of fetched specs: which release, which jars, which bytes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

from jsonschema import Draft202012Validator, validate
from jsonschema.exceptions import ValidationError

from messagegen.fetch.sources import ARTIFACT_NAME, SPEC_FILE_NAME, Artifact, FetchError, Jar

LOCK_NAME: Final = "messagegen-specs.lock"
JOURNAL_NAME: Final = "messagegen-specs.journal"
LOCK_VERSION: Final = 1

_SHA256 = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
_ARTIFACT = f"^{ARTIFACT_NAME.pattern}$"
_JAR = {
    "type": "object",
    "required": ["name", "sha256"],
    "additionalProperties": False,
    "properties": {"name": {"type": "string"}, "sha256": _SHA256},
}
_LOCKED_ARTIFACT = {
    "type": "object",
    "required": ["jar", "specs"],
    "additionalProperties": False,
    "properties": {
        "jar": {"anyOf": [{"type": "null"}, _JAR]},
        "specs": {
            "type": "object",
            "propertyNames": {"pattern": f"^{SPEC_FILE_NAME.pattern}$"},
            "additionalProperties": _SHA256,
        },
    },
}
# The names become paths of files to replace and remove: the patterns keep them inside the folder.
_LOCK_SCHEMA = {
    "type": "object",
    "required": ["artifacts", "lockVersion", "missing", "release"],
    "additionalProperties": False,
    "properties": {
        "lockVersion": {"const": LOCK_VERSION},
        "release": {"type": ["string", "null"]},
        "missing": {"type": "array", "items": {"type": "string"}},
        "artifacts": {
            "type": "object",
            "propertyNames": {"pattern": _ARTIFACT},
            "additionalProperties": _LOCKED_ARTIFACT,
        },
    },
}
_JOURNAL_SCHEMA = {
    "type": "object",
    "propertyNames": {"pattern": f"^{ARTIFACT_NAME.pattern}/{SPEC_FILE_NAME.pattern}$"},
    "additionalProperties": {"type": "array", "items": _SHA256},
}


@dataclass(frozen=True, slots=True)
class LockedArtifact:
    """One artifact in the lock: its jar (``None`` for a checkout) and the SHA-256 of each spec by file name."""

    jar: Jar | None
    specs: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Lock:
    """The contents of a lock file.

    ``release`` is ``None`` if the sources do not have a single release; ``missing`` are the artifacts that it does not
    publish.
    """

    release: str | None
    artifacts: Mapping[str, LockedArtifact]
    missing: tuple[str, ...]

    @classmethod
    def of(cls, release: str | None, artifacts: Iterable[Artifact], missing: Iterable[str]) -> Lock:
        """The lock of the given specs."""
        locked = {
            artifact.name: LockedArtifact(artifact.jar, {name: digest(data) for name, data in artifact.specs.items()})
            for artifact in artifacts
        }
        return cls(release, locked, tuple(sorted(missing)))

    def files(self) -> dict[str, str]:
        """The SHA-256 of each spec by its path in the folder, such as ``kafka-clients/FetchRequest.json``."""
        return {
            f"{artifact}/{name}": sha256
            for artifact, locked in self.artifacts.items()
            for name, sha256 in locked.specs.items()
        }

    def to_text(self) -> str:
        """The text of the lock file: JSON with sorted keys, always the same for the same lock."""
        artifacts = {
            name: {
                "jar": {"name": locked.jar.name, "sha256": locked.jar.sha256} if locked.jar else None,
                "specs": dict(locked.specs),
            }
            for name, locked in self.artifacts.items()
        }
        lock = {
            "lockVersion": LOCK_VERSION,
            "release": self.release,
            "artifacts": artifacts,
            "missing": list(self.missing),
        }
        return json.dumps(lock, indent=2, sort_keys=True) + "\n"


def digest(data: bytes) -> str:
    """The SHA-256 of ``data`` in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def read_lock(folder: Path) -> Lock | None:
    """The lock of ``folder``, or ``None`` without one. Raises ``FetchError`` for an invalid lock file."""
    value = _read_json(folder / LOCK_NAME, _LOCK_SCHEMA)
    if value is None:
        return None
    artifacts = {
        name: LockedArtifact(Jar(**locked["jar"]) if locked["jar"] else None, locked["specs"])
        for name, locked in value["artifacts"].items()
    }
    return Lock(value["release"], artifacts, tuple(value["missing"]))


def read_journal(folder: Path) -> dict[str, list[str]] | None:
    """The journal of an incomplete run, or ``None``: maps each path to the SHA-256 of everything that may have been written there.

    Raises ``FetchError`` for an invalid journal.
    """
    return _read_json(folder / JOURNAL_NAME, _JOURNAL_SCHEMA)


def _read_json(path: Path, schema: Mapping[str, object]) -> dict[str, Any] | None:
    advice = "restore the file, or delete it and fetch with --force"
    try:
        value = json.loads(path.read_bytes())
    except FileNotFoundError:
        return None
    except (ValueError, RecursionError) as error:
        raise FetchError(f"{path} is not JSON: {error}; {advice}") from error
    try:
        validate(value, schema, cls=Draft202012Validator)
    except ValidationError as error:
        raise FetchError(f"{path}: {error.json_path}: {error.message}; {advice}") from error
    return cast("dict[str, Any]", value)
