"""The engine encodes random structs in Spark rows to the same bytes as equal Arrow columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("pyspark", reason="PySpark is not installed: `make test` installs it")

from hypothesis import given
from pyspark.sql.types import StructField, StructType

from messagegen_spark.schemas import spark_type
from tests.native.column_input import Arrays, definitions, encoded, text_of_uuid
from tests.native.column_rows import all_subjects, pa
from tests.native.random_messages import Subject
from tests.native.spoiled_messages import SEEDS, made, spoil, versions_of
from tests.support.profiles import examples

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.spark, pytest.mark.xdist_group("spark")]

CATALOG = "spark.sql.catalog.kafka"
ROWS = 40
INTEGERS = (pa.int8(), pa.int16(), pa.int32(), pa.int64())


class SparkArrays(Arrays):
    """Arrays with the types that Spark has."""

    def array(self, type_: str, values: Sequence[Any]) -> Any:
        """Return the array of values of a Kafka type."""
        match type_:
            case "string":
                return pa.array(values, pa.string())
            case "float64":
                return pa.array(values, self.random.choice((pa.float32(), pa.float64())))
            case "bytes" | "records":
                return pa.array([None if value is None else bytes(memoryview(value)) for value in values], pa.binary())
        return super().array(type_, values)

    def integers(self, values: Sequence[Any]) -> Any:
        """Return integers in a random integer type, or as int64 if they do not fit that type."""
        type_ = self.random.choice(INTEGERS)
        try:
            return pa.array(values, type_)
        except (OverflowError, pa.ArrowInvalid):
            return pa.array(values, pa.int64())

    def uuids(self, values: Sequence[Any]) -> Any:
        """Return uuids as bytes or as Kafka's text."""
        raw = [None if value is None else value.bytes for value in values]
        if self.random.random() < 0.5:
            return pa.array(raw, pa.binary())
        return pa.array([None if data is None else text_of_uuid(data) for data in raw], pa.string())

    def lists(self, element: str, values: Sequence[Any]) -> Any:
        """Return arrays, with their elements one after the other."""
        offsets = [0]
        items: list[Any] = []
        for value in values:
            items.extend(value or ())
            offsets.append(len(items))
        nulls = pa.array([value is None for value in values], pa.bool_())
        return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), self.array(element, items), mask=nulls)

    def struct(self, name: str, values: Sequence[Any]) -> Any:
        """Return structs without columns of the null type, which PySpark does not convert inside arrays."""
        made = super().struct(name, values)
        columns = [pa.array(range(len(values))) if pa.types.is_null(each.type) else each for each in made.flatten()]
        fields = [pa.field(old.name, column.type) for old, column in zip(made.type, columns, strict=True)]
        return pa.StructArray.from_arrays(columns, fields=fields, mask=made.is_null())


@pytest.fixture(scope="module", autouse=True)
def catalog(spark: SparkSession) -> Iterator[None]:
    """The catalog ``kafka``, for all examples of the property."""
    spark.conf.set(CATALOG, "messagegen.spark.Functions")
    yield
    for name in [name for name in spark.conf.getAll if name.startswith(CATALOG)]:
        spark.conf.unset(name)


# In Spark's maps, each key occurs only once.
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:Encountered key")
@examples(30)
@given(SEEDS)
def test_rows_are_encoded_to_the_same_bytes_as_columns(spark: SparkSession, seed: int) -> None:
    """Messages have all types, and some are invalid in their versions. Columns have any order, and some are omitted."""
    random = Random(seed)
    subject: Subject = random.choice(all_subjects())
    rows = [(one, made(random, one)) for one in random.choices(versions_of(subject), k=ROWS)]
    for one, message in rows:
        if random.random() < 0.3:
            spoil(random, one, message)
    messages = SparkArrays(random, definitions(subject)).messages([message for _, message in rows])
    versions = pa.array([one.version for one, _ in rows], pa.int32())
    name = type(rows[0][1]).__name__
    spark.conf.set(f"{CATALOG}.plan.{name}", subject.cls.CODEC.plan)
    schema = StructType(
        [StructField("message", spark_type(messages.type)), StructField("version", spark_type(versions.type))]
    )
    pairs = list(zip(messages.to_pylist(maps_as_pydicts="lossy"), versions.to_pylist(), strict=True))
    frame = spark.createDataFrame(pairs, schema).coalesce(1)
    call = f"kafka.`mode=PERMISSIVE`.encode_{name}(message, version) AS result"
    found = frame.selectExpr("message", "version", call).toArrow()
    given, versions, result = (found[column].combine_chunks() for column in ("message", "version", "result"))
    assert result.to_pylist() == encoded(subject, versions, given)
