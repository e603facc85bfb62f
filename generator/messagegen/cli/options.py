"""The options that several commands have, and what they name."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from messagegen.cli.findings import FORMATS, show_findings
from messagegen.config import ConfigError, Settings, find_config, load_outputs
from messagegen.fetch.releases import release_of
from messagegen.places import real

if TYPE_CHECKING:
    from messagegen.plan.ops import MessagePlan
    from messagegen.spec.model import MessageSpec

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

_PATH: Final = click.Path(path_type=Path)
_PATHS_KEY: Final = "messagegen.paths"
"""Where the context of a command has ``PATHS`` until they are added to ``--specs``."""


class WholeNumber(click.IntRange):
    """A whole number from ``lowest`` to ``highest``, or from ``lowest`` on."""

    def __init__(self, lowest: int, highest: int | None = None) -> None:
        super().__init__(lowest, highest)
        self._expected = f"of at least {lowest}" if highest is None else f"from {lowest} to {highest}"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Called by click."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            self.fail(f"expected a whole number {self._expected}, got {str(value)!r}", param, ctx)


class Seconds(click.FloatRange):
    """A finite number of seconds above 0."""

    def __init__(self) -> None:
        super().__init__(min=0, min_open=True)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Called by click."""
        try:
            seconds: float = super().convert(value, param, ctx)
        except click.BadParameter:
            seconds = math.nan
        # The range check of click accepts NaN.
        if not math.isfinite(seconds):
            self.fail(f"expected a number of seconds above 0, got {str(value)!r}", param, ctx)
        return seconds


def combined(*options: Decorator) -> Decorator:
    """Several options as one, in this order."""

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
    # An eager parameter is processed before those that are not.
    click.argument("paths", type=_PATH, nargs=-1, is_eager=True, expose_value=False, callback=_remember_paths),
    _specs_option(callback=_add_paths),
)
"""``PATHS`` and ``--specs``, which are the same: the command gets those of both as ``specs``."""


message_option = click.option(
    "--message", "messages", multiple=True, metavar="NAME", help="Only this message (repeatable)."
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
    click.option("--except", "excluded", multiple=True, metavar="RULE", help="Not this rule or category (repeatable)."),
)


def form_option(*forms: str) -> Decorator:
    """The option that names one of some formats, the first by default."""
    return click.option(
        "--format", "form", type=click.Choice(forms), default=forms[0], show_default=True, help="How to report."
    )


format_option = form_option(*FORMATS)


def own_sources(specs: Sequence[Path], config: Path | None) -> list[Path]:
    """``specs``, or the specs of all outputs of the configuration that are not a release of Kafka.

    Raises ``ConfigError`` where there are none.
    """
    if specs:
        return list(specs)
    sources = [path for output in read_outputs(config) for path in output.require_specs()]
    own = [path for path in dict.fromkeys(sources) if release_of(path) is None]
    if not own:
        raise ConfigError(f"the only specs of the configuration are those of {sources[0]}; name a folder")
    return own


def read_specs(specs: Sequence[Path], config: Path | None, *, whole: bool = False) -> dict[str, MessageSpec]:
    """The messages of ``specs``, or of all outputs of the configuration, by name; shows warnings.

    With ``whole``, an output has all messages and versions of its specs. Raises ``SpecError``, ``ConfigError``,
    ``UsageError``.
    """
    from messagegen.generation.sources import read_sources

    found: dict[str, MessageSpec] = {}
    for settings in (Settings(specs=tuple(specs)),) if specs else read_outputs(config):
        if whole:
            sources = read_sources(settings.require_specs())
        else:
            sources = read_sources(settings.require_specs(), messages=settings.messages, versions=settings.versions)
        show_findings(sources.warnings, err=True)
        found = {spec.name: spec for spec in sources.messages} | found
    return found


def read_plans(specs: Sequence[Path], messages: Sequence[str], config: Path | None) -> list[MessagePlan]:
    """The plans of the chosen messages, or of all; otherwise as ``read_specs``."""
    from messagegen.generation.sources import unknown_message
    from messagegen.plan.build import build_plan

    found = read_specs(specs, config)
    for name in messages:
        if name not in found:
            raise unknown_message(name, found)
    return [build_plan(spec) for name, spec in found.items() if not messages or name in messages]


def read_outputs(config: Path | None) -> tuple[Settings, ...]:
    """The outputs of ``config``, or of the nearest ``pyproject.toml`` that has any; raises ``ConfigError``.

    Without any file, there is one output with nothing set. Paths of specs and error codes are formatted by ``shown``,
    because findings use them as file names.
    """
    file = config or find_config(Path.cwd())
    return tuple(_as_shown(settings) for settings in load_outputs(file)) if file else (Settings(),)


def _as_shown(settings: Settings) -> Settings:
    error_codes = settings.error_codes and Path(shown(settings.error_codes))
    return replace(settings, specs=tuple(Path(shown(path)) for path in settings.specs), error_codes=error_codes)


def shown(path: Path) -> str:
    """``path`` relative to the current folder if it is below it, otherwise absolute."""
    absolute = path.absolute()
    return str(absolute.relative_to(Path.cwd())) if absolute.is_relative_to(Path.cwd()) else str(path)


def rewrite(path: Path, content: bytes) -> None:
    """Creates a file of the user, or replaces its content in one step; follows a link to it. Raises ``OSError``."""
    from messagegen.publish.files import replace as replace_file

    target = real(path)
    replace_file(target.parent, target.name, content)


def read_standard_input() -> bytes:
    """The bytes of standard input. Raises ``UsageError`` if it is a terminal, where a user would wait for nothing."""
    if sys.stdin.isatty():
        raise click.UsageError("No input; pass a file, or pipe something in.")
    return sys.stdin.buffer.read()
