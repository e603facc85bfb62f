"""Gives damaged texts of plans to the native engine: ``python -m tests.native.fuzz_plans --most 100000``.

Each text is refused, or makes a decoder and an encoder of columns that survive bytes of all kinds.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import Final

import click
import pyarrow as pa

from tests.native.fuzzing import Fuzzer, fuzzer_options
from tests.native.spoiled_plans import plan_texts, spoiled

_VALUES: Final = 3
_LONGEST: Final = 60
_HIGHEST_VERSION: Final = 4
_MOST_CHARACTERS: Final = 600
"""The maximum length of an error, which quotes only a part of a line."""


@click.command(help=__doc__)
@fuzzer_options("plans", 20_000)
def main(fuzzer: Fuzzer) -> None:
    """Runs until all plans were read or something is wrong."""
    import messagegen_native as native  # noqa: PLC0415 - the help needs no engine

    random = fuzzer.random
    texts = plan_texts()
    for _ in fuzzer.rounds():
        text = spoiled(random, random.choice(texts))
        try:
            decoder = native.ColumnDecoder(text)
        except ValueError as refused:
            fuzzer.refused += 1
            if len(str(refused)) > _MOST_CHARACTERS:
                sys.exit(f"an error has {len(str(refused))} characters: {str(refused)[:_MOST_CHARACTERS]}")
            continue
        for version in range(_HIGHEST_VERSION):
            values = [random.randbytes(random.randrange(_LONGEST)) for _ in range(_VALUES)]
            with suppress(KeyError):  # The message may lack the version. Refused values become errors of their rows.
                decoder.decode(pa.array(values, pa.binary()), version)
        native.ColumnEncoder(text)


if __name__ == "__main__":
    main()
