"""The files that ``init`` writes, extends or leaves alone. Files of other tools are never damaged."""

from __future__ import annotations

import json
import os
import subprocess
import tomllib
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
import yaml

from messagegen.cli import run
from messagegen.config import ConfigError, load_outputs
from messagegen.setup import SCHEMA_FILE, Step, setup_steps
from messagegen.spec import schema_text
from tests.setup.support import write
from tests.support.git import git


def steps_of(folder: Path, output: str | None = None) -> list[Step]:
    return list(setup_steps(folder, output))


def step_for(folder: Path, path: str) -> Step:
    (step,) = [step for step in steps_of(folder) if step.path == path]
    return step


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "shop").mkdir()
    return tmp_path / "shop"


def test_an_empty_folder_gets_everything_and_a_second_run_changes_nothing(folder: Path) -> None:
    steps = steps_of(folder)
    assert {step.action for step in steps} == {"written"}
    write(folder, steps)
    (settings,) = load_outputs(folder / "pyproject.toml")
    assert settings.output == folder / "src/shop_messages"
    assert {step.action for step in steps_of(folder)} == {"unchanged"}


@pytest.mark.parametrize(
    ("commands", "branch"),
    [
        ([], "main"),
        (["init --initial-branch=trunk"], "trunk"),
        # Without quotes, YAML reads this name as a number.
        (["init --initial-branch=1.0"], "1.0"),
        (["init --initial-branch=master", "commit --allow-empty -m one", "checkout -b feature"], "master"),
        (
            [
                "init --initial-branch=main",
                "commit --allow-empty -m one",
                "update-ref refs/remotes/origin/dev/1.0 HEAD",
                "symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/dev/1.0",
            ],
            "dev/1.0",
        ),
        (["init --initial-branch=main", "commit --allow-empty -m one", "checkout --detach"], "main"),
    ],
)
def test_the_breaking_check_and_ci_use_the_main_branch(folder: Path, commands: list[str], branch: str) -> None:
    for command in commands:
        git(folder, *command.split())
    steps = steps_of(folder)
    texts = {step.path: (step.content or b"").decode() for step in steps}
    against = tomllib.loads(texts["pyproject.toml"])["tool"]["messagegen"]["breaking"]["against"]
    assert against == f"git:origin/{branch}"
    # YAML 1.1 reads the key "on" as true.
    assert yaml.safe_load(texts[".github/workflows/messages.yml"])[True]["push"]["branches"] == [branch]

    write(folder, steps)
    if commands:
        git(folder, "checkout", "-b", "another")
    assert {step.action for step in steps_of(folder)} == {"unchanged"}


MESSAGEGEN = """#!/bin/sh
echo "$@" >> log
case "$1" in schema) cat message_spec.schema.json;; $FAILS) exit 1;; esac
"""


@pytest.mark.parametrize("failing", ["", "generate", "lint", "fmt"])
def test_make_runs_every_check_and_fails_if_one_fails(folder: Path, failing: str) -> None:
    write(folder, steps_of(folder))
    (folder / "messagegen").write_text(MESSAGEGEN)
    (folder / "messagegen").chmod(0o755)
    environment = os.environ | {"FAILS": failing}
    command = ["make", "check-messages", "MESSAGEGEN=./messagegen"]
    done = subprocess.run(command, cwd=folder, env=environment, check=False, capture_output=True)
    assert (done.returncode != 0) == bool(failing)
    assert (folder / "log").read_text().splitlines() == ["generate --check", "lint", "fmt --check", "schema"]
    (folder / SCHEMA_FILE).write_bytes(b"{}")
    (folder / "messagegen").write_text(MESSAGEGEN.replace("cat message_spec.schema.json", "echo new"))
    done = subprocess.run(command, cwd=folder, env=environment, check=False, capture_output=True)
    assert done.returncode != 0
    assert b"run: make messages" in done.stderr


def test_make_messages_runs_lint_last(folder: Path) -> None:
    write(folder, steps_of(folder))
    (folder / "messagegen").write_text(MESSAGEGEN.replace("cat message_spec.schema.json", "echo new"))
    (folder / "messagegen").chmod(0o755)
    environment = os.environ | {"FAILS": "lint"}
    done = subprocess.run(["make", "messages", "MESSAGEGEN=./messagegen"], cwd=folder, env=environment, check=False)
    assert done.returncode != 0
    assert (folder / "log").read_text().splitlines() == ["schema", "fmt", "generate", "lint"]


def test_every_written_file_can_be_parsed(folder: Path) -> None:
    texts = {step.path: (step.content or b"").decode() for step in steps_of(folder)}
    assert yaml.safe_load(texts[".pre-commit-config.yaml"])["repos"][0]["repo"] == "local"
    assert "check" in yaml.safe_load(texts[".github/workflows/messages.yml"])["jobs"]
    assert json.loads(texts[SCHEMA_FILE]) == json.loads(schema_text())
    assert tomllib.loads(texts["pyproject.toml"])["tool"]["messagegen"]["breaking"] == {"against": "git:origin/main"}


