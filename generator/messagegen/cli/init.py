"""The command ``messagegen init``."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, get_args

import click

from messagegen.cli.options import NamedPath, rewrite, shown
from messagegen.console.output import show
from messagegen.findings import UsageError
from messagegen.names import module_name
from messagegen.places import real
from messagegen.setup import EXAMPLE, Ci, Editor, Step, setup_steps, upgrade_steps

if TYPE_CHECKING:
    from messagegen.config import Settings

_WIDTH: Final = len("left alone")


@click.command()
@click.argument("folder", metavar="[DIR]", type=NamedPath(file_okay=False), default=Path())
@click.option(
    "--output", metavar="DIR", help="Folder of the generated package, relative to DIR.  [default: src/NAME_messages]"
)
@click.option(
    "--install",
    metavar="REQUIREMENT",
    help="The pip requirement that CI and hooks install.  [default: the commit of this messagegen, if known]",
)
@click.option(
    "--editor",
    "editors",
    type=click.Choice(get_args(Editor)),
    multiple=True,
    help="Also write settings that let this editor complete and check specs (repeatable).",
)
@click.option(
    "--ci",
    type=click.Choice(get_args(Ci)),
    default="github",
    show_default=True,
    help="The service that checks specs and code.",
)
@click.option(
    "--upgrade", is_flag=True, help="Update the pins in existing files to this messagegen; write no new files."
)
def init(
    folder: Path, output: str | None, install: str | None, editors: Sequence[Editor], ci: Ci, upgrade: bool
) -> None:
    """Set up the repository in DIR, or in the current folder, for message specs.

    It gets a configuration, an example spec, its generated code, make rules, a workflow of GitHub or GitLab and
    pre-commit hooks that check both, and lines for git. An existing pyproject.toml, .gitattributes and Makefile are
    extended; other existing files are left alone. It can be run again at any time.

    The workflow and the hooks install the commit of the messagegen that wrote them. The commit is known if messagegen
    was installed from a git URL, or from a clone with a remote. Otherwise, name the commit, or a wheel in the
    repository, with --install. The path of the wheel is relative to the current folder, like DIR.

    --upgrade changes what is pinned to another messagegen: required-version, the schema of specs, and what the workflow
    and the hooks install. It does not generate code.

    \b
    Examples:
      messagegen init
      messagegen init shop --output src/shop_messages
      messagegen init --install "git+https://git.example.org/messagegen@1a2b3c4"
      messagegen init shop --install tools/messagegen-0.1.0-py3-none-any.whl
      messagegen init --editor vscode --editor jetbrains
      messagegen init --ci gitlab
      messagegen init --upgrade

    Exit codes: 0 done, 2 wrong usage or an error.
    """
    from messagegen.config import FILE_NAME, load_outputs
    from messagegen.origin import find_origin, parse_origin

    origin = parse_origin(install, folder) if install else find_origin()
    if upgrade:
        if output or editors:
            raise UsageError("--upgrade only changes pins; run init again for --output and --editor")
        _do(folder, list(upgrade_steps(folder, origin)))
        _show_steps_after_upgrade(folder)
        return

    folder.mkdir(parents=True, exist_ok=True)
    _do(folder, list(setup_steps(folder, output, origin, editors, ci)))
    outputs = load_outputs(folder / FILE_NAME)
    for settings in outputs:
        if not settings.require_output().exists():
            _generate(settings)
    _show_next_steps(folder, outputs[0].require_output())


def _do(folder: Path, steps: Sequence[Step]) -> None:
    """Write the files of steps, and print a line for each."""
    for step in steps:
        if step.content is not None:
            rewrite(folder / step.path, step.content)
        note = f": {step.note}" if step.note else ""
        show(*f"{step.action:{_WIDTH}}  {step.path}{note}".split("\n"))


def _generate(settings: Settings) -> None:
    """Write an output that does not exist yet, and print a line about it."""
    from messagegen.generation.package import build_package
    from messagegen.publish.output import publish

    package = build_package(settings)
    output = settings.require_output()
    publish(package.files, output)
    show(f"{'generated':{_WIDTH}}  {shown(output)}")


def _show_next_steps(folder: Path, place: Path) -> None:
    """Print the next commands to try with the package in ``place``."""
    has_example = (place / f"{module_name(EXAMPLE)}.py").exists()
    subject = f"{place.name}.{EXAMPLE}" if has_example else place.name
    show(
        f"Next{_where(folder)}:",
        f"  PYTHONPATH={os.path.relpath(place.parent, folder)} python -c 'import {place.name}; help({subject})'",
        "  make messages          after you wrote a spec of your own",
        "  make check-messages    as CI does",
        "  pre-commit install     to check every commit",
    )


def _show_steps_after_upgrade(folder: Path) -> None:
    show(
        f"Next{_where(folder)}:",
        "  make messages             writes the code of this messagegen; review it, and commit it separately",
        "  make check-messages       as CI does",
        "  make breaking-messages    new versions may have new rules",
    )


def _where(folder: Path) -> str:
    """Return text with the folder for commands, or "" for the current folder."""
    return "" if real(folder) == real(Path.cwd()) else f", in {folder}"
