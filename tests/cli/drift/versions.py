"""Pretended versions of messagegen, which write different code."""

from __future__ import annotations

import contextlib
import functools
import sys
from collections.abc import Iterator
from typing import Any, Final
from unittest import mock

from messagegen import outputs
from messagegen.cli import run

OLD: Final = "0.0.9"
VERSIONS: Final = (OLD, "0.1.0", "0.2.0")
_OLD_MODULE: Final = "_runtime/old_wire.py"


@contextlib.contextmanager
def pretended(version: str) -> Iterator[None]:
    """Pretend to be a version for a ``with`` block. Each version writes its number into every runtime module.

    The oldest version has an additional runtime module, which later versions no longer write.
    """
    ordinary = outputs.files

    def files(*arguments: Any) -> dict[str, outputs.File]:
        found = ordinary(*arguments)
        changed = {path: _changed(file, version) for path, file in found.items() if path.startswith("_runtime/")}
        if changed and version == OLD:
            changed[_OLD_MODULE] = _changed(outputs.File(str), version)
        return found | changed

    with (
        mock.patch.object(outputs, "files", files),
        mock.patch("messagegen.publish.output.BUILD", version),
        mock.patch("messagegen.cli.outputs.BUILD", version),
    ):
        yield


@functools.cache
def _changed(file: outputs.File, version: str) -> outputs.File:
    """Return a file with the number of a version. Calls with the same arguments return the same object."""
    return outputs.File(functools.partial(_numbered, file, version), licence=file.licence)


def _numbered(file: outputs.File, version: str) -> str:
    return f"{file.render()}\n# Version {version}\n"


if __name__ == "__main__":
    with pretended(sys.argv[1]):
        sys.exit(run(sys.argv[2:]))
