"""Finds and reads spec files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from messagegen.config import KAFKAS_ERROR_CODES
from messagegen.fetch.releases import LOCK_NAME, release_of
from messagegen.findings import UsageError
from messagegen.places import refuse_link, refuse_named_link
from messagegen.progress import step
from messagegen.spec_files import json_files
from messagegen.templating import template_folder
from messagegen.texts import kind_of, read_text


def error_code_file(source: Path) -> Path:
    """Return a file of error codes. The source ``kafka`` is a file of messagegen, with all error codes of Kafka."""
    if source != KAFKAS_ERROR_CODES:
        return source
    # In an installation it is inside the package, in a checkout next to the source roots, like the templates.
    return template_folder().with_name("error_codes") / "kafka.json"


def spec_files(sources: Iterable[Path]) -> list[Path]:
    """Return the spec files in the given folders (at any depth) and the given files, sorted by path.

    A source ``kafka:4.4.0`` means the official specs of that release, which are fetched into the user's cache once.

    Raise ``UsageError`` for a missing source, a release that cannot be fetched, and a folder without specs. Also raise
    it for a link, in a folder or as a source, that leads out of its repository.
    """
    found: set[Path] = set()
    for source in map(fetched, sources):
        refuse_named_link(source)
        if source.is_dir():
            inside = json_files(source)
            if not inside:
                raise UsageError(f"no *.json files in {source}")
            for file in inside:
                refuse_link(file, source)
                if file.exists() and not file.is_file():
                    raise UsageError(f"{file} is {kind_of(file.stat().st_mode)}, not a spec; remove it")
            found.update(inside)
        elif source.exists() and not source.is_file():
            raise UsageError(f"{source} is {kind_of(source.stat().st_mode)}; name a spec file or a folder")
        elif source.is_file():
            found.add(source)
        else:
            raise UsageError(f"no such spec file or folder: {source}")
    return sorted(found)


def fetched(source: Path) -> Path:
    """Return the source itself, or the folder in the user's cache if the source is a release. Raise ``UsageError``."""
    release = release_of(source)
    if release is None:
        return source
    if ".." in release:
        from messagegen.merge.folders import merged_releases  # noqa: PLC0415 - as below

        return merged_releases(release)
    from messagegen.fetch.specs import release_folder  # noqa: PLC0415 - slow to load, and few sources are releases

    return release_folder(release)


def read_texts(sources: Iterable[Path], error_codes: Path | None = None) -> dict[str, bytes]:
    """Return the bytes of spec files, and of a file of error codes, by their names in findings.

    ``sources`` are folders, files and releases, as for ``spec_files``.
    """
    if error_codes and not error_codes.exists():
        raise UsageError(f"no such file of error codes: {error_codes}; write kafka for the error codes of Kafka itself")
    files = spec_files(sources)
    if error_codes:
        files.append(error_codes)
    with step("Reading specs"):
        return {path.as_posix(): read_text(path) for path in files}


def released_specs(texts: Mapping[str, bytes]) -> frozenset[str]:
    """Return the names of the texts that are unchanged specs of a Kafka release.

    The digests of a release are in the lock file that was fetched with its specs.
    """
    folders = {Path(name).parent.parent for name in texts}
    locked = [folder for folder in folders if (folder / LOCK_NAME).is_file()]
    if not locked:
        return frozenset()
    from messagegen.fetch.folder import digest, read_lock  # noqa: PLC0415 - few folders have a lock

    known: dict[Path, str] = {}
    for folder in locked:
        if lock := read_lock(folder):
            known |= {folder / path: expected for path, expected in lock.files.items()}
    return frozenset(name for name, data in texts.items() if known.get(Path(name)) == digest(data))
