"""Setting up the oracle where something is missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.oracle import OracleSetupError, kafka_jars


@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    cache = tmp_path / "cache"
    monkeypatch.setenv("MESSAGEGEN_CACHE", str(cache))
    return cache


def test_without_maven_the_error_says_what_to_install(empty_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(empty_cache))
    with pytest.raises(OracleSetupError, match=r"`mvn` is not on the PATH.*Apache Maven"):
        kafka_jars()


def test_failed_fetch_shows_mavens_words_and_leaves_no_folder(
    empty_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    maven = tmp_path / "mvn"
    maven.write_text("#!/bin/sh\necho '[ERROR] Unknown host' >&2\nexit 1\n", encoding="utf-8")
    maven.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    with pytest.raises(OracleSetupError, match=r"(?s)\[ERROR\] Unknown host.*network, proxy"):
        kafka_jars()
    assert [entry.suffix for entry in empty_cache.iterdir()] == [".lock"]
