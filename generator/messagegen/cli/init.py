"""The command ``messagegen init``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from messagegen.cli.options import errors_as_usage, rewrite, shown

if TYPE_CHECKING:
    from messagegen.setup import Layout, Step

_ACTIONS: Final = {
    "write": ("written", "green"),
    "extend": ("extended", "green"),
    "replace": ("replaced", "yellow"),
    "unchanged": ("unchanged", None),
    "keep": ("left alone", "yellow"),
}
_WIDTH: Final = max(len(word) for word, _ in _ACTIONS.values())


@click.command()
@click.argument("folder", metavar="[DIR]", type=click.Path(path_type=Path, file_okay=False), default=Path())
@click.option("--specs", metavar="DIR", help="Folder for the specs, from DIR on.  [default: message_specs]")
@click.option(
    "--output", metavar="DIR", help="Folder of the generated package, from DIR on.  [default: src/NAME_messages]"
)
@click.option("--dry-run", is_flag=True, help="Write nothing; list what would be done.")
@click.option("--force", is_flag=True, help="Replace files that an earlier init wrote and that were edited since.")
def init(folder: Path, specs: str | None, output: str | None, dry_run: bool, force: bool) -> None:
    """Set up the repository in DIR, or in the current folder, for message specs.

    It gets a configuration, an example spec, its generated code, make rules, a GitHub workflow and pre-commit hooks that check
    both, and lines for git. A pyproject.toml and a .gitattributes that are there are extended; other
    files that are there are left alone, and the list says what to add to them. It can be run again at any time, such as after
    an upgrade of messagegen.

    \b
    Examples:
      messagegen init
      messagegen init shop --output src/shop_messages
      messagegen init --dry-run

    Exit codes: 0 done, 2 wrong usage or an error.
    """
    from messagegen.findings import UsageError
    from messagegen.setup import read_layout, setup_steps

    with errors_as_usage():
        if not folder.is_dir():
            if dry_run:
                raise UsageError(f"{folder} does not exist; create it first, or leave out --dry-run")
            folder.mkdir(parents=True)
        layout = read_layout(folder, specs, output)
        steps = setup_steps(layout, force=force)
        for step in steps:
            if step.content is not None and not dry_run:
                rewrite(folder / step.path, step.content)
            _show(step)
        generated = [] if dry_run else _generate(layout)
    if dry_run:
        click.echo("Nothing was written (--dry-run)")
        return
    for path in generated:
        click.echo(f"{'generated':{_WIDTH}}  {path}")
    _show_next(layout, steps)


def _show(step: Step) -> None:
    word, colour = _ACTIONS[step.action]
    note = f": {step.note}" if step.note else ""
    click.echo(f"{click.style(f'{word:{_WIDTH}}', fg=colour)}  {step.path}{note}")


def _generate(layout: Layout) -> list[str]:
    """Writes each output whose folder is not there yet, and gives their names."""
    from messagegen import publish
    from messagegen.cli.generate import How, build
    from messagegen.config import FILE_NAME, load_outputs

    written: list[str] = []
    for settings in load_outputs(layout.folder / FILE_NAME):
        output = settings.require_output()
        if not output.exists():
            package = build(settings, How(quiet=True))
            publish.publish(package.files, output, made=package.made)
            written.append(shown(output))
    return written


def _use(layout: Layout) -> list[tuple[str, str]]:
    """How to import the first output, whose folder has to be on Python's path."""
    for output in layout.outputs[:1]:
        path, _, package = output.rpartition("/")
        return [("use the messages", f"PYTHONPATH={path or '.'} python -c 'import {package}; help({package})'")]
    return []


def _show_next(layout: Layout, steps: Sequence[Step]) -> None:
    inside = "" if layout.folder.resolve() == Path.cwd().resolve() else f"cd {layout.folder} && "
    click.echo("Next:")
    for what, command in (
        *_use(layout),
        ("write a spec of your own, then", "make messages"),
        ("check what CI checks", "make check-messages"),
        ("check at every commit", "pre-commit install"),
    ):
        if command.startswith("make") and any(
            step.action == "keep" and "include messagegen.mk" in step.note for step in steps
        ):
            command = command.replace("make", "make -f messagegen.mk")  # noqa: PLW2901 - the rule is not included yet
        click.echo(f"  {what + ':':32} {inside}{command}")
