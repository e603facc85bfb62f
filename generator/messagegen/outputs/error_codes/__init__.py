"""The output ``error_codes``: a module of the package with an enum of the error codes in responses."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from messagegen.emit.code import Code
from messagegen.emit.literals import docstring, text_literal
from messagegen.findings import UsageError
from messagegen.names import ERROR_CODE_CLASS, ERROR_CODE_MODULE
from messagegen.outputs.output import File, Inputs, Options, Output
from messagegen.plan.error_codes import ErrorCodesPlan
from messagegen.templating import template


def error_codes_text(plan: ErrorCodesPlan) -> str:
    """Return the text of the module with the error codes."""
    return template("error_codes", "module.py.j2").render(
        members=_members(plan),
        retriable=_retriable(plan),
        abouts=_abouts(plan),
    )


def _members(plan: ErrorCodesPlan) -> list[str]:
    code = Code("    ")
    for member in plan.members:
        code.assign(member.name, str(member.code))
        if about := docstring(member.about):
            code.line(f'"""{about}"""')
        code.blank()
    return code.lines


def _retriable(plan: ErrorCodesPlan) -> list[str]:
    codes = [str(member.code) for member in plan.members if member.retriable]
    code = Code()
    if codes:
        with code.block("_RETRIABLE: frozenset[int] = frozenset("):
            code.one_a_line("[", codes, "]")
        code.line(")")
    else:
        code.line("_RETRIABLE: frozenset[int] = frozenset([])")
    return code.lines


def _abouts(plan: ErrorCodesPlan) -> list[str]:
    rows = [f"{member.code}: {text_literal(member.about)}" for member in plan.members]
    code = Code()
    if rows:
        code.one_a_line("_ABOUT: dict[int, str] = {", rows, "}")
    else:
        code.line("_ABOUT: dict[int, str] = {}")
    return code.lines


def _files(inputs: Inputs, _: Options) -> Mapping[str, File]:
    if inputs.error_codes is None:
        raise UsageError("the output error_codes needs a file of error codes; pass --error-codes FILE")
    return {f"{ERROR_CODE_MODULE}.py": File(partial(error_codes_text, inputs.error_codes))}


ERROR_CODES: Final = Output(
    name="error_codes",
    about="an enum of the error codes, as a module of the package",
    files=_files,
    exports=lambda _: {ERROR_CODE_CLASS: ERROR_CODE_MODULE},
    by_default=lambda inputs: inputs.error_codes is not None,
)
