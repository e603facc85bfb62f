"""The command ``messagegen schema``."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from messagegen.cli.options import errors_as_usage, rewrite

EXIT_DRIFT: Final = 1


@click.command()
@click.option("--error-codes", is_flag=True, help="Print the schema of error code files instead.")
@click.option("--output", type=click.Path(path_type=Path), metavar="FILE", help="Write the schema to this file.")
@click.option("--check", is_flag=True, help="Write nothing; exit 1 if the file is out of date.")
@click.pass_context
def schema(ctx: click.Context, error_codes: bool, output: Path | None, check: bool) -> None:
    """Print the JSON Schema of message specs, which editors use to complete and check them.

    With a copy in the repository, editors find it through "$schema" in a spec or through their settings.
    A file with any other content is not overwritten.

    \b
    Examples:
      messagegen schema
      messagegen schema --output message_spec.schema.json
      messagegen schema --output message_spec.schema.json --check

    Exit codes: 0 done or up to date, 1 out of date (--check), 2 wrong usage or an error.
    """
    from messagegen.spec import ERROR_CODES, MESSAGE_SPEC, is_schema, schema_text

    if check and output is None:
        raise click.UsageError("--check compares a file; name it with --output FILE.")
    language = ERROR_CODES if error_codes else MESSAGE_SPEC
    text = schema_text(language)
    if output is None:
        click.echo(text, nl=False)
        return
    with errors_as_usage():
        before = output.read_bytes() if output.exists() else None
        if before == text.encode():
            click.echo(f"{output} is up to date")
        elif check:
            click.echo(
                f"{output} is {'missing' if before is None else 'out of date'}; run `messagegen schema --output {output}`"
            )
            ctx.exit(EXIT_DRIFT)
        elif before is not None and not is_schema(before, language):
            raise click.UsageError(f"{output} is not a copy of this schema; name another file.")
        else:
            rewrite(output, text.encode())
            click.echo(f"{output} written")
