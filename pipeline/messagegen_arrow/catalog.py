"""Message catalogs: the plans and constants of messages, as values that can be sent to workers."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Final, Protocol

from messagegen_arrow.plans import Plan, read_plan, without_abouts
from messagegen_arrow.wheels import generator_is_missing

_WITH_KEY_OF_THEIR_OWN: Final = ("request", "response")


class _Codec(Protocol):
    """The codec of a generated class, with the attribute that this package uses."""

    @property
    def plan(self) -> str:
        """The text of the codec's plan."""
        ...


class MessageClass(Protocol):
    """A generated message class, from any package. Each package has a base class of its own.

    Generated classes also have the constants ``KIND``, ``API_KEY`` and ``VALID_VERSIONS``. They are not listed here,
    because generated classes set them without ``ClassVar``, so that pyright would accept none of these classes.
    """

    @property
    def CODEC(self) -> _Codec:  # noqa: N802 - the name in generated classes
        """The codec, which contains the plan."""
        ...


@dataclass(frozen=True)
class MessageTable:
    """One message: the constants of its generated class, and its plan. It can be pickled, but loses its ``abouts``."""

    name: str
    kind: str
    """The spec's ``type``: request, response, header, data, metadata, coordinator-key or coordinator-value."""
    api_key: int | None
    """Kafka's number of the API or record type; ``None`` if it has no number."""
    valid_versions: tuple[int, int]
    """The lowest and the highest version."""
    header_versions: tuple[tuple[int, int, int], ...]
    """Ranges of versions: the lowest, the highest, and the version of the header before such bodies (KIP-1313)."""
    plan: str = field(repr=False)
    """The plan's text, without ``abouts``."""
    abouts: Mapping[str, str] = field(repr=False, compare=False, default_factory=dict)
    """The ``about`` of fields, by ``Struct.attribute``."""

    @property
    def versions(self) -> range:
        """All versions of the message."""
        return range(self.valid_versions[0], self.valid_versions[1] + 1)

    @property
    def parsed_plan(self) -> Plan:
        """The parsed plan."""
        return read_plan(self.plan)

    def __getstate__(self) -> dict[str, object]:
        """Return the state to pickle. It has no ``abouts``, because only drivers create schemas."""
        return {**vars(self), "abouts": {}}

    def header_version(self, version: int) -> int:
        """Return the version of the header before a body of ``version``. Raises ``LookupError`` if it has no header."""
        for lowest, highest, header in self.header_versions:
            if lowest <= version <= highest:
                return header
        raise LookupError(f"{self.name} version {version} has no header")


class Catalog:
    """Messages by name, and by kind and API key.

    It contains only text, so it can be pickled, and workers need no generated modules.
    """

    def __init__(self, tables: Iterable[MessageTable]) -> None:
        """Create a catalog of ``tables``; if two have the same name, the later one is used."""
        self._by_name = {table.name: table for table in tables}

    @classmethod
    def of_package(
        cls, package: str | ModuleType = "messagegen_kafka", wanted: Callable[[str], bool] | None = None
    ) -> Catalog:
        """Return the messages of a generated package. Only for drivers.

        This loads all messages (0.2 s), or only the messages whose names are ``wanted``.
        """
        module = import_module(package) if isinstance(package, str) else package
        members = (getattr(module, name) for name in module.__all__ if wanted is None or wanted(name))
        return cls(_table(member) for member in members if hasattr(member, "CODEC"))

    @classmethod
    def of_specs(cls, *sources: str | Path, messages: Iterable[str] = ()) -> Catalog:
        """Return the messages of specs in folders or files, without generating code.

        ``messages`` selects messages by name (default: all). Only for drivers.

        Raises what ``messagegen.load`` raises, and ``ImportError`` if the package messagegen is missing.
        """
        try:
            from messagegen import load  # noqa: PLC0415 - an optional extra
        except ModuleNotFoundError:
            raise generator_is_missing() from None
        return cls.of_package(load(*sources, messages=tuple(messages)))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all messages, sorted."""
        return tuple(sorted(self._by_name))

    def message(self, name: str) -> MessageTable:
        """Return the message with this name. Raises ``LookupError``, which suggests similar names."""
        if name in self._by_name:
            return self._by_name[name]
        near = " or ".join(difflib.get_close_matches(name, self._by_name, n=3))
        of_python = "in Python, pass its generated class, or catalog=Catalog.of_specs(DIR)"
        advice = f"did you mean {near}?" if near else f"pass its spec with --specs DIR; {of_python}"
        raise LookupError(f"unknown message {name!r}; {advice}")

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    def __iter__(self) -> Iterator[MessageTable]:
        return (self._by_name[name] for name in self.names)

    def __len__(self) -> int:
        return len(self._by_name)

    def __or__(self, other: Catalog) -> Catalog:
        """Return the messages of both catalogs.

        If both have a message with the same name, the message from ``other`` is used.
        """
        return Catalog([*self, *other])

    def __repr__(self) -> str:
        return f"Catalog({len(self)} messages)"


@cache
def default_catalog() -> Catalog:
    """Return the messages of ``messagegen_kafka``, which are read once per process."""
    return Catalog.of_package()


def catalog_with_specs(*sources: str | Path) -> Catalog:
    """Return the built-in messages and the messages of specs. Raises what ``Catalog.of_specs`` raises.

    Requests and responses of specs replace built-in messages with the same name or API key.
    """
    own = Catalog.of_specs(*sources)
    taken = {(table.kind, table.api_key) for table in own if table.kind in _WITH_KEY_OF_THEIR_OWN}
    return Catalog([*(table for table in default_catalog() if (table.kind, table.api_key) not in taken), *own])


def message_table(message: str | MessageTable | MessageClass, catalog: Catalog | None = None) -> MessageTable:
    """Return a message: the given table, the table of the given class, or the table with the given name in a catalog.

    ``catalog`` is ``default_catalog()`` by default.
    """
    if isinstance(message, MessageTable):
        return message
    if isinstance(message, str):
        return (default_catalog() if catalog is None else catalog).message(message)
    return _table(message)


def table_of_plan(text: str) -> MessageTable:
    """Return the message of a plan, given as text, such as the ``CODEC.plan`` of a generated class.

    Raises ``ValueError`` for text that is not a plan.
    """
    plan = read_plan(text)
    versions = plan.valid_versions
    return MessageTable(
        name=plan.name,
        kind="data",
        api_key=None,
        valid_versions=(versions[0], versions[-1]),
        header_versions=(),
        plan=without_abouts(text),
        abouts=dict(_abouts(plan)),
    )


def _table(message: MessageClass) -> MessageTable:
    plan = read_plan(message.CODEC.plan)
    constants: Any = message
    return MessageTable(
        name=plan.name,
        kind=constants.KIND,
        api_key=constants.API_KEY,
        valid_versions=(constants.VALID_VERSIONS.start, constants.VALID_VERSIONS.stop - 1),
        header_versions=getattr(message, "HEADER_VERSIONS", ()),
        plan=without_abouts(message.CODEC.plan),
        abouts=dict(_abouts(plan)),
    )


def _abouts(plan: Plan) -> Iterator[tuple[str, str]]:
    for struct in plan.structs.values():
        for field_ in struct.fields.values():
            if field_.about:
                yield f"{struct.class_name}.{field_.attribute}", " ".join(field_.about.split())
