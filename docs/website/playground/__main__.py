"""``make playground``: builds the page, and serves it."""

from __future__ import annotations

from pathlib import Path

import click

from docs.website.playground.build import official_specs, page_files, write_page
from docs.website.playground.pyodide import BuildError
from docs.website.playground.serving import server_of
from messagegen.findings import UsageError


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--serve", type=int, metavar="PORT", help="Serve the page on this port of the loopback address.")
def main(folder: Path, serve: int | None) -> None:
    """Build the playground in FOLDER."""
    try:
        files = page_files(official_specs())
    except (BuildError, UsageError) as error:
        raise click.ClickException(str(error)) from None
    write_page(files, folder)
    click.echo(f"{sum(map(len, files.values())) / 1e6:.1f} MB in {folder}")
    if serve is None:
        return
    with server_of(folder, serve) as server:
        click.echo(f"Open http://127.0.0.1:{server.server_port}/ in a browser, and stop the server with Ctrl-C")
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            return


if __name__ == "__main__":
    main()
