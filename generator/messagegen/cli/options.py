"""The options that several commands share, and the reading of specs and settings that they name."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from messagegen.cli.findings import FORMATS, show_findings
from messagegen.config import ConfigError, Settings, check_required_version, find_config, load_outputs
from messagegen.fetch.releases import release_of
from messagegen.places import real, refuse_named_link

if TYPE_CHECKING:
    from messagegen.plan.ops import MessagePlan
    from messagegen.spec.model import MessageSpec

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


class VersionedCommand(click.Command):
    """A command that runs only if ``required-version`` allows this version of messagegen, whatever its arguments."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command, for click. Raise ``ConfigError`` if the configuration requires another version."""
        file = ctx.params.get("config") or find_config(Path.cwd())
        if file:
            check_required_version(file)
        return super().invoke(ctx)


class NamedPath(click.Path):
    """A path as ``pathlib.Path``. A link in it that leads out of its repository is an error."""

    def __init__(self, *, file_okay: bool = True, allow_dash: bool = False) -> None:
        super().__init__(file_okay=file_okay, allow_dash=allow_dash, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Parse the path, for click. Raise ``UsageError`` for a link."""
        path = Path(value)
        refuse_named_link(path)
        super().convert(value, param, ctx)
        return path


_PATH: Final = NamedPath()
_PATHS_KEY: Final = "messagegen.paths"
"""The key of ``PATHS`` in the context of a command, until they are added to ``--specs``."""


def combined(*options: Decorator) -> Decorator:
    """Return a decorator that adds several options, in this order."""

    def add(command: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            command = option(command)
        return command

    return add


def _specs_option(callback: Callable[..., tuple[Path, ...]] | None = None) -> Decorator:
    return click.option(
        "--specs",
        type=_PATH,
        multiple=True,
        metavar="DIR",
        callback=callback,
        help="Folder of message specs, one spec, or kafka:RELEASE (repeatable).",
    )


specs_option = _specs_option()


def _remember_paths(ctx: click.Context, _: click.Parameter, paths: tuple[Path, ...]) -> None:
    ctx.meta[_PATHS_KEY] = paths


def _add_paths(ctx: click.Context, _: click.Parameter, specs: tuple[Path, ...]) -> tuple[Path, ...]:
    return (*ctx.meta[_PATHS_KEY], *specs)


specs_options = combined(
    # Click processes eager parameters first, so the paths are known when --specs is processed.
    click.argument("paths", type=_PATH, nargs=-1, is_eager=True, expose_value=False, callback=_remember_paths),
    _specs_option(callback=_add_paths),
)
"""``PATHS`` and ``--specs``, which have the same meaning: the command gets both as ``specs``."""


message_option = click.option(
    "--message",
    "messages",
    multiple=True,
    metavar="NAME",
    help="Only this message, or all that match a pattern such as 'Fetch*' (repeatable).",
)
config_option = click.option(
    "--config",
    type=_PATH,
    metavar="FILE",
    help="The file with [tool.messagegen]; default: the nearest pyproject.toml that has it.",
)
check_option = click.option("--check", is_flag=True, help="Write nothing; exit 1 if something is out of date.")
use_options = combined(
    click.option("--use", multiple=True, metavar="RULE", help="Only this rule or category (repeatable)."),
    click.option(
        "--except", "excluded", multiple=True, metavar="RULE", help="Leave out this rule or category (repeatable)."
    ),
)


def form_option(*forms: str) -> Decorator:
    """Return the option ``--format`` with these choices, the first by default."""
    return click.option(
        "--format", "form", type=click.Choice(forms), default=forms[0], show_default=True, help="How to report."
    )


format_option = form_option(*FORMATS)


def own_sources(specs: Sequence[Path], config: Path | None) -> list[Path]:
    """Return ``specs`` if there are any, else the specs of all outputs in the configuration, except Kafka's releases.

    Raise ``ConfigError`` if nothing is left.
    """
    if specs:
        return list(specs)
    sources = [path for output in read_outputs(config) for path in output.require_specs()]
    own = [path for path in dict.fromkeys(sources) if release_of(path) is None]
    if not own:
        raise ConfigError(f"the configuration has only specs of Kafka's releases, such as {sources[0]}; name a folder")
    return own


def read_specs(
    specs: Sequence[Path], config: Path | None, *, matching: re.Pattern[bytes] | None = None
) -> dict[str, MessageSpec]:
    """Return the messages of ``specs``, or of all outputs of the configuration, by name, and print warnings.

    With ``matching``, an output has all versions of all messages whose specs match. Raise ``SpecError``,
    ``ConfigError``, ``UsageError``.
    """
    from messagegen.generation.choosing import EVERYTHING, Choice
    from messagegen.generation.sources import read_sources

    found: dict[str, MessageSpec] = {}
    for settings in (Settings(specs=tuple(specs)),) if specs else read_outputs(config):
        choice = Choice.of(settings) if matching is None else EVERYTHING
        sources = read_sources(settings.require_specs(), choice=choice, matching=matching)
        show_findings(sources.warnings, err=True)
        found = {spec.name: spec for spec in sources.messages} | found
    return found


def read_plans(specs: Sequence[Path], messages: Sequence[str], config: Path | None) -> list[MessagePlan]:
    """Return the plans of the chosen messages, or of all messages; otherwise work as ``read_specs`` does."""
    from messagegen.patterns import names_matching
    from messagegen.plan.build import build_plan

    found = read_specs(specs, config)
    wanted = names_matching(messages, found) if messages else found
    return [build_plan(spec) for name, spec in found.items() if name in wanted]


def read_outputs(config: Path | None) -> tuple[Settings, ...]:
    """Return the outputs of ``config``, or of the nearest ``pyproject.toml`` that has any. Raise ``ConfigError``.

    Without any file, return one output without settings. Paths of specs and error codes are formatted by ``shown``,
    because findings use them as file names.
    """
    file = config or find_config(Path.cwd())
    return tuple(_as_shown(settings) for settings in load_outputs(file)) if file else (Settings(),)


def _as_shown(settings: Settings) -> Settings:
    error_codes = settings.error_codes and Path(shown(settings.error_codes))
    return replace(settings, specs=tuple(Path(shown(path)) for path in settings.specs), error_codes=error_codes)


def shown(path: Path) -> str:
    """Return ``path`` relative to the current folder if it is below it, otherwise unchanged."""
    absolute = path.absolute()
    return str(absolute.relative_to(Path.cwd())) if absolute.is_relative_to(Path.cwd()) else str(path)


def rewrite(path: Path, content: bytes) -> None:
    """Create or replace a user's file, or the target if it is a link, in one step. Raise ``OSError``."""
    from messagegen.publish.files import replace as replace_file

    target = real(path)
    replace_file(target.parent, target.name, content)


def read_standard_input() -> bytes:
    """Return the bytes of standard input. Raise ``UsageError`` for a terminal, where the command would seem to hang."""
    if sys.stdin.isatty():
        raise click.UsageError("No input; pass a file, or pipe something in.")
    return sys.stdin.buffer.read()
