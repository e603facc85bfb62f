"""The site of the documentation: whole, without dead links and outside requests, and strict about what it is built from."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property, partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import Browser, expect

from tests.docs.setting import ROOT
from tests.outputs.site.test_browser import CHROMIUM, PATIENCE, browser

__all__ = ["browser"]  # a fixture

# One worker, so that the site is built once.
pytestmark = [pytest.mark.exhaustive, pytest.mark.xdist_group("documentation site")]

_LOADED = {"link": "href", "script": "src", "img": "src", "source": "src", "iframe": "src"}
"""Attributes whose addresses a browser loads by itself."""


def build(source: Path, output: Path, doctrees: Path) -> subprocess.CompletedProcess[str]:
    options = ["--quiet", "--fail-on-warning", "--keep-going", "--conf-dir", str(ROOT / "docs" / "website")]
    command = [sys.executable, "-m", "sphinx", *options, "--doctree-dir", str(doctrees), str(source), str(output)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


class Html(HTMLParser):
    """What a page of the site links, loads, and can be linked by."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.anchors: set[str] = {""}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value for name, value in attrs if value is not None}
        self.anchors.update(values[name] for name in ("id", "name") if name in values)
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        if _LOADED.get(tag, "") in values:
            self.loaded.append(values[_LOADED[tag]])


class Site:
    """The files of a site that was built."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @cached_property
    def pages(self) -> dict[Path, Html]:
        return {page: Html(page.read_text(encoding="utf-8")) for page in sorted(self.folder.rglob("*.html"))}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    folder = tmp_path_factory.mktemp("site")
    done = build(ROOT, folder / "site", folder / "doctrees")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    return Site(folder / "site")


def test_every_page_of_the_repository_is_there(site: Site) -> None:
    names = {page.relative_to(site.folder).with_suffix("").as_posix() for page in site.pages}
    pages = {page.relative_to(ROOT / "docs").with_suffix("").as_posix() for page in (ROOT / "docs").rglob("*.md")}
    others = {"index", "contributing", "changelog", "native", "benchmarks"}
    assert names == pages | others | {"genindex", "search"}


def test_no_link_is_dead(site: Site) -> None:
    for page, html in site.pages.items():
        for link in [*html.links, *html.loaded]:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                assert re.fullmatch(r"https://[a-z0-9.-]+\.[a-z]+(/\S*)?", link), (page, link)
                continue
            target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            assert target.is_file(), (page, link)
            if target in site.pages:
                assert unquote(parts.fragment) in site.pages[target].anchors, (page, link)


def test_nothing_is_loaded_from_elsewhere(site: Site) -> None:
    assert [link for html in site.pages.values() for link in html.loaded if urlsplit(link).netloc] == []
    styles = "".join(style.read_text(encoding="utf-8") for style in site.folder.rglob("*.css"))
    assert re.findall(r"url\(\s*[\"']?(?:https?:)?//[^)]*|@import[^;]*", styles) == []


def test_every_page_can_be_reached_from_the_navigation_of_the_first(site: Site) -> None:
    index = site.folder / "index.html"
    navigation = {(index.parent / urlsplit(link).path).resolve() for link in site.pages[index].links}
    expected = {page for page in site.pages if page.name not in {"search.html", "genindex.html"}}
    assert expected - navigation <= {index}


def test_files_of_examples_have_their_names(site: Site) -> None:
    page = (site.folder / "quickstart" / "vendor-messages.html").read_text(encoding="utf-8")
    assert '<span class="caption-text">message_specs/OrderPlaced.json</span>' in page


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed (on Debian and Ubuntu: apt install chromium)")
def test_a_phone_finds_pages_and_asks_nobody_else(site: Site, browser: Browser) -> None:
    loaded: list[str] = []
    with (
        served(site.folder) as address,
        browser.new_context(viewport={"width": 390, "height": 844}, color_scheme="dark") as context,
    ):
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("request", lambda request: loaded.append(request.url))
        page.goto(f"{address}/search.html?q=quota+file")
        page.get_by_role("link", name="Quickstart: quotas as code").first.click()
        expect(page.get_by_role("heading", level=1)).to_contain_text("quotas as code")
        for name in ("index.html", "cli.html", "spec-language.html"):
            page.goto(f"{address}/{name}")
            assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), name
    assert loaded
    assert [url for url in loaded if not url.startswith((f"{address}/", "data:"))] == []


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of a server of the files."""
    handler = partial(QuietHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name that the base class gives it
        """Writes nothing."""


def test_dead_links_and_unlisted_pages_fail(tmp_path: Path) -> None:
    lines = {
        "[a page](docs/missing.md)": "target not found: 'docs/missing.md'",
        "[a heading](docs/dump.md#missing)": "'missing'",
        "![a picture](docs/missing.svg)": "image file not readable: docs/missing.svg",
    }
    source = tmp_path / "source"
    (source / "docs").mkdir(parents=True)
    text = "".join(f"{line}\n\n" for line in ["# Title", *lines, "## Documentation", "- Data: [dumping](docs/dump.md)"])
    (source / "README.md").write_text(text, encoding="utf-8")
    for name in ("dump", "unlisted"):
        (source / "docs" / f"{name}.md").write_text(f"# {name}\n", encoding="utf-8")

    done = build(source, tmp_path / "site", tmp_path / "doctrees")
    assert done.returncode == 1
    warnings = done.stderr.splitlines()
    for number, expected in zip((3, 5, 7), lines.values(), strict=True):
        assert [line for line in warnings if f"README.md:{number}: WARNING" in line and expected in line], warnings
    assert [line for line in warnings if "docs/unlisted.md: WARNING: document isn't included in any toctree" in line]
