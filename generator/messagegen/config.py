"""Settings of the generator: ``[tool.messagegen]`` in a ``pyproject.toml``, and the flags that override it.

The table describes one output, or several in ``[[tool.messagegen.outputs]]``. In that case, its other keys are the
defaults of the outputs. Keys may use hyphens or underscores.
"""

from __future__ import annotations

import keyword
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Final

from messagegen.build import BUILD
from messagegen.fetch.releases import release_of, releases_of
from messagegen.findings import UsageError, nearest
from messagegen.keys import Key
from messagegen.places import leaves, real
from messagegen.texts import read_file

FILE_NAME: Final = "pyproject.toml"
KAFKAS_ERROR_CODES: Final = Path("kafka")
"""The name of the error codes of Kafka itself, in place of a file."""
TABLE: Final = "tool.messagegen"
LONGEST_LICENCE: Final = 150
"""The maximum length of an SPDX expression. After a longer one, the digest would not be in a file's first bytes."""
_SPDX: Final = re.compile(rf"[A-Za-z0-9.:+() -]{{1,{LONGEST_LICENCE}}}")
"""The characters of SPDX expressions; no comment of Python, HTML or CSS ends with them."""


class ConfigError(ValueError):
    """Raised for missing or invalid settings; the message contains the advice."""


def _path(folder: Path, text: str) -> Path:
    """Return the path in a setting. It must not leave the repository, because settings may come from strangers."""
    if leaves(folder / text, folder):
        raise ConfigError(f"{text} leads out of the repository; name another path, or pass it with a flag")
    return folder / text


def _sources(folder: Path, texts: list[str]) -> tuple[Path, ...]:
    """Return spec folders and files as paths in the repository. Releases of Kafka stay as they are."""
    return tuple(Path(text) if release_of(Path(text)) else _path(folder, text) for text in texts)


def _error_codes(folder: Path, text: str) -> Path:
    """Return the path of a file of error codes; ``kafka`` stays as it is, because it names no file."""
    return KAFKAS_ERROR_CODES if text == str(KAFKAS_ERROR_CODES) else _path(folder, text)


def _spdx(_: Path, value: str) -> str:
    """Return an SPDX expression, which is part of a comment in Python and on pages."""
    if not _SPDX.fullmatch(value):
        raise ConfigError(
            f'invalid value of license "{value}"; write an SPDX expression of at most {LONGEST_LICENCE} characters, '
            'such as "Apache-2.0"'
        )
    return value


def _names(_: Path, texts: list[str]) -> tuple[str, ...]:
    return tuple(texts)


def _releases(_: Path, text: str) -> tuple[str, ...]:
    """Return the releases of brokers."""
    try:
        return releases_of(text)
    except UsageError as error:
        raise ConfigError(f"brokers: {error}") from None


