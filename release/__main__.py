"""The command line: ``python -m release``."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from shutil import copy, rmtree
from typing import Final

import click

from release import build, checks, dist_folder, source, targets
from release.changelog import problems

CACHE: Final = source.ROOT / ".cache" / "dist"
_NAMES: Final = [target.triple for target in targets.TARGETS]
_ENGINE_STEPS: Final = 3
_SPARK_STEPS: Final = 5
_NO_TARGET_OF_JAR: Final = "needs a target for Linux with glibc"

target_option = click.option(
    "--target", "wanted", multiple=True, type=click.Choice(_NAMES), help="Only for this target."
)
python_option = click.option(
    "--python", "pythons", multiple=True, type=click.Choice(targets.PYTHONS), help="Only for this Python."
)
out_option = click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=source.ROOT / "dist",
    show_default="dist",
    help="The folder to write.",
)
reference_option = click.option("--commit", "reference", default="HEAD", show_default=True, help="The commit to build.")
no_native_option = click.option(
    "--no-native",
    is_flag=True,
    help="Only the distributions of Python code: no engine, jar, checks or bills of materials.",
)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Build and check the published distributions. The same commit and the same rustc give the same bytes.

    \b
    Examples:
      python -m release build                      everything that this system can build, into dist/
      python -m release build --python 3.12 --target x86_64-unknown-linux-gnu
      python -m release build --no-native          only the distributions of Python code, in some seconds
      python -m release jar                        only the jar for Spark, with libraries for Linux
      python -m release engine                     the wheel of the native engine for this Python
      python -m release spark                      the wheel of the pipeline with the jar for Spark
      python -m release wheels --out parts         only wheels of the native engine, as CI does on each system
      python -m release finish parts               checks, bills of materials and digests of what is there
      python -m release changelog --tag v0.2.0     the changelog fits the version that is published
      python -m release licences                   the licences of linked crates, after a change of Cargo.lock

    Exit codes: 0 done, 1 a check failed, 2 wrong usage or nothing could be built.
    """


@main.command("build")
@target_option
@python_option
@out_option
@reference_option
@no_native_option
def build_everything(wanted: Sequence[str], pythons: Sequence[str], out: Path, reference: str, no_native: bool) -> None:
    """Build all distributions of a commit, check them, and write bills of materials and digests."""
    dist_folder.keep_foreign_files(out)
    made = _exported(reference)
    folder = _empty(CACHE / "out")
    chosen = [] if no_native else _chosen(wanted)
    in_jar = [target for target in chosen if target.in_jar]
    steps = Steps(_number_of_steps(chosen, in_jar))
    if in_jar:
        _build_jar(made, in_jar, steps)
    elif not no_native:
        click.echo(f"Not built: the jar for Spark, which {_NO_TARGET_OF_JAR}", err=True)
    for name in build.PYTHON_DISTRIBUTIONS:
        steps.begin(f"{name}: sdist and wheel")
        build.build_python(made, name, folder)
    if no_native:
        steps.begin("digests")
        dist_folder.write_digests(folder)
    else:
        _build_native(made, folder, chosen, pythons or targets.PYTHONS, steps)
        steps.begin("checks, bills of materials and digests")
        _finish(made, folder)
    dist_folder.replace(out, folder)
    _report(out)


@main.command()
@target_option
@out_option
@reference_option
def jar(wanted: Sequence[str], out: Path, reference: str) -> None:
    """Build only the jar for Spark, and add it to a folder."""
    in_jar = [target for target in _chosen(wanted) if target.in_jar]
    if not in_jar:
        raise click.UsageError(f"the jar {_NO_TARGET_OF_JAR}")
    dist_folder.keep_foreign_files(out)
    built = _build_jar(_exported(reference), in_jar, Steps(_steps_of_jar(in_jar)))
    folder = _empty(CACHE / "jar")
    copy(built, folder)
    _add_to(out, folder)


