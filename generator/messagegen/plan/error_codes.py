"""The plan of an error code enum: its members in output order, as data only."""

from __future__ import annotations

from dataclasses import dataclass

from messagegen.spec.error_codes import ErrorCodesSpec


@dataclass(frozen=True, slots=True)
class ErrorMember:
    """A member: its name, its number, whether a retry may succeed, and what it means."""

    name: str
    code: int
    retriable: bool
    about: str


@dataclass(frozen=True, slots=True)
class ErrorCodesPlan:
    """The enum; members are sorted by code, whatever the order of the file."""

    members: tuple[ErrorMember, ...]


def build_error_codes(spec: ErrorCodesSpec) -> ErrorCodesPlan:
    """Return the plan of the error codes of a file without findings.

    Names are used as they are: a name of capitals and digits is never a Python keyword or an attribute of enums.
    """
    errors = sorted(spec.errors, key=lambda error: error.code)
    return ErrorCodesPlan(tuple(ErrorMember(error.name, error.code, error.retriable, error.about) for error in errors))
