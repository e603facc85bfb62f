"""The pages are true: examples run, outputs are real, links are valid, and lists are complete."""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any, Final

import pytest

import messagegen_kafka
from messagegen import load
from messagegen.names import EXPORTS
from messagegen.primitives import PRIMITIVES, Primitive
from messagegen.spec import PURPOSES, parse, schema_text
from tests.broker.cluster import Cluster
from tests.broker.ports import free_ports_in_a_row
from tests.conftest import Golden
from tests.docs.examples import Block, blocks, needs, run_page
from tests.docs.setting import prepared
from tests.oracle.fixtures import OFFICIAL_MESSAGES

ROOT: Final = Path(__file__).resolve().parents[2]
PAGES: Final = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("**/*.md")])
NAMES: Final = [str(page.relative_to(ROOT)) for page in PAGES]
_LINK: Final = re.compile(r"(?<!!)\[[^\]]+\]\(([^)\s]+)\)")
_HEADING: Final = re.compile(r"^#{1,6} (.+)$", re.MULTILINE)
_FENCED: Final = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def prose_of(page: Path) -> str:
    return _FENCED.sub("", text_of(page))


def anchors(page: Path) -> set[str]:
    """Return the anchors that renderers derive from headings: in lower case, without punctuation, dashes for blanks."""
    titles = (re.sub(r"[^\w\- ]", "", title.lower()) for title in _HEADING.findall(prose_of(page)))
    return {title.strip().replace(" ", "-") for title in titles}


@pytest.mark.slow
@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, marks=[pytest.mark.native] if "$ messagegen-data" in text_of(page) else [], id=name)
        for page, name in zip(PAGES, NAMES, strict=True)
    ],
)
def test_examples_print_what_pages_show(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, golden: Golden
) -> None:
    golden(page, run_page(text_of(page), page.name, prepared(page, tmp_path, monkeypatch)))


@pytest.mark.java
@pytest.mark.slow
@pytest.mark.parametrize(
    "page", [page for page in PAGES if "network" in needs(text_of(page))], ids=lambda page: page.name
)
def test_examples_with_a_network_print_what_pages_show(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, golden: Golden
) -> None:
    setting = prepared(page, tmp_path, monkeypatch, having="network")
    golden(page, run_page(text_of(page), page.name, setting))


@pytest.mark.slow
@pytest.mark.parametrize(
    "page", [page for page in PAGES if "broker" in needs(text_of(page))], ids=lambda page: page.name
)
def test_examples_with_a_broker_print_what_pages_show(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, golden: Golden, broker: Cluster
) -> None:
    # Examples with a broker may use files that earlier examples fetch.
    having = " ".join(needs(text_of(page)) & {"broker", "network"})
    setting = prepared(page, tmp_path, monkeypatch, having=having, stands_for=addresses(broker))
    golden(page, run_page(text_of(page), page.name, setting))


def addresses(broker: Cluster) -> dict[str, str]:
    """Return replacements for texts in pages: the address and log folder of ``broker``, and free ports for a proxy."""
    port = free_ports_in_a_row(2)
    return {
        "localhost:9092": broker.bootstrap(),
        "/var/lib/kafka/data": str(broker.log_dir()),
        "19092": str(port),
        "19093": str(port + 1),
    }


