"""Publishing: files that are written or refused, and reports."""

from __future__ import annotations

import contextlib
import json
import os
import re
from pathlib import Path

import pytest

from messagegen.publish.changes import Changes
from messagegen.publish.manifest import MANIFEST, PublishError
from messagegen.publish.output import check, publish
from tests.publish.generations import FILES, LATER, generated, snapshot, written

ONLY_ENDINGS = "a.py: only line endings, or the digest in the header, differ"


def kinds(changes: Changes) -> dict[str, str]:
    return {file.path: file.kind for file in changes.files if file.path != MANIFEST}


@pytest.fixture
def output(tmp_path: Path) -> Path:
    return tmp_path / "repository" / "messages"


class TestPublish:
    def test_the_first_run_writes_files_and_the_manifest(self, output: Path) -> None:
        changes = publish(FILES, output)
        assert kinds(changes) == dict.fromkeys(sorted(FILES), "new")
        assert snapshot(output) == written(FILES)
        assert [path.name for path in output.parent.iterdir()] == ["messages"]

    def test_the_manifest_contains_only_versions_and_paths_and_digests(self, output: Path) -> None:
        publish(dict(reversed(FILES.items())), output)
        manifest = json.loads((output / MANIFEST).read_bytes())
        assert list(manifest) == ["format", "generator", "files"]
        assert list(manifest["files"]) == ["__init__.py", "a.py", "gone.py", "sub/b.py"]
        assert str(output) not in (output / MANIFEST).read_text()

    def test_a_run_without_changes_touches_nothing(self, output: Path) -> None:
        publish(FILES, output)
        before = {path: (path.stat().st_ino, path.stat().st_mtime_ns) for path in (output, *output.rglob("*"))}
        changes = publish(FILES, output)
        assert (changes.files, changes.unchanged) == ((), len(FILES))
        after = {path: (path.stat().st_ino, path.stat().st_mtime_ns) for path in (output, *output.rglob("*"))}
        assert after == before

    def test_publish_writes_changed_files_and_removes_stale_files(self, output: Path) -> None:
        publish(FILES, output)
        os.utime(output / "sub/b.py", ns=(1, 1))
        changes = publish(LATER, output)
        assert kinds(changes) == {"a.py": "changed", "gone.py": "stale", "new/c.py": "new"}
        assert changes.unchanged == 2
        assert snapshot(output) == written(LATER)
        assert (output / "sub/b.py").stat().st_mtime_ns == 1
        assert [path.name for path in output.parent.iterdir()] == ["messages"]

    def test_publish_overwrites_edited_files_and_reports_them(self, output: Path) -> None:
        publish(FILES, output)
        manifest_before = (output / MANIFEST).stat().st_mtime_ns
        (output / "a.py").write_text("A = 'by hand'\n")
        (output / "sub/b.py").unlink()
        changes = publish(FILES, output)
        assert [(file.path, file.kind) for file in changes.files] == [("a.py", "edited"), ("sub/b.py", "new")]
        assert snapshot(output) == written(FILES)
        assert (output / MANIFEST).stat().st_mtime_ns == manifest_before

    def test_publish_removes_edited_stale_files(self, output: Path) -> None:
        publish(FILES, output)
        (output / "gone.py").write_text(FILES["gone.py"] + "edited\n")
        assert publish(LATER, output).paths("stale") == ("gone.py",)
        assert not (output / "gone.py").exists()

    def test_foreign_files_are_kept(self, output: Path) -> None:
        publish(FILES, output)
        (output / "mine").mkdir()
        (output / "mine" / "notes.txt").write_text("mine\n")
        (output / "empty").mkdir()
        (output / "sub" / "mine.py").write_text("mine\n")
        inode = (output / "sub" / "mine.py").stat().st_ino
        publish(generated(a="A = 3\n"), output)
        assert snapshot(output) == written(
            generated(a="A = 3\n"), **{"mine/notes.txt": "mine\n", "sub/mine.py": "mine\n"}
        )
        assert (output / "sub" / "mine.py").stat().st_ino == inode
        assert (output / "empty").is_dir()

    def test_bytecode_caches_are_removed_with_their_folder(self, output: Path) -> None:
        publish(FILES, output)
        for folder in (output, output / "sub"):
            (folder / "__pycache__").mkdir()
            (folder / "__pycache__" / "x.cpython-311.pyc").write_bytes(b"cache")
        publish(generated(a="A = 3\n"), output)
        assert (output / "__pycache__" / "x.cpython-311.pyc").exists()
        assert not (output / "sub").exists()

    @pytest.mark.parametrize("name", ["notes.txt", "notes.pyc/text", "link.pyc"])
    def test_files_of_users_in_cache_folders_are_kept(self, output: Path, name: str) -> None:
        publish(FILES, output)
        file = output / "sub" / "__pycache__" / name
        file.parent.mkdir(parents=True)
        (file.parent / "x.cpython-311.pyc").write_bytes(b"cache")
        if name == "link.pyc":
            file.symlink_to("nowhere")
        else:
            file.write_text("mine\n")
        publish(generated(a="A = 3\n"), output)
        assert os.path.lexists(file)
        assert not (output / "sub" / "b.py").exists()

    def test_links_in_place_of_cache_folders_are_kept(self, output: Path, tmp_path: Path) -> None:
        publish(FILES, output)
        caches = tmp_path / "caches"
        caches.mkdir()
        (caches / "x.cpython-311.pyc").write_bytes(b"cache")
        (output / "sub" / "__pycache__").symlink_to(caches)
        publish(generated(a="A = 3\n"), output)
        assert (output / "sub" / "__pycache__").is_symlink()
        assert (caches / "x.cpython-311.pyc").exists()

    def test_files_are_written_in_utf8(self, output: Path) -> None:
        publish({"a.py": "# Ω\n"}, output)
        assert (output / "a.py").read_bytes() == b"# \xce\xa9\n"

    def test_a_different_generator_version_with_the_same_files_changes_nothing(self, output: Path) -> None:
        publish(FILES, output)
        manifest = json.loads((output / MANIFEST).read_bytes())
        manifest["generator"] = "0.0.1"
        (output / MANIFEST).write_text(json.dumps(manifest, indent=2) + "\n")
        assert publish(FILES, output).files == ()
        assert json.loads((output / MANIFEST).read_bytes()) == manifest
        assert kinds(publish(LATER, output))["a.py"] == "changed"
        assert snapshot(output) == written(LATER)


