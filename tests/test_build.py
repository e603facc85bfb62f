"""Builds between two releases have distinct versions, and outputs contain the version that wrote them."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest
from packaging.specifiers import SpecifierSet
from packaging.version import Version

from messagegen import __version__, build, config
from messagegen.build import fit, is_older
from messagegen.config import ConfigError, load_outputs
from release.archives import unpack_files
from release.hatch_build import build_version, commit_of
from release.source import export

ROOT = Path(__file__).parents[1]
RELEASE = "0.1.0"
EARLY = "0.1.0+20261125090000.gfff000000000"
LATE = "0.1.0+20261126090000.gaaa000000000"
SOURCES = "0.1.0+source"
NEXT_RELEASE = "0.2.0"


def git(folder: Path, *arguments: str, time: str = "2026-11-26T09:00:00Z") -> str:
    command = ["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments]
    dates = {"GIT_AUTHOR_DATE": time, "GIT_COMMITTER_DATE": time}
    done = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True, env=os.environ | dates)
    return done.stdout.strip()


def commit(folder: Path, text: str, time: str = "2026-11-26T09:00:00Z") -> str:
    (folder / "file").write_text(text)
    git(folder, "add", ".")
    git(folder, "commit", "-qm", text, time=time)
    return git(folder, "rev-parse", "--short=12", "HEAD")


def test_the_version_of_a_build_names_its_commit(tmp_path: Path) -> None:
    assert commit_of(tmp_path) is None
    git(tmp_path, "init", "-q")
    first = commit(tmp_path, "one")
    assert commit_of(tmp_path) == f"+20261126090000.g{first}"
    git(tmp_path, "tag", "v0.1.0")
    assert commit_of(tmp_path) == ""
    (tmp_path / "file").write_text("edited")
    assert commit_of(tmp_path) == f"+20261126090000.g{first}.dirty"
    second = commit(tmp_path, "two")
    assert commit_of(tmp_path) == f"+20261126090000.g{second}"
    (tmp_path / "inner").mkdir()
    assert commit_of(tmp_path / "inner") is None


def test_builds_satisfy_a_requirement_of_their_release() -> None:
    builds = [RELEASE, LATE, f"{LATE}.dirty", NEXT_RELEASE]
    assert list(SpecifierSet("==0.1.0").filter(builds)) == builds[:3]


@pytest.mark.parametrize(
    ("build", "other", "expected"),
    [
        (EARLY, LATE, True),
        (LATE, EARLY, False),
        (LATE, LATE, False),
        (LATE, f"{LATE}.dirty", False),
        (LATE, NEXT_RELEASE, True),
        (SOURCES, NEXT_RELEASE, True),
        # The order of these versions is unknown.
        (SOURCES, LATE, False),
        (RELEASE, LATE, False),
        (LATE, RELEASE, False),
        (LATE, "0.1.0+gfff0000", False),
        (LATE, "not a version", False),
    ],
)
def test_builds_are_ordered_by_release_and_time_of_the_commit(build: str, other: str, expected: bool) -> None:
    assert is_older(build, other) is expected


def test_distributions_of_different_commits_are_incompatible() -> None:
    assert fit(LATE, LATE)
    assert not fit(EARLY, LATE)
    assert not fit(NEXT_RELEASE, RELEASE)
    # Sources, and engines compiled in a checkout, have versions without a commit, so they fit every commit.
    assert fit(RELEASE, LATE)
    assert fit(LATE, SOURCES)


def test_a_configuration_can_require_an_exact_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "pyproject.toml"
    file.write_text(f'[tool.messagegen]\nrequired-version = "{EARLY}"\n')
    monkeypatch.setattr(config, "BUILD", EARLY)
    load_outputs(file)
    monkeypatch.setattr(config, "BUILD", LATE)
    with pytest.raises(ConfigError) as caught:
        load_outputs(file)
    assert f"required-version is {EARLY}, but this is messagegen {LATE}" in str(caught.value)


def test_this_build_has_the_current_version() -> None:
    assert Version(build.BUILD).base_version == __version__


def test_this_build_satisfies_the_version_required_by_init() -> None:
    assert SpecifierSet(f"=={build.REQUIRED}").contains(build.BUILD)


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="this is not a checkout")
def test_an_exported_commit_contains_its_version(tmp_path: Path) -> None:
    source = export(tmp_path / "source")
    digest = git(ROOT, "rev-parse", "HEAD")[:12]
    assert source.version == build_version(source.folder)
    assert Version(source.version).base_version == __version__
    assert git(ROOT, "tag", "--points-at", "HEAD", "--list", "v[0-9]*") or source.version.endswith(f".g{digest}")
    assert f'\nversion = "{source.version}"\n' in (source.folder / "native/pyproject.toml").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("checkout")
    for name in ("generator", "templates", "release"):
        copytree(ROOT / name, folder / name, ignore=ignore_patterns("__pycache__", "build.txt"))
    for name in ("pyproject.toml", "README.md", "LICENSE", "LICENSE-OUTPUT", ".gitattributes", ".gitignore"):
        (folder / name).write_bytes((ROOT / name).read_bytes())
    git(folder, "init", "-q")
    return folder


@pytest.fixture(scope="module")
def wheels(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The wheels of an older and a newer commit."""
    built: list[Path] = []
    for day in ("25", "26"):
        commit(checkout, f"day {day}", f"2026-11-{day}T09:00:00Z")
        out = tmp_path_factory.mktemp("dist")
        command = [sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", str(out), str(checkout)]
        # Prevent Python from writing bytecode to the checkout, which is not part of a build.
        variables = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}
        subprocess.run(command, check=True, capture_output=True, env=variables)
        built += out.iterdir()
    return built


