"""The text of MANIFEST.json: what it says, and what is read after merges."""

from __future__ import annotations

import pytest

from messagegen.publish.manifest import InputDigests, Manifest, MessageInputs, PublishError

TEXT = """\
{
  "format": 3,
  "generator": "0.1.0",
  "settings": "f61e8cb867e04a68",
  "others": "8fc0a10b4bd5a02a",
  "specs": {
    "Alone": [
      "45986754d7aec53e"
    ],
    "PingRequest": [
      "696a6197226486da",
      "PingResponse"
    ]
  },
  "files": {
    "__init__.py": "6235b707bbcce7f0",
    "ping_request.py": "",
    "_runtime/wire.py": ""
  }
}
"""
MANIFEST = Manifest(
    "0.1.0",
    {"__init__.py": "6235b707bbcce7f0", "ping_request.py": "", "_runtime/wire.py": ""},
    InputDigests(
        "f61e8cb867e04a68",
        {
            "Alone": MessageInputs("45986754d7aec53e"),
            "PingRequest": MessageInputs("696a6197226486da", ("PingResponse",)),
        },
        "8fc0a10b4bd5a02a",
    ),
)


def test_the_text_stays_the_same_because_repositories_contain_it() -> None:
    assert MANIFEST.render().decode() == TEXT
    assert Manifest.parse(TEXT.encode()) == MANIFEST
    assert Manifest.parse(TEXT.replace("\n", "\r\n").encode()) == MANIFEST


def test_messages_that_two_branches_add_are_merged_line_by_line() -> None:
    other = '    "Beside": [\n      "20319634d73898e9"\n    ],\n'
    merged = TEXT.replace('    "PingRequest"', f'{other}    "PingRequest"')
    merged = merged.replace('    "ping_request.py"', '    "beside.py": "",\n    "ping_request.py"')
    parsed = Manifest.parse(merged.encode())
    assert parsed.inputs.messages == {**MANIFEST.inputs.messages, "Beside": MessageInputs("20319634d73898e9")}
    assert parsed.files == {**MANIFEST.files, "beside.py": ""}


@pytest.mark.parametrize(
    "place",
    [
        pytest.param('  "settings"', id="settings"),
        pytest.param('    "PingRequest"', id="specs"),
        pytest.param('    "ping_request.py"', id="files"),
    ],
)
def test_conflicts_keep_the_files_of_both_sides_and_forget_what_they_were_made_from(place: str) -> None:
    ours = '    "ours.py": ""\n' if "py" in place else ""
    theirs = '    "theirs.py": "",\n' if "py" in place else ""
    conflict = f"<<<<<<< ours\n{ours}=======\n{theirs}>>>>>>> theirs\n"
    parsed = Manifest.parse(TEXT.replace(place, f"{conflict}{place}").encode())
    added = {"ours.py": "", "theirs.py": ""} if "py" in place else {}
    assert parsed == Manifest("0.1.0", {**MANIFEST.files, **added})


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"generator": "0.1.0"', '"generator": 1'),
        ('"settings": "f61e8cb867e04a68"', '"settings": []'),
        ('"ping_request.py": ""', '"ping_request.py": null'),
        ('[\n      "45986754d7aec53e"\n    ]', "[]"),
        ('[\n      "45986754d7aec53e"\n    ]', "7"),
    ],
)
def test_values_of_other_types_are_not_ours(old: str, new: str) -> None:
    assert old in TEXT
    with pytest.raises(PublishError, match="was not written by messagegen"):
        Manifest.parse(TEXT.replace(old, new).encode())
