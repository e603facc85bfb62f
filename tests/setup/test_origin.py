"""The messagegen that CI and hooks of a new set-up install: this installation's commit, or a named requirement."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
import yaml

from messagegen import origin
from messagegen.findings import UsageError
from messagegen.origin import Origin, find_origin, is_messagegen, parse_origin
from messagegen.setup import setup_steps

URL = "https://git.example.org/team/messagegen"
COMMIT = "1a2b3c4d5e6f7a8b9c0d1a2b3c4d5e6f7a8b9c0d"
AT_COMMIT = Origin(f"git+{URL}@{COMMIT}", URL, COMMIT)


@pytest.mark.parametrize(
    "written", [f"git+{URL}@{COMMIT}", f"messagegen @ git+{URL}@{COMMIT}", f" git+{URL}@{COMMIT} "]
)
def test_a_requirement_contains_the_repository_and_the_commit(written: str) -> None:
    assert parse_origin(written) == AT_COMMIT


def test_the_address_of_a_repository_can_contain_a_user() -> None:
    assert parse_origin(f"git+ssh://git@example.org/messagegen@{COMMIT}").url == "ssh://git@example.org/messagegen"


@pytest.mark.parametrize(
    "written", ["tools/messagegen-0.1.0-py3-none-any.whl", "messagegen-0.1.0+2026.g1-py3-none-any.whl"]
)
def test_the_origin_of_a_wheel_has_no_repository(written: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tools").mkdir()
    (tmp_path / written).touch()
    assert parse_origin(written) == Origin(written)


def test_the_path_of_a_wheel_is_rewritten_relative_to_the_folder_of_ci(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheel = tmp_path / "repository" / "tools" / "messagegen-0.1.0-py3-none-any.whl"
    wheel.parent.mkdir(parents=True)
    wheel.touch()
    (tmp_path / "repository" / ".git").mkdir()
    monkeypatch.chdir(tmp_path / "repository")
    expected = Origin(f"../../tools/{wheel.name}")
    assert parse_origin(f"tools/{wheel.name}", Path("team/shop")) == expected
    assert parse_origin(str(wheel), Path("team/shop")) == expected


def test_missing_wheels_and_wheels_outside_the_repository_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "repository").mkdir()
    (tmp_path / "other.whl").touch()
    monkeypatch.chdir(tmp_path / "repository")
    with pytest.raises(UsageError, match=r"no such wheel: missing\.whl; the path is relative to the current folder"):
        parse_origin("missing.whl")
    with pytest.raises(UsageError, match="copy it into the repository"):
        parse_origin("../other.whl")


@pytest.mark.parametrize("written", ["messagegen", "messagegen==0.1.0", "messagegen[arrow]>=0.1"])
def test_the_name_of_a_package_on_an_index_is_refused(written: str) -> None:
    with pytest.raises(UsageError, match="may belong to someone else"):
        parse_origin(written)


@pytest.mark.parametrize("written", ['a.whl"; rm -rf /', "$(id).whl", "a\nb.whl", "", "-r a.txt", "a: b.whl"])
def test_text_that_a_shell_would_interpret_is_refused(written: str) -> None:
    with pytest.raises(UsageError, match="invalid requirement"):
        parse_origin(written)


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one commit, from which messagegen seems to be installed."""
    folder = tmp_path / "a clone"
    folder.mkdir()
    for command in ("init -q", "-c user.name=a -c user.email=a@b commit -q --allow-empty -m one"):
        subprocess.run(["git", *command.split()], cwd=folder, check=True)
    commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=folder, check=True, capture_output=True, text=True).stdout
    monkeypatch.setattr(origin, "BUILD", f"0.1.0+20261126090000.g{commit[:12]}")
    monkeypatch.setattr(origin, "_direct_url", lambda: {"url": folder.as_uri(), "dir_info": {}})
    return folder


