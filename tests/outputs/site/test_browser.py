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


class TestSearch:
    def test_a_click_leads_to_a_message(self, visitor: Visitor) -> None:
        page = visitor.open("index.html")
        page.get_by_label("Search messages and fields").fill("listoffsetsreq")
        page.get_by_role("option").first.click()
        expect(page.get_by_role("heading", level=1)).to_have_text("ListOffsetsRequest")

    def test_keys_lead_to_a_field(self, visitor: Visitor) -> None:
        page = visitor.open("messages/list_offsets_response.html")
        page.keyboard.press("/")
        page.keyboard.type("max_num_offsets")
        expect(page.get_by_role("option").first).to_have_attribute("aria-selected", "true")
        for key in ("ArrowDown", "ArrowUp", "Enter"):
            page.keyboard.press(key)
        page.wait_for_url("**/list_offsets_request.html#ListOffsetsPartition.MaxNumOffsets")
        expect(page.locator("[id='ListOffsetsPartition.MaxNumOffsets']")).to_be_in_viewport()

    def test_the_list_has_one_chosen_option(self, visitor: Visitor) -> None:
        page = visitor.open("index.html")
        search = page.get_by_label("Search messages and fields")
        search.fill("offset")
        search.press("ArrowUp")
        last = page.get_by_role("option").last
        expect(last).to_have_attribute("aria-selected", "true")
        expect(search).to_have_attribute("aria-activedescendant", last.get_attribute("id") or "")
        assert page.locator("[aria-selected=true]").count() == 1
        search.press("Escape")
        expect(page.get_by_role("listbox")).to_be_hidden()
        expect(search).to_have_attribute("aria-expanded", "false")

    @pytest.mark.parametrize(
        ("typed", "first"), [("2", "ListOffsetsRequest"), ("Offset Fetch Request", "OffsetFetchRequest")]
    )
    def test_finds_by_api_key_and_by_words(self, visitor: Visitor, typed: str, first: str) -> None:
        page = visitor.open("index.html")
        page.get_by_label("Search messages and fields").fill(typed)
        expect(page.get_by_role("option").first.locator("code")).to_have_text(first)

    def test_says_if_nothing_fits(self, visitor: Visitor) -> None:
        page = visitor.open("index.html")
        page.get_by_label("Search messages and fields").fill("nothing like that")
        expect(page.locator("#found")).to_have_text("No results")
        expect(page.get_by_role("listbox")).to_be_hidden()


class TestVersions:
    def test_the_newest_version_is_shown_first(self, visitor: Visitor) -> None:
        page = visitor.open("messages/list_offsets_request.html")
        expect(page.get_by_label("Version", exact=True)).to_have_value("11")
        assert page.locator("#wire [data-versions]:visible").count() == 1
        expect(page.locator("[id='ListOffsetsPartition.MaxNumOffsets']")).to_be_hidden()

    def test_a_version_can_be_chosen(self, visitor: Visitor) -> None:
        page = visitor.open("messages/list_offsets_request.html")
        page.get_by_label("Version", exact=True).select_option("0")
        expect(page.locator("[id='ListOffsetsPartition.MaxNumOffsets']")).to_be_visible()
        expect(page.locator("[id='ListOffsetsRequest.IsolationLevel']")).to_be_hidden()
        assert page.url.endswith("#v0")
        page.reload()
        expect(page.get_by_label("Version", exact=True)).to_have_value("0")
        page.get_by_label("Version", exact=True).select_option("all")
        assert (
            page.locator("#wire [data-versions]:visible").count() == page.locator("#wire [data-versions]").count() > 1
        )

    def test_a_link_to_a_field_shows_it_in_any_version(self, visitor: Visitor) -> None:
        page = visitor.open("messages/list_offsets_request.html#ListOffsetsPartition.MaxNumOffsets")
        expect(page.locator("[id='ListOffsetsPartition.MaxNumOffsets']")).to_be_in_viewport()
        expect(page.get_by_label("Version", exact=True)).to_have_value("0")

    def test_two_versions_stand_side_by_side(self, visitor: Visitor) -> None:
        page = visitor.open("messages/list_offsets_request.html")
        page.get_by_label("Version", exact=True).select_option("2")
        page.get_by_label("Compare with").select_option("1")
        expect(page.locator("#compare-summary")).to_have_text("From version 1 to 2: 1 added, 0 removed, 0 changed.")
        added = page.locator("#compare td.added").filter(has_text="IsolationLevel")
        expect(added).to_contain_text("int8: 1 byte")
        assert page.locator("#compare tbody tr").count() == 1
        page.get_by_label("Differences only").uncheck()
        assert page.locator("#compare tbody tr").count() > 1
        assert page.url.endswith("#v2-v1")

    def test_what_changed_and_what_went_is_marked(self, visitor: Visitor) -> None:
        page = visitor.open("messages/list_offsets_request.html#v6-v0")
        expect(page.locator("#compare td.removed:first-child")).to_contain_text(["MaxNumOffsets"])
        changed = page.locator("#compare tr").filter(has_text="Topics[]").first.locator("td")
        expect(changed.nth(0)).to_contain_text("int32 count")
        expect(changed.nth(1)).to_contain_text("count + 1 as uvarint")
        page.get_by_label("Compare with").select_option("6")
        expect(page.locator("#compare-summary")).to_have_text("Versions 6 and 6 are the same on the wire.")
        expect(page.locator("#compare table")).to_be_hidden()

    def test_differences_stand_below_the_structs_that_they_are_in(self, visitor: Visitor) -> None:
        page = visitor.open("messages/list_offsets_request.html#v4-v3")
        shown = page.locator("#compare tbody tr td:last-child code")
        expect(shown).to_have_text(["Topics[]", "Partitions[]", "CurrentLeaderEpoch"])

    def test_everything_can_be_reached_by_keys(self, visitor: Visitor) -> None:
        page = visitor.open("messages/list_offsets_request.html")
        reached: list[str] = []
        for _ in range(20):
            page.keyboard.press("Tab")
            focused = page.evaluate(
                "[document.activeElement.id || document.activeElement.className || document.activeElement.textContent,"
                " getComputedStyle(document.activeElement).outlineStyle]"
            )
            reached.append(focused[0])
            assert focused[1] != "none", focused
        for wanted in ("skip", "home", "search", "theme", "version", "other", "scroll"):
            assert wanted in reached
        page.get_by_label("Version", exact=True).focus()
        page.keyboard.press("ArrowDown")
        expect(page.get_by_label("Version", exact=True)).to_have_value("10")


