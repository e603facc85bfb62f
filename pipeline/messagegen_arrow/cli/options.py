"""Options that commands share, and the conversion of exceptions to error messages."""

from __future__ import annotations

import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from messagegen_arrow.console.output import show
from messagegen_arrow.console.parameters import WholeNumber
from messagegen_arrow.console.times import doubt_about, moment_ago

if TYPE_CHECKING:
    from messagegen_arrow.catalog import Catalog

EXIT_MALFORMED: Final = 1
_STDIN: Final = "-"
_EMPTY: Final = "must not be empty; is a shell variable not set?"


class Name(click.ParamType[str]):
    """A non-empty string."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the string, which must not be empty."""
        if not value:
            self.fail(_EMPTY, param, ctx)
        return str(value)


class NewFile(Name):
    """The path of a file that does not exist yet."""

    name = "path"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path, which must not exist yet, but whose folder must exist."""
        path = Path(super().convert(value, param, ctx))
        if path.exists():
            self.fail(f"{path} exists; remove it, or name another file", param, ctx)
        if not path.parent.exists():
            self.fail(f"no such folder: {path.parent}", param, ctx)
        return path


paths_argument = click.argument("paths", nargs=-1, required=True, type=Name(), metavar="PATH...")
limit_option = click.option("--limit", type=WholeNumber(0), metavar="N", help="At most this many rows.")
columns_option = click.option("--columns", metavar="NAME[,...]", help="Only these columns, such as offset,value.")
format_option = click.option(
    "--format",
    "form",
    type=click.Choice(("json", "parquet", "table")),
    default="json",
    show_default=True,
    help="One JSON object per line, a Parquet file, or a table for people.",
)
output_option = click.option(
    "--output", type=NewFile(), metavar="FILE", help="A new file to write, in place of standard output."
)
specs_option = click.option(
    "--specs",
    multiple=True,
    type=Name(),
    metavar="DIR",
    help="Message specs besides the built-in ones: a folder, a file, or kafka:RELEASE (repeatable).",
)


def catalog(specs: Sequence[str]) -> Catalog:
    """Return the built-in messages and the messages of ``--specs``. Raises ``ValueError`` and ``ImportError``."""
    from messagegen_arrow.catalog import catalog_with_specs, default_catalog

    return catalog_with_specs(*specs) if specs else default_catalog()


def standard_input(paths: Sequence[str]) -> list[Any]:
    """Return standard input as a file if a path is ``-``, otherwise nothing. Raises ``UsageError``."""
    from messagegen_arrow.capture.files import PeekedFile

    if _STDIN not in paths:
        return []
    if len(paths) > 1:
        raise click.UsageError("standard input (-) can't be combined with other paths")
    if sys.stdin.isatty():
        raise click.UsageError("no input; pass a path, or pipe something in")
    return [PeekedFile(sys.stdin.buffer, "standard input")]


def listed(text: str | None) -> tuple[str, ...] | None:
    """Return the comma-separated names; ``None`` if ``text`` is ``None``."""
    return None if text is None else tuple(part.strip() for part in text.split(",") if part.strip())


def moment_option(text: str, option: str = "--at") -> int:
    """Return the time of an option, in milliseconds since 1970.

    Raises ``UsageError``, and warns if the time is doubtful.
    """
    from messagegen_arrow.histories.moments import parse_moment

    warn_of_doubt(option, text)
    try:
        return parse_moment(moment_ago(text, datetime.now(UTC)) or text)
    except ValueError as error:
        raise click.UsageError(f"{option}: {error}") from None


def warn_of_doubt(option: str, text: str) -> None:
    """Warn if a number is probably not in milliseconds."""
    doubt = doubt_about(text)
    if doubt is not None:
        show(f"warning: {option} {doubt}", err=True)


def warn(text: str) -> None:
    """Print a warning, as one line, to standard error."""
    show(text, fg="red", err=True)


@contextmanager
def errors_as_messages() -> Generator[None]:
    """Turn expected errors, such as invalid arguments and deleted files, into a message and exit code 2."""
    from messagegen_arrow.log.errors import DataLossError

    try:
        yield
    except (BrokenPipeError, click.ClickException):
        raise
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        raise click.ClickException(f"{where}{error.strerror or error}") from error
    except (ImportError, ValueError, LookupError, DataLossError) as error:
        text = str(error.args[0]) if error.args and isinstance(error, LookupError) else str(error)
        raise click.ClickException("\n".join(text.splitlines())) from error
