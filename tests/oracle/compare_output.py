"""Shows how the generated code of the working tree differs from that of another commit.

    python -m tests.oracle.compare_output REF                 specs of REF and of the newest Kafka release
    python -m tests.oracle.compare_output REF --specs DIR     other folders of specs (repeatable)

Both generators write packages from the same specs. Each file is compared as bytes, and as code: as a syntax tree without
docstrings and comments. Functions of files with other code are also compared with all local names taken for equal. The exit code
is 0 if all code is equal, 1 otherwise.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import io
import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.oracle.jars import official_specs

REPOSITORY: Final = Path(__file__).resolve().parents[2]
OWN_FOLDERS: Final = ("message_specs", "tests/fixtures/specs")
SHOWN_LINES: Final = 30


@dataclass(frozen=True, slots=True)
class Comparison:
    """The files of two outputs by relative path: ``same`` bytes, ``text`` differs, ``code`` differs, or on one side only."""

    same: tuple[str, ...]
    text: tuple[str, ...]
    code: tuple[str, ...]
    only_before: tuple[str, ...]
    only_after: tuple[str, ...]

    @property
    def equal_code(self) -> bool:
        """Whether the outputs have the same files with the same code."""
        return not (self.code or self.only_before or self.only_after)

    def summary(self) -> str:
        """The counts in a line."""
        counts = {
            "same bytes": self.same,
            "same code in another text": self.text,
            "other code": self.code,
            "only before": self.only_before,
            "only after": self.only_after,
        }
        return ", ".join(f"{len(paths)} {name}" for name, paths in counts.items() if paths or name == "same bytes")


def compare(before: Mapping[str, str], after: Mapping[str, str]) -> Comparison:
    """Compares two outputs: text by relative path."""
    common = sorted(before.keys() & after.keys())
    changed = [path for path in common if before[path] != after[path]]
    text = [path for path in changed if path.endswith(".py") and code_of(before[path]) == code_of(after[path])]
    return Comparison(
        same=tuple(path for path in common if path not in set(changed)),
        text=tuple(text),
        code=tuple(path for path in changed if path not in set(text)),
        only_before=tuple(sorted(before.keys() - after.keys())),
        only_after=tuple(sorted(after.keys() - before.keys())),
    )


def code_of(text: str) -> str:
    """The code of a module in one form, without docstrings and comments."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        body: list[ast.stmt] | None = getattr(node, "body", None)
        if isinstance(body, list) and not isinstance(node, ast.Lambda | ast.IfExp):
            body[:] = [statement for statement in body if not _is_docstring(statement)] or [ast.Pass()]
    return ast.unparse(tree)


def functions_of(text: str) -> dict[str, str]:
    """The code of each function at the top of a module, with one name for all its local variables."""
    functions: dict[str, str] = {}
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef):
            names = [name for name in ast.walk(node) if isinstance(name, ast.Name)]
            arguments = [argument for argument in ast.walk(node) if isinstance(argument, ast.arg)]
            local = {name.id for name in names if isinstance(name.ctx, ast.Store)} | {one.arg for one in arguments}
            for name in names:
                name.id = "local" if name.id in local else name.id
            for argument in arguments:
                argument.arg = "local"
            functions[node.name] = ast.unparse(node)
    return functions


def compare_functions(before: str, after: str) -> tuple[int, list[str]]:
    """How many functions are equal up to the names of local variables, and the names of the others."""
    left, right = functions_of(before), functions_of(after)
    others = sorted(name for name in left.keys() | right.keys() if left.get(name) != right.get(name))
    return len(left.keys() | right.keys()) - len(others), others


def _is_docstring(statement: ast.stmt) -> bool:
    value = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def generate(checkout: Path, specs: Path, output: Path) -> dict[str, str]:
    """The output of the generator in a checkout; raises ``CalledProcessError`` where it fails."""
    command = (sys.executable, "-m", "messagegen.cli", "generate", "--quiet", "--specs", str(specs))
    environment = {**os.environ, "PYTHONPATH": str(checkout / "generator")}
    subprocess.run([*command, "--output", str(output)], check=True, env=environment, cwd=output.parent)
    paths = sorted(path for path in output.rglob("*") if path.is_file())
    return {path.relative_to(output).as_posix(): path.read_text("utf-8") for path in paths}


def check_out(ref: str, folder: Path) -> Path:
    """The generator, templates and specs of a commit, below ``folder``."""
    archive = ("git", "-C", str(REPOSITORY), "archive", ref, "generator", "templates", *OWN_FOLDERS)
    data = subprocess.run(archive, check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(data)) as tar:
        tar.extractall(folder, filter="data")
    return folder


def write_official(folder: Path) -> Path:
    """Writes the specs of the newest Kafka release into ``folder``."""
    for artifact, texts in official_specs().items():
        (folder / artifact).mkdir(parents=True)
        for name, text in texts.items():
            (folder / artifact / f"{name}.json").write_text(text, "utf-8")
    return folder


def differences(before: str, after: str) -> Iterator[str]:
    """The first differing lines of two modules' code."""
    lines = difflib.unified_diff(code_of(before).splitlines(), code_of(after).splitlines(), lineterm="", n=1)
    for number, line in enumerate(lines):
        if number >= SHOWN_LINES:
            yield "..."
            return
        yield line


def main(arguments: Sequence[str] | None = None) -> int:
    """Compares, prints, and returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.oracle.compare_output", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("ref", help="the commit to compare with, such as main or HEAD~1")
    parser.add_argument("--specs", action="append", type=Path, metavar="DIR", help="folder of specs (repeatable)")
    parser.add_argument("--diff", action="store_true", help="show the first differences of each file with other code")
    options = parser.parse_args(arguments)
    equal = True
    with tempfile.TemporaryDirectory(prefix="messagegen-compare-") as name:
        root = Path(name)
        checkout = check_out(options.ref, root / "checkout")
        folders: list[Path] = options.specs or [
            *(checkout / folder for folder in OWN_FOLDERS),
            write_official(root / "official"),
        ]
        for number, specs in enumerate(folders):
            place = root / str(number)
            place.mkdir()
            before = generate(checkout, specs.resolve(), place / "before")
            after = generate(REPOSITORY, specs.resolve(), place / "after")
            found = compare(before, after)
            equal = equal and found.equal_code
            sys.stdout.write(f"{specs}: {found.summary()}\n")
            equal_functions, other_functions = 0, list[str]()
            for path in found.code:
                number_equal, others = compare_functions(before[path], after[path])
                equal_functions += number_equal
                other_functions += [f"{path}: {name}" for name in others]
            if found.code:
                counts = f"{equal_functions} equal but for local names, {len(other_functions)} others"
                sys.stdout.write(f"functions of files with other code: {counts}\n")
            for path in found.code if options.diff else ():
                sys.stdout.write("\n".join([f"\n{path}", *differences(before[path], after[path]), ""]))
    return 0 if equal else 1


if __name__ == "__main__":
    sys.exit(main())
