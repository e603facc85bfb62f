"""The files of the site: pages that equal golden files, links, and escaped text."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from tests.conftest import Golden
from tests.outputs.site.hostile import HOSTILE
from tests.outputs.site.pages import Page, broken_links, site_of
from tests.support.specs import GOLDEN, OWN, PURPOSE_MADE, field, read_specs, spec

TEMPLATES: Final = Path(__file__).parents[3] / "templates" / "site"
STATEMENTS: Final = {"for", "endfor", "include", "extends", "block", "endblock"}


class TestPages:
    @pytest.mark.parametrize("path", ["index.html", "messages/every_type_request.html"])
    def test_pages_equal_golden_files(self, path: str, golden: Golden) -> None:
        golden(GOLDEN / "site" / path, site_of(read_specs([PURPOSE_MADE]))[path])

    @pytest.mark.slow
    @pytest.mark.parametrize("folder", [OWN, PURPOSE_MADE], ids=lambda folder: str(folder.name))
    def test_links_lead_to_existing_places_and_ids_are_unique(self, folder: Path) -> None:
        assert broken_links(site_of(read_specs([folder]))) == []

    def test_titles_of_pages_contain_the_title_of_the_site(self) -> None:
        files = site_of([spec(field("Id", "int32"))], title="Ours <1>")
        assert "<title>Ours &lt;1&gt;</title>" in files["index.html"]
        assert "<title>Made · Ours &lt;1&gt;</title>" in files["messages/made.html"]


class TestIndex:
    """The index has only columns with content."""

    @staticmethod
    def heads(*properties: dict[str, object]) -> list[str]:
        index = site_of([spec(field("Id", "int32"), **each) for each in properties])["index.html"]
        return re.findall('<th scope="col">([^<]*)</th>', index)

    def test_the_index_of_data_messages_has_no_keys(self) -> None:
        assert self.heads({}) == ["Message", "Kind", "Versions"]

    def test_the_index_of_requests_has_keys(self) -> None:
        request: dict[str, object] = {"type": "request", "name": "OneRequest", "apiKey": 1000}
        assert self.heads({}, request) == ["Message", "Kind", "Key", "Versions"]

    def test_the_index_has_an_about_column_if_any_message_has_an_about(self) -> None:
        index = site_of([spec(name="One", about="What one sensor measured."), spec(name="Other")])["index.html"]
        assert re.findall('<th scope="col">([^<]*)</th>', index) == ["Message", "Kind", "Versions", "About"]
        assert "What one sensor measured." in Page(index).text


class TestFields:
    @staticmethod
    def page(*fields: dict[str, object], **properties: object) -> str:
        return Page(site_of([spec(*fields, **properties)])["messages/made.html"]).text

    @pytest.mark.parametrize(
        ("encoding", "shown"),
        [
            ("packed32", ["packed32"]),
            ("fixed16", ["fixed16"]),
            ({"0-1": "packed32", "2+": "upacked16"}, ["packed32 in 0-1", "upacked16 in 2+"]),
            ({"0-1": "fixed32", "2+": "packed32"}, ["packed32 in 2+"]),
            ({"0": "fixed32", "1": "packed32", "2+": "fixed32"}, ["packed32 in 1"]),
        ],
    )
    @pytest.mark.parametrize("array", ["", "[]"], ids=["alone", "array"])
    def test_fields_show_encodings_and_their_versions(self, array: str, encoding: object, shown: list[str]) -> None:
        one = field("Id", f"{array}int32") | {"elementEncoding" if array else "encoding": encoding}
        text = self.page(one, validVersions="0-3")
        found = re.findall(r"(?:fixed|packed|upacked)\d\d(?: in [0-9+-]+)?", text.partition("On the wire")[0])
        assert found == shown

    def test_default_encodings_of_fields_are_not_shown(self) -> None:
        assert "fixed32" not in self.page(field("Id", "int32"), field("Text", "string"), validVersions="0-3")

    def test_a_single_version_is_shown_in_the_singular(self) -> None:
        text = self.page(field("Id", "int32"), field("Last", "int8", "3"), validVersions="0-3")
        assert "version 3" in text
        assert "Version 3" in text
        assert "ersions 3" not in text


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
    def test_hostile_text_is_escaped(self, path: str) -> None:
        page = Page(self.FILES[path])
        assert page.assets == {"link": 1, "script": 1}
        assert page.handlers == []
        assert HOSTILE in page.text