@main.command()
@out_option
@reference_option
@click.option(
    "--python", default=sys.executable, show_default="this one", help="The Python to build for: a path or a name."
)
def engine(out: Path, reference: str, python: str) -> None:
    """Build the wheel of the native engine for one Python, and add it to a folder.

    It is for this machine and systems as new as this one; it needs Rust and a C compiler, and takes some minutes.
    """
    dist_folder.keep_foreign_files(out)
    steps = Steps(_ENGINE_STEPS)
    made = _exported_with_crates(reference, steps)
    steps.begin(f"compiling for {python} with {build.rust_version()}, which takes some minutes")
    folder = _empty(CACHE / "engine")
    build.build_native_wheel(made, made.folder / "native", python, folder)
    _add_to(out, folder)


@main.command()
@out_option
@reference_option
def spark(out: Path, reference: str) -> None:
    """Build the wheel of the pipeline with the jar for Spark, in place of the wheel without it.

    The jar is for this machine and systems as new as this one; it needs Rust, a C compiler and a JDK 17 or newer, and
    takes some minutes.
    """
    dist_folder.keep_foreign_files(out)
    steps = Steps(_SPARK_STEPS)
    made = _exported_with_crates(reference, steps)
    steps.begin(f"compiling the library of the jar with {build.rust_version()}, which takes some minutes")
    library = build.build_own_library(made)
    steps.begin("the jar for Spark")
    build.build_jar(made, [str(library)])
    steps.begin(f"{build.PIPELINE}: sdist and wheel")
    folder = _empty(CACHE / "spark")
    build.build_python(made, build.PIPELINE, folder)
    _add_to(out, folder)


@main.command()
@target_option
@python_option
@out_option
@reference_option
def wheels(wanted: Sequence[str], pythons: Sequence[str], out: Path, reference: str) -> None:
    """Build only the wheels of the native engine."""
    chosen = _chosen(wanted)
    _build_native(_exported(reference), out, chosen, pythons or targets.PYTHONS, Steps(1 + len(chosen)))


@main.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@reference_option
def finish(folder: Path, reference: str) -> None:
    """Check the distributions of a folder; write bills of materials and digests."""
    _finish(_exported(reference), folder)
    _report(folder)


