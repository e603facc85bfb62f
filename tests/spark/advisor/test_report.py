"""The page: whole, on its own, and made for both light and dark."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from messagegen_arrow.advisor.recommending import recommend
from messagegen_arrow.advisor.specs.patch import load_class, load_table, patch_spec
from messagegen_arrow.advisor.statistics import Statistics
from messagegen_arrow.advisor.trial import run_trial
from messagegen_spark.advisor.report import report_page
from tests.arrow.support.advisor_data import SPEC, message, spec_of, statistics, table

MESSAGES = [(2, message({"id": number % 50, "numbers": [number, -1], "depth": 2}, 2)) for number in range(200)]
VOID = {"meta", "br", "link"}


class Tags(HTMLParser):
    """Checks that all that is opened is closed, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def tags_of(page: str) -> list[str]:
    tags = Tags()
    tags.feed(page)
    tags.close()
    assert tags.open == []
    return tags.seen


def whole_page() -> str:
    advice = recommend(statistics(MESSAGES))
    patch = patch_spec(SPEC, advice.encodings, file="specs/<Sample>.json")
    return report_page(advice, patch=patch, trial=run_trial(SPEC, MESSAGES[:5], advice.encodings, rounds=1))


def test_the_page_needs_nothing_else() -> None:
    page = whole_page()
    assert tags_of(page).count("svg") == 4
    addresses = re.findall(r"""(?:src|href)\s*=\s*["']([^"'#][^"']*)""", page)
    assert addresses == []
    assert "url(http" not in page
    assert "<script" not in page


def test_the_page_says_it_all() -> None:
    page = whole_page()
    advice = recommend(statistics(MESSAGES))
    assert f"{advice.saving_bytes / 200:,.1f} bytes a message" in page
    assert "From 200 messages." in page
    for one in advice.fields:
        assert f'<td class="text">{one.name}</td>' in page
    assert "<h2>Measured</h2>" in page
    assert "5 messages of the data" in page
    assert "uint32 fields can have no encoding" in page


def test_names_are_text_and_not_markup() -> None:
    page = whole_page()
    assert "a/specs/&lt;Sample&gt;.json" in page
    assert "<Sample>" not in page


def test_charts_take_the_colour_of_the_text() -> None:
    page = whole_page()
    assert "currentColor" in page
    assert "#010203" not in page
    assert "prefers-color-scheme: dark" in page


def test_equal_advice_gives_equal_pages() -> None:
    advice = recommend(statistics(MESSAGES))
    assert report_page(advice) == report_page(advice)


def test_a_sample_is_told() -> None:
    found = statistics(MESSAGES)
    half = Statistics(found.message, found.plan, 0.5, found.versions)
    advice = recommend(half)
    assert "a sample of 50.00 % of the data" in report_page(advice)
    assert f"{2 * advice.saving_bytes:,} bytes in all" in report_page(advice)


def test_no_messages_give_a_page_too() -> None:
    page = report_page(recommend(Statistics("Sample", table().plan)))
    assert "There are no messages" in page
    assert "svg" not in tags_of(page)


def test_nothing_to_change() -> None:
    text = spec_of('{ "name": "A", "type": "int32", "versions": "0+" }')
    data = load_class(text)(a=2**30).encode(version=0)
    page = report_page(recommend(statistics([(0, data)] * 9, load_table(text))))
    assert "No other encoding is worth the change." in page