@pytest.mark.parametrize("page", [*PAGES, *ROOT.glob("*/README.md")], ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_to_existing_pages_and_headings(page: Path) -> None:
    for link in _LINK.findall(prose_of(page)):
        if link.startswith(("https://", "mailto:")):
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        assert target.exists(), link
        if anchor:
            assert anchor in anchors(target), link


def test_every_page_is_linked() -> None:
    linked = {
        (page.parent / link.partition("#")[0]).resolve()
        for page in PAGES
        for link in _LINK.findall(prose_of(page))
        if not link.startswith(("https://", "#"))
    }
    unlinked = {name for name, page in zip(NAMES, PAGES, strict=True) if page not in linked}
    assert unlinked <= {"README.md"}


_TABLE: Final = re.compile(r"(?:^\|.*\|$\n?)+", re.MULTILINE)


def cells(row: str) -> int:
    """Return the number of cells in a table row; a bar in code is part of a cell."""
    return re.sub(r"`[^`]*`|\\\|", "", row).count("|") - 1


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_table_rows_have_as_many_cells_as_their_header(page: Path) -> None:
    for table in _TABLE.findall(prose_of(page)):
        head, *rows = table.splitlines()
        assert [row for row in rows if cells(row) != cells(head)] == [], head


def test_navigation_entries_have_distinct_names() -> None:
    titles = [title for page in ("README.md", "docs/design.md") for title in re.findall(r"\[([^\]]+)\]\(", menu(page))]
    assert titles
    assert [title for title, times in Counter(title.lower() for title in titles).items() if times > 1] == []


def menu(page: str) -> str:
    """Return the part of a page that becomes the site's navigation."""
    text = text_of(ROOT / page)
    return text.partition("\n## Documentation\n")[2] if page == "README.md" else text


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_links_named_after_a_rule_lead_to_that_rule(page: Path) -> None:
    for name, anchor in re.findall(r"\[([A-Z_]+)\]\([^)]*rules\.md#([^)]*)\)", text_of(page)):
        assert name in PURPOSES
        assert anchor == name.lower()


def test_make_targets_in_pages_exist() -> None:
    makefiles = ("Makefile", "benchmarks/bench.mk", "templates/init/messagegen.mk.j2")
    rules = "".join((ROOT / file).read_text(encoding="utf-8") for file in makefiles)
    verbs = set(re.findall(r"^([a-z-]+):", rules, re.MULTILINE))
    named = {verb for page in PAGES for verb in re.findall(r"`make ([a-z-]+)", prose_of(page))}
    assert named
    assert named <= verbs


def section(page: str, title: str) -> str:
    return page.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def first_column(text: str) -> list[str]:
    return re.findall(r"^\| `([\w$]+)` \|", text, re.MULTILINE)


class TestSpecLanguage:
    PAGE = text_of(ROOT / "docs" / "spec-language.md")
    SCHEMA: Any = json.loads(schema_text())

    def test_the_page_lists_the_properties_of_the_schema(self) -> None:
        definitions = self.SCHEMA["$defs"]
        assert first_column(section(self.PAGE, "Properties of a message")) == list(self.SCHEMA["properties"])
        assert first_column(section(self.PAGE, "Properties of a field")) == list(definitions["field"]["properties"])
        assert first_column(section(self.PAGE, "Properties of a common struct")) == list(
            definitions["struct"]["properties"]
        )

    def test_the_page_names_every_primitive_type_and_every_value_in_the_schema(self) -> None:
        words = [*self.SCHEMA["properties"]["type"]["enum"], *self.SCHEMA["$defs"]["listener"]["enum"]]
        words += self.SCHEMA["$defs"]["field"]["properties"]["entityType"]["examples"]
        words += self.SCHEMA["$defs"]["encodingName"]["enum"]
        words += PRIMITIVES
        assert [word for word in words if f"`{word}`" not in self.PAGE] == []

    @pytest.mark.parametrize("primitive", PRIMITIVES.values(), ids=str)
    def test_the_page_and_the_code_describe_primitive_types_alike(self, primitive: Primitive) -> None:
        python = "`uuid.UUID`" if primitive.python == "UUID" else f"`{primitive.python}`"
        if primitive.default == "null":
            python += " or `None`"
        row = f"| `{primitive.name}` | {primitive.about} | {python} | {primitive.json} |"
        assert row in section(self.PAGE, "Types").splitlines()

    @pytest.mark.parametrize(
        "block", [block for block in blocks(PAGE) if block.language == "json" and not block.second]
    )
    def test_examples_are_specs_without_findings(self, block: Block) -> None:
        text = block.text
        if '"validVersions"' not in text:
            text = f"""{{ "type": "data", "name": "Example", "validVersions": "0-9", "flexibleVersions": "2+",
                          "fields": [ {text} ] }}"""
        parsed = parse(text, "docs/spec-language.md")
        assert parsed.findings == ()
        assert parsed.spec is not None

    def test_the_encoding_table_shows_the_actual_bytes(self, tmp_path: Path) -> None:
        names = ("fixed32", "packed32", "upacked32")
        rows = re.findall(
            r"^\| (-?\d+) \| `([\da-f ]+)` \| `([\da-f ]+)` \| `([\da-f ]+)` \|$", self.PAGE, re.MULTILINE
        )
        assert len(rows) > 4
        for name in names:
            field = {"name": "Value", "type": "int32", "versions": "0", "encoding": name}
            spec = {
                "type": "data",
                "name": name.title(),
                "validVersions": "0",
                "flexibleVersions": "none",
                "fields": field,
            }
            (tmp_path / f"{name}.json").write_text(json.dumps(spec), encoding="utf-8")
        messages = load(tmp_path)
        for value, *expected in rows:
            encoded = [getattr(messages, name.title())(value=int(value)).encode(version=0).hex(" ") for name in names]
            assert encoded == expected


def test_the_design_page_links_every_page_of_its_folder() -> None:
    linked = re.findall(r"\(design/([\w-]+\.md)\)", text_of(ROOT / "docs" / "design.md"))
    assert linked == sorted(file.name for file in (ROOT / "docs" / "design").glob("*.md"))


def official_names() -> set[str]:
    """Return the names of all Kafka messages."""
    with gzip.open(OFFICIAL_MESSAGES, "rt", encoding="utf-8") as lines:
        return {json.loads(line)["message"] for line in lines}


def test_the_committed_package_has_the_messages_that_pages_name() -> None:
    official = official_names()
    assert len(official) > 200
    # The pages about your own client and share group generate a package from Kafka's own specs. The page about
    # conformance names messages of other libraries.
    left_out = ("your-own-", "conformance.")
    pages = [*(page for page in PAGES if not page.name.startswith(left_out)), *ROOT.glob("*/README.md")]
    named = {word for page in pages for word in re.findall(r"\b[A-Z]\w+\b", text_of(page))} & official
    assert {"FetchResponse", "MetadataResponse"} <= named
    assert sorted(named - set(messagegen_kafka.__all__)) == []


def test_requests_and_responses_of_the_committed_package_are_in_pairs() -> None:
    messages = set(messagegen_kafka.__all__) - set(EXPORTS)
    requests = {name.removesuffix("Request") for name in messages if name.endswith("Request")}
    responses = {name.removesuffix("Response") for name in messages if name.endswith("Response")}
    # EncodedMetadataResponse only demonstrates encodings, so it has no request.
    assert requests ^ responses == {"EncodedMetadata"}
