"""A Sphinx extension that turns the pages of the repository into pages of the site.

It changes addresses, adds the navigation and a link to the playground, and shows the names of example files above
them. The pages themselves are plain Markdown, so they are also readable in the repository.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from sphinx.application import Sphinx
from sphinx.project import Project
from sphinx.util.typing import ExtensionMetadata

_NAMES: Final = {"README": "index", "CONTRIBUTING": "contributing", "SECURITY": "security", "CHANGELOG": "changelog"}
_GROUP: Final = re.compile(r"^- (?P<caption>[A-Z][^:\n]+): (?P<links>.+\n(?:  .+\n)*)", re.MULTILINE)
_PAGE: Final = re.compile(r"\[(?P<title>[^\]]+)\]\((?P<path>[\w./-]+\.md)\)")
_FILE: Final = re.compile(r"^```(?P<language>\w+) (?P<name>\S*[.A-Z]\S*)$", re.MULTILINE)
"""The first line of a code block that names a file. A lower-case word without a dot names a requirement instead."""


class Pages(Project):
    """A Sphinx project that gives pages their names on the site.

    `docs/client.md` is `client`, `README.md` is `index`, `native/README.md` is `native`.
    """

    def path2doc(self, filename: str | os.PathLike[str]) -> str | None:
        """Return the name of a page on the site, or `None` for files that are not pages."""
        name = super().path2doc(filename)
        if name is None:
            return None
        return _NAMES.get(name, name.removeprefix("docs/").removesuffix("/README"))


def listed(name: str, text: str) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Yield the captions of the navigation, each with the titles and paths of its pages.

    Most pages are listed in the section "Documentation" of the README, and design pages on the page about the design.
    """
    if name == "index":
        for group in _GROUP.finditer(text.partition("\n## Documentation\n")[2]):
            yield group["caption"], _PAGE.findall(group["links"])
    elif name == "design":
        yield "", _PAGE.findall(text)


def with_playground(name: str, text: str) -> str:
    """Return the text of a page. The page about the playground gets a link to the playground below its title."""
    if name != "playground":
        return text
    title, _, rest = text.partition("\n")
    return f'{title}\n\n<p><a href="playground/index.html">Open the playground</a></p>\n{rest}'


def _take_over(app: Sphinx) -> None:
    app.project = app.env.project = Pages(app.srcdir, app.config.source_suffix)


def _complete(app: Sphinx, name: str, source: list[str]) -> None:
    """Add the navigation and the captions of example files to a page on the site."""
    text = with_playground(name, source[0])
    folder = Path(app.env.doc2path(name)).parent
    for caption, links in listed(name, text):
        found = ((title, app.env.path2doc(os.path.normpath(folder / path))) for title, path in links)
        pages = [f"{title[:1].upper()}{title[1:]} </{page}>" for title, page in found]
        options = [":hidden:", *([f":caption: {caption}"] if caption else [])]
        text += "\n".join(["", "```{toctree}", *options, "", *pages, "```", ""])
    source[0] = _FILE.sub(r"```{code-block} \g<language>\n:caption: \g<name>\n", text)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Connect the functions above to Sphinx, which calls this function."""
    app.connect("builder-inited", _take_over)
    app.connect("source-read", _complete)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
