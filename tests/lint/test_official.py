"""The official specs of each release, checked with lint and fmt. Golden files record the number of findings."""

from __future__ import annotations

import difflib
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from messagegen.fmt import format_spec
from messagegen.lint import RULE_NAMES, lint
from messagegen.spec import parse
from tests.conftest import Golden
from tests.oracle import KAFKA_RELEASE
from tests.support.releases import RELEASES, fetched

pytestmark = [pytest.mark.java, pytest.mark.slow, pytest.mark.xdist_group("releases")]

GOLDEN: Final = Path(__file__).parent / "golden"
FROM_2_8: Final = [release for release in RELEASES if release >= "2.8"]


def texts(release: str) -> dict[str, bytes]:
    return dict(fetched(release).texts)


@pytest.mark.parametrize("release", FROM_2_8)
def test_findings_of_each_release_equal_golden_counts(release: str, golden: Golden) -> None:
    counts = Counter(one.rule for one in lint(texts(release), RULE_NAMES.select(), texts(release)))
    golden(GOLDEN / "official" / f"{release}.txt", "".join(f"{rule} {counts[rule]}\n" for rule in sorted(counts)))


@pytest.mark.parametrize("release", RELEASES)
def test_api_keys_of_releases_are_not_reported(release: str) -> None:
    found = lint(texts(release), RULE_NAMES.select(["API_KEY_NOT_KAFKAS"]), texts(release))
    assert [one for one in found if one.rule == "API_KEY_NOT_KAFKAS"] == []


@cache
def changes(name: str, data: bytes) -> bool:
    """Whether fmt changes a spec. The result is cached, because releases share most specs."""
    formatted = format_spec(data, name)
    assert format_spec(formatted, name) == formatted
    assert repr(parse(formatted, name, released=True).spec) == repr(parse(data, name, released=True).spec)
    return formatted != data


@pytest.mark.parametrize("release", FROM_2_8)
def test_fmt_changes_the_expected_number_of_specs_in_each_release(release: str, golden: Golden) -> None:
    specs = texts(release)
    # This spec ends with an extra bracket, which fmt refuses.
    invalid = "/DescribeProducersRequest.json" if release == "2.8.2" else None
    changed = sum(changes(name, data) for name, data in specs.items() if invalid is None or not name.endswith(invalid))
    golden(GOLDEN / "official" / f"{release}.fmt.txt", f"{changed} of {len(specs)} files change\n")


def test_the_newest_release_has_few_probable_mistakes() -> None:
    findings = lint(texts(KAFKA_RELEASE), RULE_NAMES.select(["MINIMAL"]))
    # Four fields have a default null without quotes. Kafka reads it as empty, although its authors intend null.
    # In two messages, the name of a token's requester has the about of the requester's type.
    assert Counter(one.rule for one in findings) == {"DEFAULT_NULL_IN_QUOTES": 4, "FIELD_ABOUT_UNIQUE": 2}


def test_fmt_changes_the_expected_number_of_lines_in_the_newest_release(golden: Golden) -> None:
    lines = changed = files = 0
    for name, data in texts(KAFKA_RELEASE).items():
        before, after = (text.decode().splitlines() for text in (data, format_spec(data, name)))
        lines += len(before)
        matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
        changed += len(before) - sum(block.size for block in matcher.get_matching_blocks())
        files += before != after
    golden(GOLDEN / "formatted.txt", f"{changed} of {lines} lines change, in {files} files\n")
