"""Unpacks source archives on every supported Python, because 3.11.0 to 3.11.3 have no extraction filters."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath
from shutil import copytree
from tarfile import ReadError, TarFile, TarInfo
from typing import Final

_OWNER_MAY_RUN: Final = 0o100
_PROGRAM: Final = 0o755
_PLAIN: Final = 0o644


def unpack_files(archive: TarFile, to: Path, *, copy_links: bool = False) -> None:
    """Write the files and folders of an archive into a folder, with their times and without their owners.

    With ``copy_links``, a link to a folder of the archive becomes a copy of that folder. Raises ``tarfile.ReadError``
    for other links, for devices, and for paths that lead out of the folder. Archives of sources never contain them.
    """
    links: list[TarInfo] = []
    for member in archive:
        path = PurePosixPath(member.name)
        if path.is_absolute() or ".." in path.parts:
            raise ReadError(f"{member.name} leads out of the folder of the archive")
        place = to / path
        if member.isdir():
            place.mkdir(parents=True, exist_ok=True)
            continue
        if copy_links and member.issym():
            links.append(member)
            continue
        content = archive.extractfile(member) if member.isfile() else None
        if content is None:
            raise ReadError(f"{member.name} is neither a file nor a folder")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content.read())
        place.chmod(_PROGRAM if member.mode & _OWNER_MAY_RUN else _PLAIN)
        os.utime(place, (member.mtime, member.mtime))
    for link in links:
        target = (to / link.name).parent.joinpath(link.linkname).resolve()
        if not (target.is_relative_to(to.resolve()) and target.is_dir()):
            raise ReadError(f"{link.name} is a link to {link.linkname}, which is no folder of the archive")
        copytree(target, to / link.name)
