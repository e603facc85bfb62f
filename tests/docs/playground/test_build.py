"""The files of the playground: pinned, with licences, and served for one machine."""

from __future__ import annotations

import json
import re
from pathlib import Path
from threading import Thread
from urllib.request import urlopen

import pytest

from docs.website.pages import with_playground
from docs.website.playground import packages
from docs.website.playground.calls import index_of
from docs.website.playground.packages import distributions, licences, python_files
from docs.website.playground.pyodide import PACKAGE, BuildError, pyodide_files
from docs.website.playground.serving import POLICY, server_of
from messagegen.evolve import SpecSet
from messagegen.merge import merge_sets
from tests.docs.setting import ROOT
from tests.oracle import KAFKA_RELEASE
from tests.support.releases import fetched

PAGE = ROOT / "docs" / "website" / "playground" / "page"


def test_a_changed_package_of_pyodide_is_rejected(tmp_path: Path) -> None:
    file = tmp_path / f"{PACKAGE.replace('@', '-')}.tgz"
    file.write_bytes(b"another file")
    with pytest.raises(BuildError, match=r"^expected sha512-\S+, found sha512-\S+ for .*; remove the file$"):
        pyodide_files(tmp_path)


def test_an_installed_package_that_differs_from_its_pin_is_rejected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pins = tmp_path / "pins.txt"
    pins.write_text("click==0.1 \\\n    --hash=sha256:00\n", "ascii")
    monkeypatch.setattr(packages, "_PINS", pins)
    with pytest.raises(BuildError, match=r"^expected click==0\.1, found 8\.\S+; install the pinned version$"):
        distributions()


def test_the_page_has_the_generator_and_no_compiled_modules() -> None:
    files = python_files()
    wanted = {
        "docs/website/playground/calls.py",
        "jsonschema/validators.py",
        "markupsafe/_native.py",
        "messagegen/spec/message_spec.schema.json",
        "messagegen/templates/python/module.py.j2",
        "rpds.py",
    }
    assert wanted - files.keys() == set()
    assert {Path(path).suffix for path in files} <= {".py", ".json", ".j2", ".css", ".js", ".txt", ""}


def test_every_package_has_a_licence() -> None:
    owners = {path.partition("-")[0] for path in licences()}
    assert owners == {each.name.lower().replace("-", "_") for each in distributions()}


def test_the_server_and_the_page_have_the_same_content_security_policy(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("page", "ascii")
    with server_of(tmp_path, 0) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        with urlopen(f"http://127.0.0.1:{server.server_port}/") as response:
            sent = response.headers["Content-Security-Policy"]
        server.shutdown()
    (written,) = re.findall(
        r'http-equiv="Content-Security-Policy" content="([^"]*)"', (PAGE / "index.html").read_text("utf-8")
    )
    # Browsers ignore frame-ancestors in a page.
    assert (sent, POLICY) == (POLICY, f"{written}; frame-ancestors 'none'")


def test_the_page_names_no_other_host() -> None:
    texts = {file.name: file.read_text("utf-8") for file in PAGE.iterdir()}
    assert {name for name, text in texts.items() if re.search(r"https?://", text)} == set()


def test_the_site_links_to_the_playground() -> None:
    assert '<a href="playground/index.html">' in with_playground("playground", "# Playground\n\nText.\n")
    assert with_playground("explain", "text") == "text"


@pytest.mark.java
@pytest.mark.slow
def test_the_index_lists_the_merged_specs_of_kafka() -> None:
    sets = [SpecSet(release, fetched(release).texts, official=True) for release in ("2.4.1", KAFKA_RELEASE)]
    texts = {path.rpartition("/")[2]: text for path, text in merge_sets(sets).texts.items()}
    entries = {entry["name"]: entry for entry in json.loads(index_of(texts))}
    assert len(entries) > 280
    produce = entries["ProduceRequest"]
    assert (produce["api_key"], produce["lowest"], produce["highest"] >= 13) == (0, 0, True)
