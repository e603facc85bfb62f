"""The function catalog in the jar: its registration in a session, and its functions for messages."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import as_file
from typing import TYPE_CHECKING, Final

from pyspark.sql import Column
from pyspark.sql import functions as sql

from messagegen_arrow.catalog import MessageClass, MessageTable, message_table
from messagegen_arrow.columns.message_decoder import MessageDecoder
from messagegen_arrow.malformed import Mode
from messagegen_arrow.plans import without_abouts
from messagegen_spark.jvm.jar import jar_in_package

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

CATALOG: Final = "kafka"
"""The name of the catalog that ``register`` adds."""
_SETTING: Final = f"spark.sql.catalog.{CATALOG}"
_CLASS: Final = "messagegen.spark.Functions"
_PLANS: Final = "messagegen/spark/plans/"
_ABOUT: Final = " :about "
_ENCODE: Final = "encode_"


def add_catalog(spark: SparkSession, messages: Iterable[str | MessageTable | MessageClass]) -> None:
    """Add the catalog with the plans of messages, except plans that are in the jar and not replaced by a file.

    Raises ``ValueError`` if the session has a different catalog with that name, and ``LookupError`` for an unknown
    message.
    """
    known = spark.conf.get(_SETTING, None)
    if known not in (None, _CLASS):
        raise ValueError(
            f"the session has a different catalog named {CATALOG}: {_SETTING} is {known}; "
            "use a session without this setting"
        )
    tables = [message_table(message) for message in messages]
    spark.conf.set(_SETTING, _CLASS)
    for table in tables:
        setting = _plan_setting(table.name)
        if _has_plan_files(spark) or plan_in_jar(table.name) != table.plan:
            spark.conf.set(setting, "".join(_with_abouts(table)))
        else:
            # The session may have a different message with that name from an earlier call.
            spark.conf.unset(setting)


def jvm_call(
    spark: SparkSession, value: Column | str, version: int | Column | str, decoder: MessageDecoder
) -> Column | None:
    """Return the call of a JVM function that decodes; ``None`` unless the session has exactly this message."""
    if decoder.wanted.fields == () or not _has_plan(spark, decoder.message, decoder.wanted.plan):
        return None
    return JvmFunction(decoder.message, tuple(_options(decoder))).call(value, version)


def jvm_encoder(spark: SparkSession, table: MessageTable, mode: Mode) -> JvmFunction | None:
    """Return the JVM function that encodes a message; ``None`` unless the session has exactly this message."""
    if not _has_plan(spark, table.name, table.plan):
        return None
    return JvmFunction(_ENCODE + table.name, (("mode", mode), ("version", "")))


@dataclass(frozen=True, slots=True)
class JvmFunction:
    """A function of the catalog."""

    name: str
    options: tuple[tuple[str, str], ...]

    def call(self, value: Column | str, version: int | Column | str) -> Column:
        """Return the call of the function for a column or a column name."""
        options = "".join(f".`{name}={setting}`" for name, setting in self.options)
        of_each_row = sql.lit(version) if isinstance(version, int) else version
        return sql.call_function(f"{CATALOG}{options}.`{self.name}`", value, of_each_row)


def _has_plan(spark: SparkSession, message: str, plan: str) -> bool:
    """Whether the session has the catalog with this plan of a message."""
    if spark.conf.get(_SETTING, None) != _CLASS:
        return False
    own = spark.conf.get(_plan_setting(message), None)
    if own is not None:
        return plan == without_abouts(own)
    # Only the driver's JVM can read the files, and a plan in a file replaces the plan in the jar.
    return not _has_plan_files(spark) and plan == plan_in_jar(message)


def _has_plan_files(spark: SparkSession) -> bool:
    return bool(spark.conf.get(f"{_SETTING}.plans", ""))


@lru_cache(maxsize=1024)
def plan_in_jar(message: str) -> str | None:
    """Return the plan of a message of Kafka that is in the jar, without ``about`` lines."""
    jar = jar_in_package()
    if not jar.is_file():
        return None
    with as_file(jar) as path, zipfile.ZipFile(path) as archive:
        try:
            return without_abouts(archive.read(_PLANS + message).decode())
        except KeyError:
            return None


def _plan_setting(message: str) -> str:
    return f"{_SETTING}.plan.{message}"


def _options(decoder: MessageDecoder) -> Iterator[tuple[str, str]]:
    """Yield all options, so that the catalog's settings have no effect; an empty value means the default."""
    wanted = decoder.wanted
    yield "mode", decoder.mode
    yield "version", ""
    yield "versions", ",".join(map(str, wanted.versions))
    yield "fields", ",".join(wanted.fields or ())
    yield "names", wanted.names
    yield "uuid", wanted.uuid
    yield "unknownTaggedFields", json.dumps(wanted.unknown_tagged_fields)
    yield "includeSecrets", json.dumps(not decoder.hides_secrets)
    yield "limits", ",".join(map(str, wanted.limits))


def _with_abouts(table: MessageTable) -> Iterator[str]:
    """Yield the lines of a plan, with the ``about`` lines of each struct after the lines of its fields."""
    abouts: list[str] = []
    struct = ""
    for line in table.plan.splitlines(keepends=True):
        if line.startswith(("struct ", "layout ")):
            yield from abouts
            abouts = []
            struct = line.removeprefix("struct ").rstrip("\n")
        elif line.startswith(" "):
            attribute = line.split()[0]
            about = table.abouts.get(f"{struct}.{attribute}")
            if about is not None:
                abouts.append(f"{_ABOUT}{attribute} {json.dumps(about, ensure_ascii=False)}\n")
        yield line
