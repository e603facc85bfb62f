from __future__ import annotations

from importlib import import_module
from typing import ClassVar

import pytest

import messagegen_arrow
import messagegen_kafka
from messagegen_arrow import Catalog, default_catalog
from messagegen_arrow.catalog import message_table
from messagegen_kafka import OffsetCommitValue
from tests.arrow.support.messages import OWN_SPECS, PURPOSE_MADE_SPECS, tables


def test_every_public_name_exists() -> None:
    assert {"Catalog", "decode_arrow", "lazy"} <= set(dir(messagegen_arrow))


@pytest.mark.parametrize(
    ("package", "name"),
    [("messagegen_arrow", "read_log"), ("messagegen_spark", "register"), ("messagegen_testing", "kafka_faults")],
)
def test_star_imports_contain_only_public_names(package: str, name: str) -> None:
    module = import_module(package)
    assert name in module.__all__
    assert not [each for each in module.__all__ if each.startswith("_")]
    assert set(module.__all__) <= set(dir(module))


@pytest.mark.slow
def test_a_package_and_its_specs_have_the_same_catalog() -> None:
    own = default_catalog()
    assert set(own.names) == {
        name for name in messagegen_kafka.__all__ if hasattr(getattr(messagegen_kafka, name), "CODEC")
    }
    assert {table.name: table for table in tables(OWN_SPECS)} == {table.name: table for table in own}


def test_a_message_table_has_the_properties_of_the_generated_class() -> None:
    table = default_catalog().message("MetadataResponse")
    cls = messagegen_kafka.MetadataResponse
    assert (table.kind, table.api_key) == (cls.KIND, cls.API_KEY)
    assert table.versions == cls.VALID_VERSIONS
    assert [table.header_version(version) for version in table.versions] == list(
        map(cls.header_version, table.versions)
    )


def test_a_message_without_header_is_an_error() -> None:
    with pytest.raises(LookupError, match="OffsetCommitValue version 1 has no header"):
        default_catalog().message("OffsetCommitValue").header_version(1)


class OfAnotherPackage:
    """A class with the members of generated classes, because packages have no common base class."""

    KIND: ClassVar = "data"
    API_KEY: ClassVar = None
    VALID_VERSIONS: ClassVar = OffsetCommitValue.VALID_VERSIONS
    CODEC: ClassVar = OffsetCommitValue.CODEC


def test_classes_of_any_generated_package_are_accepted_as_messages() -> None:
    found = message_table(OfAnotherPackage)
    assert (found.name, found.versions) == ("OffsetCommitValue", OfAnotherPackage.VALID_VERSIONS)
    assert found.plan == default_catalog().message("OffsetCommitValue").plan


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("OffsetComitValue", "did you mean OffsetCommitValue"),
        ("zzzz", "pass its spec with --specs DIR; in Python, pass its generated class, or catalog=Catalog.of_specs"),
    ],
)
def test_an_unknown_message_gets_advice(name: str, advice: str) -> None:
    with pytest.raises(LookupError, match=advice):
        default_catalog().message(name)


def test_joined_catalogs_use_the_later_definition() -> None:
    both = default_catalog() | Catalog.of_specs(PURPOSE_MADE_SPECS)
    assert len(both) == len(default_catalog()) + len(tables())
    assert "MetadataResponse" in both
    assert tables()[0].name in both