OUTPUT_KEYS: Final = (
    Key("specs", list[str], ["message_specs"], read=_sources),
    Key("output", str, "src/kafka_messages", read=_path),
    Key("messages", list[str], ["MetadataRequest", "Fetch*"], read=_names, of_specs=True),
    Key("exclude", list[str], ["*Record"], read=_names, of_specs=True),
    Key("brokers", str, "2.8..4.4", read=_releases, of_specs=True),
    Key("versions", dict[str, str], {"MetadataRequest": "9-12"}, of_specs=True),
    Key("error_codes", str, "error_codes/shop.json", read=_error_codes, of_specs=True),
    Key("include", list[str], ["python"], read=_names),
    Key("options", dict[str, dict[str, Any]], {"site": {}}),
    Key("license", str, "Apache-2.0", field="licence", read=_spdx),
)
"""The keys of an output."""
_REQUIRED: Final = Key("required_version", str, ">=0.1,<0.2")
TABLE_KEYS: Final = (
    *OUTPUT_KEYS,
    _REQUIRED,
    Key("outputs", list[dict[str, Any]], [dict[str, Any]()], f"tables [[{TABLE}.outputs]]"),
    Key("breaking", dict[str, Any], {}, f"a table [{TABLE}.breaking]"),
    Key("lint", dict[str, Any], {}, f"a table [{TABLE}.lint]"),
)
"""The keys of the whole table; ``breaking`` and ``lint`` are tables for these commands."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one output.

    - ``specs`` are folders, files, or releases of Kafka such as ``kafka:4.4.0``.
    - ``messages`` are names and patterns of the messages to generate; if it is empty, all are generated.
    - ``exclude`` are names and patterns of messages that are not generated.
    - ``brokers`` are releases of Kafka: requests and responses get the versions that a client needs for them. If it is
      empty, they get all valid versions.
    - ``versions`` limits the valid versions of messages by name or pattern, in Kafka's notation (``"2-7"``).
    - ``error_codes`` is the file of error codes, or ``kafka`` for Kafka's own, if the package has any.
    - ``include`` names the outputs to write; if it is empty, the default outputs are written. ``options`` are their
      options.
    - ``licence`` is the SPDX expression of the generated code, or ``None`` for the generator's default.
    - ``file`` is the configuration file with the specs, or ``None`` if the specs come from flags.
    """

    specs: tuple[Path, ...] = ()
    output: Path | None = None
    messages: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    brokers: tuple[str, ...] = ()
    versions: Mapping[str, str] = field(default_factory=dict[str, str])
    error_codes: Path | None = None
    include: tuple[str, ...] = ()
    options: Mapping[str, Mapping[str, object]] = field(default_factory=dict[str, Mapping[str, object]])
    licence: str | None = None
    file: Path | None = field(default=None, compare=False)

    def require_package(self) -> str:
        """Return the name of the generated package: the last part of ``output``.

        Raise ``ConfigError`` if Python cannot import that name.
        """
        return package_name(self.require_output())

    def require_output(self) -> Path:
        """Return the output folder; raise ``ConfigError`` if none is set."""
        if self.output is None:
            raise ConfigError(f"no output folder; pass --output DIR or write output under [{TABLE}] in {FILE_NAME}")
        return self.output

    def require_specs(self) -> tuple[Path, ...]:
        """Return the spec folders and files; raise ``ConfigError`` if none are set."""
        if not self.specs:
            raise ConfigError(
                f"no specs; pass --specs DIR, write specs under [{TABLE}] in {FILE_NAME}, "
                "or run `messagegen init` in a new repository"
            )
        for path in self.specs if self.file else ():
            if release_of(path) is None and not path.exists():
                raise ConfigError(f"{self.file}: no such spec file or folder: {path}")
        return self.specs

    def override(self, flags: Settings) -> Settings:
        """Return these settings, overridden by ``flags``.

        If the flags contain specs, keys that belong to the specs in these settings are reset.
        """
        settings = replace(self, file=None, **_DEFAULTS_OF_SPECS) if flags.specs else self
        given: dict[str, Any] = {each.name: getattr(flags, each.name) for each in fields(flags)}
        return replace(settings, **{name: value for name, value in given.items() if value})


_DEFAULTS_OF_SPECS: Final[dict[str, Any]] = {
    key.attribute: getattr(Settings(), key.attribute) for key in OUTPUT_KEYS if key.of_specs
}


