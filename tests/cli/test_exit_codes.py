"""Commands exit with 2 on wrong usage, unless 2 has a different meaning for the command."""

from __future__ import annotations

import importlib
import re

import pytest

from tests.support.commands import SCRIPTS

# In this command, 2 means that a plan has changes.
OTHERS = {"kafka-client-quotas": 64}


@pytest.mark.parametrize("name", SCRIPTS)
def test_wrong_usage_has_the_documented_exit_code(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    module, function = SCRIPTS[name].split(":")
    with pytest.raises(SystemExit) as left:
        getattr(importlib.import_module(module), function)(["--no-such-option"])
    assert left.value.code == OTHERS.get(name, 2)
    assert "--no-such-option" in capsys.readouterr().err


@pytest.mark.parametrize("name", SCRIPTS)
def test_help_lists_exit_codes(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    module, function = SCRIPTS[name].split(":")
    with pytest.raises(SystemExit) as left:
        getattr(importlib.import_module(module), function)(["--help"])
    assert left.value.code == 0
    told = " ".join(capsys.readouterr().out.split()).rpartition("Exit codes: ")[2]
    assert re.search(rf"(^|\s){OTHERS.get(name, 2)} [^0-9]*wrong usage", told)
