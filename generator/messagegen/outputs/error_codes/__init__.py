"""The output ``error_codes``: an enum of the error codes in responses, as a module of the package."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from messagegen.emit.literals import docstring, text_literal
from messagegen.findings import UsageError
from messagegen.names import ERROR_CODE_CLASS, ERROR_CODE_MODULE
from messagegen.outputs.output import File, Inputs, Options, Output
from messagegen.plan.error_codes import ErrorCodesPlan
from messagegen.templating import template


def error_codes_text(plan: ErrorCodesPlan) -> str:
    """The module of the error codes."""
    members: list[str] = []
    for member in plan.members:
        about = docstring(member.about)
        members += [f"    {member.name} = {member.code}", *[f'    """{about}"""'] * bool(about), ""]
    return template("error_codes", "module.py.j2").render(
        members=members,
        retriable=_retriable([member.code for member in plan.members if member.retriable]),
        abouts=_abouts([f"{member.code}: {text_literal(member.about)}" for member in plan.members]),
    )


def _retriable(codes: Sequence[int]) -> list[str]:
    head = "_RETRIABLE: frozenset[int] = frozenset("
    return [head, "    [", *(f"        {code}," for code in codes), "    ]", ")"] if codes else [f"{head}[])"]


def _abouts(rows: Sequence[str]) -> list[str]:
    head = "_ABOUT: dict[int, str] = {"
    return [head, *(f"    {row}," for row in rows), "}"] if rows else [f"{head}}}"]


def _files(inputs: Inputs, _: Options) -> Mapping[str, File]:
    if inputs.error_codes is None:
        raise UsageError("the output error_codes needs a file of error codes; pass --error-codes FILE")
    return {f"{ERROR_CODE_MODULE}.py": File(partial(error_codes_text, inputs.error_codes))}


ERROR_CODES: Final = Output(
    name="error_codes",
    files=_files,
    exports=lambda _: {ERROR_CODE_CLASS: ERROR_CODE_MODULE},
    by_default=lambda inputs: inputs.error_codes is not None,
)
