"""Output of the advisor's commands: a table or JSON on standard output, and the requested files."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click
from rich import box
from rich.console import Console
from rich.table import Table as RichTable

from messagegen_arrow.advisor.costs import CostTable, Engine
from messagegen_arrow.advisor.recommending import recommend
from messagegen_arrow.advisor.specs.patch import SpecPatch, companion_of, patch_spec
from messagegen_arrow.advisor.specs.text import SpecTextError, parse_spec
from messagegen_arrow.advisor.tables import changes_table, families_table, trial_table
from messagegen_arrow.advisor.trial import Trial, run_trial
from messagegen_arrow.files.writing import put
from messagegen_arrow.text_tables import Table

if TYPE_CHECKING:
    from messagegen_arrow.advisor.advice import Advice
    from messagegen_arrow.advisor.statistics import Statistics

_NOTHING_READ = 1


@dataclass(frozen=True, slots=True)
class Answer:
    """The options for deciding and for output."""

    engine: Engine
    ns_per_byte: float
    costs: Path | None
    specs: Path | None
    report: Path | None
    patch: Path | None
    save: Path | None
    output: Literal["text", "json"]
    page: Callable[[], Callable[..., str]]
    """Loads the function that creates the report page, which needs a library for charts."""

    def tell(self, statistics: Statistics, messages: Sequence[tuple[int, bytes]]) -> None:
        """Writes files, then prints; exits with 1 if no message could be read."""
        costs = CostTable.load(self.costs) if self.costs is not None else None
        advice = recommend(statistics, costs=costs, engine=self.engine, nanoseconds_per_byte=self.ns_per_byte)
        if self.save is not None:
            write(self.save, statistics.to_json())
        patches = self._patches(advice)
        trial = self._trial(advice, messages)
        if self.report is not None:
            write(self.report, self.page()(advice, patch=patches[0] if patches else None, trial=trial))
        if self.patch is not None and patches:
            write(self.patch, "".join(patch.diff for patch in patches))
        if self.output == "json":
            value = {**advice.as_json(), "trial": trial.as_json() if trial else None}
            click.echo(json.dumps({**value, "patch": "".join(patch.diff for patch in patches) or None}, indent=2))
        else:
            show(advice, trial)
        _warn(advice)
        if self.patch is not None and not patches:
            click.echo(f"no encoding changes, so {self.patch} was not written", err=True)
        if not advice.messages:
            raise click.exceptions.Exit(_NOTHING_READ)

    def _patches(self, advice: Advice) -> list[SpecPatch]:
        """The change of the message's spec, and of the spec of its request or response."""
        if self.specs is None or not advice.changes:
            return []
        texts = spec_texts(self.specs)
        file, text = _spec_of(advice.message, texts)
        patches = [patch_spec(text, advice.encodings, file=_shown(file, self.specs))]
        companion = companion_of(text, texts)
        if companion is not None:
            patches.append(patch_spec(companion[1], {}, file=_shown(companion[0], self.specs)))
        return patches

    def _trial(self, advice: Advice, messages: Sequence[tuple[int, bytes]]) -> Trial | None:
        if self.specs is None or not messages:
            return None
        _, text = _spec_of(advice.message, spec_texts(self.specs))
        return run_trial(text, messages, advice.encodings)


def spec_texts(specs: Path) -> dict[Path, str]:
    """The texts of the specs in a folder, or of one file, by path, with their line breaks."""
    files = [specs] if specs.is_file() else sorted(specs.rglob("*.json"))
    return {file: file.read_bytes().decode() for file in files}


def _spec_of(message: str, texts: dict[Path, str]) -> tuple[Path, str]:
    for file, text in texts.items():
        if f'"{message}"' not in text:
            continue
        try:
            if parse_spec(text.encode()).text("name") == message:
                return file, text
        except SpecTextError:
            continue
    raise click.UsageError(f"no spec in --specs defines the message {message}")


def _shown(file: Path, specs: Path) -> str:
    return file.name if file == specs else (specs / file.relative_to(specs)).as_posix().lstrip("/")


def write(file: Path | str, text: str, content_type: str | None = None) -> None:
    """Writes a file, or the object at a URL with this type, which is there whole or not at all."""
    if isinstance(file, str):
        put(file, text.encode(), content_type)
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as out:
            out.write(text)
        # Temporary files are private; other files depend on the umask.
        mask = os.umask(0)
        os.umask(mask)
        Path(name).chmod(0o666 & ~mask)
        Path(name).replace(file)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


class PipeConsole(Console):
    """A console that leaves broken pipes to the command."""

    def on_broken_pipe(self) -> None:
        """Raises ``BrokenPipeError``; rich would exit with 1, which means that nothing could be read."""
        raise BrokenPipeError


def show(advice: Advice, trial: Trial | None) -> None:
    """Prints recommendations, and the sizes with all integers in one encoding."""
    console = PipeConsole(width=None if sys.stdout.isatty() else 140)
    head = f"{advice.message}: {advice.messages:,} messages"
    console.print(
        head + (f" (a sample of {advice.statistics.sample:.2%})" if advice.statistics.sample < 1 else ""),
        highlight=False,
    )
    if not advice.messages:
        return
    console.print(_shown_table(families_table(advice)))
    if trial is not None:
        console.print(f"measured, {trial.messages:,} messages", highlight=False)
        console.print(_shown_table(trial_table(trial)))
    if not advice.changes:
        console.print("no other encoding is worth the change", highlight=False)
        return
    console.print(_shown_table(changes_table(advice)))
    per_message = advice.saving_bytes / advice.messages
    in_all = advice.saving_bytes / advice.statistics.sample
    console.print(
        f"version {advice.next_version} would save {per_message:,.1f} bytes a message, {in_all:,.0f} in all",
        highlight=False,
    )


def rich_table(texts: Sequence[str], numbers: Sequence[str], rows: Iterable[Sequence[str]] = ()) -> Any:
    """A table with columns of text on the left and of numbers on the right."""
    made = RichTable(box=box.SIMPLE_HEAD)
    for name in texts:
        made.add_column(name, overflow="fold")
    for name in numbers:
        made.add_column(name, justify="right", no_wrap=True)
    for row in rows:
        made.add_row(*row)
    return made


def _shown_table(table: Table) -> Any:
    return rich_table(table.texts, table.numbers, (row.cells for row in table.rows))


def _warn(advice: Advice) -> None:
    for version, found in advice.statistics.versions.items():
        if found.malformed:
            where = "rows without a version" if version is None else f"messages of version {version}"
            click.echo(
                f"warning: {found.malformed:,} {where} could not be decoded and are left out, such as: {found.example}",
                err=True,
            )
