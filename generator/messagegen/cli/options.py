"""Helpers for several commands: flags that name specs, settings, errors as exit codes, progress."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from messagegen.config import ConfigError, Settings, find_config, load_outputs
from messagegen.fetch.releases import release_of

if TYPE_CHECKING:
    from messagegen.plan.ops import MessagePlan
    from messagegen.spec.model import MessageSpec

specs_option = click.option(
    "--specs",
    type=click.Path(path_type=Path),
    multiple=True,
    metavar="DIR",
    help="Folder of message specs, one spec, or kafka:RELEASE (repeatable).",
)
message_option = click.option(
    "--message", "messages", multiple=True, metavar="NAME", help="Only this message (repeatable)."
)
config_option = click.option(
    "--config",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The file with [tool.messagegen]; default: the nearest pyproject.toml that has it.",
)

paths_argument = click.argument("paths", type=click.Path(path_type=Path), nargs=-1)
check_option = click.option("--check", is_flag=True, help="Write nothing; exit 1 if something is out of date.")


def own_sources(paths: Sequence[Path], config: Path | None) -> list[Path]:
    """``paths``, or the specs of all outputs of the configuration that are not a release of Kafka.

    Raises ``ConfigError`` where there are none.
    """
    if paths:
        return list(paths)
    sources = [path for output in read_outputs(config) for path in output.require_specs()]
    own = [path for path in dict.fromkeys(sources) if release_of(path) is None]
    if not own:
        raise ConfigError(f"the only specs of the configuration are those of {sources[0]}; name a folder")
    return own


def fetch_releases(sources: Sequence[Path]) -> list[Path]:
    """The sources with folders in place of releases; those that have to be fetched are, with a line that says so.

    Raises ``UsageError``.
    """
    if not any(map(release_of, sources)):
        return list(sources)
    from messagegen.generation.files import fetched

    with status_line() as progress:
        return [fetched(source, progress) for source in sources]


def read_specs(specs: Sequence[Path], config: Path | None, *, whole: bool = False) -> dict[str, MessageSpec]:
    """The messages of ``specs``, or of all outputs of the configuration, by name; shows warnings.

    With ``whole``, an output has all messages and versions of its specs. Raises ``SpecError``, ``ConfigError``, ``UsageError``.
    """
    from messagegen.cli.findings import show_findings
    from messagegen.generation.sources import read_sources

    found: dict[str, MessageSpec] = {}
    for settings in (Settings(specs=tuple(specs)),) if specs else read_outputs(config):
        own = replace(settings, specs=tuple(fetch_releases(settings.require_specs())), error_codes=None)
        sources = read_sources(Settings(specs=own.specs) if whole else own)
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

    Without any file, there is one output with nothing set. Paths of specs and error codes are formatted by ``shown``, because
    findings use them as file names.
    """
    file = config or find_config(Path.cwd())
    return tuple(_as_shown(settings) for settings in load_outputs(file)) if file else (Settings(),)


def _as_shown(settings: Settings) -> Settings:
    error_codes = settings.error_codes and Path(shown(settings.error_codes))
    return replace(settings, specs=tuple(Path(shown(path)) for path in settings.specs), error_codes=error_codes)


@contextlib.contextmanager
def status_line() -> Generator[Callable[[str], None]]:
    """Shows progress in a line on standard error, on terminals only."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.markup import escape

    with Console(stderr=True).status("") as status:
        yield lambda text: status.update(escape(text))


def shown(path: Path) -> str:
    """``path`` relative to the current folder if it is below it, otherwise absolute."""
    absolute = path.absolute()
    return str(absolute.relative_to(Path.cwd())) if absolute.is_relative_to(Path.cwd()) else str(path)


def rewrite(path: Path, content: bytes) -> None:
    """Creates a file of the user, or replaces its content in one step; follows a link to it. Raises ``OSError``."""
    from messagegen.publish.files import replace as replace_file

    target = path.resolve()
    replace_file(target.parent, target.name, content)


def count(number: int, word: str) -> str:
    """A number with its word: ``1 file``, ``2 files``."""
    return f"{number} {word}{'s' * (number != 1)}"
