"""The documentation site has all pages, and loads nothing from other hosts. Sphinx fails on dead links."""

from __future__ import annotations

import re
import subprocess
import sys
from functools import cached_property
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.docs.setting import ROOT

# All tests run in one worker, so that the site is built only once.
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("documentation site")]

_LOADED = {"link": "href", "script": "src", "img": "src", "source": "src", "iframe": "src"}
"""Attributes with addresses that browsers load without a click."""


def build(source: Path, output: Path, doctrees: Path) -> subprocess.CompletedProcess[str]:
    options = ["--quiet", "--fail-on-warning", "--keep-going", "--conf-dir", str(ROOT / "docs" / "website")]
    command = [sys.executable, "-m", "sphinx", *options, "--doctree-dir", str(doctrees), str(source), str(output)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


class Html(HTMLParser):
    """The links of a page, and the files that browsers load with it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value for name, value in attrs if value is not None}
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        if _LOADED.get(tag, "") in values:
            self.loaded.append(values[_LOADED[tag]])


class Site:
    """The files of a built site."""

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


def test_the_site_has_every_page_of_the_repository(site: Site) -> None:
    names = {page.relative_to(site.folder).with_suffix("").as_posix() for page in site.pages}
    pages = {page.relative_to(ROOT / "docs").with_suffix("").as_posix() for page in (ROOT / "docs").rglob("*.md")}
    others = {"index", "contributing", "changelog", "security", "native", "benchmarks"}
    assert names == pages | others | {"genindex", "search"}


def test_the_site_loads_nothing_from_other_hosts(site: Site) -> None:
    assert [link for html in site.pages.values() for link in html.loaded if urlsplit(link).netloc] == []
    styles = "".join(style.read_text(encoding="utf-8") for style in site.folder.rglob("*.css"))
    assert re.findall(r"url\(\s*[\"']?(?:https?:)?//[^)]*|@import[^;]*", styles) == []


def test_the_first_page_links_to_every_other_page(site: Site) -> None:
    index = site.folder / "index.html"
    navigation = {(index.parent / urlsplit(link).path).resolve() for link in site.pages[index].links}
    expected = {page for page in site.pages if page.name not in {"search.html", "genindex.html"}}
    assert expected - navigation <= {index}
