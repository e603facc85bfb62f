"""Cached specs of a release are fetched once, and fetched again if cached files were changed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from messagegen.fetch import specs as cached
from messagegen.fetch.specs import SpecSet

SPECS = {"kafka-clients/One.json": b"one", "kafka-clients/Two.json": b"two"}


@pytest.fixture
def fetched(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A list to which each fetched release is added."""
    releases: list[str] = []

    def from_release(release: str, *_: Any, **__: Any) -> SpecSet:
        releases.append(release)
        return SpecSet(release, SPECS)

    monkeypatch.setattr(cached, "from_release", from_release)
    return releases


def test_a_release_is_fetched_once(fetched: list[str], tmp_path: Path) -> None:
    assert cached.release_specs("4.3.1", tmp_path / "cache") == SPECS
    assert cached.release_specs("4.3.1", tmp_path / "cache") == SPECS
    assert cached.release_specs("4.4.0", tmp_path / "cache") == SPECS
    assert fetched == ["4.3.1", "4.4.0"]


def test_changed_specs_are_fetched_again(fetched: list[str], tmp_path: Path) -> None:
    expected = cached.release_specs("4.3.1", tmp_path)
    (tmp_path / "4.3.1" / "kafka-clients" / "One.json").write_bytes(b"edited")
    (tmp_path / "4.3.1" / "kafka-clients" / "Two.json").unlink()
    assert cached.release_specs("4.3.1", tmp_path) == expected
    assert fetched == ["4.3.1"] * 2


@pytest.mark.parametrize("path", ["Extra.json", "kafka-clients/Extra.json", "other/Extra.json"])
def test_a_cached_release_with_additional_specs_is_refused(fetched: list[str], tmp_path: Path, path: str) -> None:
    cached.release_folder("4.3.1", tmp_path)
    extra = tmp_path / "4.3.1" / path
    extra.parent.mkdir(exist_ok=True)
    extra.write_bytes(b"{}")
    with pytest.raises(cached.FetchError, match=f"{path} is not a spec of 4.3.1; remove it"):
        cached.release_folder("4.3.1", tmp_path)
    assert fetched == ["4.3.1"]
