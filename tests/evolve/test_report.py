"""The report about an upgrade: pairs of specs, and the history of Kafka."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from messagegen.evolve.compare import parse_texts
from messagegen.evolve.report import report_lines, report_markdown
from tests.conftest import Golden
from tests.evolve.pairs import PAIRS, texts
from tests.oracle import KAFKA_RELEASE, TOOLS_RELEASE
from tests.support.comparing import compare_texts
from tests.support.releases import specs_of
from tests.support.specs import GOLDEN, OWN

FOLDER = GOLDEN / "upgrade"


def test_reports_about_pairs_of_specs_equal_the_golden_file(golden: Golden) -> None:
    """The file covers all pairs of specs that break a rule."""
    found = []
    for pair in PAIRS:
        report = compare_texts(texts(pair / "previous"), texts(pair / "current"), strict=False)
        found += [f"# {pair.name}", *report_lines(report), ""]
    golden(FOLDER / "pairs.txt", "\n".join(found))


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_additions_become_removals_in_the_opposite_direction(pair: Any) -> None:
    old, new = texts(pair / "previous"), texts(pair / "current")
    there, back = compare_texts(old, new), compare_texts(new, old)
    assert {one.name for one in there if one.old is None} == {one.name for one in back if one.new is None}


@pytest.mark.slow
def test_a_missing_spec_is_reported_unless_the_set_is_partial() -> None:
    specs = {path.name: path.read_bytes() for path in sorted(OWN.rglob("*.json"))}
    assert compare_texts(specs, specs) == []
    name, *_ = specs
    fewer = {other: data for other, data in specs.items() if other != name}
    assert [message.new for message in compare_texts(specs, fewer)] == [None]
    assert compare_texts(specs, fewer, partial=True) == []


def test_markdown_characters_in_text_are_escaped() -> None:
    old = b'{"type": "data", "name": "A_B", "validVersions": "0", "flexibleVersions": "none", "fields": []}'
    new = old.replace(
        b'"fields": []',
        b'"fields": [{"name": "X", "type": "string", "versions": "0+", "default": "a|b\\n*c* <d>"}]',
    )
    lines = list(report_markdown(compare_texts({"A.json": old}, {"A.json": new})))
    assert lines[1] == r"## A\_B"
    assert lines[-1] == r'| added | X | string, versions 0+, default "a\|b\\n\*c\* \<d\>" |'
    assert list(report_markdown(compare_texts({"A.json": old}, {}))) == [
        "",
        "## Messages",
        "",
        "| change | message | details |",
        "|---|---|---|",
        r"| removed | A\_B | data, versions 0 |",
    ]


@pytest.mark.slow
@pytest.mark.java
def test_the_report_lists_the_changes_of_4_4(golden: Golden) -> None:
    report = compare_texts(specs_of(TOOLS_RELEASE), specs_of(KAFKA_RELEASE))
    golden(FOLDER / "4.3.1-4.4.0.txt", "".join(f"{line}\n" for line in report_lines(report)))


@pytest.mark.java
@pytest.mark.slow
@pytest.mark.xdist_group("releases")
def test_releases_since_2_8_have_reports(golden: Golden) -> None:
    """Messages that are not reported as removed, renamed or added are on both sides."""
    counted = []
    releases = ("2.8.2", "3.9.2", "4.0.2", "4.1.2", "4.2.2", TOOLS_RELEASE, KAFKA_RELEASE)
    names_of = {release: {spec.name for spec in parse_texts(specs_of(release))} for release in releases}
    for old, new in pairwise(releases):
        before, after = specs_of(old), specs_of(new)
        report = compare_texts(before, after)
        removed = {one.name for one in report if one.new is None}
        added = {one.name for one in report if one.old is None}
        renamed = {one.old.spec.name: one.name for one in report if one.old and one.new}
        counted.append(f"{old} {new} added {len(added)} removed {len(removed)} changed {len(renamed)}\n")
        assert {renamed.get(name, name) for name in names_of[old] - removed} | added == names_of[new]
    golden(FOLDER / "releases.txt", "".join(counted))
