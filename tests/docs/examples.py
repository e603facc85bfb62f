"""The examples of a page, which run in order in one folder. Their actual output is written back to the page.

The first word of a fence decides how it runs:

- ``console``: commands after ``$``. Commands of ``messagegen`` run in a shell, and errors are part of the output.
  ``echo $?`` prints the exit status of the last command; without ``echo $?``, the status must be 0. Other commands
  run only in quickstarts.
- ``pycon``: a Python session.
- ``python``: a Python module.
- ``sh``: an installation, which runs only if the setting enables installations.

A second word names a requirement (``network``, ``broker``, ``spark``): the fence runs only if the setting provides it.
Any other second word is a path: the fence is a file that is written before the next fence runs. ``...`` in an output
matches anything. The sessions and modules of a page share one namespace.
"""

from __future__ import annotations

import contextlib
import doctest
import importlib
import io
import os
import re
import shlex
import subprocess
import sys
import traceback
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

NEEDS: Final = frozenset({"network", "broker", "spark"})
"""Second words of fences that fetch files, use a broker, or use Spark."""
_ASK: Final = "echo $?"
_FENCE: Final = re.compile(r"^```(?P<info>\w[^\n]*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
_COMMAND: Final = re.compile(r"^\$ (?P<command>.*)\n(?P<output>(?:(?!\$ ).*\n)*)", re.MULTILINE)


@dataclass(frozen=True)
class Setting:
    """The setting of a page's examples: their folder, the available ``NEEDS``, and whether all commands run.

    ``stands_for`` maps strings in the page, such as a broker's address, to the strings that replace them in commands.
    If ``installs`` is true, the page's ``pip install`` commands run, too.
    """

    folder: Path
    having: frozenset[str] = frozenset()
    every_command: bool = False
    installs: bool = False
    stands_for: Mapping[str, str] = field(default_factory=dict)

    def real(self, example: str) -> str:
        """Return an example with each string of the page replaced by what it stands for."""
        for text, real in self.stands_for.items():
            example = example.replace(text, real)
        return example

    def printed(self, output: str) -> str:
        """Return an output with the replacements undone, as the page shows it."""
        for text, real in self.stands_for.items():
            output = output.replace(real, text)
        return output


@dataclass(frozen=True)
class Block:
    """One fence of a page: its language, second word, text, and the place of the text in the page."""

    language: str
    second: str
    text: str
    start: int
    line: int


def blocks(page: str) -> list[Block]:
    """Return the fences of a page that name a language."""
    found = []
    for match in _FENCE.finditer(page):
        language, _, second = match["info"].partition(" ")
        start = match.start("body")
        found.append(Block(language, second, match["body"], start, page.count("\n", 0, start) + 1))
    return found


def needs(page: str) -> frozenset[str]:
    """Return the ``NEEDS`` of the page's examples."""
    return NEEDS.intersection(block.second for block in blocks(page))


def run_page(page: str, name: str, setting: Setting) -> str:
    """Return the page with the actual outputs of its examples. Raise errors of ``python`` fences."""
    runner = _Runner(name, setting)
    parts, end = [], 0
    try:
        for block in blocks(page):
            parts += [page[end : block.start], runner.run(block)]
            end = block.start + len(block.text)
    finally:
        _forget_modules(setting.folder)
    return "".join([*parts, page[end:]])


def _forget_modules(folder: Path) -> None:
    """Forget the modules of this page's folder, so that the next page can import packages with the same names."""
    for name, module in list(sys.modules.items()):
        if Path(getattr(module, "__file__", None) or "/").is_relative_to(folder):
            del sys.modules[name]


@dataclass
class _Runner:
    """The shared state of the examples of one page."""

    name: str
    setting: Setting
    names: dict[str, Any] = field(default_factory=lambda: {"__name__": "__main__"})
    last_code: int = 0

    def run(self, block: Block) -> str:
        """Run a block, and return its text with the actual output."""
        if block.second in NEEDS - self.setting.having:
            return block.text
        if block.second and block.second not in NEEDS:
            file = self.setting.folder / block.second
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(self.setting.real(block.text), encoding="utf-8")
            return block.text
        if block.language == "python":
            exec(compile(self.setting.real(block.text), f"{self.name}:{block.line}", "exec"), self.names)
            return block.text
        if block.language == "pycon":
            return self._session(block)
        if block.language == "console":
            return self._commands(block)
        if block.language == "sh" and self.setting.installs and block.text.startswith("pip install "):
            self._install(block)
        return block.text

    def _install(self, block: Block) -> None:
        """Run ``pip install``. Use bash, because the commands contain brace expansions."""
        text = self.setting.real(block.text).replace(
            "pip install", f"{shlex.quote(sys.executable)} -m pip install --quiet"
        )
        subprocess.run(["bash", "-ec", text], cwd=self.setting.folder, check=True)
        importlib.invalidate_caches()

    def _commands(self, block: Block) -> str:
        place = f"{self.name}:{block.line}"
        matches = list(_COMMAND.finditer(block.text))
        assert "".join(match[0] for match in matches) == block.text, f"{place}: a console block begins with $ COMMAND"
        text = ""
        for match in matches:
            command = match["command"]
            assert self.last_code == 0 or command == _ASK, f"{place}: exit code {self.last_code} before: {command}"
            got = self._output(command)
            text += f"$ {command}\n" + (match["output"] if got is None else merged(match["output"], got))
        assert self.last_code == 0, f"{place}: exit code {self.last_code} at the end:\n{text}"
        return text

    def _output(self, command: str) -> str | None:
        if command == _ASK:
            code, self.last_code = self.last_code, 0
            return f"{code}\n"
        if not (self.setting.every_command or command.startswith(("messagegen ", "messagegen-data "))):
            return None
        messagegen = f'messagegen() {{ {shlex.quote(sys.executable)} -m messagegen.cli "$@"; }}'
        script = f"{messagegen}\n{self.setting.real(command)}\n"
        done = subprocess.run(
            ["sh", "-c", script],
            cwd=self.setting.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            env={**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"},
        )
        self.last_code = done.returncode
        importlib.invalidate_caches()
        return self.setting.printed(done.stdout)

    def _session(self, block: Block) -> str:
        text = ""
        for part in doctest.DocTestParser().parse(block.text, self.name):
            if isinstance(part, str):
                text += part
                continue
            first, *rest = part.source.splitlines()
            got = self._evaluated(part.source)
            text += "\n".join([f">>> {first}", *(f"... {line}".rstrip() for line in rest), ""])
            text += merged(part.want, got)
        return text

    def _evaluated(self, source: str) -> str:
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            try:
                exec(compile(self.setting.real(source), self.name, "single"), self.names)
            except Exception as error:  # noqa: BLE001 - a session shows whatever is raised
                last = "".join(traceback.format_exception_only(error))
                return f"{out.getvalue()}Traceback (most recent call last):\n  ...\n{last}"
        # In a session, a blank line ends an output, so trailing blank lines cannot be shown.
        return re.sub(r"\n+\Z", "\n", self.setting.printed(out.getvalue()))


def merged(want: str, got: str) -> str:
    """Return the page's output if it matches, where ``...`` matches anything; otherwise the actual output."""
    return want if doctest.OutputChecker().check_output(want, got, doctest.ELLIPSIS) else got