@pytest.mark.parametrize(
    ("remote", "url"),
    [
        (URL, URL),
        ("git@example.org:team/messagegen.git", "ssh://git@example.org/team/messagegen.git"),
        # Committed files must not contain passwords.
        ("https://ci:password@git.example.org:8443/messagegen", "https://git.example.org:8443/messagegen"),
        ("https://token@git.example.org/messagegen", "https://git.example.org/messagegen"),
        ("ssh://git:password@git.example.org/messagegen", "ssh://git@git.example.org/messagegen"),
        # These characters would end a quoted word in a shell.
        ('https://git.example.org/"$(id)"', None),
        ("https://git.example.org/$HOME", None),
        ("https://[git.example.org/messagegen", None),
        # Other machines cannot reach these addresses.
        ("/srv/git/messagegen", None),
        (None, None),
    ],
)
def test_the_origin_of_a_clone_is_its_remote_without_passwords(
    clone: Path, remote: str | None, url: str | None
) -> None:
    if remote:
        subprocess.run(["git", "remote", "add", "origin", remote], cwd=clone, check=True)
    found = find_origin()
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=clone, check=True, capture_output=True, text=True).stdout
    assert found == (Origin(f"git+{url}@{head.strip()}", url, head.strip()) if url else None)


def test_a_build_with_uncommitted_changes_has_no_origin(clone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    subprocess.run(["git", "remote", "add", "origin", URL], cwd=clone, check=True)
    monkeypatch.setattr(origin, "BUILD", "0.1.0+20261126090000.g1a2b3c4d5e6f.dirty")
    assert find_origin() is None


def test_an_installation_from_a_repository_has_its_commit_as_origin(monkeypatch: pytest.MonkeyPatch) -> None:
    recorded = {"url": URL, "vcs_info": {"vcs": "git", "commit_id": COMMIT}}
    monkeypatch.setattr(origin, "_direct_url", lambda: json.loads(json.dumps(recorded)))
    assert find_origin() == AT_COMMIT


@pytest.mark.parametrize("url", ["file:///srv/git/messagegen", "/srv/git/messagegen", "https://token@/$HOME"])
def test_an_installation_from_a_local_or_private_url_has_no_origin(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(origin, "_direct_url", lambda: {"url": url, "vcs_info": {"vcs": "git", "commit_id": COMMIT}})
    assert find_origin() is None


@pytest.mark.parametrize(
    ("requirement", "expected"),
    [
        (f"git+{URL}@{COMMIT}", True),
        (f"messagegen @ git+{URL}.git@{COMMIT}", True),
        ("git+https://git.example.org/team/fork@1a2b", True),
        ("tools/messagegen-0.1.0-py3-none-any.whl", True),
        ("messagegen==0.1.0", True),
        ("git+https://git.example.org/team/other@1a2b", False),
        ("messagegen-client==0.1.0", False),
        ("ruff==0.5", False),
    ],
)
def test_requirements_of_messagegen_are_found_by_name_or_wheel_or_repository(requirement: str, expected: bool) -> None:
    assert is_messagegen(requirement, "https://git.example.org/team/fork") is expected


def texts_of(folder: Path, found: Origin | None) -> dict[str, str]:
    return {step.path: (step.content or b"").decode() for step in setup_steps(folder, origin=found)}


def test_workflow_and_hooks_install_the_commit_of_the_origin(tmp_path: Path) -> None:
    texts = texts_of(tmp_path, AT_COMMIT)
    commands = [
        step.get("run") for step in yaml.safe_load(texts[".github/workflows/messages.yml"])["jobs"]["check"]["steps"]
    ]
    assert f'python -I -m pip install "git+{URL}@{COMMIT}"' in commands
    (repository,) = yaml.safe_load(texts[".pre-commit-config.yaml"])["repos"]
    assert (repository["repo"], repository["rev"]) == (URL, COMMIT)
    offered = yaml.safe_load(Path(__file__).parents[2].joinpath(".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert {hook["id"] for hook in repository["hooks"]} <= {hook["id"] for hook in offered}


def test_a_workflow_without_a_known_commit_contains_instructions(tmp_path: Path) -> None:
    (step,) = [step for step in setup_steps(tmp_path) if step.path.endswith("messages.yml")]
    assert "add the command that installs messagegen" in step.note
    commands = [one.get("run", "") for one in yaml.safe_load(step.content or b"")["jobs"]["check"]["steps"]]
    assert not [command for command in commands if "pip install" in command]
    assert any("exit 1" in command for command in commands)
