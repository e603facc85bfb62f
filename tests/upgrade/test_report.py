"""The report about an upgrade: pairs of specs, the history of Kafka, and what generated classes say themselves."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from messagegen.evolve.compare import SpecSet, parse_texts
from messagegen.findings import UsageError
from messagegen.upgrade import Report, compare_texts
from messagegen.upgrade.lines import markdown, text
from tests.conftest import Golden
from tests.evolve.test_history import specs_of
from tests.evolve.test_rules import PAIRS, texts
from tests.oracle import KAFKA_RELEASE, TOOLS_RELEASE
from tests.support.specs import GOLDEN, OWN

FOLDER = GOLDEN / "upgrade"


def report_of(old: dict[str, bytes], new: dict[str, bytes], **others: Any) -> Report:
    return compare_texts(SpecSet("old", old), SpecSet("new", new), **others)


def lines(report: Report) -> list[str]:
    """All but the first line of a report as text."""
    return list(text(report))[1:]


def test_pairs_of_specs(golden: Golden) -> None:
    """The pairs that the rules about changes are tested with, in one golden."""
    found = []
    for pair in PAIRS:
        report = report_of(texts(pair / "previous"), texts(pair / "current"))
        found += [f"# {pair.name}", *lines(report), ""]
    golden(FOLDER / "pairs.txt", "\n".join(found))


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_specs_that_did_not_change_are_not_reported(pair: Any) -> None:
    side = texts(pair / "current")
    assert report_of(side, side).messages == ()


def test_the_other_way_round_what_is_new_is_gone() -> None:
    for pair in PAIRS:
        old, new = texts(pair / "previous"), texts(pair / "current")
        there, back = report_of(old, new), report_of(new, old)
        names = {message.name for message in there.by_action("added")}
        assert names == {message.name for message in back.by_action("removed")}


def own_specs() -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(OWN.rglob("*.json"))}


def test_own_specs_and_partial_sets() -> None:
    specs = own_specs()
    assert report_of(specs, specs).messages == ()
    name, *_ = specs
    fewer = {other: data for other, data in specs.items() if other != name}
    assert [message.action for message in report_of(specs, fewer).messages] == ["removed"]
    assert report_of(specs, fewer, partial=True).messages == ()
    assert report_of(fewer, specs, messages=["ListOffsetsRequest"]).by_action("changed") == []


def test_a_message_that_neither_side_has() -> None:
    with pytest.raises(UsageError, match="neither old nor new has a message Fetch"):
        report_of(own_specs(), own_specs(), messages=["Fetch"])


@pytest.mark.java
def test_what_4_4_changes(golden: Golden) -> None:
    old, new = specs_of(TOOLS_RELEASE), specs_of(KAFKA_RELEASE)
    report = compare_texts(SpecSet(f"kafka:{TOOLS_RELEASE}", old), SpecSet(f"kafka:{KAFKA_RELEASE}", new))
    golden(FOLDER / "4.3.1-4.4.0.txt", "".join(f"{line}\n" for line in text(report)))
    golden(FOLDER / "4.3.1-4.4.0.md", "".join(f"{line}\n" for line in markdown(report)))


def live(specs: dict[str, bytes]) -> set[str]:
    """The messages that have versions."""
    return {spec.name for spec in parse_texts(specs) if not spec.valid_versions.empty}


@pytest.mark.java
@pytest.mark.exhaustive
@pytest.mark.xdist_group("releases")
def test_releases_since_2_8(golden: Golden) -> None:
    """What is not reported as removed, renamed or added is on both sides."""
    counted = []
    for old, new in pairwise(("2.8.2", "3.9.2", "4.0.2", "4.1.2", "4.2.2", TOOLS_RELEASE, KAFKA_RELEASE)):
        before, after = specs_of(old), specs_of(new)
        report = report_of(before, after)
        sums = {action: len(report.by_action(action)) for action in ("added", "removed", "renamed", "changed")}
        counted.append(f"{old} {new} {' '.join(f'{action} {number}' for action, number in sums.items())}\n")
        kept = live(before) - {message.name for message in report.by_action("removed")}
        renamed = {message.previous_name: message.name for message in report.by_action("renamed")}
        added = {message.name for message in report.by_action("added")}
        assert {renamed.get(name, name) for name in kept} | added == live(after)
    golden(FOLDER / "releases.txt", "".join(counted))
