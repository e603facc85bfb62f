"""The paths of errors consist of the names of columns, so that a query can use them."""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any, Final, Literal

import pyarrow as pa
import pytest

from messagegen_arrow import decode_arrow, default_catalog, encode_arrow
from messagegen_arrow.catalog import MessageTable, catalog_with_specs
from messagegen_arrow.columns.decoding import decode_columns
from messagegen_arrow.columns.model import MessageColumns
from tests.arrow.support.messages import random_bytes

TRIP: Final = {
    "type": "data",
    "name": "Trip",
    "validVersions": "0",
    "flexibleVersions": "0+",
    "fields": [
        {
            "name": "Legs",
            "type": "[]Leg",
            "versions": "0+",
            "fields": [
                {"name": "From", "type": "string", "versions": "0+"},
                {"name": "DistanceM", "type": "int32", "versions": "0+"},
            ],
        }
    ],
}
Names = Literal["kafka", "snake"]
NAMES: Final[tuple[Names, ...]] = ("kafka", "snake")


@pytest.fixture(scope="module")
def trip(tmp_path_factory: pytest.TempPathFactory) -> MessageTable:
    spec = tmp_path_factory.mktemp("specs") / "Trip.json"
    spec.write_text(json.dumps(TRIP), encoding="utf-8")
    return catalog_with_specs(str(spec.parent)).message("Trip")


@pytest.mark.parametrize(
    ("names", "paths"),
    [
        ("kafka", ["legs[0].from", "legs[0].distanceM", "legs[0]"]),
        ("snake", ["legs[0].from_", "legs[0].distance_m", "legs[0]"]),
    ],
)
def test_errors_of_decoding_name_the_requested_columns(trip: MessageTable, names: Names, paths: list[str]) -> None:
    values = pa.array([b"\x02\x09", b"\x02\x01\0", b"\x02\x01\0\0\0\0\x01\x05"])
    errors = decode_arrow(values, trip, 0, names=names).field("_error").to_pylist()
    assert [error["path"] for error in errors] == paths


@pytest.mark.parametrize(
    ("leg", "path"),
    [
        ({"distanceM": 1 << 40}, "legs[0].distanceM"),
        ({"distance_m": 1 << 40}, "legs[0].distance_m"),
        ({"from": None, "distance_m": 1}, "legs[0].from"),
        ({"from_": None}, "legs[0].from_"),
    ],
)
def test_errors_of_encoding_name_the_given_columns(trip: MessageTable, leg: dict[str, Any], path: str) -> None:
    _, errors = encode_arrow(pa.array([{"legs": [leg]}]), trip, 0)
    assert errors.to_pylist()[0]["path"] == path


@pytest.mark.parametrize(
    ("leg", "text"),
    [
        ({"distanceM": "a"}, "legs.distanceM needs integers"),
        ({"distance_m": "a"}, "legs.distance_m needs integers"),
        ({"_unknownTaggedFields": 1}, "legs._unknownTaggedFields needs"),
        ({"distance": 1}, "unknown column legs.distance; the fields of Leg are from, distanceM"),
        ({"distanceM": 1, "distance_m": 1}, "Leg has two columns for the field distanceM, under Kafka's name and"),
    ],
)
def test_errors_about_unsuitable_columns_name_the_given_columns(
    trip: MessageTable, leg: dict[str, Any], text: str
) -> None:
    with pytest.raises((TypeError, ValueError), match=text):
        encode_arrow(pa.array([{"legs": [leg]}]), trip, 0)


def paths_of(type_: pa.DataType, outer: str = "") -> set[str]:
    """Return the paths of all columns below a type, without indexes."""
    if pa.types.is_list(type_):
        return paths_of(type_.value_type, outer)
    if not pa.types.is_struct(type_):
        return {outer}
    inner = {path for field in type_ for path in paths_of(field.type, f"{outer}.{field.name}".lstrip("."))}
    return {outer, *inner}


@pytest.mark.parametrize("names", NAMES)
def test_every_error_path_names_an_existing_column(names: Names) -> None:
    random = Random(8)
    known = default_catalog()
    found = 0
    for name in known.names:
        table = known.message(name)
        wanted = MessageColumns.of(table, None, {"names": names, "unknown_tagged_fields": True})
        values, versions = [], []
        for version in wanted.versions:
            data = random_bytes(random, table, version)
            values += [data[: random.randrange(len(data) + 1)] for _ in range(5)]
            versions += [version] * 5
        decoded = decode_columns(wanted, pa.array(values, pa.binary()), pa.array(versions, pa.int16()))
        paths = paths_of(decoded.type)
        for error in filter(None, decoded.field("_error").to_pylist()):
            path = re.sub(r"\[\d+\]", "", error["path"])
            assert path in paths, (name, error)
            found += "." in path and path != path.lower()
    assert found > 50 or names == "snake"
