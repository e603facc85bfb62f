"""What to generate, and where to: ``[tool.messagegen]`` of a ``pyproject.toml``, and the flags that override it."""

from __future__ import annotations

import difflib
import keyword
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, cast

from messagegen.versions import VersionRange

FILE_NAME: Final = "pyproject.toml"
TABLE: Final = "tool.messagegen"
KEYS: Final = ("specs", "output", "messages", "versions", "error_codes")


class ConfigError(ValueError):
    """Raised for settings that are missing or wrong; the text says what to write instead."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What to generate.

    ``specs`` are folders or files; ``messages`` is the subset of messages by name, all of them where it is empty;
    ``versions`` restricts the valid versions of a message (``"2-7"`` in Kafka's notation) by its name; ``error_codes`` is the
    file of error codes of a package that offers them.
    """

    specs: tuple[Path, ...] = ()
    output: Path | None = None
    messages: tuple[str, ...] = ()
    versions: Mapping[str, str] = field(default_factory=dict[str, str])
    error_codes: Path | None = None

    def require_package(self) -> str:
        """The name of the generated package: the last part of ``output``.

        Raises ``ConfigError`` where that is not a name that Python can import.
        """
        return package_name(self.require_output())

    def require_output(self) -> Path:
        """The output folder; raises ``ConfigError`` where none was given."""
        if self.output is None:
            raise ConfigError(f"no output folder; pass --output DIR or write output under [{TABLE}] in {FILE_NAME}")
        return self.output

    def require_specs(self) -> tuple[Path, ...]:
        """The spec folders and files; raises ``ConfigError`` where none was given."""
        if not self.specs:
            raise ConfigError(f"no specs; pass --specs DIR or write specs under [{TABLE}] in {FILE_NAME}")
        return self.specs

    def override(
        self,
        specs: Sequence[Path] = (),
        output: Path | None = None,
        messages: Sequence[str] = (),
        error_codes: Path | None = None,
    ) -> Settings:
        """These settings with what the flags say; other specs also leave behind what goes with the old ones."""
        settings = replace(self, specs=tuple(specs), messages=(), versions={}, error_codes=None) if specs else self
        if output is not None:
            settings = replace(settings, output=output)
        if error_codes is not None:
            settings = replace(settings, error_codes=error_codes)
        return replace(settings, messages=tuple(messages)) if messages else settings


def find_config(start: Path) -> Path | None:
    """The nearest ``pyproject.toml`` with a ``[tool.messagegen]`` table, from the folder ``start`` upwards.

    Raises ``ConfigError`` where a file on the way cannot be read.
    """
    for folder in (start, *start.parents):
        file = folder / FILE_NAME
        if file.is_file() and _table(file) is not None:
            return file
    return None


def load_settings(file: Path) -> Settings:
    """The settings in ``file``; relative paths count from its folder.

    Raises ``ConfigError`` for a file without the table, an unknown key, and a value of the wrong form.
    """
    table = _table(file)
    if table is None:
        raise ConfigError(f"{file} has no [{TABLE}] table; add one with specs and output")
    for key in table:
        if key not in KEYS:
            raise ConfigError(f"{file}: {key} is not a key of [{TABLE}]; {_nearest(key)}")
    try:
        return Settings(
            specs=tuple(file.parent / path for path in _strings(table, "specs", '["message_specs"]')),
            output=_output(table, file.parent),
            messages=_strings(table, "messages", '["MetadataRequest", "MetadataResponse"]'),
            versions=_versions(table),
            error_codes=_error_codes(table, file.parent),
        )
    except ConfigError as error:
        raise ConfigError(f"{file}: {error}") from None


def package_name(output: Path) -> str:
    """The last part of ``output``; raises ``ConfigError`` where Python cannot import a package of that name."""
    name = output.resolve().name
    if not name.isidentifier() or not name.isascii() or keyword.iskeyword(name):
        raise ConfigError(
            f'"{name}", the last part of the output folder, is the package\'s name and must be an identifier; '
            f"write {output.parent / _identifier(name)}"
        )
    return name


def _identifier(name: str) -> str:
    letters = "".join(letter if letter.isascii() and letter.isalnum() else "_" for letter in name).strip("_")
    usable = letters and not letters[0].isdigit() and not keyword.iskeyword(letters)
    return letters if usable else f"{letters}_messages".lstrip("0123456789_")


def _table(file: Path) -> dict[str, object] | None:
    try:
        document: dict[str, object] = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{file} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise ConfigError(f"{file} is not TOML: {error}") from None
    tool = document.get("tool")
    table = cast("dict[str, object]", tool).get("messagegen") if isinstance(tool, dict) else None
    if table is not None and not isinstance(table, dict):
        raise ConfigError(f"{file}: {TABLE} is not a table; write [{TABLE}] and its keys below")
    return cast("dict[str, object] | None", table)


def _nearest(key: str) -> str:
    near = difflib.get_close_matches(key, KEYS, n=1)
    return f"did you mean {near[0]}?" if near else f"the keys are {', '.join(KEYS)}"


def _strings(table: Mapping[str, object], key: str, example: str) -> tuple[str, ...]:
    value = table.get(key, [])
    items = cast("list[object]", value) if isinstance(value, list) else [None]
    strings = tuple(item for item in items if isinstance(item, str) and item)
    if len(strings) != len(items) or (key in table and not strings):
        raise ConfigError(f"{key} must be a list of names, not empty; write {key} = {example}")
    return strings


def _output(table: Mapping[str, object], folder: Path) -> Path | None:
    value = table.get("output")
    if value is None:
        return None
    if not isinstance(value, str) or not value:
        raise ConfigError('output must be the path of a folder; write output = "src/kafka_messages"')
    package_name(folder / value)
    return folder / value


def _error_codes(table: Mapping[str, object], folder: Path) -> Path | None:
    value = table.get("error_codes")
    if value is None:
        return None
    if not isinstance(value, str) or not value:
        raise ConfigError('error_codes must be the path of a file; write error_codes = "error_codes/kafka.json"')
    return folder / value


def _versions(table: Mapping[str, object]) -> dict[str, str]:
    value = table.get("versions", {})
    if not isinstance(value, dict):
        raise ConfigError('versions must be a table; write versions = { MetadataRequest = "9-12" }')
    versions: dict[str, str] = {}
    for message, text in cast("dict[str, object]", value).items():
        if not isinstance(text, str):
            raise ConfigError(f'versions.{message} must be a string; write {message} = "2-7"')
        try:
            VersionRange.parse(text)
        except ValueError as error:
            raise ConfigError(f"versions.{message}: {error}") from None
        versions[message] = text
    return versions