class TestThemes:
    @pytest.mark.parametrize(("scheme", "other"), [("light", "dark"), ("dark", "light")])
    def test_the_button_changes_it_and_the_browser_remembers(self, visitor: Visitor, scheme: str, other: str) -> None:
        page = visitor.open("index.html", scheme=scheme)
        button = page.get_by_role("button", name="Dark theme")
        expect(button).to_have_attribute("aria-pressed", str(scheme == "dark").lower())
        before = page.evaluate("getComputedStyle(document.body).backgroundColor")
        button.click()
        expect(page.locator("html")).to_have_attribute("data-theme", other)
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") != before
        page.reload()
        expect(page.locator("html")).to_have_attribute("data-theme", other)

    @pytest.mark.parametrize("scheme", ["light", "dark"])
    def test_texts_stand_out(self, visitor: Visitor, scheme: str) -> None:
        page = visitor.open("messages/list_offsets_request.html#v6-v0", scheme=scheme)
        found = page.evaluate(CONTRASTS)
        assert len(found) > 10
        assert {name: ratio for name, ratio in found.items() if ratio < 4.5} == {}


class TestNarrowScreens:
    @pytest.mark.parametrize(
        "path", ["index.html", "messages/metadata_response.html#v12-v0", "messages/every_type_request.html"]
    )
    def test_a_page_does_not_scroll_sideways(self, visitor: Visitor, path: str) -> None:
        page = visitor.open(path, PHONE)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        expect(page.get_by_label("Search messages and fields")).to_be_visible()

    def test_results_fit(self, visitor: Visitor) -> None:
        page = visitor.open("index.html", PHONE)
        page.get_by_label("Search messages and fields").fill("partition")
        box = page.get_by_role("listbox").bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= PHONE["width"]


def test_hostile_texts_run_nothing(visitor: Visitor) -> None:
    page = visitor.open("messages/hostile.html")
    expect(page.locator(".lead")).to_have_text(HOSTILE)
    page.get_by_label("Search messages and fields").fill("alert(1)")
    expect(page.get_by_role("option").first).to_contain_text("Hostile")


def test_everything_is_there_without_scripts(visitor: Visitor) -> None:
    page = visitor.open("messages/list_offsets_request.html", scripts=False)
    for layout in page.locator("#wire [data-versions]").all():
        expect(layout).to_be_visible()
    for control in ("#search", "#theme", "#version"):
        expect(page.locator(control)).to_be_hidden()
    page.goto(page.url.replace("messages/list_offsets_request.html", "index.html"))
    page.get_by_role("link", name="MetadataResponse", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("MetadataResponse")


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
