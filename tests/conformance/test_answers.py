"""The conformance protocol: each question and each answer is one line of JSON."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from messagegen.cli import run
from messagegen.conformance import answer
from tests.support.specs import PURPOSE_MADE, package


def ask(**question: Any) -> dict[str, Any]:
    return answer(package(PURPOSE_MADE), json.dumps(question))


GROUP_THING = {"message": "GroupThingValue", "version": 1}


class TestAnswers:
    @pytest.mark.parametrize(
        ("question", "error"),
        [
            ({"op": "decode", **GROUP_THING, "hex": "00"}, "DecodeError: epoch: "),
            ({"op": "decode", **GROUP_THING, "hex": "xy"}, "ValueError: "),
            ({"op": "encode", **GROUP_THING, "json": {"epoch": "7"}}, "EncodeError: epoch: expected an integer"),
            ({"op": "encode", **GROUP_THING, "json": {}}, 'EncodeError: epoch: missing field "epoch"'),
            ({"op": "decode", "message": "GroupThingValue", "version": 9, "hex": ""}, "UnsupportedVersionError: "),
            ({"op": "decode", "message": "Nobody", "version": 0, "hex": ""}, "AttributeError: "),
            ({"op": "guess", **GROUP_THING}, "unknown op 'guess'; expected encode, decode or reencode"),
            ({"op": "decode", **GROUP_THING}, "KeyError: "),
            ({"op": "decode", "message": "GroupThingValue", "version": "1", "hex": "00"}, "UnsupportedVersionError: "),
        ],
    )
    def test_every_failure_is_answered_with_an_error(self, question: dict[str, Any], error: str) -> None:
        found = ask(**question)
        assert list(found) == ["error"]
        assert found["error"].startswith(error)

    @pytest.mark.parametrize("line", ["", "nonsense", "[]", "5", "{}", '{"op": []}', "[" * 100_000])
    def test_invalid_questions_are_answered_with_an_error(self, line: str) -> None:
        assert list(answer(package(PURPOSE_MADE), line)) == ["error"]


class TestRun:
    LINES = (
        json.dumps({"op": "decode", "message": "GroupThingKey", "version": 0, "hex": "0002c3a9"}),
        "",
        json.dumps({"op": "decode", "message": "GroupThingKey", "version": 0, "hex": "ff"}),
    )

    def test_each_question_is_answered_with_a_line_of_ascii(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO("\n".join(self.LINES).encode())))
        assert run(["conformance", "--specs", str(PURPOSE_MADE)]) == 0
        first, second = capsys.readouterr().out.splitlines()
        assert first == '{"json": {"groupId": "\\u00e9"}}'
        assert json.loads(second)["error"].startswith("DecodeError: group_id: ")
