"""Writes the files of the kit as a folder with checksums and as an archive. Equal files make equal bytes."""

from __future__ import annotations

import io
import lzma
import tarfile
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Final

NAME: Final = "kafka-conformance-kit"


def with_checksums(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files and ``SHA256SUMS``, in the form that ``sha256sum --check`` reads."""
    sums = "".join(f"{sha256(data).hexdigest()}  {path}\n" for path, data in sorted(files.items()))
    return {**files, "SHA256SUMS": sums.encode()}


def write_folder(files: Mapping[str, bytes], folder: Path) -> None:
    """Write the files into a folder."""
    for path, data in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)


def packed(files: Mapping[str, bytes]) -> bytes:
    """Return the files as a ``.tar.xz`` archive, without times and owners."""
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for path, data in sorted(files.items()):
            member = tarfile.TarInfo(f"{NAME}/{path}")
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return lzma.compress(plain.getvalue(), preset=9)
