"""The command ``messagegen init``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from messagegen.cli.options import rewrite, shown

if TYPE_CHECKING:
    from messagegen.setup import Layout, Step

_ACTIONS: Final = {
    "write": ("written", "green"),
    "extend": ("extended", "green"),
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
def init(folder: Path, specs: str | None, output: str | None) -> None:
    """Set up the repository in DIR, or in the current folder, for message specs.

    It gets a configuration, an example spec, its generated code, make rules, a GitHub workflow and pre-commit hooks that check
    both, and lines for git. A pyproject.toml and a .gitattributes that are there are extended; other
    files that are there are left alone, and the list says what to add to them. It can be run again at any time.

    \b
    Examples:
      messagegen init
      messagegen init shop --output src/shop_messages

    Exit codes: 0 done, 2 wrong usage or an error.
    """
    from messagegen.setup import read_layout, setup_steps

    folder.mkdir(parents=True, exist_ok=True)
    layout = read_layout(folder, specs, output)
    steps = setup_steps(layout)
    for step in steps:
        if step.content is not None:
            rewrite(folder / step.path, step.content)
        word, colour = _ACTIONS[step.action]
        note = f": {step.note}" if step.note else ""
        click.echo(f"{click.style(f'{word:{_WIDTH}}', fg=colour)}  {step.path}{note}")
    _generate(layout)
    _show_next(layout, steps)


def _generate(layout: Layout) -> None:
    """Writes each output whose folder is not there yet."""
    from messagegen.cli.generate import build
    from messagegen.config import FILE_NAME, load_outputs
    from messagegen.publish.output import publish

    for settings in load_outputs(layout.folder / FILE_NAME):
        output = settings.require_output()
        if not output.exists():
            package = build(settings)
            publish(package.files, output, made=package.made)
            click.echo(f"{'generated':{_WIDTH}}  {shown(output)}")


def _show_next(layout: Layout, steps: Sequence[Step]) -> None:
    inside = "" if layout.folder.resolve() == Path.cwd().resolve() else f"cd {layout.folder} && "
    included = not any(step.action == "keep" and "include messagegen.mk" in step.note for step in steps)
    make = "make" if included else "make -f messagegen.mk"
    click.echo("Next:")
    for output in layout.outputs[:1]:
        path, _, package = output.rpartition("/")
        use = f"PYTHONPATH={path or '.'} python -c 'import {package}; help({package})'"
        click.echo(f"  {'use the messages:':32} {inside}{use}")
    for what, command in (
        ("write a spec of your own, then", f"{make} messages"),
        ("check what CI checks", f"{make} check-messages"),
        ("check at every commit", "pre-commit install"),
    ):
        click.echo(f"  {what + ':':32} {inside}{command}")