def find_config(start: Path) -> Path | None:
    """Return the nearest ``pyproject.toml`` with a ``[tool.messagegen]`` table, in the folder ``start`` or above it.

    Raise ``ConfigError`` if one of the searched files cannot be read.
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
    """Return the settings of each output in ``file``; relative paths are relative to the folder of ``file``.

    Raise ``ConfigError`` for a missing table, an unknown key or an invalid value, or if the file does not allow this
    version of messagegen.
    """
    table = _table(file)
    if table is None:
        raise ConfigError(f"{file} has no [{TABLE}] table; add one with specs and output")
    try:
        # Another version may have other keys.
        _check_version(_required_version(table))
        table = _known(table, TABLE_KEYS, f"[{TABLE}]")
        tables = [_known(one, OUTPUT_KEYS, f"[[{TABLE}.outputs]]") for one in table.get("outputs", [{}])]
        several = tuple(_settings({**table, **one}, file) for one in tables)
    except ConfigError as error:
        raise ConfigError(f"{file}: {error}") from None
    places = [real(settings.require_output()) for settings in several] if len(several) > 1 else []
    for place in places:
        if places.count(place) > 1:
            raise ConfigError(f"{file}: duplicate output folder {place}; give each output its own")
    return several


def load_section(file: Path, name: str, keys: Sequence[Key]) -> dict[str, Any]:
    """Return the table ``[tool.messagegen.NAME]`` of ``file``, with underscores in its keys; ``{}`` if it is missing.

    Raise ``ConfigError`` for an unknown key and an invalid value.
    """
    try:
        table = _known(_table(file) or {}, TABLE_KEYS, f"[{TABLE}]")
        return _known(table.get(name, {}), keys, f"[{TABLE}.{name}]")
    except ConfigError as error:
        raise ConfigError(f"{file}: {error}") from None


def choose(outputs: tuple[Settings, ...], flags: Settings) -> tuple[Settings, ...]:
    """Return the outputs that the flags select: all outputs if ``flags`` is empty, otherwise one.

    Raise ``ConfigError`` if the flags are ambiguous.
    """
    if len(outputs) > 1 and flags != Settings():
        output = flags.output and real(flags.output)
        named = [one for one in outputs if real(one.require_output()) == output]
        if not named and not (flags.specs and output):
            names = ", ".join(str(one.output) for one in outputs)
            raise ConfigError(f"the outputs are {names}; choose one with --output")
        outputs = (named[0] if named else Settings(),)
    return tuple(one.override(flags) for one in outputs)


def package_name(output: Path) -> str:
    """Return the last part of ``output``; raise ``ConfigError`` if Python cannot import a package of that name."""
    name = real(output).name
    if not name.isidentifier() or not name.isascii() or keyword.iskeyword(name):
        near = re.sub(r"\W", "_", name, flags=re.ASCII)
        raise ConfigError(
            f'"{name}", the last part of the output folder, is the package\'s name and must be an identifier; '
            f"write a name such as {output.parent / near}_messages"
        )
    return name


def _table(file: Path) -> dict[str, Any] | None:
    try:
        document: dict[str, Any] = tomllib.loads(read_file(file).decode())
        table = document.get("tool", {}).get("messagegen")
    except OSError as error:
        raise ConfigError(f"{file} cannot be read: {error.strerror}") from None
    except (AttributeError, RecursionError, ValueError) as error:
        raise ConfigError(f"{file} is not TOML with tables: {error}") from None
    if not isinstance(table or {}, dict):
        raise ConfigError(f"{file}: {TABLE} is not a table; write [{TABLE}] and its keys below")
    found: dict[str, Any] | None = table
    return found


def _known(table: Mapping[str, object], keys: Sequence[Key], name: str) -> dict[str, Any]:
    """Return the table with underscores in its keys. Raise ``ConfigError`` for an unknown key or an invalid value."""
    by_name = {key.name: key for key in keys}
    known = {name_of.replace("-", "_"): value for name_of, value in table.items()}
    for each, value in known.items():
        if each not in by_name:
            near = nearest(each, by_name)
            advice = f"did you mean {near}?" if near else f"the keys are {', '.join(by_name)}"
            raise ConfigError(f"unknown key {each} in {name}; {advice}")
        if not by_name[each].accepts(value):
            raise ConfigError(f"invalid value of {each}; write a value such as {by_name[each].line}")
    return known


def _settings(table: Mapping[str, Any], file: Path) -> Settings:
    values = {key.attribute: key.read(file.parent, table[key.name]) for key in OUTPUT_KEYS if key.name in table}
    return Settings(**values, file=file)


def required_version(file: Path) -> str:
    """Return ``required-version`` of a file; "" if it is missing. Raise ``ConfigError`` if it is not a string."""
    try:
        return _required_version(_table(file) or {})
    except ConfigError as error:
        raise ConfigError(f"{file}: {error}") from None


def check_required_version(file: Path) -> None:
    """Raise ``ConfigError`` unless ``required-version`` of a file allows this version of messagegen."""
    wanted = required_version(file)
    try:
        _check_version(wanted)
    except ConfigError as error:
        raise ConfigError(f"{file}: {error}") from None


def _required_version(table: Mapping[str, object]) -> str:
    """Return ``required-version`` of a table, whose other keys may be unknown; "" if it is missing."""
    own = {name: value for name, value in table.items() if name.replace("-", "_") == _REQUIRED.name}
    return str(_known(own, [_REQUIRED], f"[{TABLE}]").get(_REQUIRED.name, ""))


def fits(wanted: str) -> bool:
    """Whether this messagegen matches a version or a version specifier; "" matches all. Raise ``ConfigError``."""
    from packaging.specifiers import InvalidSpecifier, SpecifierSet  # noqa: PLC0415 - few tables have the key

    try:
        fitting = SpecifierSet(f"=={wanted}" if wanted[:1].isdigit() else wanted)
    except InvalidSpecifier:
        raise ConfigError(f'invalid required-version "{wanted}"; write {_REQUIRED.line}') from None
    return fitting.contains(BUILD, prereleases=True)


def _check_version(wanted: str) -> None:
    """Raise ``ConfigError`` unless this messagegen matches ``wanted``, a version or a version specifier."""
    if not fits(wanted):
        raise ConfigError(
            f"required-version is {wanted}, but this is messagegen {BUILD}; install a version that matches, "
            "or run `messagegen init --upgrade` to change the pins to this one"
        )
