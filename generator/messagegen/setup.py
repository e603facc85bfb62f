"""What a repository needs for message specs: files to write, to extend, or to leave as they are."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from messagegen.build import REQUIRED
from messagegen.config import FILE_NAME, ConfigError, find_config, load_outputs, package_name
from messagegen.origin import Origin
from messagegen.places import leaves, real, repository_of
from messagegen.spec import schema_text
from messagegen.templating import template
from messagegen.texts import read_file

SCHEMA_FILE: Final = "message_spec.schema.json"
_SPECS: Final = "message_specs"
_HOOKS: Final = ".pre-commit-config.yaml"
_WORKFLOW: Final = ".github/workflows/messages.yml"
_NO_ORIGIN: Final = 'write into it what installs messagegen, or run init --install "git+URL@COMMIT"'
_PLAIN: Final = re.compile(r"[\w./-]+")
"""What all files of a set-up can contain without quotes or escapes."""


@dataclass(frozen=True, slots=True)
class Step:
    """What happens to one file, ``path`` from the folder on; it begins with ``..`` for files of the repository above.

    ``action`` is ``written``, ``extended``, ``unchanged`` or ``left alone``. ``content`` is what the file holds afterwards, ``None``
    where it stays as it is; ``note`` says why, and what to do by hand.
    """

    path: str
    action: str
    content: bytes | None = None
    note: str = ""


def setup_steps(folder: Path, output: str | None = None, origin: Origin | None = None) -> Iterator[Step]:
    """The steps that set up a folder; reads the files that are there, and writes none.

    ``output`` is the folder of the generated package where no configuration says it; ``origin`` is what CI and hooks install. Raises ``ConfigError`` for a configuration or an
    output that cannot be used, and ``OSError``.
    """
    configuration = folder / FILE_NAME
    if find_config(folder) != configuration:
        output = output or f"src/{_package(configuration)}"
        _check_output(folder, output)
        yield _extended(folder, FILE_NAME, _text("pyproject.toml", specs=_SPECS, output=output))
        if not any((folder / _SPECS).rglob("*.json")):
            yield _written(folder, f"{_SPECS}/SensorReading.json", _text("spec.json"))
        outputs: Sequence[str] = (output,)
    elif output:
        raise ConfigError(f"{configuration} has [tool.messagegen] already; change specs and output there")
    else:
        places = [one.output for one in load_outputs(configuration) if one.output]
        outputs = [one.relative_to(folder).as_posix() for one in places if one.is_relative_to(folder)]
    yield _written(folder, SCHEMA_FILE, schema_text())
    plain = [one for one in outputs if _PLAIN.fullmatch(one)]
    yield _extended(folder, ".gitattributes", _text("gitattributes", outputs=plain))
    yield _written(folder, "messagegen.mk", _text("messagegen.mk"))
    names = (name for name in ("GNUmakefile", "makefile") if (folder / name).exists())
    yield _extended(folder, next(names, "Makefile"), _text("Makefile"))
    yield from _at_the_top(folder, origin)


def _at_the_top(folder: Path, origin: Origin | None) -> Iterator[Step]:
    """The hooks and the workflow, which belong in the top folder of the git repository. Their paths lead there."""
    here = real(folder)
    top = repository_of(folder) or here
    inside = here.relative_to(top).as_posix()
    if not _PLAIN.fullmatch(inside):
        note = f"{inside} would need quotes in it; use a plain name for the folder, and run init again"
        yield from (Step(path, "left alone", note=note) for path in (_HOOKS, _WORKFLOW))
        return
    # The workflows of several folders lie side by side.
    workflow = _WORKFLOW if here == top else _WORKFLOW.replace("messages", f"messages-{inside.replace('/', '-')}")
    for path, name in ((_HOOKS, "pre-commit-config.yaml"), (workflow, "messages.yml")):
        text = _text(name, folder="" if here == top else inside, origin=origin)
        step = _written(folder, os.path.relpath(top / path, here), text)
        incomplete = path == workflow and step.action == "written" and origin is None
        yield replace(step, note=_NO_ORIGIN) if incomplete else step


def _text(name: str, **values: object) -> str:
    return template("init", f"{name}.j2").render(version=REQUIRED, schema=SCHEMA_FILE, **values)


def _written(folder: Path, path: str, text: str) -> Step:
    """A file that is written whole, if it is not there."""
    before = _read(folder, path)
    if before in (None, text.encode()):
        return Step(path, "unchanged" if before else "written", None if before else text.encode())
    return Step(path, "left alone", note="it differs from what messagegen writes; delete it, and run init again")


def _extended(folder: Path, path: str, text: str) -> Step:
    """A file that gets lines at its end, if it has not all of them, with the line ends that it has."""
    before = (_read(folder, path) or b"").decode("utf-8", "surrogateescape")
    if set(text.splitlines()) <= set(before.splitlines()):
        return Step(path, "unchanged")
    after = before + ("\n" * bool(before) + text).replace("\n", "\r\n" if "\r\n" in before else "\n")
    if path == FILE_NAME:
        try:
            tomllib.loads(after)
        except ValueError:
            raise ConfigError(f"tables cannot be added at the end of {folder / path}; add:\n{text}") from None
    return Step(path, "extended" if before else "written", after.encode("utf-8", "surrogateescape"))


def _read(folder: Path, path: str) -> bytes | None:
    """The content of a file. Raises ``ConfigError`` for one outside the repository."""
    file = folder / path
    if leaves(file, folder):
        raise ConfigError(f"{file} is a symbolic link that leads out of the repository; remove it")
    return read_file(file) if file.exists() or file.is_symlink() else None


def _package(file: Path) -> str:
    """The name of the package of a new configuration, after the project or the folder."""
    document = tomllib.loads(read_file(file).decode()) if file.exists() else {}
    project = document.get("project", {}).get("name", real(file.parent).name)
    name = re.sub(r"[^a-z0-9]+", "_", str(project).lower()).strip("_")
    return f"{name}_messages" if name.isidentifier() else "messages"


def _check_output(folder: Path, output: str) -> None:
    if Path(output).is_absolute() or ".." in Path(output).parts or not _PLAIN.fullmatch(output):
        raise ConfigError(
            f"{output} must be inside the folder that is set up, and have a plain name; write it as src/messages"
        )
    package_name(folder / output)
