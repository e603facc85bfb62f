"""Follows one spec, in a repository made by ``messagegen init``, from its first edit to a merge.

The checks of CI are the commands in the workflow file. The real pre-commit runs the checks of a commit, with hooks in
the language ``system``. They run this environment's messagegen instead of a pinned version in an environment of their
own.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent
SPEC = "message_specs/SensorReading.json"
HUMIDITY = """    { "name": "humidity", "type": "int32", "versions": "1+", "default": "0",
      "about": "The humidity, in percent." }
"""


class Shop:
    """A clone with a remote ``origin``. Commands run in it as in a user's shell."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        environment = {
            name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "MAKE", "MFLAGS"))
        }
        environment |= {"PATH": f"{BIN}{os.pathsep}{environment['PATH']}", "LC_ALL": "C"}
        environment |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
        environment |= {
            f"GIT_{who}_{what}": "shop@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")
        }
        environment["PRE_COMMIT_HOME"] = str(self.root.parent / "pre-commit")
        return subprocess.run(
            command, cwd=self.root, env=environment, capture_output=True, text=True, check=False, timeout=300
        )

    def ok(self, *command: str) -> str:
        done = self.run(*command)
        assert done.returncode == 0, (command, done.stdout, done.stderr)
        return done.stdout + done.stderr

    def fails(self, *command: str, code: int = 1) -> str:
        done = self.run(*command)
        assert done.returncode == code, (command, done.stdout, done.stderr)
        return done.stdout + done.stderr

    def edit(self, path: str, before: str, after: str) -> None:
        file = self.root / path
        text = file.read_text()
        assert before in text, text
        file.write_text(text.replace(before, after, 1))

    def commit(self, subject: str) -> str:
        self.ok("git", "add", "--all")
        return self.ok("git", "commit", "--quiet", "--message", subject)

    def workflow(self) -> dict[str, int]:
        """Run the workflow's commands in order, except the installation, and return the exit code of each."""
        workflow = yaml.safe_load((self.root / ".github/workflows/messages.yml").read_text())
        commands = [step["run"] for step in workflow["jobs"]["check"]["steps"] if "run" in step]
        install, *checks = commands
        assert "pip install" in install or "put the command that installs messagegen here" in install
        return {command: self.run("sh", "-c", command).returncode for command in checks}

    def failing(self) -> list[str]:
        """Return the names of the messagegen commands that fail in the workflow."""
        return [command.split()[1] for command, code in self.workflow().items() if code]


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    """A repository set up by ``init``, with its first commit pushed and its hooks installed."""
    (tmp_path / "shop").mkdir()
    shop = Shop(tmp_path / "shop")
    shop.ok("git", "init", "--quiet", "--bare", "--initial-branch=main", str(tmp_path / "origin.git"))
    shop.ok("git", "init", "--quiet", "--initial-branch=main")
    shop.ok("git", "remote", "add", "origin", str(tmp_path / "origin.git"))
    (shop.root / "README.md").write_text("# Shop\n")
    (shop.root / ".gitignore").write_text("__pycache__/\n")
    shop.commit("Start")
    shop.ok("git", "push", "--quiet", "--set-upstream", "origin", "main")
    shop.ok("git", "checkout", "--quiet", "-b", "messages")
    shop.ok("messagegen", "init")
    shop.ok("pre-commit", "install")
    return shop


def add_specs(shop: Shop) -> None:
    """The first pull request adds specs: nothing is broken, and all hooks pass."""
    shop.commit("Add messages")
    assert shop.failing() == []
    shop.ok("make", "check-messages")
    shop.ok("git", "push", "--quiet", "origin", "messages:main")


def change_a_released_version(shop: Shop) -> None:
    """A hasty edit changes a released version, and breaks the style of the specs."""
    shop.edit(
        SPEC,
        '"about": "The temperature, in degrees Celsius." }\n',
        '"about": "The temperature, in degrees Celsius." },\n' + HUMIDITY.replace("1+", "0+"),
    )
    found = shop.fails("messagegen", "lint")
    assert "FIELD_NAME_CASE" in found
    shop.edit(SPEC, '"humidity"', '"Humidity"')
    shop.ok("messagegen", "lint")
    report = json.loads(shop.fails("messagegen", "breaking", "--format", "json"))
    assert [finding["categories"] for finding in report["findings"]] == [["WIRE", "JSON"]]


