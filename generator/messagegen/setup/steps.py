"""The files of a set-up: what each holds, and whether it can be written without harm to what is there."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from messagegen.build import BUILD
from messagegen.config import FILE_NAME
from messagegen.places import leaves
from messagegen.publish import MANIFEST
from messagegen.setup.layout import SCHEMA_FILE, Layout
from messagegen.spec import is_schema, schema_text
from messagegen.templating import template

Action = Literal["write", "extend", "replace", "unchanged", "keep"]

HOOKS: Final = (("fmt", "fmt"), ("lint", "lint"), ("check", "generate --check"))
_MARK: Final = b"Written by `messagegen init`."
_WORKFLOW: Final = ".github/workflows/messages.yml"
_INSTALLS: Final = re.compile(r'- run: pip install ("(?:[^"\\]|\\.)+")$', re.MULTILINE)
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


def setup_steps(layout: Layout, *, force: bool = False) -> tuple[Step, ...]:
    """The steps that set up a folder, or bring it up to date; reads the files that are there, and writes none.

    A file of somebody else is extended where that is safe (``pyproject.toml``, ``.gitattributes``) and otherwise kept. ``force``
    replaces files that an earlier set-up wrote and that were edited since. Raises ``OSError``.
    """
    return tuple(_kept_inside(layout.folder, step) for step in _steps(layout, force=force))


def _kept_inside(folder: Path, step: Step) -> Step:
    if leaves(folder / step.path, folder):
        return Step(step.path, "keep", note="a symbolic link that leads out of the repository; remove it")
    return step


def _steps(layout: Layout, *, force: bool) -> Iterator[Step]:
    folder = layout.folder
    yield _config(layout)
    yield from _example(layout)
    yield _schema(folder)
    yield _git_attributes(layout)
    yield _file(folder, "messagegen.mk", _text("messagegen.mk"), "", force=force)
    yield _makefile(folder)
    hooks = _text("pre-commit-config.yaml", hooks=HOOKS)
    for path, text, advice in (
        (
            ".pre-commit-config.yaml",
            hooks,
            "add the hooks of messagegen to it, which the page docs/your-repository.md lists",
        ),
        (_WORKFLOW, _workflow(layout), ""),
    ):
        if not layout.is_top:
            yield Step(path, "keep", note=f"belongs in the top folder of the git repository, {layout.top}")
        elif text:
            yield _file(folder, path, text, advice, force=force)
        else:
            yield Step(path, "keep", note="say where CI gets messagegen: --install FILE, or git+URL@COMMIT")
    yield _file(folder, ".vscode/settings.json", _settings(layout), _SETTINGS_ADVICE, force=force)


def _text(name: str, **values: object) -> str:
    return template("init", f"{name}.j2").render(version=BUILD, schema=SCHEMA_FILE, **values)


def _workflow(layout: Layout) -> str:
    """The workflow; nothing where it is unknown what installs messagegen in CI. What an earlier workflow installs, stays."""
    before = _INSTALLS.search((_read(layout.folder, _WORKFLOW) or b"").decode("utf-8", "replace"))
    install = json.dumps(layout.install) if layout.install else before and before[1]
    return _text("messages.yml", branch=layout.branch, install=install) if install else ""


def _file(folder: Path, path: str, text: str, advice: str, *, force: bool = False) -> Step:
    """A file that is written whole, if it is not there or an earlier set-up wrote it."""
    content, before = text.encode(), _read(folder, path)
    if before is None:
        return Step(path, "write", content)
    if before == content:
        return Step(path, "unchanged")
    if _MARK not in before:
        return Step(
            path, "keep", note=f"messagegen did not write it; {advice}" if advice else "messagegen did not write it"
        )
    return (
        Step(path, "replace", content)
        if force
        else Step(path, "keep", note="it differs from what this version of messagegen writes; --force replaces it")
    )


def _config(layout: Layout) -> Step:
    if layout.configured:
        return Step(FILE_NAME, "unchanged", note="it has [tool.messagegen]")
    (specs,), (output,) = layout.specs, layout.outputs
    licence = f'license = "{layout.licence}"' if layout.licence else '# license = "Apache-2.0" # that of your specs'
    table = _text("pyproject.toml", specs=specs, output=output, branch=layout.branch, licence=licence)
    before = _read(layout.folder, FILE_NAME)
    if before is None:
        return Step(FILE_NAME, "write", table.encode())
    after = _appended(before, f"\n{table}")
    if _without_table(after) != _without_table(before):
        return Step(FILE_NAME, "keep", note=f"tables cannot be added at its end; add:\n{table}")
    return Step(FILE_NAME, "extend", after, note="[tool.messagegen] is added at its end")


def _without_table(data: bytes) -> object:
    """What a ``pyproject.toml`` says beside our table; ``None`` where it is not TOML."""
    try:
        document = tomllib.loads(data.decode("utf-8"))
    except ValueError:
        return None
    tool = document.setdefault("tool", {})
    tool.pop("messagegen", None)
    return document


def _appended(before: bytes, text: str) -> bytes:
    """A text at the end of a file, with the line ends of the file."""
    end = b"\r\n" if b"\r\n" in before else b"\n"
    between = b"" if not before or before.endswith(b"\n") else end
    return before + between + text.encode().replace(b"\n", end)


def _example(layout: Layout) -> Iterator[Step]:
    if layout.configured:
        return
    (specs,), (output,) = layout.specs, layout.outputs
    folder = layout.folder / specs
    if not any(folder.rglob("*.json")):
        above = "../" * len(Path(specs).parts)
        yield Step(f"{specs}/SensorReading.json", "write", _text("spec.json", up=above).encode())
    yield _file(layout.folder, f"{specs}/README.md", _text("README.md", output=output, branch=layout.branch), "")


def _schema(folder: Path) -> Step:
    content, before = schema_text().encode(), _read(folder, SCHEMA_FILE)
    if before is None:
        return Step(SCHEMA_FILE, "write", content)
    if before == content:
        return Step(SCHEMA_FILE, "unchanged")
    if is_schema(before):
        return Step(SCHEMA_FILE, "replace", content)
    return Step(SCHEMA_FILE, "keep", note="it is not the schema of specs")


def _git_attributes(layout: Layout) -> Step:
    path = ".gitattributes"
    before = _read(layout.folder, path)
    text = _text("gitattributes", patterns=[_patterns(output) for output in layout.outputs])
    if before is None:
        return Step(path, "write", text.encode())
    there = {line.strip() for line in before.decode("utf-8", "replace").splitlines()}
    missing = [line for line in text.splitlines() if line not in there]
    if not any(not line.startswith("#") for line in missing):
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


_SETTINGS_ADVICE: Final = f'add {SCHEMA_FILE} to "json.schemas" in it'


def _settings(layout: Layout) -> str:
    matches = [f"/{specs}/**/*.json" for specs in layout.specs]
    associations = {f"**{match}": "jsonc" for match in matches}
    return _text("settings.json", matches=json.dumps(matches), associations=json.dumps(associations))


def _read(folder: Path, path: str) -> bytes | None:
    """The content of a file; nothing for a file outside the repository."""
    return (folder / path).read_bytes() if (folder / path).exists() and not leaves(folder / path, folder) else None
