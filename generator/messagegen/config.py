"""Settings of the generator: ``[tool.messagegen]`` in a ``pyproject.toml``, and the flags that override it.

The table describes one output, or several in ``[[tool.messagegen.outputs]]``, for which its other keys are defaults. Keys
may use hyphens or underscores.
"""

from __future__ import annotations

import difflib
import keyword
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, TypedDict, Unpack, cast

from messagegen.build import BUILD, is_build
from messagegen.fetch.releases import release_of
from messagegen.places import leaves
from messagegen.versions import VersionRange

FILE_NAME: Final = "pyproject.toml"
TABLE: Final = "tool.messagegen"
SECTIONS: Final = ("breaking", "lint")
"""Tables below ours that configure other commands."""
LINE_LENGTHS: Final = range(60, 1001)

_LICENCE: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9.+() -]{0,199}")
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value) and not _CONTROL.search(value)


def _is_list_of_texts(value: object) -> bool:
    items = cast("list[object]", value) if isinstance(value, list) else []
    return bool(items) and all(map(_is_text, items))


def _is_table_of_tables(value: object) -> bool:
    return isinstance(value, dict) and all(isinstance(one, dict) for one in cast("dict[str, object]", value).values())


_NAMES: Final = "a list of names, not empty"
_CHECKS: Final[dict[str, tuple[Callable[[object], bool], str, str]]] = {
    "specs": (_is_list_of_texts, _NAMES, 'specs = ["message_specs"]'),
    "output": (_is_text, "the path of a folder", 'output = "src/kafka_messages"'),
    "messages": (_is_list_of_texts, _NAMES, 'messages = ["MetadataRequest", "MetadataResponse"]'),
    "versions": (lambda value: isinstance(value, dict), "a table", 'versions = { MetadataRequest = "9-12" }'),
    "error_codes": (_is_text, "the path of a file", 'error_codes = "error_codes/kafka.json"'),
    "include": (_is_list_of_texts, _NAMES, 'include = ["python"]'),
    "options": (_is_table_of_tables, "a table of tables", 'options.NAME = { KEY = "value" }'),
    "line-length": (
        lambda value: type(value) is int and value in LINE_LENGTHS,
        f"a number from {LINE_LENGTHS[0]} to {LINE_LENGTHS[-1]}",
        "line-length = 120",
    ),
    "license": (
        lambda value: isinstance(value, str) and bool(_LICENCE.fullmatch(value)),
        "an SPDX expression",
        'license = "Apache-2.0"',
    ),
}
"""The keys of an output: what holds for a valid value, in words, and an example."""
KEYS: Final = tuple(_CHECKS)
TABLE_KEYS: Final = (*KEYS, "required-version", "outputs", *SECTIONS)


class ConfigError(ValueError):
    """Raised for missing or invalid settings; the message says what to write instead."""


