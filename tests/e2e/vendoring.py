"""A scratch repository that vendors generated code, driven by git, make and messagegen as its users would."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

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


API_KEYS = {
    "PingRequest": 900,
    "PongRequest": 901,
    "NewsRequest": 902,
    "AckRequest": 903,
    "ZapRequest": 904,
    "PoolRequest": 905,
}


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
