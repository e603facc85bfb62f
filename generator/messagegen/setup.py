"""What a repository needs for message specs: files to write, to extend, or to leave as they are."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal

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
Editor = Literal["vscode", "jetbrains"]
_EDITOR_FILES: Final[Mapping[Editor, str]] = {
    "vscode": ".vscode/settings.json",
    "jetbrains": ".idea/jsonSchemas.xml",
}
_EDITOR_TEMPLATES: Final[Mapping[Editor, str]] = {
    "vscode": "vscode-settings.json",
    "jetbrains": "jsonSchemas.xml",
}
_NO_ORIGIN: Final = 'write into it what installs messagegen, or run init --install "git+URL@COMMIT"'
_PLAIN: Final = re.compile(r"[\w./-]+")
"""What all files of a set-up can contain without quotes or escapes."""


@dataclass(frozen=True, slots=True)
class Step:
    """What happens to one file, ``path`` from the folder on; it begins with ``..`` for files of the repository above.

    ``action`` is ``written``, ``extended``, ``unchanged`` or ``left alone``. ``content`` is what the file holds
    afterwards, ``None`` where it stays as it is; ``note`` says why, and what to do by hand.
    """

    path: str
    action: str
    content: bytes | None = None
    note: str = ""


def setup_steps(
    folder: Path, output: str | None = None, origin: Origin | None = None, editors: Collection[Editor] = ()
) -> Iterator[Step]:
    """The steps that set up a folder; reads the files that are there, and writes none.

    ``output`` is the folder of the generated package where no configuration says it; ``origin`` is what CI and hooks
    install; ``editors`` are those that get settings. Raises ``ConfigError`` for a configuration or an output that
    cannot be used, and ``OSError``.
    """
    configuration = folder / FILE_NAME
    if find_config(folder) != configuration:
        output = output or f"src/{_package(configuration)}"
        _check_output(folder, output)
        yield _extended(folder, FILE_NAME, _text("pyproject.toml", specs=_SPECS, output=output))
        if not any((folder / _SPECS).rglob("*.json")):
            yield _written(folder, f"{_SPECS}/SensorReading.json", _text("spec.json"))
        outputs = [output]
        spec_folders = [_SPECS]
    elif output:
        raise ConfigError(f"{configuration} has [tool.messagegen] already; change specs and output there")
    else:
        settings = load_outputs(configuration)
        outputs = _plain_inside(folder, [one.output for one in settings if one.output])
        spec_folders = _plain_inside(folder, [path for one in settings for path in one.specs if path.is_dir()])

    yield _written(folder, SCHEMA_FILE, schema_text())
    yield _extended(folder, ".gitattributes", _text("gitattributes", outputs=outputs))
    yield _written(folder, "messagegen.mk", _text("messagegen.mk"))
    names = (name for name in ("GNUmakefile", "makefile") if (folder / name).exists())
    yield _extended(folder, next(names, "Makefile"), _text("Makefile"))
    yield from _steps_at_the_top(folder, origin, spec_folders, editors)


def _plain_inside(folder: Path, paths: Sequence[Path]) -> list[str]:
    """Those paths that are in a folder and need no quotes, relative to the folder."""
    inside = [path.relative_to(folder).as_posix() for path in paths if path.is_relative_to(folder)]
    return [path for path in dict.fromkeys(inside) if _PLAIN.fullmatch(path)]


def _steps_at_the_top(
    folder: Path, origin: Origin | None, spec_folders: Sequence[str], editors: Collection[Editor]
) -> Iterator[Step]:
    """The hooks, the workflow and settings of editors, which belong in the top folder of the git repository."""
    here = real(folder)
    top = repository_of(folder) or here
    inside = here.relative_to(top).as_posix()
    if not _PLAIN.fullmatch(inside):
        note = f"{inside} would need quotes in it; use a plain name for the folder, and run init again"
        for path in (_HOOKS, _WORKFLOW, *(_EDITOR_FILES[editor] for editor in editors)):
            yield Step(path, "left alone", note=note)
        return

    at_top = here == top
    up = os.path.relpath(top, here)
    subfolder = "" if at_top else inside
    yield _written(folder, _joined(up, _HOOKS), _text("pre-commit-config.yaml", folder=subfolder, origin=origin))
    # The workflows of several folders lie side by side.
    workflow = _WORKFLOW if at_top else _WORKFLOW.replace("messages", f"messages-{inside.replace('/', '-')}")
    step = _written(folder, _joined(up, workflow), _text("messages.yml", folder=subfolder, origin=origin))
    incomplete = step.action == "written" and origin is None
    yield replace(step, note=_NO_ORIGIN) if incomplete else step
    below_top = [_joined(inside, path) for path in spec_folders]
    for editor in editors:
        yield _editor_step(folder, up, editor, below_top, _joined(inside, SCHEMA_FILE))


def _editor_step(folder: Path, up: str, editor: Editor, spec_folders: Sequence[str], schema: str) -> Step:
    """Writes the settings of an editor, which tell it the schema of specs; settings that are there are left alone."""
    path = _joined(up, _EDITOR_FILES[editor])
    if not spec_folders:
        return Step(path, "left alone", note="no folder of specs is below the folder that is set up")
    text = template("init", f"{_EDITOR_TEMPLATES[editor]}.j2").render(schema=schema, spec_folders=spec_folders)
    step = _written(folder, path, text)
    if step.action != "left alone":
        return step
    return replace(step, note=f"it has other settings; add that {schema} is the schema of {', '.join(spec_folders)}")


def _joined(folder: str, path: str) -> str:
    return os.path.normpath(f"{folder}/{path}")


def _text(name: str, **values: object) -> str:
    return template("init", f"{name}.j2").render(version=REQUIRED, schema=SCHEMA_FILE, **values)


def _written(folder: Path, path: str, text: str) -> Step:
    """A file that is written whole, if it is not there."""
    before = _read(folder, path)
    if before is None:
        return Step(path, "written", text.encode())
    if before == text.encode():
        return Step(path, "unchanged")
    return Step(path, "left alone", note="it differs from what messagegen writes; delete it, and run init again")


def _extended(folder: Path, path: str, text: str) -> Step:
    """A file that gets lines at its end, if it has not all of them, with the line ends that it has."""
    before = (_read(folder, path) or b"").decode("utf-8", "surrogateescape")
    if set(text.splitlines()) <= set(before.splitlines()):
        return Step(path, "unchanged")
    added = f"\n{text}" if before else text
    line_end = "\r\n" if "\r\n" in before else "\n"
    after = before + added.replace("\n", line_end)
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
