"""Creates the files that a repository needs for message specs; existing files are extended or left alone."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, Literal

from messagegen.build import REQUIRED
from messagegen.config import FILE_NAME, ConfigError, find_config, load_outputs, package_name
from messagegen.git import main_branch
from messagegen.origin import Origin
from messagegen.places import real
from messagegen.setup.steps import (
    GITLAB_FILE,
    HOOKS,
    SCHEMA_FILE,
    WORKFLOWS,
    Ci,
    Step,
    extended,
    joined,
    read,
    top_for,
    written,
)
from messagegen.spec import schema_text
from messagegen.templating import template
from messagegen.texts import read_file

_SPECS: Final = "message_specs"
EXAMPLE: Final = "SensorReading"
"""The message in the example spec that a new repository gets."""
Editor = Literal["vscode", "jetbrains"]
_EDITOR_FILES: Final[Mapping[Editor, str]] = {
    "vscode": ".vscode/settings.json",
    "jetbrains": ".idea/jsonSchemas.xml",
}
_EDITOR_TEMPLATES: Final[Mapping[Editor, str]] = {
    "vscode": "vscode-settings.json",
    "jetbrains": "jsonSchemas.xml",
}
_WORKFLOW_TEMPLATES: Final[Mapping[Ci, str]] = {"github": "messages.yml", "gitlab": "gitlab.yml"}
_NO_ORIGIN: Final = 'add the command that installs messagegen, or run init --install "git+URL@COMMIT"'
_PLAIN: Final = re.compile(r"[\w./-]+")
"""Text that needs no quotes or escapes in any file of a set-up."""


def setup_steps(
    folder: Path,
    output: str | None = None,
    origin: Origin | None = None,
    editors: Collection[Editor] = (),
    ci: Ci = "github",
) -> Iterator[Step]:
    """Yield the steps that set up a folder; read existing files, and write none.

    ``output`` is the folder of the generated package, if the repository has no configuration yet. CI and hooks install
    messagegen from ``origin``. Settings are written for ``editors``. ``ci`` is the service that runs the checks. Raise
    ``ConfigError`` for an invalid configuration or output, and ``OSError`` if an existing file cannot be read.
    """
    configuration = folder / FILE_NAME
    branch = _main_branch(folder)
    if find_config(folder) != configuration:
        output = output or f"src/{_package(configuration)}"
        _check_output(folder, output)
        yield extended(folder, FILE_NAME, _text("pyproject.toml", specs=_SPECS, output=output, branch=branch))
        if not any((folder / _SPECS).rglob("*.json")):
            yield written(folder, f"{_SPECS}/{EXAMPLE}.json", _text("spec.json"))
        outputs = [output]
        spec_folders = [_SPECS]
        spec_files: list[str] = []
    elif output:
        raise ConfigError(f"{configuration} has [tool.messagegen] already; change specs and output there")
    else:
        settings = load_outputs(configuration)
        outputs = _plain_inside(folder, [one.output for one in settings if one.output])
        specs = [path for one in settings for path in one.specs]
        spec_folders = _plain_inside(folder, [path for path in specs if path.is_dir()])
        spec_files = _plain_inside(folder, [path for path in specs if path.is_file()])
        branch = _compared_branch(configuration) or branch
        yield Step(FILE_NAME, "unchanged")

    yield written(folder, SCHEMA_FILE, schema_text())
    patterns = [*(f"{path}/**" for path in spec_folders), *spec_files]
    yield extended(folder, ".gitattributes", _text("gitattributes", outputs=outputs, specs=patterns))
    yield written(folder, "messagegen.mk", _text("messagegen.mk"))
    names = (name for name in ("GNUmakefile", "makefile") if (folder / name).exists())
    yield extended(folder, next(names, "Makefile"), _text("Makefile"))
    yield from _steps_at_the_top(folder, branch, origin, spec_folders, editors, ci)


def _main_branch(folder: Path) -> str:
    """Return the main branch, which specs are compared with, or ``main`` if that branch's name would need quotes."""
    branch = main_branch(folder)
    return branch if _PLAIN.fullmatch(branch) else "main"


def _compared_branch(configuration: Path) -> str:
    """Return the branch of ``origin`` that a configuration compares specs with, or "" if it uses something else."""
    table = tomllib.loads(read_file(configuration).decode())["tool"]["messagegen"].get("breaking", {})
    branch = str(table.get("against", "")).removeprefix("git:origin/")
    return branch if branch != table.get("against") and _PLAIN.fullmatch(branch) else ""


def _plain_inside(folder: Path, paths: Sequence[Path]) -> list[str]:
    """Return the paths inside a folder that need no quotes, relative to the folder."""
    inside = [path.relative_to(folder).as_posix() for path in paths if path.is_relative_to(folder)]
    return [path for path in dict.fromkeys(inside) if _PLAIN.fullmatch(path)]


def _steps_at_the_top(
    folder: Path, branch: str, origin: Origin | None, spec_folders: Sequence[str], editors: Collection[Editor], ci: Ci
) -> Iterator[Step]:
    """Yield the steps for hooks, the workflow and editor settings, which belong in the top folder of the repository."""
    top = top_for(folder)
    if not _PLAIN.fullmatch(top.inside):
        note = f"{top.inside} would need quotes in it; use a plain name for the folder, and run init again"
        for path in (HOOKS, WORKFLOWS[ci], *(_EDITOR_FILES[editor] for editor in editors)):
            yield Step(path, "left alone", note=note)
        return

    values = {"folder": top.subfolder, "branch": branch, "origin": origin}
    yield written(folder, top.hooks, _text("pre-commit-config.yaml", **values))
    workflow = top.workflow(ci)
    step = written(folder, joined(top.up, workflow), _text(_WORKFLOW_TEMPLATES[ci], **values))
    incomplete = step.action == "written" and origin is None
    yield replace(step, note=_NO_ORIGIN) if incomplete else step
    if ci == "gitlab":
        yield _include_step(folder, joined(top.up, GITLAB_FILE), workflow)
    below_top = [joined(top.inside, path) for path in spec_folders]
    for editor in editors:
        yield _editor_step(folder, top.up, editor, below_top, joined(top.inside, SCHEMA_FILE))


def _include_step(folder: Path, path: str, workflow: str) -> Step:
    """Return the step that makes GitLab read a workflow; an existing file without it is left alone."""
    text = f"include:\n  - local: {workflow}\n"
    before = read(folder, path)
    if before is None:
        return Step(path, "written", text.encode())
    if workflow.encode() in before:
        return Step(path, "unchanged")
    return Step(path, "left alone", note=f"add to it:\n{text.rstrip()}")


def _editor_step(folder: Path, up: str, editor: Editor, spec_folders: Sequence[str], schema: str) -> Step:
    """Return the step that adds the spec schema to an editor's settings; existing settings are left alone."""
    path = joined(up, _EDITOR_FILES[editor])
    if not spec_folders:
        return Step(path, "left alone", note="there is no folder of specs inside the repository folder")
    text = template("init", f"{_EDITOR_TEMPLATES[editor]}.j2").render(schema=schema, spec_folders=spec_folders)
    step = written(folder, path, text)
    if step.action != "left alone":
        return step
    return replace(step, note=f"it has other settings; add to them:\n{text.rstrip()}")


def _text(name: str, **values: object) -> str:
    return template("init", f"{name}.j2").render(version=REQUIRED, schema=SCHEMA_FILE, **values)


def _package(file: Path) -> str:
    """Return a package name for a new configuration, derived from the name of the project or the folder."""
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
