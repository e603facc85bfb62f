"""All messages share the struct that is the default of a field. Even after a change of the struct, all codecs agree."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.specs import field, made

pytestmark = pytest.mark.usefixtures("codecs")


@pytest.mark.parametrize("change", [lambda inner: delattr(inner, "x"), lambda inner: setattr(inner, "x", 7)])
def test_the_shared_default_is_not_written_as_a_tagged_field(change: Any) -> None:
    inner = [field("X", "int32"), field("Y", "string")]
    message: Any = made(field("Part", "Part", fields=inner, taggedVersions="0+", tag=0), flexibleVersions="0+")
    assert message().encode(version=0) == b"\0"
    change(message().part)
    assert message().encode(version=0) == b"\0"
    assert message().to_json(version=0) == {}


def test_a_damaged_shared_default_is_accepted_in_a_version_without_the_field() -> None:
    inner = [field("X", "int32")]
    message: Any = made(field("Part", "Part", "1+", fields=inner), validVersions="0-1")
    del message().part.x
    assert message().encode(version=0) == b""
    with pytest.raises(ValueError, match=r"part\.x: the field was never set"):
        message().encode(version=1)
