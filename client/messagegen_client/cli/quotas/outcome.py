"""The results of alterations, as text and JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import click

from messagegen_client.cli.support import EXIT_FAILED, error_json, plural, printable
from messagegen_client.errors import KafkaError
from messagegen_client.outcomes import NotSentError, Outcome, words
from messagegen_client.quotas.entities import ClientQuotaEntity
from messagegen_client.quotas.results import AlterClientQuotasResult

_SHOWN: Final = 5


def result_json(results: AlterClientQuotasResult) -> dict[str, object]:
    """The number of entities with each outcome, and the outcome and error of each entity, for ``json.dumps``."""
    counts = {outcome.value: len(entities) for outcome, entities in results.by_outcome().items()}
    altered = [
        {"entity": dict(entity), "outcome": Outcome.of(error).value, "error": error and error_json(error)}
        for entity, error in results.items()
    ]
    return {"counts": counts, "altered": altered}


def counts_text(results: AlterClientQuotasResult, *, validate_only: bool) -> str:
    """The number of entities that were altered, and with each other outcome."""
    found = results.by_outcome()
    done = "valid, nothing was changed" if validate_only else "altered"
    first = f"{plural(len(found[Outcome.DONE]), 'entity', 'entities')} {done}"
    others = [outcome for outcome in Outcome if found[outcome] and outcome is not Outcome.DONE]
    return ", ".join([first, *(f"{len(found[outcome])} {words(outcome)}" for outcome in others)])


def show_errors(results: AlterClientQuotasResult, behind: KafkaError | None = None) -> int:
    """Prints errors on standard error, with the first few entities of each outcome. Returns the exit code.

    ``behind`` is the error if not all brokers describe the changes.
    """
    found = results.by_outcome()
    for entity in found[Outcome.REFUSED][:_SHOWN]:
        _echo(f"{results[entity]}")
    if len(found[Outcome.REFUSED]) > _SHOWN:
        click.echo(f"and {len(found[Outcome.REFUSED]) - _SHOWN} more were refused", err=True)
    for outcome, phrase in ((Outcome.UNKNOWN, "the outcome is unknown for"), (Outcome.NOT_SENT, "not sent:")):
        entities = found[outcome]
        error = results[entities[0]] if entities else None
        if error is not None:
            reason = "an earlier request failed" if isinstance(error, NotSentError) else error.text()
            _echo(f"{phrase} {plural(len(entities), 'entity', 'entities')} ({_some(entities)}): {reason}")
    if found[Outcome.UNKNOWN]:
        click.echo("Describe them, or run plan again, to see what was done.", err=True)
    if behind is not None:
        _echo(f"altered, but {behind}")
    return EXIT_FAILED if results.errors or behind is not None else 0


def _some(entities: Sequence[ClientQuotaEntity]) -> str:
    more = len(entities) - _SHOWN
    return ", ".join(map(str, entities[:_SHOWN])) + (f" and {more} more" if more > 0 else "")


def _echo(text: str) -> None:
    click.echo(f"Error: {printable(text)}", err=True)
