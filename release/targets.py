"""The platforms and the Python versions of the native engine's builds."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from typing import Final, Literal

System = Literal["linux", "macos", "windows"]

PYTHONS: Final = ("3.11", "3.12", "3.13", "3.14", "3.14t")
"""PyO3 supports free-threaded builds from 3.14 on; a wheel is for one minor version, because the engine does not use
the stable ABI.
"""


@dataclass(frozen=True, slots=True)
class Target:
    """A platform: its name in Rust, the tag of its wheels, and the system that builds them."""

    triple: str
    tag: str
    system: System

    @property
    def musl(self) -> bool:
        """Whether its C library is musl, as on Alpine Linux."""
        return self.triple.endswith("-musl")

    @property
    def in_jar(self) -> bool:
        """Whether the jar for Spark has a library for it."""
        return self.triple.endswith("-linux-gnu")


TARGETS: Final = (
    Target("x86_64-unknown-linux-gnu", "manylinux_2_17", "linux"),
    Target("aarch64-unknown-linux-gnu", "manylinux_2_17", "linux"),
    Target("x86_64-unknown-linux-musl", "musllinux_1_2", "linux"),
    Target("aarch64-unknown-linux-musl", "musllinux_1_2", "linux"),
    Target("x86_64-apple-darwin", "macosx", "macos"),
    Target("aarch64-apple-darwin", "macosx", "macos"),
    Target("x86_64-pc-windows-msvc", "win", "windows"),
)
"""zig links the Linux targets, so that one machine builds all of them; the others need the system's own linker."""

_SYSTEMS: Final[dict[str, System]] = {"Linux": "linux", "Darwin": "macos", "Windows": "windows"}


def system() -> System | None:
    """Return the current system."""
    return _SYSTEMS.get(platform.system())
