"""The site as a whole: its pages as golden text, links, escaping, and that it is the same each time."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from tests.conftest import Golden
from tests.outputs.site.pages import Page, broken_links, site_of
from tests.support.specs import GOLDEN, OWN, PURPOSE_MADE, field, read_specs, spec

TEMPLATES: Final = Path(__file__).parents[3] / "templates" / "site"
STATEMENTS: Final = {"for", "endfor", "include", "extends", "block", "endblock"}
HOSTILE: Final = "</script><script>alert(1)</script><img src=x onerror=alert(2)> \" ' & <!--"


class TestPages:
    @pytest.mark.parametrize("path", ["index.html", "messages/every_type_request.html"])
    def test_golden(self, path: str, golden: Golden) -> None:
        golden(GOLDEN / "site" / path, site_of(read_specs([PURPOSE_MADE]))[path])

    @pytest.mark.parametrize("folder", [OWN, PURPOSE_MADE], ids=lambda folder: str(folder.name))
    def test_links_lead_somewhere_and_ids_are_unique(self, folder: Path) -> None:
        assert broken_links(site_of(read_specs([folder]))) == []

    def test_name_their_site(self) -> None:
        files = site_of([spec(field("Id", "int32"))], title="Ours <1>")
        assert "<title>Ours &lt;1&gt;</title>" in files["index.html"]
        assert "<title>Made · Ours &lt;1&gt;</title>" in files["messages/made.html"]


class TestHostileTexts:
    FILES = site_of(
        [
            spec(
                field("Text", "string", about=HOSTILE, default=HOSTILE),
                field("Part", "Part", about=HOSTILE, fields=[field("Id", "int32", about=HOSTILE)]),
                about=HOSTILE,
            )
        ],
        title=HOSTILE,
    )

    @pytest.mark.parametrize("path", ["index.html", "messages/made.html"])
    def test_are_shown_as_they_are(self, path: str) -> None:
        page = Page(self.FILES[path])
        assert page.assets == {"link": 1, "script": 1}
        assert page.handlers == []
        assert HOSTILE in page.text