def add_a_version_instead(shop: Shop) -> None:
    """A new version is added instead, and the code is generated again."""
    shop.edit(SPEC, '"validVersions": "0"', '"validVersions": "0-1"')
    shop.edit(SPEC, '"Humidity", "type": "int32", "versions": "0+"', '"Humidity", "type": "int32", "versions": "1+"')
    shop.ok("messagegen", "breaking")
    assert shop.failing() == ["generate"]
    refused = shop.run("git", "commit", "--all", "--quiet", "--message", "Forget the code")
    assert refused.returncode == 1
    assert "src/shop_messages/sensor_reading.py would change" in refused.stdout + refused.stderr
    shop.ok("make", "messages")
    assert shop.failing() == []
    shop.commit("Add the humidity")
    code = """import sys; sys.path.insert(0, "src")
from shop_messages import SensorReading
data = SensorReading(sensor="roof", humidity=40).encode(version=1)
print(SensorReading.decode(data, version=1).humidity)"""
    assert shop.ok(sys.executable, "-c", code) == "40\n"


def edit_generated_code(shop: Shop) -> None:
    """A manual edit of generated code can't be committed."""
    shop.edit("src/shop_messages/sensor_reading.py", "The humidity, in percent.", "The humidity.")
    shop.ok("git", "add", "--all")
    refused = shop.run("git", "commit", "--quiet", "--message", "Edit by hand")
    assert refused.returncode == 1
    assert "src/shop_messages/sensor_reading.py was edited" in refused.stdout + refused.stderr
    shop.ok("messagegen", "generate")
    shop.ok("git", "add", "--all")
    assert shop.ok("git", "status", "--porcelain") == ""


def commit_a_spec_that_is_not_formatted(shop: Shop) -> None:
    """The hook formats an unformatted spec, and the commit is repeated."""
    shop.edit(SPEC, '  "validVersions"', '    "validVersions"')
    shop.ok("git", "add", "--all")
    refused = shop.run("git", "commit", "--quiet", "--message", "Indent")
    assert refused.returncode == 1
    assert "files were modified by this hook" in refused.stdout + refused.stderr
    assert shop.ok("git", "diff", "HEAD", "--stat") == ""


def test_each_step_from_the_first_edit_to_a_merge_has_the_expected_result(shop: Shop) -> None:
    add_specs(shop)
    change_a_released_version(shop)
    add_a_version_instead(shop)
    edit_generated_code(shop)
    commit_a_spec_that_is_not_formatted(shop)


@pytest.mark.slow
def test_the_hooks_of_this_repository_run(shop: Shop) -> None:
    """Each hook from ``.pre-commit-hooks.yaml``, but with ``language: system``, so that nothing is installed."""
    shop.commit("Add messages")
    shop.ok("git", "push", "--quiet", "origin", "messages:main")
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    config = {"repos": [{"repo": "local", "hooks": [hook | {"language": "system"} for hook in hooks]}]}
    (shop.root / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config))
    shop.ok("git", "add", "--all")
    shop.ok("pre-commit", "validate-config")
    shop.ok("pre-commit", "validate-manifest", str(ROOT / ".pre-commit-hooks.yaml"))
    printed = shop.ok("pre-commit", "run", "--all-files")
    assert printed.count("Passed") == len(hooks)
    shop.edit(SPEC, '"float64"', '"float32"')
    shop.ok("git", "add", "--all")
    printed = shop.fails("pre-commit", "run", "messagegen-lint")
    assert "FIELD_TYPE_KNOWN" in printed
    shop.edit(SPEC, '"float32"', '"int64"')
    shop.ok("git", "add", "--all")
    assert "FIELD_SAME_TYPE" in shop.fails("pre-commit", "run", "messagegen-breaking")
    assert "sensor_reading.py would change" in shop.fails("pre-commit", "run", "messagegen-check")


@pytest.mark.slow
@pytest.mark.java  # This needs the network: pip builds this repository and fetches its requirements.
def test_pre_commit_installs_the_hooks_of_this_repository(shop: Shop) -> None:
    """``pre-commit try-repo`` clones this repository, installs it with pip, and runs one of its hooks."""
    shop.commit("Add messages")
    printed = shop.ok("pre-commit", "try-repo", str(ROOT), "messagegen-check", "--all-files")
    assert "messagegen (check)" in printed
    assert "Passed" in printed
