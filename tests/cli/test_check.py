"""Outputs that ``generate --check`` and ``docs --check`` must refuse, because the code differs from the specs."""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
import shutil
import signal
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final

import pytest

from messagegen.cli import run
from messagegen.publish.manifest import MANIFEST
from tests.support.killing import killed_at, small_disk, space_of

EDITED: Final = "\nprint('planted')\n"


def spec(number: str, name: str = "OrderPlaced") -> str:
    """Return a spec with one field, whose type is ``number``."""
    field = {"name": "Number", "type": number, "versions": "0+"}
    return json.dumps(
        {"type": "data", "name": name, "validVersions": "0", "flexibleVersions": "none", "fields": [field]}
    )


class Repository:
    """A repository with one spec and an output that is up to date. Commits are copies of the output."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self.output = folder / "src" / "shop"
        self.module = self.output / "order_placed.py"
        self.capsys = capsys
        self.command: Sequence[str] = ["generate"]
        (folder / "specs").mkdir()
        (folder / "pyproject.toml").write_text('[tool.messagegen]\nspecs = ["specs"]\noutput = "src/shop"\n')
        self.write(spec("int32"))
        self.generate()

    def write(self, text: str, name: str = "OrderPlaced") -> None:
        (self.folder / "specs" / f"{name}.json").write_text(text)

    def generate(self) -> str:
        assert run([*self.command]) == 0
        return self.capsys.readouterr().out

    def check(self) -> list[str]:
        """Return the paths that the check reports."""
        code = run([*self.command, "--check", "--format", "json"])
        found = [finding["file"] for finding in json.loads(self.capsys.readouterr().out)["findings"]]
        assert code == (1 if found else 0)
        return [Path(file).relative_to(self.output.relative_to(self.folder)).as_posix() for file in found]

    def commit(self, name: str) -> Path:
        copy = self.folder.parent / name
        shutil.copytree(self.output, copy)
        return copy

    def sign(self, path: str, text: str) -> None:
        """Write ``text`` to a file of the output, with a correct digest in its header."""
        rest = re.sub(r"^# sha256: [0-9a-f]{64}\n", "", text, count=1, flags=re.MULTILINE)
        digest = hashlib.sha256(path.encode() + b"\0" + rest.encode()).hexdigest()
        head, mark, tail = rest.partition("# ruff: noqa\n")
        (self.output / path).parent.mkdir(parents=True, exist_ok=True)
        (self.output / path).write_text(f"{head}# sha256: {digest}\n{mark}{tail}")


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Repository:
    folder = tmp_path / "repository"
    folder.mkdir()
    monkeypatch.chdir(folder)
    made = Repository(folder, capsys)
    assert made.check() == []
    return made


class TestModulesOfOtherCommits:
    def test_a_module_of_an_earlier_commit_is_reported(self, repository: Repository) -> None:
        earlier = repository.commit("earlier")
        repository.write(spec("int64"))
        repository.generate()
        shutil.copy(earlier / "order_placed.py", repository.module)
        assert repository.check() == ["order_placed.py"]
        repository.generate()
        assert repository.module.read_bytes() != (earlier / "order_placed.py").read_bytes()
        assert repository.check() == []

    def test_a_module_from_one_side_of_a_merge_is_reported(self, repository: Repository) -> None:
        base = repository.commit("base")
        repository.write(spec("int16"))
        repository.generate()
        ours = repository.commit("ours")
        repository.write(spec("int64"))
        repository.generate()
        for side in (ours, base):
            shutil.copy(side / "order_placed.py", repository.module)
            assert repository.check() == ["order_placed.py"]

    def test_a_reverted_spec_is_reported_even_if_the_manifest_was_not_committed(self, repository: Repository) -> None:
        before = repository.commit("before")
        repository.write(spec("int32", "OrderPaid"), "OrderPaid")
        repository.write(spec("int64"))
        repository.generate()
        (repository.output / MANIFEST).unlink()
        (repository.folder / "specs" / "OrderPaid.json").unlink()
        repository.write(spec("int32"))
        assert repository.check() == ["__init__.py", "order_paid.py", "order_placed.py", MANIFEST]
        shutil.copy(before / MANIFEST, repository.output / MANIFEST)
        assert repository.check() == ["__init__.py", "order_paid.py", "order_placed.py"]
        repository.generate()
        assert repository.check() == []
        assert not (repository.output / "order_paid.py").exists()

    def test_a_module_is_removed_if_a_merge_removed_its_spec(self, repository: Repository) -> None:
        repository.write(spec("int32", "OrderPaid"), "OrderPaid")
        repository.generate()
        branch = repository.commit("branch")
        (repository.folder / "specs" / "OrderPaid.json").unlink()
        repository.generate()
        shutil.copy(branch / "order_paid.py", repository.output)
        assert repository.check() == ["order_paid.py"]
        assert "1 file removed" in repository.generate()
        assert not (repository.output / "order_paid.py").exists()

    def test_error_codes_of_a_different_commit_are_removed(self, repository: Repository) -> None:
        codes = repository.folder / "codes.json"
        codes.write_text('{ "errors": [{ "code": 0, "name": "NONE" }] }')
        flags = ["--specs", "specs", "--output", "src/shop", "--error-codes", "codes.json"]
        assert run(["generate", *flags]) == 0
        other = repository.commit("other")
        repository.generate()
        shutil.copy(other / "error_codes.py", repository.output)
        assert repository.check() == ["error_codes.py"]
        repository.generate()
        assert not (repository.output / "error_codes.py").exists()

    def test_an_old_module_of_the_runtime_is_removed(self, repository: Repository) -> None:
        repository.sign("_runtime/old_wire.py", repository.module.read_text())
        assert repository.check() == ["_runtime/old_wire.py"]
        repository.generate()
        assert not (repository.output / "_runtime" / "old_wire.py").exists()


class TestSignedAgain:
    @pytest.mark.parametrize("path", ["order_placed.py", "_runtime/base.py"])
    def test_an_added_line_is_reported_even_with_a_correct_digest(self, repository: Repository, path: str) -> None:
        genuine = (repository.output / path).read_text()
        repository.sign(path, genuine + EDITED)
        assert repository.check() == [path]
        repository.generate()
        assert (repository.output / path).read_text() == genuine

    def test_added_error_codes_are_reported_even_with_a_correct_digest(self, repository: Repository) -> None:
        (repository.folder / "codes.json").write_text('{ "errors": [{ "code": 0, "name": "NONE" }] }')
        with (repository.folder / "pyproject.toml").open("a") as table:
            table.write('error_codes = "codes.json"\n')
        repository.generate()
        repository.sign("error_codes.py", (repository.output / "error_codes.py").read_text() + EDITED)
        assert repository.check() == ["error_codes.py"]


class TestDocs:
    @pytest.fixture
    def site(self, repository: Repository) -> Repository:
        repository.command = ["docs", "--output", "site"]
        repository.output = repository.folder / "site"
        repository.generate()
        assert repository.check() == []
        return repository

    def test_an_extra_page_is_removed(self, site: Repository) -> None:
        site.write(spec("int32", "OrderPaid"), "OrderPaid")
        site.generate()
        page = site.output / "messages" / "order_paid.html"
        text = page.read_bytes()
        (site.folder / "specs" / "OrderPaid.json").unlink()
        site.generate()
        page.write_bytes(text)
        assert site.check() == ["messages/order_paid.html"]
        site.generate()
        assert not page.exists()

    def test_an_outdated_page_is_reported_even_with_a_correct_digest(self, site: Repository) -> None:
        earlier = site.commit("earlier")
        site.write(spec("int64"))
        site.generate()
        manifest = json.loads((site.output / MANIFEST).read_bytes())
        for name in ("messages/order_placed.html", MANIFEST):
            shutil.copy(earlier / name, site.output / name)
        before = json.loads((site.output / MANIFEST).read_bytes())
        # Digests of inputs in the manifest, which older versions wrote, are ignored.
        (site.output / MANIFEST).write_text(json.dumps(manifest | {"files": before["files"]}, indent=2) + "\n")
        assert "messages/order_placed.html" in site.check()


CACHE: Final = bytes([0, 0, 13, 10, 3, 0, 0, 0]) + bytes(8)
"""The start of a bytecode file with a hash of its source. Python may load such a file without comparing times."""
PLANTED: Final = {
    "a package beside a module": ("order_placed/__init__.py", b"print('planted')\n"),
    "a module": ("helper.py", b"x = 1\n"),
    "a stub": ("order_placed.pyi", b"class OrderPlaced: ...\n"),
    "bytecode": ("helper.pyc", b""),
    "bytecode in the runtime": ("_runtime/helper.pyc", b""),
    "an extension module": ("order_placed.cpython-312-x86_64-linux-gnu.so", b""),
    "an extension module of Windows": ("_runtime/base.cp312-win_amd64.pyd", b""),
    "a module in a new folder": ("data/helper.py", b"x = 1\n"),
    "a module among caches": ("__pycache__/helper.py", b"x = 1\n"),
    "bytecode among caches": ("__pycache__/helper.pyc", b""),
    "a cache that Python does not compare": ("__pycache__/order_placed.cpython-312.pyc", CACHE),
    "a script of Windows": ("helper.PYW", b"x = 1\n"),
    "a file among plans": ("plans/notes", b"x\n"),
    "a plan with another end": ("plans/OrderPlaced.PLAN", b"messagegen-plan 3\n"),
    "a marker in another case": ("Py.typed", b""),
    "a manifest in another case": ("manifest.json", b"{}\n"),
    "an indented page that claims to be generated": ("messages/pay.html", b" <!-- @generated by messagegen -->\n"),
    "a page behind a byte order mark": ("messages/pay.html", b"\xef\xbb\xbf<!-- @generated by messagegen -->\n"),
    "a page with the line ends of old systems": (
        "messages/pay.htm",
        b"<!doctype html>\r<!-- @generated by messagegen -->",
    ),
    "a page with a suffix in capitals": ("messages/pay.HTML", b"<!-- @generated by messagegen -->\n"),
    "a script with another suffix": ("messages/pay.mjs", b"/* @generated by messagegen */\n"),
    "a page that claims to be generated": ("messages/pay.html", b"<!-- @generated by messagegen; do not edit -->\n"),
}
"""Files that programs load, or that can be taken for generated files."""


class TestPlanted:
    @pytest.mark.parametrize("kind", PLANTED)
    def test_importable_files_are_reported_and_kept(
        self, repository: Repository, kind: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        path, content = PLANTED[kind]
        place = repository.output / path
        place.parent.mkdir(exist_ok=True)
        place.write_bytes(content)
        assert repository.check() == [path]
        assert run(["generate"]) == 0
        assert f"src/shop/{path}" in capsys.readouterr().err
        assert place.read_bytes() == content
        assert repository.check() == [path]
        place.unlink()
        with contextlib.suppress(OSError):
            place.parent.rmdir()
        assert repository.check() == []

    @pytest.mark.parametrize("folder", ["order_placed", "_runtime/base", "Order_Placed", "py.Typed"])
    @pytest.mark.parametrize("file", ["", "values.json"])
    def test_a_folder_in_place_of_a_module_is_reported(self, repository: Repository, folder: str, file: str) -> None:
        place = repository.output / folder
        place.mkdir()
        if file:
            (place / file).write_text("{}")
        assert repository.check() == [folder]
        repository.generate()
        assert place.is_dir()

    def test_folders_that_hide_no_module_are_not_reported(self, repository: Repository) -> None:
        (repository.output / "orders").mkdir()
        (repository.output / "data" / "order_placed").mkdir(parents=True)
        assert repository.check() == []

    @pytest.mark.slow
    def test_modules_in_deeply_nested_folders_are_reported(self, repository: Repository) -> None:
        depth = 1900
        names = ["a"] * depth
        place = repository.output
        for name in names:
            place /= name
            place.mkdir()
        planted = place / "a.py"
        planted.touch()
        try:
            assert repository.check() == ["/".join([*names, "a.py"])]
        finally:
            planted.unlink()
            for _ in names:
                place.rmdir()
                place = place.parent

    def test_a_link_to_a_folder_is_reported(self, repository: Repository, tmp_path: Path) -> None:
        (tmp_path / "elsewhere").mkdir()
        (repository.output / "order_placed").symlink_to(tmp_path / "elsewhere")
        assert repository.check() == ["order_placed"]

    @pytest.mark.parametrize(
        ("path", "content"),
        [
            ("README.md", b"ours\n"),
            ("data/values.json", b"{}\n"),
            ("__pycache__/order_placed.cpython-312.pyc", bytes([0, 0, 13, 10]) + bytes(12)),
            (".hidden/helper.py", b"x = 1\n"),
            (".#order_placed.py", b""),
        ],
    )
    def test_other_files_of_users_are_not_reported(self, repository: Repository, path: str, content: bytes) -> None:
        place = repository.output / path
        place.parent.mkdir(exist_ok=True)
        place.write_bytes(content)
        assert repository.check() == []
        repository.generate()
        assert place.read_bytes() == content

    @pytest.mark.parametrize("path", ["README.md", "data/keep.csv", "helper.py", "plans/mine.plan"])
    def test_files_of_users_are_kept_even_if_the_manifest_lists_them(self, repository: Repository, path: str) -> None:
        place = repository.output / path
        place.parent.mkdir(exist_ok=True)
        place.write_bytes(b"mine\n")
        manifest = repository.output / MANIFEST
        listed = json.loads(manifest.read_bytes())
        listed["files"][path] = hashlib.sha256(f"{path}\0mine\n".encode()).hexdigest()[:16]
        listed["files"] = dict(sorted(listed["files"].items(), key=lambda entry: ("/" in entry[0], entry[0])))
        manifest.write_text(f"{json.dumps(listed, indent=2)}\n", encoding="utf-8")
        assert run(["generate", "--check"]) == 1
        repository.generate()
        assert place.read_bytes() == b"mine\n"

    def test_an_output_inside_another_output_is_not_reported(self, repository: Repository) -> None:
        (repository.folder / "pyproject.toml").write_text(
            '[tool.messagegen]\nspecs = ["specs"]\n'
            '[[tool.messagegen.outputs]]\noutput = "src/shop"\n'
            '[[tool.messagegen.outputs]]\noutput = "src/shop/inner"\n'
        )
        repository.generate()
        assert repository.check() == []
        (repository.output / "inner" / "helper.py").write_text("x = 1\n")
        assert repository.check() == ["inner/helper.py"]
        # A check of one output ignores all others.
        assert run(["generate", "--check", "--output", "src/shop"]) == 0

    @pytest.mark.parametrize("name", ["order_placed", "Order_Placed", "plans"])
    def test_an_output_folder_in_place_of_a_module_or_the_plans_is_reported(
        self, repository: Repository, name: str
    ) -> None:
        (repository.folder / "pyproject.toml").write_text(
            '[tool.messagegen]\nspecs = ["specs"]\n'
            '[[tool.messagegen.outputs]]\noutput = "src/shop"\n'
            f'[[tool.messagegen.outputs]]\noutput = "src/shop/{name}"\n'
        )
        repository.generate()
        assert f"{name}/__init__.py" in repository.check()


class TestComparison:
    def test_windows_line_endings_are_ignored(self, repository: Repository) -> None:
        for file in repository.output.rglob("*"):
            if file.is_file():
                file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
        before = {file: file.read_bytes() for file in repository.output.rglob("*") if file.is_file()}
        assert repository.check() == []
        repository.generate()
        assert {file: file.read_bytes() for file in before} == before

    @pytest.mark.parametrize("end", [b"\r", b"\r\r\n", b"\x0c\n", b" \n"])
    def test_unusual_line_endings_are_reported(self, repository: Repository, end: bytes) -> None:
        repository.module.write_bytes(repository.module.read_bytes().replace(b"\n", end, 1))
        assert repository.check() == ["order_placed.py"]

    def test_the_generator_version_in_the_manifest_is_ignored(self, repository: Repository) -> None:
        manifest = repository.output / MANIFEST
        text = re.sub('"generator": ".*"', '"generator": "0.0.7"', manifest.read_text())
        manifest.write_text(text)
        assert repository.check() == []
        repository.generate()
        assert manifest.read_text() == text


class TestManifestsOfStrangers:
    def test_an_output_of_a_newer_version_is_reported_and_blocks_runs(
        self, repository: Repository, capsys: pytest.CaptureFixture[str]
    ) -> None:
        manifest = repository.output / MANIFEST
        manifest.write_text(re.sub('"generator": ".*"', '"generator": "9.9"', manifest.read_text()))
        assert repository.check() == [MANIFEST]
        assert run(["generate", "--check"]) == 1
        assert "was written by messagegen 9.9, which is newer" in capsys.readouterr().out
        for spec_type in ("int32", "int64"):
            repository.write(spec(spec_type))
            assert run(["generate"]) == 2
            assert "was written by messagegen 9.9, which is newer" in capsys.readouterr().err

    @pytest.mark.parametrize("form", ["text", "github"])
    @pytest.mark.parametrize("key", ["format", "generator", "path", "digest"])
    @pytest.mark.parametrize("planted", ["\x1b[2J\n::error::planted", "9" * 5000], ids=["controls", "digits"])
    def test_text_of_a_manifest_is_escaped_on_terminals(
        self, repository: Repository, capsys: pytest.CaptureFixture[str], planted: str, key: str, form: str
    ) -> None:
        manifest = json.loads((repository.output / MANIFEST).read_bytes())
        files = manifest["files"] | {"path": {planted: ""}, "digest": {"a.py": planted}}.get(key, {})
        manifest |= {"files": files} | ({key: planted} if key in manifest else {})
        (repository.output / MANIFEST).write_text(json.dumps(manifest, indent=2))
        repository.write(spec("int64"))
        code = run(["generate", "--check", "--format", form])
        printed = "".join(capsys.readouterr())
        assert code == 2
        assert "bug" not in printed
        assert "\x1b" not in printed
        assert "\n::error::planted" not in printed


def files_of(folder: Path) -> dict[str, bytes]:
    """Return the files of an output, without the temporary files of a killed run."""
    files = [file for file in folder.rglob("*") if file.is_file() and not file.name.startswith(".")]
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}


@pytest.mark.slow
@pytest.mark.parametrize("added", [False, True], ids=["a spec changed", "a spec was added"])
def test_a_reverted_spec_is_reported_after_a_killed_run(repository: Repository, added: bool) -> None:
    genuine = files_of(repository.output)
    added_spec = repository.folder / "specs" / "OrderPaid.json"
    reported = step = 0
    for step in range(1, 100):
        repository.write(spec("int64"))
        if added:
            repository.write(spec("int64", "OrderPaid"), "OrderPaid")
        code = killed_at(step, partial(run, ["generate"]))
        repository.write(spec("int32"))
        added_spec.unlink(missing_ok=True)
        differs = files_of(repository.output) != genuine
        reported += differs
        assert bool(repository.check()) == differs
        repository.generate()
        assert files_of(repository.output) == genuine
        if code == 0:
            break
        assert code == -signal.SIGKILL
    assert step > 3
    assert reported > 0


def test_a_reverted_spec_is_reported_after_a_run_on_a_full_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    with small_disk(disk, 1024):
        folder = disk / "repository"
        folder.mkdir()
        monkeypatch.chdir(folder)
        repository = Repository(folder, capsys)
        genuine = files_of(repository.output)
        codes: list[int] = []
        for kilobytes in range(0, 20, 4):
            for name in ("OrderPlaced", "OrderPaid"):
                repository.write(spec("int64", name), name)
            with space_of(disk, kilobytes):
                codes.append(run(["generate"]))
            capsys.readouterr()
            repository.write(spec("int32"))
            (folder / "specs" / "OrderPaid.json").unlink()
            assert bool(repository.check()) == (files_of(repository.output) != genuine)
            repository.generate()
            assert files_of(repository.output) == genuine
        monkeypatch.undo()
    assert set(codes) == {0, 2}
