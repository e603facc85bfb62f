"""The specs of this repository describe the same messages as the official specs, with our own texts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import pytest

from messagegen.plan.ops import MessagePlan
from messagegen.spec import parse
from tests.oracle import official_specs
from tests.support.specs import NOT_KAFKAS, OWN, checked_plan, plans

pytestmark = pytest.mark.java


WITH_OLD_VERSIONS: Final = {"ListOffsetsRequest", "ListOffsetsResponse"}
"""Messages with a version that Kafka 4.0 dropped; their bytes in the other versions are compared with Java's."""


@pytest.fixture(scope="module")
def official() -> dict[str, MessagePlan]:
    """Return the plan of each live official message, by name."""
    found: dict[str, MessagePlan] = {}
    for artifact, texts in official_specs().items():
        for name, text in texts.items():
            spec = parse(text, f"{artifact}/{name}.json").spec
            assert spec is not None, name
            if not spec.valid_versions.empty:
                found[spec.name] = checked_plan(spec)
    return found


def abouts(plan: MessagePlan) -> Iterator[str]:
    yield plan.about
    for struct in plan.structs:
        yield struct.about
        yield from (field.about for field in struct.fields)


def without_abouts(plan: MessagePlan) -> MessagePlan:
    structs = (
        replace(struct, about="", fields=tuple(replace(field, about="") for field in struct.fields))
        for struct in plan.structs
    )
    return replace(plan, about="", structs=tuple(structs))


@pytest.mark.slow
def test_all_unofficial_messages_are_listed(official: dict[str, MessagePlan]) -> None:
    assert plans(OWN).keys() - official.keys() == NOT_KAFKAS


@pytest.mark.parametrize("name", sorted(plans(OWN).keys() - NOT_KAFKAS - WITH_OLD_VERSIONS))
def test_the_plan_equals_the_plan_of_the_official_spec(official: dict[str, MessagePlan], name: str) -> None:
    assert without_abouts(plans(OWN)[name]) == without_abouts(official[name])


@pytest.mark.parametrize("name", sorted(WITH_OLD_VERSIONS))
def test_specs_with_old_versions_keep_the_official_api_key_and_flexible_versions(
    official: dict[str, MessagePlan], name: str
) -> None:
    ours, theirs = plans(OWN)[name], official[name]
    assert set(theirs.valid_versions) < set(ours.valid_versions)
    assert (ours.api_key, ours.flexible_versions, ours.listeners) == (
        theirs.api_key,
        theirs.flexible_versions,
        theirs.listeners,
    )


def test_no_description_is_copied_from_official_specs(official: dict[str, MessagePlan]) -> None:
    theirs = {_bare(text) for plan in official.values() for text in abouts(plan) if text}
    ours = {_bare(text) for plan in plans(OWN).values() for text in abouts(plan) if text}
    assert ours & theirs == set()


def _bare(text: str) -> str:
    return "".join(letter for letter in text.lower() if letter.isalnum())
