"""Source archives are unpacked the same way on every Python version, and cannot write outside the target folder."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

import pytest

from release import build
from release.archives import unpack_files

TIME = 1_790_000_000


def archive_of(*members: tarfile.TarInfo) -> io.BytesIO:
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as archive:
        for member in members:
            archive.addfile(member, io.BytesIO(b"x" * member.size))
    data.seek(0)
    return data


def member(name: str, kind: bytes = tarfile.REGTYPE, *, mode: int = 0o664, size: int = 0) -> tarfile.TarInfo:
    made = tarfile.TarInfo(name)
    made.type = kind
    made.mode = mode
    made.size = size
    made.mtime = TIME
    made.linkname = "elsewhere"
    return made


def test_files_keep_their_content_and_time_and_are_not_writable_by_others(tmp_path: Path) -> None:
    data = archive_of(
        member("top", tarfile.DIRTYPE, mode=0o777),
        member("top/a/plain", size=3),
        member("top/program", mode=0o6775),
    )
    with tarfile.open(fileobj=data) as archive:
        unpack_files(archive, tmp_path)
    plain = tmp_path / "top/a/plain"
    assert plain.read_bytes() == b"xxx"
    assert plain.stat().st_mtime == TIME
    assert plain.stat().st_mode & 0o7777 == 0o644
    assert (tmp_path / "top/program").stat().st_mode & 0o7777 == 0o755


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (member("../out"), r"\.\./out leads out of the folder"),
        (member("/out"), "/out leads out of the folder"),
        (member("link", tarfile.SYMTYPE), "link is neither a file nor a folder"),
        (member("hard", tarfile.LNKTYPE), "hard is neither a file nor a folder"),
        (member("pipe", tarfile.FIFOTYPE), "pipe is neither a file nor a folder"),
    ],
)
def test_unsafe_paths_and_special_files_are_refused(bad: tarfile.TarInfo, said: str, tmp_path: Path) -> None:
    target = tmp_path / "target"
    with tarfile.open(fileobj=archive_of(bad)) as archive, pytest.raises(tarfile.ReadError, match=said):
        unpack_files(archive, target)
    assert not (tmp_path / "out").exists()


def link(name: str, target: str) -> tarfile.TarInfo:
    made = member(name, tarfile.SYMTYPE)
    made.linkname = target
    return made


def test_links_to_folders_of_the_archive_are_copied(tmp_path: Path) -> None:
    data = archive_of(link("b/kit", "../a/kit"), member("a/kit/text.py", size=3))
    with tarfile.open(fileobj=data) as archive:
        unpack_files(archive, tmp_path, copy_links=True)
    copied = tmp_path / "b/kit"
    assert not copied.is_symlink()
    assert (copied / "text.py").read_bytes() == b"xxx"
    assert (copied / "text.py").stat().st_mtime == TIME


@pytest.mark.parametrize("target", ["missing", "..", "/", "../../out", "file"])
def test_links_are_refused_unless_they_lead_to_folders_of_the_archive(target: str, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    data = archive_of(member("file", size=1), link("link", target))
    with tarfile.open(fileobj=data) as archive, pytest.raises(tarfile.ReadError, match="link is a link to"):
        unpack_files(archive, tmp_path / "to", copy_links=True)


def test_an_sdist_is_unpacked_without_the_filters_of_newer_pythons(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python 3.11.0 to 3.11.3 have neither ``data_filter`` nor the argument ``filter``."""
    sdist = tmp_path / "one-1.0.tar.gz"
    sdist.write_bytes(archive_of(member("one-1.0/file", size=1)).getvalue())

    def refuse_filter(
        archive: tarfile.TarFile, path: str, members: object = None, *, numeric_owner: bool = False
    ) -> None:
        raise AssertionError("the archive is unpacked with extractall")

    monkeypatch.setattr(tarfile.TarFile, "extractall", refuse_filter)
    assert (build.unpack(sdist, tmp_path / "to") / "file").read_bytes() == b"x"