@main.command()
@click.option("--tag", help="The tag to publish.")
def changelog(tag: str | None) -> None:
    """Check the changelog against the version and the tags."""
    text = (source.ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    found = list(problems(text, source.version_in(source.ROOT), source.tags(), tag))
    if found:
        raise checks.CheckError("CHANGELOG.md: " + "; ".join(found))


@main.command()
def licences() -> None:
    """Write the licences of the crates in the native libraries to native/THIRD-PARTY-LICENSES."""
    from release import licences as third_party  # noqa: PLC0415 - only this command needs Cargo's metadata

    click.echo(f"Written: {third_party.write().relative_to(source.ROOT)}")


def _exported(reference: str) -> source.Source:
    changed = source.uncommitted()
    if changed:
        click.echo(f"Note: {len(changed)} uncommitted changes are left out; only commits are built", err=True)
    return source.export(CACHE / "source", reference)


def _exported_with_crates(reference: str, steps: Steps) -> source.Source:
    """Export a commit, and fetch the crates in its ``Cargo.lock``, to build for this machine."""
    steps.begin("exporting the commit")
    made = _exported(reference)
    steps.begin("fetching crates")
    build.fetch_crates(made.folder / "native")
    os.environ.setdefault("CARGO_TARGET_DIR", str(CACHE / "engine-target"))
    return made


def _empty(folder: Path) -> Path:
    """Replace a folder by a new, empty one."""
    rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def _add_to(out: Path, folder: Path) -> None:
    """Move the built files to the folder of distributions, and print their names and sizes."""
    for file in dist_folder.add(out, folder):
        click.echo(f"{file.stat().st_size / 1e6:6.2f} MB  {file.name}")


def _chosen(wanted: Sequence[str]) -> list[targets.Target]:
    """Return the wanted targets, or all targets that this system can build.

    Raises ``BuildError`` if a wanted target can't be built, or if no target can.
    """
    here = targets.system()
    chosen = [one for one in targets.TARGETS if one.triple in wanted or (not wanted and one.system == here)]
    missing = build.missing_targets(chosen)
    for target in missing:
        click.echo(f"Not built: {target.triple}; `rustup target add {target.triple}` failed", err=True)
    if chosen == missing or (wanted and missing):
        names = ", ".join(target.triple for target in missing) or f"no target is for {here}"
        raise build.BuildError(f"not built: {names}")
    os.environ.setdefault("CARGO_TARGET_DIR", str(CACHE / "target"))
    return [target for target in chosen if target not in missing]


class Steps:
    """The steps of a build, which takes up to half an hour.

    Each step prints a line to standard error when it begins.
    """

    def __init__(self, total: int) -> None:
        self._total = total
        self._number = 0

    def begin(self, text: str) -> None:
        """Print the next step, with its number and the number of all steps."""
        self._number += 1
        click.echo(f"[{self._number} of {self._total}] {text}", err=True)


def _number_of_steps(chosen: Sequence[targets.Target], in_jar: Sequence[targets.Target]) -> int:
    """Return the number of steps: libraries, jar, Python distributions, the engine's sdist and wheels, and checks."""
    of_engine = len(chosen) + 1 if chosen else 0
    return _steps_of_jar(in_jar) + len(build.PYTHON_DISTRIBUTIONS) + of_engine + 1


def _steps_of_jar(in_jar: Sequence[targets.Target]) -> int:
    """Return the number of steps for the jar: a library for each target, and the jar itself."""
    return len(in_jar) + 1 if in_jar else 0


def _build_jar(made: source.Source, in_jar: Sequence[targets.Target], steps: Steps) -> Path:
    libraries: list[str] = []
    for target in in_jar:
        steps.begin(f"the jar for Spark: its library for {target.triple}")
        libraries.append(build.build_library(made, target))
    steps.begin("the jar for Spark")
    return build.build_jar(made, libraries)


def _build_native(
    made: source.Source, out: Path, chosen: Sequence[targets.Target], pythons: Sequence[str], steps: Steps
) -> None:
    from release import bills  # noqa: PLC0415 - wheels alone need no bills

    steps.begin(f"{build.NATIVE}: sdist")
    folder = build.unpack(build.build_native_sdist(made, out), CACHE / "native")
    build.fetch_crates(folder)
    for target in chosen:
        steps.begin(f"{build.NATIVE}: wheels for {target.triple}, Python {', '.join(pythons)}")
        bill = CACHE / "bills" / target.triple / f"{build.NATIVE}.cdx.json"
        bill.parent.mkdir(parents=True, exist_ok=True)
        bill.write_text(bills.native_bill(made, folder, target), encoding="utf-8", newline="\n")
        build.build_native_wheels(made, folder, target, pythons, bill, out)
    click.echo(f"Compiled with {build.rust_version()}", err=True)


def _finish(made: source.Source, folder: Path) -> None:
    from release import bills  # noqa: PLC0415 - wheels alone need no bills

    texts = {name: bills.python_bill(name, made) for name in build.PYTHON_DISTRIBUTIONS}
    if any(file.name.startswith("messagegen_native") for file in dist_folder.distributions(folder)):
        texts[build.NATIVE] = bills.native_bill(made, made.folder / "native")
    for name, text in texts.items():
        (folder / f"{name}-{made.version}{dist_folder.BILL_SUFFIX}").write_text(text, encoding="utf-8", newline="\n")
    checks.check(folder)
    dist_folder.write_digests(folder)


def _report(folder: Path) -> None:
    for file in dist_folder.distributions(folder):
        click.echo(f"{file.stat().st_size / 1e6:6.2f} MB  {file.name}")
    click.echo(f"Digests: {folder / dist_folder.DIGESTS}")


def _run() -> int:
    try:
        main(standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return 2
    except click.Abort:
        return 130
    except checks.CheckError as error:
        click.echo(f"Error: {error}", err=True)
        return 1
    except (build.BuildError, source.SourceError, OSError) as error:
        click.echo(f"Error: {error}", err=True)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(_run())