@pytest.mark.parametrize(
    "before",
    [
        '[project]\nname = "Big Shop"\n',
        '[project]\nname = "Big Shop"\n\n[tool.ruff]\nline-length = 100 # no line end',
        '[project]\r\nname = "Big Shop"\r\n[tool.messagegen-not]\r\nx = 1\r\n',
        'tool.ruff.line-length = 100\n[project]\nname = "Big Shop"\n[[a]]\nb = 1\n',
    ],
)
def test_a_pyproject_is_extended_at_its_end(folder: Path, before: str) -> None:
    (folder / "pyproject.toml").write_bytes(before.encode())
    step = step_for(folder, "pyproject.toml")
    assert step.action == "extended"
    assert step.content is not None
    assert step.content.startswith(before.encode())
    assert (b"\r\n" in step.content) == ("\r\n" in before)
    assert b"\n" not in step.content.replace(b"\r\n", b"") or "\r\n" not in before
    write(folder, [step])
    (settings,) = load_outputs(folder / "pyproject.toml")
    assert settings.output == folder / "src/big_shop_messages"
    after = tomllib.loads(step.content.decode())
    after["tool"].pop("messagegen")
    assert after | {"tool": {}} == tomllib.loads(before) | {"tool": {}}


def test_a_pyproject_that_cannot_be_extended_is_an_error(folder: Path) -> None:
    (folder / "pyproject.toml").write_text("tool = { ruff = { line-length = 100 } }\n")
    with pytest.raises(ConfigError, match=r'add:\n\[tool.messagegen\]\nspecs = \["message_specs"\]\n'):
        steps_of(folder)


def test_an_existing_configuration_decides_all_paths(folder: Path) -> None:
    (folder / "pyproject.toml").write_text(
        '[tool.messagegen]\nspecs = ["specs"]\n[[tool.messagegen.outputs]]\noutput = "one"\n'
        '[[tool.messagegen.outputs]]\noutput = "my own/two"\n'
    )
    steps = {step.path: step for step in steps_of(folder)}
    assert steps["pyproject.toml"] == Step("pyproject.toml", "unchanged")
    assert not [path for path in steps if path.startswith("message_specs/")]
    attributes = (steps[".gitattributes"].content or b"").decode().splitlines()
    assert [line for line in attributes if "generated=" in line] == ["one/** linguist-generated=true text eol=lf"]
    with pytest.raises(ConfigError, match=r"has \[tool.messagegen\] already"):
        steps_of(folder, output="other")


def test_line_ending_settings_of_git_do_not_change_a_checkout(folder: Path, tmp_path: Path) -> None:
    """With Windows line endings, ``fmt --check`` and the comparison of the schema would fail in CI."""
    configure = '[tool.messagegen]\nspecs = ["specs", "one/Spec.json"]\noutput = "src/shop_messages"\n'
    (folder / "pyproject.toml").write_text(configure)
    for path in ("specs/deep/Spec.json", "specs/messagegen-specs.lock", "one/Spec.json", "src/shop_messages/a.py"):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text("first\nsecond\n")
    write(folder, steps_of(folder))
    git(folder, "init")
    git(folder, "add", ".")
    git(folder, "commit", "--message=one")
    git(tmp_path, "clone", "--config=core.autocrlf=true", str(folder), "windows")
    whole = {path.relative_to(folder) for path in folder.rglob("*") if path.is_file()}
    ours = {path for path in whole if path.parts[0] != ".git" and path.suffix in (".json", ".lock", ".py", ".mk")}
    assert len(ours) == 6
    for file in ours:
        assert (tmp_path / "windows" / file).read_bytes() == (folder / file).read_bytes(), file


@pytest.mark.parametrize(("path", "first"), [("Makefile", "include messagegen.mk\n"), (".gitattributes", "# Specs")])
def test_shared_files_are_extended_at_their_end(folder: Path, path: str, first: str) -> None:
    (folder / path).write_text("# mine")
    step = step_for(folder, path)
    assert step.action == "extended"
    write(folder, [step])
    assert (folder / path).read_text().startswith(f"# mine\n{first}")
    assert step_for(folder, path).action == "unchanged"


@pytest.mark.parametrize(
    "path",
    ["messagegen.mk", ".pre-commit-config.yaml", ".github/workflows/messages.yml", SCHEMA_FILE],
)
def test_existing_files_with_other_content_are_kept(folder: Path, path: str) -> None:
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    (folder / path).write_text("{}\n")
    step = step_for(folder, path)
    assert (step.action, step.content) == ("left alone", None)
    assert step.note


