"""Tables by the names that commands have for them: ``iceberg:CATALOG.NAMESPACE.TABLE`` and ``delta:URL``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from messagegen_arrow.tables.table import Table

ICEBERG: Final = "iceberg"
DELTA: Final = "delta"
_EXPECTED: Final = "expected iceberg:CATALOG.NAMESPACE.TABLE, such as iceberg:lake.kafka.commits, or delta:URL"
_MODULES: Final = {ICEBERG: "pyiceberg", DELTA: "deltalake"}


@dataclass(frozen=True, slots=True)
class TableName:
    """A table that one of the libraries writes."""

    format: str
    name: str
    """In the words of the library: ``CATALOG.NAMESPACE.TABLE``, or a URL."""

    def __str__(self) -> str:
        return f"{self.format}:{self.name}"


def table_name(text: str) -> TableName | None:
    """The table that a text names; ``None`` for one without a format before a colon, which is in Spark's own catalog.

    Raises ``ValueError`` for a name that the format does not have.
    """
    format_, colon, name = text.partition(":")
    if not colon:
        return None
    if format_ == DELTA and name:
        return TableName(DELTA, name if "://" in name else str(Path(name).absolute()))
    if format_ == ICEBERG:
        if len(name.split(".")) < 3 or not all(name.split(".")):
            raise ValueError(f"invalid table {text!r}: {_EXPECTED}")
        return TableName(ICEBERG, name)
    raise ValueError(f"invalid table {text!r}: {_EXPECTED}")


def open_table(table: str, options: Mapping[str, str] | None = None) -> Table:
    """The table ``iceberg:CATALOG.NAMESPACE.TABLE`` or ``delta:URL``, which need not exist yet.

    ``options`` are properties of the catalog (Iceberg) or storage options (Delta), as the library has them, besides its own
    configuration. Raises ``ValueError`` for a name of another form, ``TableError`` for a catalog that can't be loaded, and
    ``ModuleNotFoundError``, which says what to install, without the library.
    """
    name = table_name(table)
    if name is None:
        raise ValueError(f"invalid table {table!r}: {_EXPECTED}")
    module = _MODULES[name.format]
    if find_spec(module) is None:
        raise ModuleNotFoundError(
            f"{name} needs the module {module}; install it: pip install 'messagegen[spark,{name.format}]'", name=module
        )
    # Each library is needed for its own tables alone.
    if name.format == ICEBERG:
        from messagegen_arrow.tables.iceberg import IcebergTable  # noqa: PLC0415

        return IcebergTable(name.name, options or {})
    from messagegen_arrow.tables.delta import DeltaLakeTable  # noqa: PLC0415

    return DeltaLakeTable(name.name, options or {})
