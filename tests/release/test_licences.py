"""The licences of the crates in native libraries are complete, and belong to the crates that are linked now."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from release import licences
from release.build import BuildError
from release.crates import Crate, linked_crates
from release.targets import TARGETS

pytestmark = pytest.mark.skipif(not shutil.which("cargo"), reason="cargo is not installed")


@pytest.mark.slow
def test_the_licence_file_is_up_to_date_with_the_linked_crates() -> None:
    committed = licences.THIRD_PARTY.read_text(encoding="utf-8")
    assert committed == licences.third_party_text(), "run `python -m release licences` after a change of Cargo.lock"


@pytest.mark.parametrize("manifest", licences.MANIFESTS, ids=lambda path: path.parent.name)
def test_every_linked_crate_has_a_licence_text(manifest: Path) -> None:
    text = licences.THIRD_PARTY.read_text(encoding="utf-8")
    crates = linked_crates(manifest, TARGETS[0])
    assert {"zstd-sys", "snap", "libmimalloc-sys", "lz4_flex", "arrow-array"} <= {crate.name for crate in crates}
    assert [crate for crate in crates if f"\n{crate.name} {crate.version}, " not in text] == []


def test_only_linked_crates_are_listed() -> None:
    names = {crate.name for manifest in licences.MANIFESTS for crate in linked_crates(manifest, TARGETS[0])}
    assert not {"syn", "quote", "serde_derive", "pyo3-build-config", "messagegen-core", "windows-link"} & names


def test_a_crate_without_a_licence_text_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(licences, "linked_crates", lambda *_: [Crate("bare", "1.0.0", "MIT", tmp_path)])
    with pytest.raises(BuildError, match=r"the crate bare 1\.0\.0 has no licence text"):
        licences.third_party_text()