def test_hooks_and_workflow_of_a_subfolder_are_written_at_the_top(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    top = folder.parent
    subprocess.run(["git", "init", "--quiet"], cwd=top, check=True)
    assert run(["init", str(folder)]) == 0
    assert {step.action for step in steps_of(folder)} == {"unchanged"}
    hooks = yaml.safe_load((top / ".pre-commit-config.yaml").read_text())["repos"][0]["hooks"]
    workflow = yaml.safe_load((top / ".github" / "workflows" / f"messages-{folder.name}.yml").read_text())
    job = workflow["jobs"]["check"]
    assert job["defaults"]["run"]["working-directory"] == folder.name
    monkeypatch.chdir(top)
    assert [run(hook["entry"].split()[1:]) for hook in hooks] == [0, 0, 0]
    monkeypatch.chdir(top / job["defaults"]["run"]["working-directory"])
    lines = [step["run"].split("|")[0].split() for step in job["steps"] if "run" in step]
    # Skip the installation, which other tests check.
    commands = [line[1:] for line in lines if line[:1] == ["messagegen"]]
    assert {command[0] for command in commands} >= {"generate", "lint", "fmt", "breaking", "schema"}
    assert [run(command) for command in commands] == [0] * len(commands)


def test_existing_hooks_at_the_top_are_kept(folder: Path) -> None:
    subprocess.run(["git", "init", "--quiet"], cwd=folder.parent, check=True)
    (folder.parent / ".pre-commit-config.yaml").write_text("repos: []\n")
    step = step_for(folder, "../.pre-commit-config.yaml")
    assert (step.action, step.content) == ("left alone", None)


def test_a_folder_whose_name_needs_quotes_gets_no_hooks_or_workflow(folder: Path) -> None:
    subprocess.run(["git", "init", "--quiet"], cwd=folder.parent, check=True)
    (folder / "my shop").mkdir()
    kept = {step.path: step.note for step in steps_of(folder / "my shop") if step.action == "left alone"}
    assert kept.keys() == {".pre-commit-config.yaml", ".github/workflows/messages.yml"}
    assert all("my shop would need quotes in it" in note for note in kept.values())


@pytest.mark.parametrize(
    ("output", "said"),
    [
        ("../specs", "must be inside the folder"),
        ("/specs", "must be inside the folder"),
        ('a"b', "plain name"),
        ("src/my-messages", "write .*src/my_messages"),
    ],
)
def test_an_invalid_output_is_an_error(folder: Path, output: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        steps_of(folder, output)


@pytest.mark.parametrize("inside", ["", "team/shop"])
def test_editors_are_configured_with_the_schema_of_specs(tmp_path: Path, inside: str) -> None:
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)
    folder = tmp_path / inside
    folder.mkdir(parents=True, exist_ok=True)
    write(folder, list(setup_steps(folder, editors=["vscode", "jetbrains"])))
    specs = f"{inside}/message_specs" if inside else "message_specs"

    settings = json.loads((tmp_path / ".vscode/settings.json").read_text())
    (mapping,) = settings["json.schemas"]
    assert mapping["fileMatch"] == [f"/{specs}/**/*.json"]
    assert (tmp_path / mapping["url"]).read_text() == schema_text()
    assert settings["files.associations"] == {f"**/{specs}/**/*.json": "jsonc"}

    project = ET.parse(tmp_path / ".idea/jsonSchemas.xml").getroot()
    options = {option.get("name"): option.get("value") for option in project.iter("option")}
    assert options["path"] == specs
    assert (tmp_path / str(options["relativePathToSchema"])).read_text() == schema_text()

    again = setup_steps(folder, editors=["vscode", "jetbrains"])
    assert {step.action for step in again} == {"unchanged"}


def test_editors_are_configured_with_all_folders_of_specs(folder: Path) -> None:
    (folder / "pyproject.toml").write_text('[tool.messagegen]\nspecs = ["one", "two", "kafka:4.4.0"]\noutput = "out"\n')
    for name in ("one", "two"):
        (folder / name).mkdir()
    (step,) = [step for step in setup_steps(folder, editors=["vscode"]) if step.path == ".vscode/settings.json"]
    settings = json.loads(step.content or b"")
    assert settings["json.schemas"][0]["fileMatch"] == ["/one/**/*.json", "/two/**/*.json"]
    assert list(settings["files.associations"]) == ["**/one/**/*.json", "**/two/**/*.json"]


def test_existing_settings_of_an_editor_are_kept(folder: Path) -> None:
    (folder / ".vscode").mkdir()
    (folder / ".vscode/settings.json").write_text("{}\n")
    (step,) = [step for step in setup_steps(folder, editors=["vscode"]) if step.path == ".vscode/settings.json"]
    assert (step.action, step.content) == ("left alone", None)
    said, _, snippet = step.note.partition("\n")
    assert said == "it has other settings; add to them:"
    assert json.loads(snippet)["json.schemas"][0]["fileMatch"] == ["/message_specs/**/*.json"]
