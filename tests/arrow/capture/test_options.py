"""The options of captures, as texts and as values."""

from __future__ import annotations

import pytest

from messagegen_arrow.capture.options import CaptureOptions
from messagegen_arrow.options import OptionError


def test_options_are_parsed() -> None:
    options = CaptureOptions.parse(
        {
            "PORTS": "9092, 19092-19094",
            "brokers": "10.0.0.1:9092,[fd00::1]:9092,fd00::2,10.0.0.2",
            "maxFrameBytes": "1m",
            "maxReorderBytes": "64k",
            "maxConnections": "7",
            "mode": "failfast",
        }
    )
    assert options.mode == "FAILFAST"
    settings = options.settings
    assert settings.ports == (range(9092, 9093), range(19092, 19095))
    six = bytes.fromhex("fd00") + bytes(13)
    assert settings.brokers == {
        (b"\x0a\0\0\1", 9092),
        (b"\x0a\0\0\2", None),
        (six + b"\1", 9092),
        (six + b"\2", None),
    }
    assert (settings.max_frame_bytes, settings.max_reorder_bytes, settings.max_connections) == (1 << 20, 1 << 16, 7)


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("port", "1", " has no option port; did you mean ports?"),
        ("ports", "9092-", "option ports: expected numbers and ranges up to 65535 such as 0,3,8-11, not '9092-'"),
        ("ports", "9094-9092", "option ports: expected numbers and ranges"),
        ("brokers", "kafka1:9092", "expected IP addresses with or without port"),
        ("brokers", ",", "expected a list"),
        ("maxFrameBytes", "2g", "expected a number of bytes up to 1073741824"),
        ("maxConnections", "0", "expected a whole number of at least 1"),
        ("mode", "strict", "expected mode PERMISSIVE or FAILFAST or DROPMALFORMED"),
    ],
)
def test_wrong_options_say_what_is_right(option: str, value: str, message: str) -> None:
    with pytest.raises(OptionError, match=message.replace("?", r"\?")):
        CaptureOptions.parse({option: value})
