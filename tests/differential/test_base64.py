"""``from_json`` accepts the same base64 strings as Apache's ``JsonConverter`` classes."""

from __future__ import annotations

from random import Random
from typing import Any, Final

import pytest

from messagegen_kafka import EncodeError, SaslAuthenticateRequest, TopicRecord
from tests.oracle import Oracle, Question
from tests.support.profiles import seeds

pytestmark = pytest.mark.java

TEXTS: Final = [
    "AAAA====",
    "AAAA==",
    "AAAA=",
    "AA==AAAA",
    "AAA=AAA=",
    "AA==",
    "AB==",
    "AA",
    "AA=",
    "AAA",
    "A",
    "=",
    "====",
    "AAAA ====",
    "AA ==",
    " AAAA ",
    "AAAA\n\0\tAAAA",
    "AA\nAA",
    "AAAA\u00a0AAAA",
    "AA-_",
    "AAAé",
]
UUIDS: Final = ["A" * size + padding for size in range(20, 26) for padding in ("", "=", "==", "===", " ")]
PIECES: Final = [*"AZaz09+/-_= \n\r\té", "AAAA", "AA==", "AAA=", "AAAAAAAAAAAAAAAAAAAAAA"]


def drawn(seed: int) -> str:
    """Return a string made of a few pieces of base64."""
    random = Random(seed)
    return "".join(random.choices(PIECES, k=random.randint(0, 8)))


def ours(cls: Any, json: dict[str, Any]) -> str | None:
    """Return the bytes of a message from JSON, as hexadecimal digits; ``None`` if it is refused."""
    try:
        encoded: bytes = cls.from_json(json, version=0).encode(version=0)
    except EncodeError:
        return None
    return encoded.hex()


@pytest.mark.parametrize(
    ("cls", "key", "others"), [(SaslAuthenticateRequest, "authBytes", {}), (TopicRecord, "topicId", {"name": "t"})]
)
def test_java_and_messagegen_accept_the_same_base64_strings(
    oracle: Oracle, cls: Any, key: str, others: dict[str, Any]
) -> None:
    texts = [*TEXTS, *UUIDS, *map(drawn, seeds(20_000, 3_000))]
    values = [{**others, key: text} for text in texts]
    answers = oracle.ask_all(Question("encode", cls.__name__, 0, json=value) for value in values)
    different = [
        (value[key], answer.error or answer.parts["hex"])
        for value, answer in zip(values, answers, strict=True)
        if ours(cls, value) != answer.parts.get("hex")
    ]
    assert different == []
    assert {"hex", "error"} <= {key for answer in answers for key in answer.parts}
