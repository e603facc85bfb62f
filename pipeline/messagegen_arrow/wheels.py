"""Advice for installing a missing distribution of messagegen."""

from __future__ import annotations

from typing import Final

_ENGINE: Final = "messagegen-native"


def how_to_install(name: str) -> str:
    """Return advice for an error. The distributions are not on PyPI, where other projects own their names."""
    target = "make engine-wheel" if name == _ENGINE else "make wheels"
    return (
        f"install its wheel with `pip install --no-index --find-links PATH/dist {name}`, where PATH is a clone of "
        f"messagegen in which `{target}` was run (the packages with these names on PyPI are not messagegen's)"
    )


def generator_is_missing() -> ImportError:
    """Return the error of functions that read specs: these need the generator, which is an optional extra."""
    return ImportError(f"the package messagegen reads specs: {how_to_install('messagegen')}")
