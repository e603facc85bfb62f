"""The folder of distributions: a build replaces the files of earlier builds, and keeps all other files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click
import pytest

from release import dist_folder

OLD = "0.1.0+20261126144001.g53fe70a14023"
NEW = "0.1.0+20261127021500.g0a1b2c3d4e5f"


def write_files(folder: Path, names: Iterable[str]) -> Path:
    folder.mkdir(exist_ok=True)
    for name in names:
        (folder / name).write_text(f"content of {name}")
    return folder


def dist_of(tmp_path: Path, *names: str) -> Path:
    """Return a folder with ``names`` as the files of an earlier build."""
    folder = write_files(tmp_path / "dist", names)
    dist_folder.write_digests(folder)
    return folder


def names_in(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()} - {dist_folder.DIGESTS}


def test_digests_match_the_files(tmp_path: Path) -> None:
    (tmp_path / "b.whl").write_bytes(b"b")
    (tmp_path / "a.tar.gz").write_bytes(b"a")
    text = dist_folder.write_digests(tmp_path).read_text()
    assert [line.split("  ")[1] for line in text.splitlines()] == ["a.tar.gz", "b.whl"]
    assert text.startswith("ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb  ")
    assert dist_folder.written(tmp_path) == {"a.tar.gz", "b.whl", "SHA256SUMS"}


@pytest.mark.parametrize(
    ("name", "distribution", "version"),
    [
        (f"messagegen-{OLD}-py3-none-any.whl", "messagegen", OLD),
        (f"messagegen_native-{OLD}-cp313-cp313-linux_x86_64.whl", "messagegen-native", OLD),
        (f"messagegen_pipeline-{NEW}.tar.gz", "messagegen-pipeline", NEW),
        (f"messagegen-pipeline-{NEW}.cdx.json", "messagegen-pipeline", NEW),
    ],
)
def test_the_name_of_a_file_contains_its_distribution_and_version(name: str, distribution: str, version: str) -> None:
    found = dist_folder.distribution_of(name)
    assert found is not None
    assert (found.name, str(found.version)) == (distribution, version)


@pytest.mark.parametrize("name", ["kafka-log.jar", "SHA256SUMS", "notes.cdx.json", "x.whl", "x.tar.gz"])
def test_files_without_a_version_belong_to_no_distribution(name: str) -> None:
    assert dist_folder.distribution_of(name) is None


class TestForeignFiles:
    """Files that were not written by a build."""

    def test_a_folder_with_an_added_file_is_refused(self, tmp_path: Path) -> None:
        dist = dist_of(tmp_path, "a.whl")
        dist_folder.keep_foreign_files(dist)
        write_files(dist, ["thesis.txt"])
        with pytest.raises(click.UsageError, match=r"has files that no build wrote \(thesis.txt\)"):
            dist_folder.keep_foreign_files(dist)

    def test_a_folder_with_a_changed_file_is_refused(self, tmp_path: Path) -> None:
        dist = dist_of(tmp_path, "a.whl", "b.whl")
        (dist / "b.whl").write_text("patched")
        with pytest.raises(click.UsageError, match=r"has files that no build wrote \(b.whl\)"):
            dist_folder.keep_foreign_files(dist)

    def test_a_folder_with_a_foreign_digest_file_is_refused(self, tmp_path: Path) -> None:
        folder = write_files(tmp_path / "downloads", ["a.iso"])
        (folder / dist_folder.DIGESTS).write_text("a foreign line\n")
        with pytest.raises(click.UsageError, match=r"a\.iso"):
            dist_folder.keep_foreign_files(folder)

    def test_a_folder_that_is_missing_or_empty_is_accepted(self, tmp_path: Path) -> None:
        dist_folder.keep_foreign_files(tmp_path / "missing")
        dist_folder.keep_foreign_files(tmp_path)

    def test_a_file_that_is_added_during_a_build_is_kept(self, tmp_path: Path) -> None:
        dist = dist_of(tmp_path, f"messagegen-{OLD}.tar.gz")
        built = write_files(tmp_path / "built", [f"messagegen-{NEW}.tar.gz"])
        write_files(dist, ["thesis.txt"])
        for change in (dist_folder.add, dist_folder.replace):
            with pytest.raises(click.UsageError, match=r"thesis\.txt"):
                change(dist, built)
        assert names_in(dist) == {f"messagegen-{OLD}.tar.gz", "thesis.txt"}


class TestOtherVersions:
    """The folder contains only one version of each distribution, so that a pattern matches only one wheel."""

    def test_other_versions_of_added_distributions_are_removed(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        others = [f"messagegen-{OLD}-py3-none-any.whl", "kafka-log.jar"]
        outdated = [
            f"messagegen_pipeline-{OLD}-py3-none-any.whl",
            f"messagegen_pipeline-{OLD}.tar.gz",
            f"messagegen-pipeline-{OLD}.cdx.json",
        ]
        added = [f"messagegen_pipeline-{NEW}-py3-none-any.whl", f"messagegen_pipeline-{NEW}.tar.gz"]
        dist = dist_of(tmp_path, *others, *outdated)
        assert [path.name for path in dist_folder.add(dist, write_files(tmp_path / "built", added))] == added
        assert names_in(dist) == {*others, *added}
        assert dist_folder.written(dist) == {*others, *added, dist_folder.DIGESTS}
        assert capsys.readouterr().err.splitlines() == [
            f"Removed: {name}, another version" for name in sorted(outdated)
        ]

    def test_wheels_of_the_same_version_are_kept(self, tmp_path: Path) -> None:
        for_311, for_312 = (f"messagegen_native-{NEW}-cp{tag}-cp{tag}-linux_x86_64.whl" for tag in ("311", "312"))
        dist = dist_of(tmp_path, for_311)
        dist_folder.add(dist, write_files(tmp_path / "built", [for_312]))
        assert names_in(dist) == {for_311, for_312}

    def test_a_full_build_replaces_the_folder(self, tmp_path: Path) -> None:
        dist = dist_of(tmp_path, f"messagegen-{OLD}.tar.gz")
        built = write_files(tmp_path / "built", [f"messagegen-{NEW}.tar.gz"])
        dist_folder.replace(dist, built)
        assert names_in(dist) == {f"messagegen-{NEW}.tar.gz"}
