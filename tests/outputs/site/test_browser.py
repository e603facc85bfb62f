"""The site in headless Chromium, opened from files: the search, narrow screens and hostile text."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, Request, expect, sync_playwright

from messagegen.spec.model import MessageSpec
from tests.outputs.site.hostile import HOSTILE
from tests.outputs.site.pages import site_of, write
from tests.support.specs import OWN, PURPOSE_MADE, field, read_specs, spec

CHROMIUM: Final = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
PATIENCE: Final = 60_000
"""The time limit in milliseconds for a page to reach its expected state; high, because busy machines are slow."""
PHONE: Final = {"width": 390, "height": 844}
DESKTOP: Final = {"width": 1280, "height": 900}

pytestmark = [
    pytest.mark.browser,
    pytest.mark.xdist_group("browser"),
    pytest.mark.skipif(
        CHROMIUM is None, reason="Chromium is not installed (on Debian and Ubuntu: apt install chromium)"
    ),
]


def hostile() -> MessageSpec:
    return spec(field("Text", "string", about=HOSTILE, default=HOSTILE), name="Hostile", about=HOSTILE)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    specs = [*read_specs([OWN]), *read_specs([PURPOSE_MADE], messages=["EveryTypeRequest"]), hostile()]
    return write(site_of(specs), tmp_path_factory.mktemp("site"))


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        # Chromium does not start as root with its sandbox.
        root = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
        expect.set_options(timeout=PATIENCE)
        with playwright.chromium.launch(executable_path=CHROMIUM, args=root) as running:
            yield running


class Visitor:
    """Opens pages of a site, and collects their errors."""

    def __init__(self, browser: Browser, site: Path) -> None:
        self.browser = browser
        self.site = site
        self.troubles: list[str] = []

    def open(self, path: str, size: dict[str, int] = DESKTOP) -> Page:
        context = self.browser.new_context(viewport={"width": size["width"], "height": size["height"]})
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("console", lambda message: self.troubles.append(message.text))
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.on("requestfailed", self._note_failed)
        page.on("dialog", lambda dialog: self.troubles.append(dialog.message))
        page.goto(f"{self.site.as_uri()}/{path}")
        return page

    def _note_failed(self, request: Request) -> None:
        # Ignore the icon: a browser cancels loading it when another page is opened.
        if request.failure != "net::ERR_ABORTED":
            self.troubles.append(f"{request.url}: {request.failure}")


@pytest.fixture
def visitor(browser: Browser, site: Path) -> Iterator[Visitor]:
    visiting = Visitor(browser, site)
    yield visiting
    for context in browser.contexts:
        context.close()
    assert visiting.troubles == []


@pytest.mark.slow
def test_the_search_finds_messages_by_their_fields(visitor: Visitor) -> None:
    page = visitor.open("index.html")
    search = page.get_by_label("Find messages")
    search.fill("max_num_offsets")
    expect(page.get_by_role("link", name="ListOffsetsRequest", exact=True)).to_be_visible()
    expect(page.get_by_role("link", name="RequestHeader")).to_be_hidden()
    search.fill("")
    expect(page.get_by_role("link", name="RequestHeader")).to_be_visible()


@pytest.mark.slow
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
@pytest.mark.parametrize("path", ["index.html", "messages/metadata_response.html", "messages/every_type_request.html"])
def test_texts_fit_into_the_screen(visitor: Visitor, path: str, size: dict[str, int]) -> None:
    page = visitor.open(path, size)
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    outside = (
        "[...document.querySelectorAll('main *')]"
        ".filter(e => e.checkVisibility() && e.getBoundingClientRect().right > innerWidth)"
    )
    assert page.evaluate(f"{outside}.map(e => e.outerHTML.slice(0, 80))") == []


def test_hostile_text_is_shown_and_not_run(visitor: Visitor) -> None:
    page = visitor.open("messages/hostile.html")
    expect(page.locator(".lead")).to_have_text(HOSTILE)


def test_a_search_without_hits_shows_a_note(visitor: Visitor) -> None:
    page = visitor.open("index.html")
    search, message = page.get_by_label("Find messages"), page.get_by_text("No message has these words")
    expect(message).to_be_hidden()
    search.fill("no such field")
    expect(message).to_be_visible()
    expect(page.get_by_role("table")).to_be_hidden()
    search.fill("")
    expect(message).to_be_hidden()
    expect(page.get_by_role("table")).to_be_visible()


WORDS = """() => {
  const broken = [];
  const walk = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    if (!node.parentElement.checkVisibility()) continue;
    for (const word of node.data.matchAll(/[A-Z]?[a-z]+|[0-9]+/g)) {
      const range = document.createRange();
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      if (new Set([...range.getClientRects()].map(box => Math.round(box.top))).size > 1) broken.push(word[0]);
    }
  }
  return broken;
}"""
"""A script that returns the words, including parts of names in camel case, that are broken across two lines."""


@pytest.mark.slow
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
@pytest.mark.parametrize(
    "path",
    [
        "index.html",
        "messages/metadata_response.html",
        "messages/consumer_group_target_assignment_metadata_value.html",
        "messages/remote_log_segment_metadata_update_record.html",
    ],
)
def test_words_are_not_broken_across_lines(visitor: Visitor, path: str, size: dict[str, int]) -> None:
    page = visitor.open(path, size)
    for details in page.locator("details").all():
        details.evaluate("element => { element.open = true }")
    assert page.evaluate(WORDS) == []
