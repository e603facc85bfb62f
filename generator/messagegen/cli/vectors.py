"""The command ``messagegen vectors``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from messagegen.cli.options import VersionedCommand, config_option, message_option, read_plans, specs_options
from messagegen.console.output import show
from messagegen.console.text import json_line

if TYPE_CHECKING:
    from messagegen.plan.ops import MessagePlan


@click.command(cls=VersionedCommand)
@specs_options
@message_option
@config_option
def vectors(specs: Sequence[Path], messages: Sequence[str], config: Path | None) -> None:
    """Write test vectors of messages, for other implementations.

    Each vector is the bytes of a message with its value, in Kafka's JSON form. Standard output gets a line of JSON for
    each. The same specs give the same lines everywhere. The bytes come from the reference codec, not from generated
    code. The specs are those of PATHS, --specs or [tool.messagegen].

    There are up to eight vectors for each version of a message: default, empty, null, typical, edges, unicode, long,
    and unknown-tags. A version whose smallest message has more than 10,000 values has none.

    \b
    Examples:
      messagegen vectors > vectors.jsonl
      messagegen vectors --specs kafka_specs --message FetchRequest
      messagegen vectors | diff vectors.jsonl -       check that a file is up to date

    Exit codes: 0 done, 2 specs with errors, wrong usage or another error.
    """
    from messagegen.vectors import make_vectors

    for vector in make_vectors(plans_of_vectors(specs, messages, config)):
        show(json_line(vector.as_json()))


def plans_of_vectors(specs: Sequence[Path], messages: Sequence[str], config: Path | None) -> Sequence[MessagePlan]:
    """Return the plans of the chosen messages, and print versions without vectors to standard error."""
    from messagegen.vectors import MOST_VALUES, too_large

    plans = read_plans(specs, messages, config)
    for plan in plans:
        if versions := too_large(plan):
            names = ", ".join(map(str, sorted(versions)))
            text = f"{plan.name}: no vectors of versions {names}; each message has more than {MOST_VALUES:,} values"
            show(text, err=True)
    return plans
