"""A scratch repository that vendors generated code: whatever gets out of step is caught, and mended by one command."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

PYPROJECT = """\
[project]
name = "vendor"
version = "1"

[tool.messagegen]
specs = ["specs"]
output = "src/vendor_messages"
"""
MAKEFILE = """\
generate:
\t$(MESSAGEGEN) generate
check:
\t$(MESSAGEGEN) generate --check
"""


API_KEYS = {"PingRequest": 900, "PongRequest": 901, "NewsRequest": 902}


def spec(name: str, *fields: str) -> str:
    lines = ",\n    ".join(f'{{ "name": "{field}", "type": "string", "versions": "0+" }}' for field in fields)
    return f"""\
{{
  "apiKey": {API_KEYS[name]}, "type": "request", "name": "{name}", "validVersions": "0-1", "flexibleVersions": "1+",
  "fields": [
    {lines}
  ]
}}
"""


@dataclass(frozen=True)
class Repository:
    """A git repository with specs, their committed output, a ``pyproject.toml`` and a ``Makefile``."""

    root: Path

    @property
    def output(self) -> Path:
        return self.root / "src" / "vendor_messages"

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        inherited = {
            name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "MAKE", "MFLAGS"))
        }
        environment = {**inherited, "LC_ALL": "C", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
        return subprocess.run(
            command, cwd=self.root, env=environment, capture_output=True, text=True, check=False, timeout=120
        )

    def git(self, *arguments: str) -> str:
        done = self.run("git", "-c", "user.name=Vendor", "-c", "user.email=vendor@example.org", *arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def messagegen(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return self.run(sys.executable, "-m", "messagegen.cli", *arguments)

    def make(self, target: str) -> subprocess.CompletedProcess[str]:
        return self.run("make", target, f"MESSAGEGEN={sys.executable} -m messagegen.cli")

    def write_spec(self, name: str, *fields: str) -> None:
        (self.root / "specs" / f"{name}.json").write_text(spec(name, *fields))

    def commit(self) -> None:
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "a commit")

    def status(self) -> str:
        return self.git("status", "--porcelain", "--untracked-files=all")

    def drift(self) -> str:
        """What ``generate --check`` prints, having made sure that it found drift and wrote nothing."""
        before = self.status()
        done = self.messagegen("generate", "--check")
        assert (done.returncode, done.stderr) == (1, "")
        assert self.status() == before
        return done.stdout

    def mend(self) -> None:
        """Runs the ``make`` rule and makes sure that the check is content then."""
        done = self.make("generate")
        assert done.returncode == 0, done.stderr
        done = self.make("check")
        assert done.returncode == 0, done.stdout

    def python(self, code: str) -> str:
        done = self.run(sys.executable, "-c", f"import sys; sys.path.insert(0, 'src')\n{code}")
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    repository = Repository(tmp_path_factory.mktemp("vendor"))
    (repository.root / "specs").mkdir()
    (repository.root / "pyproject.toml").write_text(PYPROJECT)
    (repository.root / "Makefile").write_text(MAKEFILE)
    (repository.root / ".gitignore").write_text("__pycache__/\n")
    repository.write_spec("PingRequest", "Text")
    repository.write_spec("PongRequest", "Text")
    repository.git("init", "--quiet")
    repository.mend()
    repository.commit()
    return repository


@pytest.fixture
def repository(original: Repository, tmp_path: Path) -> Repository:
    shutil.copytree(original.root, tmp_path / "copy", symlinks=True)
    return Repository(tmp_path / "copy")


def test_the_committed_output_is_in_step_and_works(repository: Repository) -> None:
    assert repository.messagegen("generate", "--check").returncode == 0
    repository.mend()
    assert repository.status() == ""
    code = "from vendor_messages import PingRequest; print(PingRequest(text='hi').encode(version=1).hex())"
    assert repository.python(code) == "03686900"


def test_a_hand_edit_of_generated_code(repository: Repository) -> None:
    module = repository.output / "ping_request.py"
    module.write_text(module.read_text() + "\nEDITED = True\n")
    printed = repository.drift()
    assert "src/vendor_messages/ping_request.py was edited by hand" in printed
    assert "\n-EDITED = True\n" in printed
    repository.mend()
    assert repository.status() == ""


def test_a_deleted_file_of_generated_code(repository: Repository) -> None:
    (repository.output / "ping_request.py").unlink()
    assert "src/vendor_messages/ping_request.py was deleted by hand" in repository.drift()
    repository.mend()
    assert repository.status() == ""


def test_a_spec_edit(repository: Repository) -> None:
    repository.write_spec("PingRequest", "Text", "Reply")
    printed = repository.drift()
    assert "src/vendor_messages/ping_request.py would be written differently" in printed
    assert "pong_request.py" not in printed
    repository.mend()
    changed = [line.split()[1] for line in repository.status().splitlines()]
    assert changed == [
        "specs/PingRequest.json",
        "src/vendor_messages/MANIFEST.json",
        "src/vendor_messages/ping_request.py",
    ]
    code = "from vendor_messages import PingRequest; print(PingRequest(text='a', reply='b').encode(version=0).hex())"
    assert repository.python(code) == "000161000162"


def test_a_new_spec(repository: Repository) -> None:
    repository.write_spec("NewsRequest", "Headline")
    assert "src/vendor_messages/news_request.py is not there yet" in repository.drift()
    repository.mend()
    assert "?? src/vendor_messages/news_request.py" in repository.status()
    assert repository.python("from vendor_messages import NewsRequest; print(NewsRequest.API_KEY)") == "902"


def test_a_deleted_spec(repository: Repository) -> None:
    (repository.root / "specs" / "PongRequest.json").unlink()
    assert "src/vendor_messages/pong_request.py is not generated any more" in repository.drift()
    repository.mend()
    assert not (repository.output / "pong_request.py").exists()
    code = "import vendor_messages; print(hasattr(vendor_messages, 'PongRequest'))"
    assert repository.python(code) == "False"


def test_a_foreign_file_is_left_alone(repository: Repository) -> None:
    (repository.output / "notes.txt").write_text("ours\n")
    assert repository.messagegen("generate", "--check").returncode == 0
    repository.write_spec("PingRequest", "Text", "Reply")
    assert "notes.txt" not in repository.drift()
    repository.mend()
    assert (repository.output / "notes.txt").read_text() == "ours\n"


def test_a_foreign_file_in_the_way_is_not_overwritten(repository: Repository) -> None:
    (repository.output / "news_request.py").write_text("ours\n")
    repository.write_spec("NewsRequest", "Headline")
    for arguments in (["generate", "--check"], ["generate"]):
        done = repository.messagegen(*arguments)
        assert done.returncode == 2
        assert "news_request.py; move them away" in done.stderr
    assert (repository.output / "news_request.py").read_text() == "ours\n"


def test_a_spec_with_a_finding_changes_nothing(repository: Repository) -> None:
    (repository.root / "specs" / "PingRequest.json").write_text('{ "name": "PingRequest", }\n')
    before = repository.status()
    done = repository.messagegen("generate")
    assert done.returncode == 2
    assert "PingRequest.json:1:" in done.stderr
    assert repository.status() == before


def test_the_make_rule_fails_where_the_check_does(repository: Repository) -> None:
    (repository.output / "__init__.py").write_text("")
    done = repository.make("check")
    assert done.returncode == 2
    assert "Error 1" in done.stderr
