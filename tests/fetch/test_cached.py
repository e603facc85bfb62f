"""Specs of a release that are kept: fetched once, and again where somebody changed them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from messagegen.fetch import specs as cached
from messagegen.fetch.sources import Artifact, FetchError
from messagegen.fetch.specs import SpecSet

SPECS = {"One.json": b"one", "Two.json": b"two"}


@pytest.fixture
def fetched(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The releases that were fetched; ``9.9.9`` does not exist."""
    releases: list[str] = []

    def from_release(release: str, **_: Any) -> SpecSet:
        releases.append(release)
        if release == "9.9.9":
            raise FetchError("no such release")
        return SpecSet(release, (Artifact("kafka-clients", release, None, SPECS),))

    monkeypatch.setattr(cached, "from_release", from_release)
    return releases


def test_a_release_is_fetched_once(fetched: list[str], tmp_path: Path) -> None:
    expected = {f"kafka-clients/{name}": data for name, data in SPECS.items()}
    assert cached.release_specs("4.3.1", tmp_path / "cache") == expected
    assert cached.release_specs("4.3.1", tmp_path / "cache") == expected
    assert cached.release_specs("4.4.0", tmp_path / "cache") == expected
    assert fetched == ["4.3.1", "4.4.0"]


def test_specs_that_were_changed_are_fetched_again(fetched: list[str], tmp_path: Path) -> None:
    expected = cached.release_specs("4.3.1", tmp_path)
    (tmp_path / "4.3.1" / "kafka-clients" / "One.json").write_bytes(b"edited")
    (tmp_path / "4.3.1" / "kafka-clients" / "Two.json").unlink()
    assert cached.release_specs("4.3.1", tmp_path) == expected
    assert fetched == ["4.3.1"] * 2


def test_what_is_no_release_is_not_fetched(fetched: list[str], tmp_path: Path) -> None:
    for release in ("four", "../4.3.1", ""):
        with pytest.raises(FetchError, match="is not a Kafka release"):
            cached.release_specs(release, tmp_path)
    with pytest.raises(FetchError, match="no such release"):
        cached.release_specs("9.9.9", tmp_path)
    assert fetched == ["9.9.9"]
    assert list(tmp_path.iterdir()) == []
