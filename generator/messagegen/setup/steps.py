"""The files of a set-up: what each holds, and whether it can be written without harm to what is there."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from messagegen.build import BUILD
from messagegen.config import FILE_NAME
from messagegen.places import leaves
from messagegen.publish.manifest import MANIFEST
from messagegen.setup.layout import SCHEMA_FILE, Layout
from messagegen.spec import schema_text
from messagegen.templating import template

Action = Literal["write", "extend", "unchanged", "keep"]

HOOKS: Final = (("fmt", "fmt"), ("lint", "lint"), ("check", "generate --check"))
_MAKEFILES: Final = ("GNUmakefile", "makefile", "Makefile")


@dataclass(frozen=True, slots=True)
class Step:
    """What happens to one file, ``path`` from the folder on.

    ``content`` is what the file holds afterwards, ``None`` where it stays as it is; ``note`` says why, and what to do by hand.
    """

    path: str
    action: Action
    content: bytes | None = None
    note: str = ""


def setup_steps(layout: Layout) -> tuple[Step, ...]:
    """The steps that set up a folder; reads the files that are there, and writes none.

    A file that is there is extended where that is safe (``pyproject.toml``, ``.gitattributes``) and otherwise kept. Raises ``OSError``.
    """
    return tuple(_kept_inside(layout.folder, step) for step in _steps(layout))


def _kept_inside(folder: Path, step: Step) -> Step:
    if leaves(folder / step.path, folder):
        return Step(step.path, "keep", note="a symbolic link that leads out of the repository; remove it")
    return step


def _steps(layout: Layout) -> Iterator[Step]:
    folder = layout.folder
    yield _config(layout)
    yield from _example(layout)
    yield _file(folder, SCHEMA_FILE, schema_text())
    yield _git_attributes(layout)
    yield _file(folder, "messagegen.mk", _text("messagegen.mk"))
    yield _makefile(folder)
    workflow = _text("messages.yml", branch=layout.branch, install=layout.install and json.dumps(layout.install))
    for path, text in (
        (".pre-commit-config.yaml", _text("pre-commit-config.yaml", hooks=HOOKS)),
        (".github/workflows/messages.yml", workflow),
    ):
        if layout.is_top:
            yield _file(folder, path, text)
        else:
            yield Step(path, "keep", note=f"belongs in the top folder of the git repository, {layout.top}")


def _text(name: str, **values: object) -> str:
    return template("init", f"{name}.j2").render(version=BUILD, schema=SCHEMA_FILE, **values)


def _file(folder: Path, path: str, text: str) -> Step:
    """A file that is written whole, if it is not there."""
    content, before = text.encode(), _read(folder, path)
    if before is None:
        return Step(path, "write", content)
    if before == content:
        return Step(path, "unchanged")
    advice = "add the hooks that docs/your-repository.md lists, or " if path == ".pre-commit-config.yaml" else ""
    return Step(path, "keep", note=f"it differs from what messagegen writes; {advice}delete it, and run init again")


def _config(layout: Layout) -> Step:
    if layout.configured:
        return Step(FILE_NAME, "unchanged", note="it has [tool.messagegen]")
    (specs,), (output,) = layout.specs, layout.outputs
    table = _text("pyproject.toml", specs=specs, output=output, branch=layout.branch)
    before = _read(layout.folder, FILE_NAME)
    if before is None:
        return Step(FILE_NAME, "write", table.encode())
    after = _appended(before, f"\n{table}")
    try:
        tomllib.loads(after.decode("utf-8"))
    except ValueError:
        return Step(FILE_NAME, "keep", note=f"tables cannot be added at its end; add:\n{table}")
    return Step(FILE_NAME, "extend", after, note="[tool.messagegen] is added at its end")


def _appended(before: bytes, text: str) -> bytes:
    """A text at the end of a file, with the line ends of the file."""
    end = b"\r\n" if b"\r\n" in before else b"\n"
    between = b"" if not before or before.endswith(b"\n") else end
    return before + between + text.encode().replace(b"\n", end)


def _example(layout: Layout) -> Iterator[Step]:
    specs, *_ = layout.specs or ("",)
    if not layout.configured and not any((layout.folder / specs).rglob("*.json")):
        above = "../" * len(Path(specs).parts)
        yield Step(f"{specs}/SensorReading.json", "write", _text("spec.json", up=above).encode())


def _git_attributes(layout: Layout) -> Step:
    path = ".gitattributes"
    before = _read(layout.folder, path)
    text = _text("gitattributes", patterns=[_patterns(output) for output in layout.outputs])
    if before is None:
        return Step(path, "write", text.encode())
    there = {line.strip() for line in before.decode("utf-8", "replace").splitlines()}
    missing = [line for line in text.splitlines() if line not in there]
    if all(line.startswith("#") for line in missing):
        return Step(path, "unchanged")
    return Step(path, "extend", _appended(before, "".join(f"{line}\n" for line in missing)))


def _patterns(output: str) -> list[str]:
    """The patterns for the files of an output, its index and its manifest, in quotes where git asks for them."""
    paths = (f"{output}/{name}" for name in ("**", "__init__.py", MANIFEST))
    return [json.dumps(path, ensure_ascii=False) if set(path) & set(' "#!') else path for path in paths]


def _makefile(folder: Path) -> Step:
    for name in _MAKEFILES:
        before = _read(folder, name)
        if before is not None:
            if b"messagegen.mk" in before:
                return Step(name, "unchanged")
            return Step(name, "keep", note="messagegen did not write it; add at its end: include messagegen.mk")
    return Step("Makefile", "write", _text("Makefile").encode())


def _read(folder: Path, path: str) -> bytes | None:
    """The content of a file; nothing for a file outside the repository."""
    return (folder / path).read_bytes() if (folder / path).exists() and not leaves(folder / path, folder) else None
