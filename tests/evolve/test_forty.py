"""Forty edits break the parts that a reader of the spec expects, and that the generated classes show."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from functools import cache
from typing import Any, Final

import pytest

from messagegen.evolve import Category, breaking_changes
from messagegen.evolve.compare import parse_texts
from messagegen.generation.loading import load_specs
from messagegen.names import json_name
from messagegen.spec.model import MessageSpec
from tests.evolve.classes import compare_classes
from tests.evolve.forty import BASE, FORTY, NAME, Edit, Spec
from tests.evolve.judge import Code, disagree
from tests.oracle.mini_reader import read_spec
from tests.support.comparing import compare_texts

VALUES: Final = 15
"""Random values for each version and side."""

edits = pytest.mark.parametrize("edit", FORTY, ids=lambda edit: edit.title)


def text_of(spec: Spec) -> dict[str, bytes]:
    return {f"{NAME}.json": json.dumps(spec).encode()}


class Side:
    """A spec, its classes, and the judge's code for it."""

    def __init__(self, spec: Spec) -> None:
        self.spec: MessageSpec = parse_texts(text_of(spec))[0]
        self.package = load_specs([self.spec])
        self.code = Code(read_spec(json.dumps(spec)), self.package)

    def values(self, version: int) -> Iterator[Any]:
        """Yield objects of the class."""
        for data in self.code.values(version, "forty", VALUES):
            yield self.code.cls.decode(data, version=version)

    def keeps(self, written: Any, version: int, *, new: frozenset[str] = frozenset()) -> bool:
        """Whether this side reads ``written``, an object of the other side, from JSON without loss.

        The keys ``new`` are removed from the JSON form first.
        """
        value = {key: one for key, one in written.to_json(version=version).items() if key not in new}
        try:
            read = self.code.cls.from_json(value, version=version)
            again = read.to_json(version=version)
        except ValueError:
            return False
        # Compare texts, because NaN equals nothing.
        return _text(again) == _text(value) and _same_scalars(written, read)


def _text(value: object) -> str:
    return json.dumps(value, sort_keys=True)


def _same_scalars(one: Any, other: Any) -> bool:
    """Return whether two objects have equal numbers and strings in the fields that both have.

    A field that the JSON form omits has its default.
    """
    names = {field.name for field in dataclasses.fields(one)} & {field.name for field in dataclasses.fields(other)}
    pairs = [(getattr(one, name), getattr(other, name)) for name in names]
    return all(left == right for left, right in pairs if isinstance(left, int | float | str))


@cache
def base() -> Side:
    return Side(BASE)


def kinds_by_classes(old: Side, new: Side) -> set[str]:
    """Return the parts that an edit breaks, by comparing bytes, classes and JSON forms of both sides."""
    kept = [version for version in old.spec.valid_versions if version in new.spec.valid_versions]
    if len(kept) < len(list(old.spec.valid_versions)):
        return {"WIRE", "API", "JSON"}
    found: set[str] = set()
    if any(disagree(old.code, new.code, version, seed="forty", mixed=VALUES) for version in kept):
        found.add("WIRE")
    if compare_classes(old.spec, set(kept), old.package, new.package, new.spec.name).certain:
        found.add("API")
    # The old side need not know tagged fields that are new.
    added = _new_tagged(old.spec, new.spec)
    for version in kept:
        there = all(new.keeps(value, version) for value in old.values(version))
        back = all(old.keeps(value, version, new=added) for value in new.values(version))
        if not (there and back):
            found.add("JSON")
    return found


def _new_tagged(old: MessageSpec, new: MessageSpec) -> frozenset[str]:
    """Return the JSON keys of tagged fields that the new spec adds to the message."""
    known = {field.name for field in old.fields}
    return frozenset(json_name(field.name) for field in new.fields if field.tag is not None and field.name not in known)


def test_exactly_forty_different_edits_are_listed() -> None:
    assert len({edit.title for edit in FORTY}) == len(FORTY) == 40


@edits
def test_findings_have_the_expected_kinds(edit: Edit) -> None:
    changes = breaking_changes(compare_texts(text_of(BASE), text_of(edit.applied())))
    # test_columns.py has the tests of columns.
    found = {category for change in changes for category in change.categories} - {Category.COLUMNS}
    assert found == set(edit.kinds.split()), [str(change) for change in changes]


@pytest.mark.slow
@edits
def test_generated_classes_differ_in_the_expected_kinds(edit: Edit) -> None:
    assert kinds_by_classes(base(), Side(edit.applied())) == set(edit.kinds.split())