class TestRefusals:
    def test_outputs_in_the_folder_of_git_are_refused(self, tmp_path: Path) -> None:
        with pytest.raises(PublishError, match="is in the folder of Git; name another folder"):
            publish(FILES, tmp_path / ".git" / "package")
        assert not (tmp_path / ".git").exists()

    @pytest.mark.parametrize(
        "path",
        [
            "",
            "/a.py",
            "../a.py",
            "a/../b.py",
            "./a.py",
            "a//b.py",
            "a\\b.py",
            "C:a.py",
            "a\n.py",
            "a.",
            "a /b.py",
            MANIFEST,
            "manifest.json",
        ],
    )
    def test_unsafe_paths_are_refused(self, output: Path, path: str) -> None:
        with pytest.raises(PublishError):
            publish({path: "text\n"}, output)
        assert not output.exists()

    def test_overwriting_a_foreign_file_is_refused(self, output: Path) -> None:
        publish(generated(a="A = 1\n"), output)
        (output / "sub").mkdir()
        (output / "sub" / "b.py").write_text("mine\n")
        before = snapshot(output)
        with pytest.raises(PublishError, match=r"did not write.*sub/b\.py"):
            publish(FILES, output)
        with pytest.raises(PublishError, match=r"did not write.*sub/b\.py"):
            check(FILES, output)
        assert snapshot(output) == before

    def test_a_folder_with_files_but_no_manifest_is_refused(self, output: Path) -> None:
        output.mkdir(parents=True)
        (output / "notes.txt").write_text("mine\n")
        with pytest.raises(PublishError, match=r"not empty.*notes\.txt"):
            publish(FILES, output)
        assert snapshot(output) == {"notes.txt": b"mine\n"}

    def test_copies_of_generated_files_are_kept(self, output: Path) -> None:
        publish(FILES, output)
        copy = {
            "kept.py": FILES["gone.py"],
            "sub/c.py": LATER["new/c.py"],
            "vendored/__init__.py": FILES["__init__.py"],
            "vendored/a.py": FILES["a.py"],
        }
        for path, text in copy.items():
            (output / path).parent.mkdir(exist_ok=True)
            (output / path).write_text(text)
        changes = publish(LATER, output)
        assert changes.paths("stale") == ("gone.py",)
        assert snapshot(output) == written(LATER, **copy)

    def test_a_listed_file_without_a_header_is_not_removed(self, output: Path) -> None:
        publish(FILES, output)
        (output / "gone.py").write_text("MINE = 1\n")
        changes = publish(LATER, output)
        assert changes.paths("stale") == ()
        assert snapshot(output) == written(LATER, **{"gone.py": "MINE = 1\n"})

    @pytest.mark.parametrize("digest", [" ".join("0123456789abcdef"), "", "0" * 16])
    @pytest.mark.parametrize("text", ["mine\n", "# @generated by messagegen, but mine\n"])
    def test_files_of_users_are_kept_even_if_the_manifest_lists_them(
        self, output: Path, text: str, digest: str
    ) -> None:
        publish(FILES, output)
        for path in ("NOTES.md", "notes.py"):
            (output / path).write_text(text)
        manifest = json.loads((output / MANIFEST).read_bytes())
        manifest["files"] |= {"NOTES.md": digest, "notes.py": digest}
        (output / MANIFEST).write_text(json.dumps(manifest, indent=2) + "\n")
        with contextlib.suppress(PublishError):
            publish(FILES, output)
        assert (output / "NOTES.md").read_text() == text
        assert (output / "notes.py").read_text() == text

    def test_an_output_that_is_a_link_or_a_file_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "real").mkdir()
        (tmp_path / "link").symlink_to("real")
        (tmp_path / "file").write_text("")
        with pytest.raises(PublishError, match="is not a folder"):
            publish(FILES, tmp_path / "link")
        with pytest.raises(PublishError, match="is not a folder"):
            publish(FILES, tmp_path / "file")

    def test_a_link_in_place_of_a_folder_is_refused(self, output: Path, tmp_path: Path) -> None:
        publish(generated(a="A = 1\n"), output)
        outside = tmp_path / "outside"
        outside.mkdir()
        (output / "sub").symlink_to(outside)
        with pytest.raises(PublishError, match="symbolic link"):
            publish(FILES, output)
        assert snapshot(outside) == {}

    def test_a_stale_file_behind_a_link_is_not_removed(self, output: Path, tmp_path: Path) -> None:
        publish(FILES, output)
        (output / "sub").rename(tmp_path / "outside")
        (output / "sub").symlink_to(tmp_path / "outside")
        with pytest.raises(PublishError, match="symbolic link"):
            publish(generated(a="A = 1\n"), output)
        assert (tmp_path / "outside" / "b.py").exists()

    def test_a_link_in_place_of_a_generated_file_is_never_followed(self, output: Path, tmp_path: Path) -> None:
        publish(FILES, output)
        outside = tmp_path / "outside.py"
        outside.write_text("A = 1\n")
        (output / "a.py").unlink()
        (output / "a.py").symlink_to(outside)
        assert publish(FILES, output).paths("edited") == ("a.py",)
        assert outside.read_text() == "A = 1\n"
        assert not (output / "a.py").is_symlink()

    def test_a_folder_in_place_of_a_file_is_refused(self, output: Path) -> None:
        publish({"b.py": ""}, output)
        (output / "a.py").mkdir()
        with pytest.raises(PublishError, match=r"a\.py is a folder"):
            publish(FILES, output)

    def test_a_file_in_place_of_a_folder_is_refused(self, output: Path) -> None:
        publish({"b.py": ""}, output)
        (output / "sub").write_text("mine\n")
        with pytest.raises(PublishError, match=r"sub is a symbolic link or a file"):
            publish(FILES, output)

    @pytest.mark.parametrize(
        ("manifest", "expected"),
        [
            (b"<<<<<<< ours\n=======\n>>>>>>> theirs\n", "was not written by messagegen"),
            (b"[" * 100_000, "was not written by messagegen"),
            (b'{"name": "an extension", "version": 3}', "was not written by messagegen"),
            (b'{\n  "format": 2,\n  "generator": "1",\n  "files": []}', "has format 2.*supports format 3"),
            (b'{\n  "format": 4,\n  "generator": "1",\n  "files": {}}', "has format 4.*supports format 3"),
            (
                b'{\n  "format": 3,\n  "generator": "1",\n  "files": {\n    "../a.py": ""\n}}',
                "not the path of a generated file",
            ),
        ],
    )
    def test_foreign_and_unsupported_manifests_are_refused(self, output: Path, manifest: bytes, expected: str) -> None:
        publish(FILES, output)
        (output / MANIFEST).write_bytes(manifest)
        before = snapshot(output)
        for run in (publish, check):
            with pytest.raises(PublishError, match=expected):
                run(LATER, output)
        assert snapshot(output) == before