class Flags(TypedDict, total=False):
    """The flags that override settings; empty or ``None`` means that a flag was not given."""

    specs: Sequence[Path]
    output: Path | None
    messages: Sequence[str]
    error_codes: Path | None
    include: Sequence[str]


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one output.

    ``specs`` are folders, files, or releases of Kafka such as ``kafka:4.4.0``; ``messages`` is the subset of messages by name, all of them where it is empty;
    ``versions`` restricts the valid versions of a message (``"2-7"`` in Kafka's notation) by its name; ``error_codes`` is the
    file of error codes of a package that offers them. ``include`` names the outputs to write, where it is not empty, and ``options``
    are theirs. ``line_length`` is the longest line that code is broken at, and
    ``licence`` the SPDX expression of the generated code; ``None`` leaves the choice to the generator. ``file`` is the
    configuration that names the specs, ``None`` for specs that flags name.
    """

    specs: tuple[Path, ...] = ()
    output: Path | None = None
    messages: tuple[str, ...] = ()
    versions: Mapping[str, str] = field(default_factory=dict[str, str])
    error_codes: Path | None = None
    include: tuple[str, ...] = ()
    options: Mapping[str, Mapping[str, object]] = field(default_factory=dict[str, Mapping[str, object]])
    line_length: int | None = None
    licence: str | None = None
    file: Path | None = field(default=None, compare=False)

    def require_package(self) -> str:
        """The name of the generated package: the last part of ``output``.

        Raises ``ConfigError`` if Python cannot import that name.
        """
        return package_name(self.require_output())

    def require_output(self) -> Path:
        """The output folder; raises ``ConfigError`` if none is set."""
        if self.output is None:
            raise ConfigError(f"no output folder; pass --output DIR or write output under [{TABLE}] in {FILE_NAME}")
        return self.output

    def require_specs(self) -> tuple[Path, ...]:
        """The spec folders and files; raises ``ConfigError`` if none are set."""
        if not self.specs:
            raise ConfigError(
                f"no specs; pass --specs DIR, write specs under [{TABLE}] in {FILE_NAME}, "
                "or run `messagegen init` in a new repository"
            )
        for path in self.specs if self.file else ():
            if release_of(path) is None and not path.exists():
                raise ConfigError(f"{self.file}: no such spec file or folder: {path}{_nearest_place(path)}")
        return self.specs

    def override(self, **flags: Unpack[Flags]) -> Settings:
        """These settings, overridden by flags; new specs also reset the keys that belong to the old ones."""
        settings = replace(self, messages=(), versions={}, error_codes=None, file=None) if flags.get("specs") else self
        given: dict[str, Any] = {name: value for name, value in flags.items() if value}
        given |= {name: tuple(given[name]) for name in ("specs", "messages", "include") if name in given}
        return replace(settings, **given)


def find_config(start: Path) -> Path | None:
    """The nearest ``pyproject.toml`` with a ``[tool.messagegen]`` table, in the folder ``start`` or a parent.

    Raises ``ConfigError`` if a file on the way cannot be read.
    """
    for folder in (start, *start.parents):
        file = folder / FILE_NAME
        if file.is_symlink() and leaves(file, folder):
            raise ConfigError(
                f"{file} is a symbolic link that leads out of the repository; name its target with --config"
            )
        if file.is_file() and _table(file) is not None:
            return file
    return None


def load_outputs(file: Path) -> tuple[Settings, ...]:
    """The settings of each output in ``file``; relative paths are relative to its folder.

    Raises ``ConfigError`` for a file without the table, an unknown key, an invalid value, and a version of
    messagegen that the file does not allow.
    """
    table = _table(file)
    if table is None:
        raise ConfigError(f"{file} has no [{TABLE}] table; add one with specs and output")
    try:
        table = _known(table, TABLE_KEYS, f"[{TABLE}]")
        _check_version(table.pop("required-version", None))
        for name in SECTIONS:
            table.pop(name, None)
        outputs = table.pop("outputs", None)
        if outputs is None:
            return (_settings(table, file),)
        several = tuple(_settings({**table, **one}, file) for one in _outputs(outputs, table))
    except ConfigError as error:
        raise ConfigError(f"{file}: {error}") from None
    places = [settings.require_output().resolve() for settings in several]
    for place in places:
        if places.count(place) > 1:
            raise ConfigError(f"{file}: duplicate output folder {place}; give each output its own")
    return several


def load_section(file: Path, name: str, keys: Sequence[str]) -> dict[str, object]:
    """The table ``[tool.messagegen.NAME]`` of ``file``, with its keys spelled as in ``keys``; empty if there is none.

    Raises ``ConfigError`` for an unknown key.
    """
    section = (_table(file) or {}).get(name, {})
    title = f"[{TABLE}.{name}]"
    if not isinstance(section, dict):
        raise ConfigError(f"{file}: {TABLE}.{name} is not a table; write {title} and its keys below")
    try:
        return _known(cast("dict[str, object]", section), keys, title)
    except ConfigError as error:
        raise ConfigError(f"{file}: {error}") from None


def choose(outputs: tuple[Settings, ...], **flags: Unpack[Flags]) -> tuple[Settings, ...]:
    """The outputs that the flags select: all of them without flags, otherwise one.

    Raises ``ConfigError`` if the flags are ambiguous.
    """
    specs, output = flags.get("specs"), flags.get("output")
    if not any(flags.values()):
        return outputs
    if len(outputs) > 1:
        named = [one for one in outputs if output and one.require_output().resolve() == output.resolve()]
        if not named and not (specs and output):
            names = ", ".join(str(one.output) for one in outputs)
            raise ConfigError(f"the outputs are {names}; choose one with --output")
        outputs = (named[0] if named else Settings(),)
    return tuple(one.override(**flags) for one in outputs)


def package_name(output: Path) -> str:
    """The last part of ``output``; raises ``ConfigError`` if Python cannot import a package of that name."""
    name = output.resolve().name
    if not name.isidentifier() or not name.isascii() or keyword.iskeyword(name):
        near = re.sub(r"\W", "_", name, flags=re.ASCII)
        near = near if near.isidentifier() and not keyword.iskeyword(near) else "kafka_messages"
        raise ConfigError(
            f'"{name}", the last part of the output folder, is the package\'s name and must be an identifier; '
            f"write a name such as {output.parent / near}"
        )
    return name


def _nearest_place(path: Path) -> str:
    """Advice for a path that does not exist: the most similar folder or file beside it."""
    beside = [each.name for each in path.parent.iterdir()] if path.parent.is_dir() else []
    near = difflib.get_close_matches(path.name, beside, n=1)
    return f"; did you mean {path.parent / near[0]}?" if near else ""


def _table(file: Path) -> dict[str, object] | None:
    try:
        document: dict[str, object] = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{file} cannot be read: {error.strerror}") from None
    except RecursionError:
        raise ConfigError(f"{file} is nested too deeply to be read") from None
    except ValueError as error:
        raise ConfigError(f"{file} is not TOML: {error}") from None
    tool = document.get("tool")
    table = cast("dict[str, object]", tool).get("messagegen") if isinstance(tool, dict) else None
    if table is not None and not isinstance(table, dict):
        raise ConfigError(f"{file}: {TABLE} is not a table; write [{TABLE}] and its keys below")
    return cast("dict[str, object] | None", table)


def _known(table: Mapping[str, object], keys: Sequence[str], name: str) -> dict[str, object]:
    """The table with each key spelled as in ``keys``."""
    spelling = {key.replace("-", "_"): key for key in keys}
    known: dict[str, object] = {}
    for key, value in table.items():
        usual = spelling.get(key.replace("-", "_"))
        if usual is None:
            near = difflib.get_close_matches(key, keys, n=1)
            advice = f"did you mean {near[0]}?" if near else f"the keys are {', '.join(keys)}"
            raise ConfigError(f"unknown key {key} in {name}; {advice}")
        if usual in known:
            raise ConfigError(f"duplicate key {usual} in {name}")
        known[usual] = value
    return known


def _outputs(value: object, defaults: Mapping[str, object]) -> list[dict[str, object]]:
    name = f"[[{TABLE}.outputs]]"
    items = cast("list[object]", value) if isinstance(value, list) else []
    if not items or not all(isinstance(item, dict) for item in items):
        raise ConfigError(f"outputs must be tables; write {name} above the keys of each output")
    if "output" in defaults:
        raise ConfigError(f"output and outputs can't be used together; move output into a table {name}")
    tables = [_known(cast("dict[str, object]", item), KEYS, name) for item in items]
    if not all("output" in table for table in tables):
        raise ConfigError(f'a table {name} has no output; write output = "src/kafka_messages"')
    return tables


def _settings(table: Mapping[str, Any], file: Path) -> Settings:
    for key, value in table.items():
        is_valid, what, example = _CHECKS[key]
        if not is_valid(value):
            raise ConfigError(f"{key} must be {what}; write {example}")
    folder, output, error_codes = file.parent, table.get("output"), table.get("error_codes")
    if output and "include" not in table:
        package_name(folder / output)
    return Settings(
        specs=tuple(_source(folder, path) for path in table.get("specs", ())),
        output=_inside(folder, "output", output) if output else None,
        messages=tuple(table.get("messages", ())),
        versions=_versions(table.get("versions", {})),
        error_codes=_inside(folder, "error_codes", error_codes) if error_codes else None,
        include=tuple(table.get("include", ())),
        options=table.get("options", {}),
        line_length=table.get("line-length"),
        licence=table.get("license"),
        file=file,
    )


def _check_version(wanted: object) -> None:
    """Checks this messagegen against ``required-version`` (a version, or a version specifier)."""
    if wanted is None:
        return
    from packaging.specifiers import InvalidSpecifier, SpecifierSet  # noqa: PLC0415 - few tables have the key

    example = 'write required-version = ">=0.1,<0.2"'
    if not isinstance(wanted, str):
        raise ConfigError(f"required-version must be a string; {example}")
    try:
        fitting = SpecifierSet(f"=={wanted}" if wanted[:1].isdigit() else wanted)
    except InvalidSpecifier:
        raise ConfigError(f'invalid required-version "{wanted}"; {example}') from None
    if not fitting.contains(BUILD, prereleases=True) and not is_build(wanted.removeprefix("==")):
        raise ConfigError(
            f"required-version is {wanted}, but this is messagegen {BUILD}; install a version that matches"
        )


def _source(folder: Path, text: str) -> Path:
    return Path(text) if release_of(Path(text)) else _inside(folder, "specs", text)


def _inside(folder: Path, key: str, text: str) -> Path:
    """The path that a setting names, which may not leave the repository: a stranger may have written the setting."""
    if leaves(folder / text, folder):
        raise ConfigError(f"{key} {text} leads out of the repository; name another path, or pass it with a flag")
    return folder / text


def _versions(table: Mapping[str, object]) -> dict[str, str]:
    versions: dict[str, str] = {}
    for message, text in table.items():
        if not isinstance(text, str):
            raise ConfigError(f'versions.{message} must be a string; write {message} = "2-7"')
        try:
            VersionRange.parse(text)
        except ValueError as error:
            raise ConfigError(f"versions.{message}: {error}") from None
        versions[message] = text
    return versions
