"""Pins a repository's configuration, schema, hooks and workflow to the running messagegen."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from messagegen.build import BUILD, REQUIRED, is_older
from messagegen.config import FILE_NAME, ConfigError, find_config, fits, required_version
from messagegen.origin import Origin, is_messagegen
from messagegen.setup.steps import SCHEMA_FILE, WORKFLOWS, Step, joined, read, top_for
from messagegen.spec import schema_text

_ENCODING: Final = ("utf-8", "surrogateescape")
_TABLE: Final = re.compile(r"^\[tool\.messagegen\][^\n]*\n(?:(?!\[)[^\n]*(?:\n|\Z))*", re.MULTILINE)
"""The lines of the table, without its subtables."""
_REQUIRED: Final = re.compile(r"""^([ \t]*required[-_]version[ \t]*=[ \t]*)(?:"[^"\n]*"|'[^'\n]*')""", re.MULTILINE)
_INSTALLED: Final = re.compile(r'pip install "(?P<requirement>[^"\n]*)"')
_HOOKS: Final = re.compile(
    r"(?P<before>-[ ]+repo:[ ]*)(?P<url>\S+)(?P<between>\s+rev:[ ]*)(?P<rev>\S+)"
    r"(?P<after>[^\n]*\n(?:[ ]*(?:#[^\n]*)?\n)*[ ]+hooks:\s+-[ ]+id:[ ]*messagegen-)"
)
_UNKNOWN: Final = (
    'write the command that installs this messagegen into it, or run init --upgrade --install "git+URL@COMMIT"'
)


@dataclass(frozen=True, slots=True)
class _ByHandError(Exception):
    """Raised for a pin that users must change by hand; ``note`` is the advice."""

    note: str


def upgrade_steps(folder: Path, origin: Origin | None = None) -> Iterator[Step]:
    """Yield the steps that pin a folder to this build; missing files are not written.

    CI and hooks install messagegen from ``origin``. Raise ``ConfigError`` for a folder that is not set up, or that
    requires a newer messagegen. Raise ``OSError`` if an existing file cannot be read.
    """
    file = folder / FILE_NAME
    if find_config(folder) != file:
        raise ConfigError(
            f"{file} has no [tool.messagegen]; "
            "run `messagegen init --upgrade` in a folder that `messagegen init` set up"
        )
    wanted = required_version(file)
    if is_older(BUILD, wanted):
        raise ConfigError(
            f"{file} requires messagegen {wanted}, which is newer than this messagegen {BUILD}; "
            "to go back, revert the commit of the upgrade"
        )
    yield _upgraded(folder, FILE_NAME, lambda text: _with_required_version(text, wanted))
    top = top_for(folder)
    files: dict[str, Callable[[str], str]] = {
        SCHEMA_FILE: lambda _: schema_text(),
        top.hooks: lambda text: _with_hooks(text, origin),
        **{joined(top.up, top.workflow(ci)): lambda text: _with_installed(text, origin) for ci in WORKFLOWS},
    }
    for path, change in files.items():
        if (folder / path).exists():
            yield _upgraded(folder, path, change)


def _upgraded(folder: Path, path: str, change: Callable[[str], str]) -> Step:
    before = (read(folder, path) or b"").decode(*_ENCODING)
    try:
        after = change(before)
    except _ByHandError as error:
        return Step(path, "left alone", note=error.note)
    if after == before:
        return Step(path, "unchanged")
    return Step(path, "upgraded", after.encode(*_ENCODING))


def _with_required_version(text: str, wanted: str) -> str:
    """Return the configuration, pinned to this build; unchanged if it requires nothing, or a range with this build."""
    is_range = not wanted[:1].isdigit()
    if not wanted or (is_range and fits(wanted)):
        return text
    pin = f'"{REQUIRED}"'
    after = _TABLE.sub(lambda table: _REQUIRED.sub(rf"\g<1>{pin}", table[0]), text, count=1)
    if required_in(after) != REQUIRED:
        raise _ByHandError(f"write required-version = {pin} into it")
    return after


def required_in(text: str) -> str:
    """Return ``required-version`` in the text of a configuration; "" if it is missing."""
    table: dict[str, Any] = tomllib.loads(text)["tool"]["messagegen"]
    return str(table.get("required-version", table.get("required_version", "")))


def _with_installed(text: str, origin: Origin | None) -> str:
    """Return the workflow with the pip requirement of this build. Raise ``_ByHandError`` if it can't be replaced."""
    if origin is None:
        raise _ByHandError(_UNKNOWN)
    found = [one for one in _INSTALLED.finditer(text) if is_messagegen(one["requirement"], origin.url)]
    if not found:
        raise _ByHandError(f'it has no pip install "..." of messagegen; add it, with {origin.requirement}')
    for one in reversed(found):
        text = text[: one.start("requirement")] + origin.requirement + text[one.end("requirement") :]
    return text


def _with_hooks(text: str, origin: Origin | None) -> str:
    """Return the hooks, pinned to the commit of this build. Hooks that run messagegen from ``PATH`` have no pin."""
    if not _HOOKS.search(text):
        return text
    if origin is None or not origin.url:
        raise _ByHandError("write the repository and the commit of this messagegen into it")
    return _HOOKS.sub(rf'\g<before>{origin.url}\g<between>"{origin.commit}"\g<after>', text)
