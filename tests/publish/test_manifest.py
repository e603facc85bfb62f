"""MANIFEST.json: its text, and reading it after merges."""

from __future__ import annotations

import pytest

from messagegen.build import BUILD
from messagegen.publish.manifest import Manifest, PublishError

TEXT = """\
{
  "format": 3,
  "generator": "0.1.0",
  "files": {
    "__init__.py": "6235b707bbcce7f0",
    "ping_request.py": "",
    "_runtime/wire.py": ""
  }
}
"""
MANIFEST = Manifest("0.1.0", {"__init__.py": "6235b707bbcce7f0", "ping_request.py": "", "_runtime/wire.py": ""})


def test_manifests_are_written_in_a_stable_format() -> None:
    assert MANIFEST.render().decode() == TEXT
    assert Manifest.parse(TEXT.encode()) == MANIFEST
    assert Manifest.parse(TEXT.replace("\n", "\r\n").encode()) == MANIFEST


def test_files_that_two_branches_add_are_merged_line_by_line() -> None:
    merged = TEXT.replace('    "ping_request.py"', '    "beside.py": "",\n    "ping_request.py"')
    assert Manifest.parse(merged.encode()).files == {**MANIFEST.files, "beside.py": ""}


def test_unknown_keys_are_ignored() -> None:
    assert Manifest.parse(TEXT.replace('  "files"', '  "specs": { "A": ["0"] },\n  "files"').encode()) == MANIFEST


def test_conflicts_keep_the_files_of_both_sides() -> None:
    conflict = '<<<<<<< ours\n    "ours.py": ""\n=======\n    "theirs.py": "",\n>>>>>>> theirs\n'
    parsed = Manifest.parse(TEXT.replace('    "ping_request.py"', f'{conflict}    "ping_request.py"').encode())
    assert parsed == Manifest("0.1.0", {**MANIFEST.files, "ours.py": "", "theirs.py": ""})


@pytest.mark.parametrize("build", ["0.1.0", "1", "1.2rc3", "0.1.0+source", "0.1.0+20261126141500.g1a2b3c4d5e6f", BUILD])
def test_a_manifest_can_name_a_build_as_its_generator(build: str) -> None:
    assert Manifest.parse(Manifest(build, {}).render()) == Manifest(build, {})


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"generator": "0.1.0"', '"generator": 1'),
        ('"generator": "0.1.0"', '"generator": ""'),
        ('"generator": "0.1.0"', '"generator": "newest"'),
        ('"generator": "0.1.0"', f'"generator": "{"9" * 65}"'),
        ('"generator": "0.1.0"', '"generator": "\\u001b[2J\\n::error::planted"'),
        ('"generator": "0.1.0"', '"generator": "0.1.0\\n"'),
        ('"generator": "0.1.0"', '"generator": "0.1.0+²"'),
        ('"format": 3', '"format": "\\u001b[2J"'),
        ('"format": 3', '"format": {}'),
        ('"format": 3', '"format": true'),
        ('"ping_request.py": ""', '"ping_request.py": null'),
        ('"ping_request.py": ""', '"ping_request.py": []'),
        ('"ping_request.py": ""', '"ping_request.py": "6"'),
        ('"ping_request.py": ""', '"ping_request.py": " "'),
        ('"ping_request.py": ""', '"ping_request.py": "6235b707bbcce7f"'),
        ('"ping_request.py": ""', '"ping_request.py": "6235b707bbcce7f0\\n"'),
        ('"ping_request.py": ""', '"ping_request.py": "6235B707BBCCE7F0"'),
        ('"ping_request.py": ""', f'"ping_request.py": "{"6235b707bbcce7f0 " * 2}6235b707bbcce7f0"'),
    ],
)
def test_manifests_with_invalid_values_are_refused(old: str, new: str) -> None:
    assert old in TEXT
    with pytest.raises(PublishError, match="was not written by messagegen"):
        Manifest.parse(TEXT.replace(old, new).encode())
