"""JSON that holds a field of struct type in a version that lacks the field: Apache's classes say what becomes of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest

from tests.differential.compare import load_texts
from tests.oracle import TOOLS_RELEASE, Oracle, Question, build_made_up
from tests.support.specs import field

pytestmark = [pytest.mark.java, pytest.mark.slow]

_COMMON: Final = [
    {"name": "Wide", "versions": "0+", "fields": [field("W", "int32"), field("V", "int32", "1+")]},
    {"name": "Narrow", "versions": "1+", "fields": [field("M", "int32", "1+"), field("L", "int32", "2+")]},
]
_LATE: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "Plain": ("PlainStruct", {"fields": [field("P", "int32", "1+")]}),
    "Nullable": ("NullableStruct", {"fields": [field("N", "int32", "1+")], "nullableVersions": "1+"}),
    "Rows": ("[]Row", {"fields": [field("R", "int32", "1+")]}),
    "WidePlain": ("Wide", {}),
    "WideRows": ("[]Wide", {}),
    "NarrowPlain": ("Narrow", {}),
    "NarrowRows": ("[]Narrow", {}),
    "NarrowNullable": ("Narrow", {"nullableVersions": "1+", "default": "null"}),
}
_VALUES: Final[tuple[Any, ...]] = (
    *(None, 5, {}, []),
    *({"w": 0}, {"w": 3}, {"w": 3, "v": 4}, {"m": 0}, {"m": 3}, {"m": 3, "l": 4}, {"p": 3}, {"n": 3}),
    *([{}], [{"w": 3}], [{"m": 3}], [{"m": 0}, {"m": 3}], [{"r": 3}]),
)


def _text(*, ignorable: bool) -> tuple[str, str]:
    name = "Ignorable" if ignorable else "Strict"
    fields = [
        field(key, type_, "1+", **({"ignorable": True} if ignorable else {}), **others)
        for key, (type_, others) in _LATE.items()
    ]
    head = {"type": "data", "name": name, "validVersions": "0-2", "flexibleVersions": "2+", "commonStructs": _COMMON}
    return name, json.dumps({**head, "fields": [field("Id", "int32"), *fields]})


def _names(value: Any) -> set[str]:
    return {key for one in (value if isinstance(value, list) else [value]) if isinstance(one, dict) for key in one}


def test_verdicts_and_bytes_are_javas(tmp_path: Path) -> None:
    texts = dict(_text(ignorable=ignorable) for ignorable in (True, False))
    folder = tmp_path / "specs"
    folder.mkdir()
    messages = load_texts(folder, texts.items())
    questions = [
        Question("encode", name, 0, json={"id": 7, key[0].lower() + key[1:]: value})
        for name in texts
        for key, (type_, others) in _LATE.items()
        for value in _VALUES
        # Java passes over names that it does not know; messagegen refuses them in every version.
        if _names(value) <= {one["name"].lower() for one in _fields(type_, others)}
    ]
    build = build_made_up(folder, tmp_path / "built")
    with Oracle(classes=[build.classes], release=TOOLS_RELEASE) as oracle:
        answers = list(oracle.ask_all(questions))
    different = []
    for question, answer in zip(questions, answers, strict=True):
        cls = getattr(messages, question.message)
        try:
            ours = cls.from_json(question.json, version=0).encode(version=0).hex()
        except ValueError as error:
            ours = str(error)
            if answer.error is not None:
                continue
        if answer.error is not None or ours != answer.hex:
            different.append(f"{question}: {ours}, not {answer.parts}")
    assert different == []
    assert sum(answer.error is None for answer in answers) > 20


def _fields(type_: str, properties: Any) -> Any:
    common = {one["name"]: one["fields"] for one in _COMMON}
    return properties["fields"] if "fields" in properties else common[type_.removeprefix("[]")]
