"""The site in headless Chromium, out of files: searching, choosing and comparing versions, themes, keys, narrow screens."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, Request, expect, sync_playwright

from messagegen.spec.model import MessageSpec
from tests.outputs.site.pages import site_of, write
from tests.outputs.site.test_site import HOSTILE
from tests.support.specs import OWN, PURPOSE_MADE, field, read_specs, spec

CHROMIUM: Final = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
PATIENCE: Final = 60_000
"""How many milliseconds a page may take to become as it should; a busy machine needs far longer than an idle one."""
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
        # Chromium's sandbox does not start for root.
        root = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
        expect.set_options(timeout=PATIENCE)
        with playwright.chromium.launch(executable_path=CHROMIUM, args=root) as running:
            yield running


class Visitor:
    """Opens pages of a site, and remembers what goes wrong on them."""

    def __init__(self, browser: Browser, site: Path) -> None:
        self.browser = browser
        self.site = site
        self.troubles: list[str] = []

    def open(self, path: str, size: dict[str, int] = DESKTOP, *, scheme: str = "light", scripts: bool = True) -> Page:
        context = self.browser.new_context(
            viewport={"width": size["width"], "height": size["height"]},
            color_scheme="dark" if scheme == "dark" else "light",
            java_script_enabled=scripts,
        )
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("console", lambda message: self.troubles.append(message.text))
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.on("requestfailed", self._note_failed)
        page.on("dialog", lambda dialog: self.troubles.append(dialog.message))
        page.goto(f"{self.site.as_uri()}/{path}")
        return page

    def _note_failed(self, request: Request) -> None:
        # A page that is left before its icon is there gives it up.
        if request.failure != "net::ERR_ABORTED":
            self.troubles.append(f"{request.url}: {request.failure}")


@pytest.fixture
def visitor(browser: Browser, site: Path) -> Iterator[Visitor]:
    visiting = Visitor(browser, site)
    yield visiting
    for context in browser.contexts:
        context.close()
    assert visiting.troubles == []


def test_the_search_finds_messages_by_their_fields(visitor: Visitor) -> None:
    page = visitor.open("index.html")
    search = page.get_by_label("Find messages")
    search.fill("max_num_offsets")
    expect(page.locator("#found")).to_have_text("1 lines found")
    expect(page.get_by_role("link", name="ListOffsetsRequest", exact=True)).to_be_visible()
    expect(page.get_by_role("heading", name="Headers")).to_be_hidden()
    search.fill("")
    expect(page.get_by_role("heading", name="Headers")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
@pytest.mark.parametrize("path", ["index.html", "messages/metadata_response.html", "messages/every_type_request.html"])
def test_texts_fit_and_stand_out(visitor: Visitor, path: str, size: dict[str, int], scheme: str) -> None:
    page = visitor.open(path, size, scheme=scheme)
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    outside = "[...document.querySelectorAll('main *')].filter(e => e.checkVisibility() && e.getBoundingClientRect().right > innerWidth)"
    assert page.evaluate(f"{outside}.map(e => e.outerHTML.slice(0, 80))") == []
    found = page.evaluate(CONTRASTS)
    assert len(found) > 5
    assert {name: ratio for name, ratio in found.items() if ratio < 4.5} == {}


def test_hostile_texts_run_nothing(visitor: Visitor) -> None:
    page = visitor.open("messages/hostile.html")
    expect(page.locator(".lead")).to_have_text(HOSTILE)


def test_everything_is_there_without_scripts(visitor: Visitor) -> None:
    page = visitor.open("index.html", scripts=False)
    expect(page.locator("#search")).to_be_hidden()
    page.get_by_role("link", name="ListOffsetsRequest", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("ListOffsetsRequest")
    page.get_by_text("Version 0", exact=True).first.click()
    expect(page.locator("details").last).to_contain_text("MaxNumOffsets")
    page.get_by_role("link", name="ListOffsetsTopic").first.click()
    expect(page.locator("#struct-ListOffsetsTopic")).to_be_in_viewport()


CONTRASTS: Final = """() => {
  const channels = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = (value) => (value / 255 <= 0.03928 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  const luminance = ([r, g, b]) => 0.2126 * light(r) + 0.7152 * light(g) + 0.0722 * light(b);
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = channels(getComputedStyle(at).backgroundColor);
      if (colour[3] !== 0) return colour;
    }
    return channels(getComputedStyle(document.body).backgroundColor);
  };
  const found = {};
  for (const element of document.querySelectorAll("body *")) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!own || !element.checkVisibility()) continue;
    const [one, other] = [channels(getComputedStyle(element).color), ground(element)].map(luminance).sort();
    const name = `${element.tagName} ${element.className} in ${element.parentElement.className}`;
    const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    found[name] = Math.min(found[name] ?? 99, ratio);
  }
  return found;
}"""
"""The least contrast (as WCAG 2 counts it) between text and ground, by the sort of element."""
