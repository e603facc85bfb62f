"""The function of each command has a parameter of the right type for each option. Invalid numbers get advice.

Click calls functions with keyword arguments. In a function with ``**options: Any``, type checkers do not find misspelt
names.
"""

from __future__ import annotations

import importlib
import inspect
import re
import types
from collections.abc import Iterator, Sequence
from typing import Any, Union, get_args, get_origin, get_type_hints, is_typeddict

import click
import pytest

import release.__main__ as release_command
from messagegen.cli.command import messagegen
from messagegen.console.parameters import WholeNumber
from messagegen_arrow.cli.command import messagegen_data
from messagegen_client.cli.offsets.command import offsets
from messagegen_client.cli.quotas.command import quotas
from tests.support.commands import SCRIPTS

PROGRAMS = {
    "messagegen": messagegen,
    "messagegen-data": messagegen_data,
    "kafka-client-quotas": quotas,
    "kafka-offsets": offsets,
    "release": release_command.main,
}


def commands(name: str, command: click.Command) -> Iterator[tuple[str, click.Command]]:
    """Yield a command and its subcommands, each with its full name."""
    yield name, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for below in command.list_commands(context):
            found = command.get_command(context, below)
            assert found is not None
            yield from commands(f"{name} {below}", found)


COMMANDS = [
    pytest.param(command, id=name) for program, whole in PROGRAMS.items() for name, command in commands(program, whole)
]


def parameter_types(command: click.Command) -> dict[str, Any]:
    """Return the types of the parameters of a command's function, except the context.

    Include the keys of a ``TypedDict`` as parameters.
    """
    assert command.callback is not None
    hints = get_type_hints(command.callback)
    types_of: dict[str, Any] = {}
    for name, parameter in inspect.signature(command.callback).parameters.items():
        hint = hints[name]
        if hint is click.Context:
            continue
        if parameter.kind is inspect.Parameter.VAR_KEYWORD:
            (unpacked,) = get_args(hint)
            assert is_typeddict(unpacked)
            types_of |= get_type_hints(unpacked)
        else:
            types_of[name] = hint
    return types_of


def may_be_none(hint: Any) -> bool:
    return get_origin(hint) in (Union, types.UnionType) and type(None) in get_args(hint)


def values_given(command: click.Command) -> dict[str, click.Parameter]:
    """Return the options and arguments that click passes to the function."""
    return {one.name: one for one in command.params if one.expose_value and one.name is not None}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_function_takes_exactly_the_options_of_its_command(command: click.Command) -> None:
    assert set(parameter_types(command)) == set(values_given(command))


@pytest.mark.parametrize("command", COMMANDS)
def test_parameter_types_match_the_kinds_of_options(command: click.Command) -> None:
    hints = parameter_types(command)
    for name, option in values_given(command).items():
        hint = hints[name]
        if isinstance(option, click.Option) and option.is_flag:
            assert hint is bool, name
        elif option.multiple or option.nargs == -1:
            assert get_origin(hint) is Sequence, name
        else:
            default = option.get_default(click.Context(command), call=False)
            can_be_missing = not option.required and option.value_is_missing(default)
            assert may_be_none(hint) == can_be_missing, name


PLAIN_NUMBERS = (click.types.IntParamType, click.types.FloatParamType)
"""Click's number types, whose errors do not state the expected range. Click's range types derive from them."""


def number_options() -> Iterator[Any]:
    """Yield each option of type number, of all commands."""
    for program, whole in PROGRAMS.items():
        for name, command in commands(program, whole):
            for option in command.params:
                if isinstance(option.type, PLAIN_NUMBERS):
                    yield pytest.param(command, option, id=f"{name} {option.name}")


@pytest.mark.parametrize(("command", "option"), list(number_options()))
@pytest.mark.parametrize("value", ["two", "", "-1", "nan"])
def test_errors_about_numbers_state_the_expected_range(
    command: click.Command, option: click.Parameter, value: str
) -> None:
    with pytest.raises(click.BadParameter) as raised:
        option.type(value, option, click.Context(command))
    form = rf"expected a (whole number (of at least|from) \d+( to \d+)?|number of seconds above 0), got '{value}'"
    assert re.fullmatch(form, raised.value.message)


def test_whole_numbers_must_be_within_their_range() -> None:
    assert [WholeNumber(1, 8).convert(text, None, None) for text in ("1", "8")] == [1, 8]
    with pytest.raises(click.BadParameter, match=r"^expected a whole number from 1 to 8, got '9'$"):
        WholeNumber(1, 8).convert("9", None, None)
    with pytest.raises(click.BadParameter, match=r"^expected a whole number of at least 1, got '2\.5'$"):
        WholeNumber(1).convert("2.5", None, None)


OF_USERS = [each for each in COMMANDS if not str(each.id).startswith("release")]
OTHER_SPELLINGS = {
    "--format": {"--form", "--output-format", "--json"},
    "--output": {"--out", "--output-file", "--output-dir", "-o", "--file"},
}
"""For each option name, the alternative names that no command may use."""
SHORTENED = {"--format": "--form", "--output": "--out"}
"""Wrong names for which the error suggests the option."""


def options_of(command: click.Command) -> dict[str, click.Parameter]:
    """Return the options of a command by their names."""
    return {spelling: one for one in command.params for spelling in one.opts}


@pytest.mark.parametrize("command", OF_USERS)
def test_formats_and_outputs_have_the_same_name_in_all_commands(command: click.Command) -> None:
    options = options_of(command)
    assert not options.keys() & set().union(*OTHER_SPELLINGS.values())
    form, output = options.get("--format"), options.get("--output")
    assert form is None or isinstance(form.type, click.Choice)
    assert output is None or (not isinstance(output.type, click.Choice) and output.metavar in ("DIR", "FILE"))


@pytest.mark.parametrize("command", OF_USERS)
def test_errors_about_similar_option_names_suggest_the_right_option(
    command: click.Command, request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]
) -> None:
    program, *words = request.node.callspec.id.split(" ")
    asked = {right: wrong for right, wrong in SHORTENED.items() if right in options_of(command)}
    if program.startswith("kafka-"):
        # In these programs, --output is a format; in others, it is a file.
        asked["--format"] = "--output"
    for right, wrong in asked.items():
        with pytest.raises(SystemExit) as left:
            main_of(program)([*words, wrong, "json"])
        assert left.value.code == (64 if program == "kafka-client-quotas" else 2)
        assert re.search(rf"No such option '{wrong}'.*{right}\b", " ".join(capsys.readouterr().err.split()))


def main_of(program: str) -> Any:
    """Return the entry point of a console script."""
    module, function = SCRIPTS[program].split(":")
    return getattr(importlib.import_module(module), function)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("describe", "No such command 'describe'; write --describe"),
        ("resolve", "No such command 'resolve'; write --resolve"),
        ("alter", "No such command 'alter'; write --alter"),
        ("--plan", "No such option '--plan'; write plan"),
        ("--apply", "No such option '--apply'; write apply"),
        ("--export", "No such option '--export'; write export"),
    ],
)
def test_errors_about_quota_modes_suggest_the_option_or_the_command(
    words: str, expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main_of("kafka-client-quotas")(["--bootstrap-server", "localhost:1", words])
    assert expected in capsys.readouterr().err


@pytest.mark.parametrize("command", OF_USERS)
def test_no_name_is_both_an_option_and_a_command(command: click.Command) -> None:
    if isinstance(command, click.Group):
        named = {f"--{name}" for name in command.list_commands(click.Context(command))}
        assert not named & options_of(command).keys()
