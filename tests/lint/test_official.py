"""The official specs of Kafka: each release goes through lint and fmt, and how much they find is kept for review."""

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
def test_every_release_is_linted(release: str, golden: Golden) -> None:
    counts = Counter(one.rule for one in lint(texts(release), RULE_NAMES.select(), texts(release)))
    golden(GOLDEN / "official" / f"{release}.txt", "".join(f"{rule} {counts[rule]}\n" for rule in sorted(counts)))


@pytest.mark.parametrize("release", RELEASES)
def test_no_api_key_of_a_release_counts_as_foreign(release: str) -> None:
    found = lint(texts(release), RULE_NAMES.select(["API_KEY_NOT_KAFKAS"]), texts(release))
    assert [one for one in found if one.rule == "API_KEY_NOT_KAFKAS"] == []


@cache
def changes(name: str, data: bytes) -> bool:
    """Whether fmt changes a spec; releases have most of theirs in common."""
    formatted = format_spec(data, name)
    assert format_spec(formatted, name) == formatted
    assert repr(parse(formatted, name, released=True).spec) == repr(parse(data, name, released=True).spec)
    return formatted != data


@pytest.mark.parametrize("release", FROM_2_8)
def test_every_release_is_formatted(release: str, golden: Golden) -> None:
    specs = texts(release)
    # The spec ends with an extra bracket, which fmt does not remove.
    invalid = "/DescribeProducersRequest.json" if release == "2.8.2" else None
    changed = sum(changes(name, data) for name, data in specs.items() if invalid is None or not name.endswith(invalid))
    golden(GOLDEN / "official" / f"{release}.fmt.txt", f"{changed} of {len(specs)} files change\n")


def test_the_newest_release_has_few_probable_mistakes() -> None:
    findings = lint(texts(KAFKA_RELEASE), RULE_NAMES.select(["MINIMAL"]))
    # Four fields are empty by default, although Kafka's authors intend null. In two messages, the name of the principal
    # who requested a token has the about of its type.
    assert Counter(one.rule for one in findings) == {"DEFAULT_NULL_IN_QUOTES": 4, "FIELD_ABOUT_UNIQUE": 2}


def test_few_lines_of_the_newest_release_change(golden: Golden) -> None:
    lines = changed = files = 0
    for name, data in texts(KAFKA_RELEASE).items():
        before, after = (text.decode().splitlines() for text in (data, format_spec(data, name)))
        lines += len(before)
        matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
        changed += len(before) - sum(block.size for block in matcher.get_matching_blocks())
        files += before != after
    golden(GOLDEN / "formatted.txt", f"{changed} of {lines} lines change, in {files} files\n")
