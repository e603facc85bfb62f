"""The platforms and the Python versions for which the native engine is built."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from typing import Final, Literal

System = Literal["linux", "macos", "windows"]

PYTHONS: Final = ("3.11", "3.12", "3.13", "3.14", "3.14t")
"""PyO3 supports free-threaded Python from 3.14 on. Each wheel is for one minor version, because the engine does
not use the stable ABI.
"""


@dataclass(frozen=True, slots=True)
class Target:
    """A platform: its name in Rust, the tag of its wheels, and the system that builds them."""

    triple: str
    tag: str
    system: System

    @property
    def musl(self) -> bool:
        """Whether the platform's C library is musl, as on Alpine Linux."""
        return self.triple.endswith("-musl")

    @property
    def in_jar(self) -> bool:
        """Whether the jar for Spark contains a library for this platform."""
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
"""Zig links the Linux targets, so one machine can build all of them; other targets need their system's own linker."""

_SYSTEMS: Final[dict[str, System]] = {"Linux": "linux", "Darwin": "macos", "Windows": "windows"}


def system() -> System | None:
    """Return the current system."""
    return _SYSTEMS.get(platform.system())
