"""Makes sites in memory, and reads their pages as a browser does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from html.parser import HTMLParser
from pathlib import Path, PurePosixPath

from messagegen.generation.loading import inputs_of
from messagegen.generation.sources import Sources
from messagegen.outputs.site import SITE
from messagegen.spec.model import MessageSpec

_ASSETS = ("script", "img", "link", "iframe", "object", "embed", "svg", "style")


class Page(HTMLParser):
    """The elements, links and ids of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: Counter[str] = Counter()
        self.links: list[str] = []
        self.ids: list[str] = []
        self.handlers: list[str] = []
        self.open: list[str] = []
        self.text = ""
        self.feed(str(text))
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements[tag] += 1
        if tag not in {"meta", "link", "input", "wbr"}:
            self.open.append(tag)
        for name, value in attrs:
            if name in {"href", "src"}:
                self.links.append(value or "")
            if name == "id":
                self.ids.append(value or "")
            if name.startswith("on"):
                self.handlers.append(name)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data

    @property
    def assets(self) -> dict[str, int]:
        """The number of elements that load or run something, by tag."""
        return {tag: number for tag, number in self.elements.items() if tag in _ASSETS}


def site_of(specs: Sequence[MessageSpec], **options: object) -> dict[str, str]:
    """Return the files of a site about ``specs``."""
    return {path: file.render() for path, file in SITE.files(inputs_of(Sources(tuple(specs))), options).items()}


def broken_links(files: Mapping[str, str]) -> list[str]:
    """Return broken links and duplicate ids of a site."""
    pages = {path: Page(text) for path, text in files.items() if path.endswith(".html")}
    found: list[str] = []
    for path, page in pages.items():
        assert page.open == []
        found += [f"{path}: id {name} twice" for name, number in Counter(page.ids).items() if number > 1]
        for link in page.links:
            name, _, anchor = link.partition("#")
            target = _resolved(path, name) if name else path
            if target not in files or (anchor and anchor not in pages[target].ids):
                found.append(f"{path}: {link}")
    return found


def _resolved(page: str, link: str) -> str:
    parts: list[str] = []
    for part in (PurePosixPath(page).parent / link).parts:
        if part == "..":
            parts.pop()
        else:
            parts.append(part)
    return "/".join(parts)


def write(files: Mapping[str, str], folder: Path) -> Path:
    """Write the files of a site to ``folder``, and return it."""
    for path, text in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return folder