class TestConflicts:
    def test_a_conflicting_manifest_lists_the_files_of_both_sides(self, output: Path) -> None:
        publish(FILES, output)
        lines = (output / MANIFEST).read_text().splitlines(keepends=True)
        gone = next(line for line in lines if "gone.py" in line)
        marks = ["<<<<<<< ours\n", gone, "||||||| base\n", "=======\n", '    "hole.py": "",\n', ">>>>>>> theirs\n"]
        where = lines.index(gone)
        (output / MANIFEST).write_text("".join([*lines[:where], *marks, *lines[where + 1 :]]))
        drift = check(FILES, output)
        assert [(file.path, file.kind) for file in drift.files] == [(MANIFEST, "edited")]
        assert publish(LATER, output).paths("stale") == ("gone.py",)
        assert snapshot(output) == written(LATER)

    def test_manifests_with_missing_commas_are_read(self, output: Path) -> None:
        publish(FILES, output)
        text = (output / MANIFEST).read_text().replace('"a.py": "",', '"a.py": ""\n    "hole.py": ""')
        (output / MANIFEST).write_text(text)
        assert publish(LATER, output).paths("stale") == ("gone.py",)
        assert snapshot(output) == written(LATER)


class TestCheck:
    def test_check_reports_every_kind_of_change_and_writes_nothing(self, output: Path) -> None:
        sides = "<<<<<<< ours\nM = 1\n=======\nM = 2\n>>>>>>> theirs\n"
        others = generated(lost="L = 1\n", hand="H = 1\n", merged="M = 3\n")
        publish(FILES | others, output)
        (output / "hand.py").write_text(others["hand.py"] + "by hand\n")
        (output / "merged.py").write_text(sides)
        (output / "lost.py").unlink()
        (output / "notes.txt").write_text("mine\n")
        before = snapshot(output)
        drift = check(LATER | others, output)
        assert kinds(drift) == {
            "a.py": "changed",
            "gone.py": "stale",
            "hand.py": "edited",
            "lost.py": "new",
            "merged.py": "edited",
            "new/c.py": "new",
        }
        assert snapshot(output) == before
        publish(LATER | others, output)
        assert snapshot(output) == written(LATER | others, **{"notes.txt": "mine\n"})

    def test_check_detects_an_edited_init_module_by_its_digest(self, output: Path) -> None:
        publish(FILES, output)
        assert "__init__.py" in check(LATER | generated(__init__="import b\n"), output).paths("changed")
        (output / "__init__.py").write_text(FILES["__init__.py"] + "E = 1\n")
        assert check(LATER, output).paths("edited") == ("__init__.py",)

    def test_check_reports_an_edited_manifest(self, output: Path) -> None:
        publish(FILES, output)
        (output / MANIFEST).write_text((output / MANIFEST).read_text().replace("gone.py", "other.py"))
        drift = check(FILES, output)
        assert [(file.path, file.kind) for file in drift.files] == [(MANIFEST, "changed")]
        assert '-    "other.py": "",' in drift.files[0].diff()

    def test_the_diff_is_unified_and_limited(self, output: Path) -> None:
        publish({"a.py": "".join(f"{number}\n" for number in range(100))}, output)
        file, *_ = check({"a.py": "".join(f"{number}!\n" for number in range(100))}, output).files
        diff = file.diff(limit=10)
        assert diff[:4] == ("--- on disk/a.py", "+++ generated/a.py", "@@ -1,100 +1,100 @@", "-0")
        assert len(diff) == 11
        assert diff[-1] == "... and 193 more lines"
        assert len(file.diff(limit=203)) == 203

    def test_the_diff_omits_the_digest(self, output: Path) -> None:
        publish(FILES, output)
        (file,) = [file for file in check(LATER, output).files if file.path == "a.py"]
        assert [line for line in file.diff() if line.startswith(("-", "+"))][2:] == ["-A = 1", "+A = 2"]
        (output / "a.py").write_text(re.sub("sha256: .*", f"sha256: {64 * '0'}", FILES["a.py"]))
        (file,) = check(FILES, output).files
        assert (file.kind, file.diff()) == ("edited", (ONLY_ENDINGS,))

    @pytest.mark.parametrize(
        ("on_disk", "expected"),
        [
            (b"A = 1\r", ONLY_ENDINGS),
            (b"A = 1", ONLY_ENDINGS),
            (b"A = \xff\n", "-A = \ufffd"),
        ],
    )
    def test_the_diff_shows_line_endings_and_invalid_bytes(self, output: Path, on_disk: bytes, expected: str) -> None:
        publish({"a.py": "A = 1\n"}, output)
        (output / "a.py").write_bytes(on_disk)
        (file,) = check({"a.py": "A = 1\n"}, output).files
        assert expected in file.diff()
