"""If fields of one version are written in another version, messagegen and Java write the same bytes, or both refuse.

Java compares a tagged struct with its default by ``equals``, which compares the fields of all versions. So the struct
is written if only a field of another version differs from its default, although the bytes do not contain this field.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from tests.differential.compare import load_texts
from tests.oracle import TOOLS_RELEASE, Oracle, Question, build_made_up
from tests.oracle.made_up import made_up_text
from tests.oracle.mini_reader import read_spec
from tests.oracle.values import samples
from tests.support import profiles

pytestmark = pytest.mark.java

SEEDS: Final = profiles.seeds(3000, 12)

LATER: Final[dict[str, tuple[dict[str, Any], Any, Any]]] = {
    "int32": ({"type": "int32"}, 0, 5),
    "int32 with a default": ({"type": "int32", "default": "7"}, 7, 0),
    "bool": ({"type": "bool"}, False, True),
    "float64": ({"type": "float64"}, 0.0, 0.5),
    "float64 that is -0.0": ({"type": "float64"}, 0.0, -0.0),
    "float64 that is NaN": ({"type": "float64"}, 0.0, math.nan),
    "string": ({"type": "string"}, "", "a"),
    "null": ({"type": "string", "nullableVersions": "1+"}, "", None),
    "bytes": ({"type": "bytes"}, "", "YQ=="),
    "uuid": ({"type": "uuid"}, "AAAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAAQ"),
    "array": ({"type": "[]int32"}, [], [0]),
    "array of structs": (
        {"type": "[]Chair", "fields": [{"name": "C", "type": "int8", "versions": "1+"}]},
        [],
        [{"c": 0}],
    ),
    "struct": ({"type": "Desk", "fields": [{"name": "D", "type": "int8", "versions": "1+"}]}, {"d": 0}, {"d": 1}),
}
"""The field of a later version, its default in JSON, and another value."""


def spec_with(later: dict[str, Any], name: str) -> str:
    """Return a spec with a tagged struct. One field of the struct is missing in version 0."""
    fields = [
        {"name": "A", "type": "int32", "versions": "0+", "ignorable": True},
        {"name": "B", "versions": "1+", "ignorable": True, **later},
    ]
    room = {"name": "Room", "type": "Room", "versions": "0+", "tag": 0, "taggedVersions": "0+", "fields": fields}
    spec = {"type": "data", "name": name, "validVersions": "0-1", "flexibleVersions": "0+", "fields": [room]}
    return json.dumps(spec)


@pytest.mark.slow
def test_a_tagged_struct_is_written_if_an_ignorable_later_field_is_not_default(tmp_path: Path) -> None:
    names = {title: f"Later{number}" for number, title in enumerate(LATER)}
    texts = {names[title]: spec_with(later, names[title]) for title, (later, *_) in LATER.items()}
    folder = tmp_path / "specs"
    folder.mkdir()
    messages = load_texts(folder, texts.items())
    build = build_made_up(folder, tmp_path / "built")
    absent = b"\0"
    present = b"\1\0\5" + bytes(4) + b"\0"
    found = {}
    with Oracle(classes=[build.classes], release=TOOLS_RELEASE) as oracle:
        for title, (_, default, other) in LATER.items():
            for value in (default, other):
                cls: Any = getattr(messages, names[title])
                room = {"room": {"a": 0, "b": value}}
                ours = cls.from_json(room, version=1).encode(version=0)
                java = oracle.ask(Question("encode", names[title], 0, json=room, json_version=1))
                assert ours.hex() == java.hex, (title, value)
                found[title, str(value)] = ours
    for title, (_, default, other) in LATER.items():
        assert found[title, str(default)] == absent
        assert found[title, str(other)] == (absent if title == "float64 that is -0.0" else present), title


def questions(texts: list[str]) -> Iterator[Question]:
    """Yield random messages of one version, to be written in each other version."""
    for text in texts:
        spec = read_spec(text)
        for version in spec.versions:
            for one in samples(spec, version, seed=f"other versions {profiles.seed()}", mixed=4, budget=600):
                for other in spec.versions:
                    if other != version:
                        yield Question("encode", spec.name, other, json=one.json, json_version=version)


@pytest.mark.slow
@pytest.mark.random
def test_messagegen_and_java_agree_on_random_messages_in_other_versions(tmp_path: Path) -> None:
    texts = [made_up_text(seed) for seed in SEEDS]
    folder = tmp_path / "specs"
    folder.mkdir()
    messages = load_texts(folder, [(read_spec(text).name, text) for text in texts])
    build = build_made_up(folder, tmp_path / "built")
    asked = list(questions(texts))
    different, written = [], 0
    with Oracle(classes=[build.classes], release=TOOLS_RELEASE) as oracle:
        for question, answer in zip(asked, oracle.ask_all(asked), strict=True):
            cls: Any = getattr(messages, question.message)
            message = cls.from_json(question.json, version=question.json_version)
            try:
                ours = message.encode(version=question.version).hex()
            except ValueError:
                ours = None
            written += ours is not None
            if ours != answer.parts.get("hex"):
                different.append((question, ours, answer.parts))
    assert different[:3] == []
    assert written > 2 * len(SEEDS)
    assert written < len(asked)
