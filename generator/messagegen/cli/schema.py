"""The command ``messagegen schema``."""

from __future__ import annotations

import click

from messagegen.cli.options import VersionedCommand


@click.command(cls=VersionedCommand)
@click.option("--error-codes", is_flag=True, help="Print the schema of error code files instead.")
def schema(error_codes: bool) -> None:
    """Print the JSON Schema of message specs, which editors use to complete and check them.

    With a copy in the repository, editors find it through "$schema" in a spec or through their settings.

    \b
    Examples:
      messagegen schema
      messagegen schema > message_spec.schema.json
      messagegen schema | diff message_spec.schema.json -

    Exit codes: 0 done, 2 wrong usage.
    """
    from messagegen.spec import ERROR_CODES, MESSAGE_SPEC, schema_text

    click.echo(schema_text(ERROR_CODES if error_codes else MESSAGE_SPEC), nl=False)