def run_wheel(wheel: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command of an unpacked wheel."""
    place = wheel.parent / "unpacked"
    if not place.exists():
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(place)
    command = [sys.executable, "-m", "messagegen.cli", *arguments]
    variables = os.environ | {"PYTHONPATH": str(place)}
    return subprocess.run(command, cwd=folder, env=variables, check=False, capture_output=True, text=True)


@pytest.mark.slow
def test_a_wheel_names_its_commit_in_file_name_and_metadata_and_output(
    wheels: list[Path], checkout: Path, tmp_path: Path
) -> None:
    expected = [
        f"{__version__}+2026112{day}090000.g{git(checkout, 'rev-parse', '--short=12', commit)}"
        for day, commit in (("5", "HEAD~"), ("6", "HEAD"))
    ]
    assert [wheel.name for wheel in wheels] == [f"messagegen-{version}-py3-none-any.whl" for version in expected]
    for wheel, version in zip(wheels, expected, strict=True):
        with zipfile.ZipFile(wheel) as archive:
            metadata = archive.read(f"messagegen-{version}.dist-info/METADATA").decode()
        assert f"\nVersion: {version}\n" in metadata
        assert run_wheel(wheel, tmp_path, "--version").stdout == f"messagegen, version {version}\n"
    assert Version(expected[0]) < Version(expected[1])


def test_an_archive_of_a_commit_contains_its_version(wheels: list[Path], checkout: Path, tmp_path: Path) -> None:
    """GitHub makes such archives for ``pip install`` and for actions."""
    subprocess.run(["git", "-C", checkout, "archive", "--output", tmp_path / "commit.tar", "HEAD"], check=True)
    with tarfile.open(tmp_path / "commit.tar") as archive:
        unpack_files(archive, tmp_path / "sources")
    assert build_version(tmp_path / "sources") == build_version(checkout)
    # Without git, the commit is unknown.
    copytree(checkout, tmp_path / "copy", ignore=ignore_patterns(".git"))
    assert build_version(tmp_path / "copy") == f"{__version__}+source"


@pytest.mark.slow
def test_building_writes_nothing_to_the_checkout(wheels: list[Path], checkout: Path) -> None:
    assert git(checkout, "status", "--porcelain", "--ignored") == ""


@pytest.mark.slow
def test_an_older_build_refuses_the_output_of_a_newer_one(wheels: list[Path], tmp_path: Path) -> None:
    older, newer = wheels
    for steps in (("init",), ("generate",)):
        assert run_wheel(newer, tmp_path, *steps).returncode == 0
    configuration = tmp_path / "pyproject.toml"
    assert f'required-version = "{newer.name.split("-")[1]}"' in configuration.read_text()
    refused = run_wheel(older, tmp_path, "generate")
    assert refused.returncode == 2
    assert "required-version is" in refused.stderr
    configuration.write_text(configuration.read_text().replace("required-version", "# required-version"))
    (spec,) = (tmp_path / "message_specs").iterdir()
    spec.write_text(spec.read_text().replace("The name of the sensor.", "Its name."))
    for form in ("text", "github"):
        checked = run_wheel(older, tmp_path, "generate", "--check", "--format", form)
        assert checked.returncode == 1
        assert f"was written by messagegen {newer.name.split('-')[1]}, which is newer than this" in checked.stdout
        assert "commit what it writes" not in checked.stdout
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    refused = run_wheel(older, tmp_path, "generate")
    assert refused.returncode == 2
    assert f"was written by messagegen {newer.name.split('-')[1]}, which is newer than this" in refused.stderr
    # The folder may contain foreign files, so the error names only generated files.
    assert "delete MANIFEST.json and the generated files" in refused.stderr
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before
    assert run_wheel(newer, tmp_path, "generate").returncode == 0
