"""In a foreign repository, commands do not read or write files outside it, unless a flag names them."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from messagegen.cli import run
from messagegen.cli.command import _COMMANDS, messagegen
from messagegen.findings import UsageError
from tests.cli.small_repository import ARGUMENTS, CONFIG, SPEC

SECRET = "AWS_SECRET_ACCESS_KEY=very-secret\n"

READ_ARGUMENTS_ONLY = {"fetch-specs", "merge-specs"}


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A folder outside the repository, with files that must not change."""
    folder = tmp_path / "outside"
    folder.mkdir()
    (folder / "secret").write_text(SECRET)
    (folder / "Spec.json").write_text(SPEC)
    return folder


@pytest.fixture
def repository(tmp_path: Path, outside: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder: a git repository with a spec, a configuration and a commit."""
    folder = tmp_path / "repository"
    (folder / "specs").mkdir(parents=True)
    (folder / "specs" / "Reading.json").write_text(SPEC)
    (folder / "pyproject.toml").write_text(CONFIG)
    for command in (
        ["init", "-q"],
        ["add", "."],
        ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "one"],
    ):
        subprocess.run(["git", *command], cwd=folder, check=True)
    monkeypatch.chdir(folder)
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def walk(capfd: pytest.CaptureFixture[str], outside: Path) -> None:
    before = contents(outside)
    for name, several in ARGUMENTS.items():
        for arguments in several if name in _COMMANDS else ():
            run([name, *arguments])
            captured = capfd.readouterr()
            assert "very-secret" not in captured.out + captured.err, name
            assert "Traceback" not in captured.err, name
            assert contents(outside) == before, name


def test_every_command_is_tested() -> None:
    assert set(_COMMANDS) - set(ARGUMENTS) <= READ_ARGUMENTS_ONLY


@pytest.mark.parametrize("name", ["secret", "Spec.json"])
def test_a_spec_that_links_out_of_the_repository_is_refused(
    repository: Path, outside: Path, name: str, capfd: pytest.CaptureFixture[str]
) -> None:
    (repository / "specs" / "Linked.json").symlink_to(outside / name)
    walk(capfd, outside)
    assert run(["generate"]) == 2
    assert "specs/Linked.json is a symbolic link that leads out of the repository" in capfd.readouterr().err


@pytest.mark.parametrize("key", ["specs", "output", "error_codes", "pyproject"])
def test_settings_that_lead_out_of_the_repository_are_refused(
    repository: Path, outside: Path, key: str, capfd: pytest.CaptureFixture[str]
) -> None:
    text = CONFIG.replace('"specs"', f'"{outside}/secret"') if key == "specs" else CONFIG
    text = text.replace('"src/readings"', f'"{outside}/readings"') if key == "output" else text
    if key == "error_codes":
        text = text.replace("[tool.messagegen]\n", f'[tool.messagegen]\nerror_codes = "{outside}/secret"\n')
    (repository / "pyproject.toml").write_text(text)
    if key == "pyproject":
        (repository / "pyproject.toml").unlink()
        (repository / "pyproject.toml").symlink_to(outside / "secret")
    walk(capfd, outside)
    assert run(["generate"]) == 2
    assert "leads out of the repository" in capfd.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize(
    "path",
    [
        ".gitattributes",
        "Makefile",
        "messagegen.mk",
        "message_spec.schema.json",
        ".pre-commit-config.yaml",
        ".github",
        "src",
        "specs",
    ],
)
@pytest.mark.parametrize("target", ["secret", "nothing", "."])
def test_links_in_place_of_written_files_are_not_followed(
    repository: Path, outside: Path, path: str, target: str, capfd: pytest.CaptureFixture[str]
) -> None:
    if path == "specs":
        (repository / path / "Reading.json").unlink()
        (repository / path).rmdir()
    (repository / path).symlink_to(outside / target)
    walk(capfd, outside)
    assert (repository / path).is_symlink()


def test_flags_can_name_paths_outside_the_repository(repository: Path, outside: Path) -> None:
    assert run(["generate", "--specs", str(outside / "Spec.json"), "--output", str(outside / "readings")]) == 0
    assert (outside / "readings" / "reading.py").is_file()


def path_parameters() -> Iterator[Any]:
    """Yield the type of each path parameter of all commands."""
    context = click.Context(messagegen)
    for name in messagegen.list_commands(context):
        command = messagegen.get_command(context, name)
        assert command is not None
        for parameter in command.params:
            if isinstance(parameter.type, click.Path):
                yield pytest.param(parameter.type, id=f"{name} {parameter.name}")


@pytest.mark.parametrize("path_type", list(path_parameters()))
def test_path_parameters_refuse_links_out_of_the_repository(
    repository: Path, outside: Path, path_type: click.Path
) -> None:
    (repository / "Linked.json").symlink_to(outside / "Spec.json")
    (repository / "linked").symlink_to("../outside")
    (repository / "inside").symlink_to("specs")
    for path in ("linked", "linked/Spec.json", "specs/../linked/new", repository / "linked"):
        with pytest.raises(UsageError, match="linked is a symbolic link that leads out of the repository"):
            path_type.convert(str(path), None, None)
    if path_type.file_okay:
        with pytest.raises(UsageError, match=r"Linked.json is a symbolic link that leads out of the repository"):
            path_type.convert("Linked.json", None, None)
    for path in ("inside", "inside/new", outside, "../outside"):
        assert path_type.convert(str(path), None, None) == Path(path)


@pytest.mark.parametrize(
    "arguments",
    [
        ["fmt", "specs/Reading.json", "specs/Linked.json"],
        ["fmt", "--check", "specs/Linked.json"],
        ["lint", "--specs", "specs/Linked.json"],
        ["breaking", "--against", "specs/Linked.json"],
        ["upgrade-report", "--from", "specs/Linked.json", "--to", "specs/Reading.json"],
        ["upgrade-report", "--from", "specs/Reading.json", "--to", "specs/Linked.json"],
        ["merge-specs", "specs/Linked.json", "--output", "merged"],
        ["generate", "--output", "linked/readings"],
        ["init", "linked"],
    ],
)
def test_commands_refuse_links_out_of_the_repository(
    repository: Path, outside: Path, arguments: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    (repository / "specs" / "Linked.json").symlink_to("../../outside/Spec.json")
    (repository / "linked").symlink_to("../outside")
    before = contents(repository / "specs"), contents(outside)
    assert run(arguments) == 2
    assert "inked.json is a symbolic link that leads out" in (err := capfd.readouterr().err) or "linked is a" in err
    assert (contents(repository / "specs"), contents(outside)) == before


def test_fmt_refuses_links_out_of_a_folder_without_a_repository(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "Spec.json").write_text(SPEC)
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "Linked.json").symlink_to("../Spec.json")
    assert run(["fmt", str(tmp_path / "specs" / "Linked.json")]) == 2
    assert "Linked.json is a symbolic link that leads out of the repository" in capfd.readouterr().err
    assert (tmp_path / "Spec.json").read_text() == SPEC


def test_links_inside_the_repository_are_followed(repository: Path) -> None:
    (repository / "shared").mkdir()
    (repository / "specs" / "Reading.json").rename(repository / "shared" / "Reading.json")
    (repository / "specs" / "Reading.json").symlink_to("../shared/Reading.json")
    assert run(["generate"]) == 0
    assert run(["fmt"]) == 0
    assert (repository / "specs" / "Reading.json").is_symlink()
