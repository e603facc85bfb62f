"""Settings: what a ``pyproject.toml`` may say, what flags override, and what is refused in which words."""

from __future__ import annotations

from pathlib import Path

import pytest

from messagegen.build import BUILD
from messagegen.config import ConfigError, Settings, choose, find_config, load_outputs, package_name


def write(folder: Path, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "pyproject.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_reads_all_keys_relative_to_the_file(tmp_path: Path) -> None:
    file = write(
        tmp_path,
        """
        [tool.messagegen]
        specs = ["message_specs", "more/One.json"]
        output = "src/kafka_messages"
        messages = ["MetadataRequest"]
        versions = { MetadataRequest = "9-12", FetchRequest = "4+" }
        error_codes = "errors.json"
        line-length = 100
        license = "MIT OR (Apache-2.0 AND 0BSD)"
        required-version = ">=0.1"
        """,
    )
    (settings,) = load_outputs(file)
    assert settings == Settings(
        specs=(tmp_path / "message_specs", tmp_path / "more/One.json"),
        output=tmp_path / "src/kafka_messages",
        messages=("MetadataRequest",),
        versions={"MetadataRequest": "9-12", "FetchRequest": "4+"},
        error_codes=tmp_path / "errors.json",
        line_length=100,
        licence="MIT OR (Apache-2.0 AND 0BSD)",
    )
    assert settings.require_package() == "kafka_messages"


def test_finds_the_nearest_file_with_the_table(tmp_path: Path) -> None:
    expected = write(tmp_path, "[tool.messagegen]\n")
    inner = write(tmp_path / "library", "[project]\nname = 'library'\n").parent
    (inner / "src").mkdir()
    assert find_config(inner / "src") == expected
    nearer = write(inner, "[tool.messagegen]\n")
    assert find_config(inner / "src") == nearer


def test_finds_nothing_where_no_file_has_the_table(tmp_path: Path) -> None:
    write(tmp_path, "tool = 3\n")
    assert find_config(tmp_path) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("spec = []", r"unknown key spec in \[tool.messagegen\]; did you mean specs\?"),
        ("ouput = 'x'", r"did you mean output\?"),
        (
            "colour = 'x'",
            "the keys are specs, output, messages, versions, error_codes, include, options, line-length, license, required-version, outputs",
        ),
        ("specs = 'message_specs'", r'specs must be a list.*write specs = \["message_specs"\]'),
        ("specs = []", "specs must be a list of names, not empty"),
        ("specs = [1]", "specs must be a list"),
        ("specs = ['']", "specs must be a list"),
        ("output = ['x']", "output must be the path of a folder"),
        ("output = ''", "output must be the path of a folder"),
        ("output = 'src/kafka-messages'", r'"kafka-messages".*must be an identifier; write .*src/kafka_messages'),
        ("output = 'src/class'", r"write a name such as .*src/kafka_messages"),
        ("output = 'src/größe'", "must be an identifier"),
        ("messages = 'FetchRequest'", "messages must be a list"),
        ("versions = '1-2'", "versions must be a table"),
        ("versions = { FetchRequest = 4 }", 'versions.FetchRequest must be a string; write FetchRequest = "2-7"'),
        ("versions = { FetchRequest = '4..5' }", 'versions.FetchRequest: invalid version range "4..5"'),
        ("error_codes = ['x']", 'error_codes must be the path of a file; write error_codes = "'),
        ("error_codes = ''", "error_codes must be the path of a file"),
        ("specs = [", "is not TOML"),
        pytest.param(f"specs = {'[' * 5000}", "is nested too deeply", id="deep"),
        ('output = "src/a\\u0000b"', "output must be the path of a folder"),
        ('specs = ["a\\u0000b"]', "specs must be a list"),
        ('error_codes = "a\\nb"', "error_codes must be the path of a file"),
        ("error-codes = 'x'\nerror_codes = 'x'", "duplicate key error_codes in"),
        ("line-length = '100'", "line-length must be a number from 60 to 1000"),
        ("line-length = true", "line-length must be a number"),
        ("line_length = 59", "line-length must be a number"),
        ("license = ''", 'license must be an SPDX expression; write license = "Apache-2.0"'),
        ('license = "MIT\\nimport os"', "license must be an SPDX expression"),
        ("required-version = 1", 'required-version must be a string; write required-version = ">=0.1,<0.2"'),
        ("required-version = 'newest'", 'invalid required-version "newest"'),
        (
            "required-version = '99'",
            "required-version is 99, but this is messagegen .*; install a version that matches",
        ),
        ("required-version = '<0.1'", "required-version is <0.1, but this is messagegen"),
        ("outputs = 3", r"outputs must be tables; write \[\[tool.messagegen.outputs\]\]"),
        ("outputs = []", "outputs must be tables"),
        (
            "output = 'x'\noutputs = [{ output = 'y' }]",
            "output and outputs can't be used together; move output into a table",
        ),
        ("outputs = [{ specs = ['x'] }]", "has no output; write output"),
        (
            "outputs = [{ output = 'x', spec = ['x'] }]",
            r"unknown key spec in \[\[tool.messagegen.outputs\]\]; did you",
        ),
        ("outputs = [{ output = 'x', required-version = '1' }]", "unknown key required-version in"),
        ("outputs = [{ output = 'x' }, { output = 'y/../x' }]", "duplicate output folder .*; give each output its own"),
    ],
)
def test_refuses_with_what_to_write_instead(tmp_path: Path, text: str, expected: str) -> None:
    file = write(tmp_path, f"[tool.messagegen]\n{text}\n")
    with pytest.raises(ConfigError, match=expected) as caught:
        load_outputs(file)
    assert str(caught.value).startswith(str(file))


def test_refuses_a_table_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"tool\.messagegen is not a table"):
        load_outputs(write(tmp_path, "[tool]\nmessagegen = 3\n"))


def test_refuses_a_named_file_without_the_table_or_without_existence(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"has no \[tool.messagegen\] table"):
        load_outputs(write(tmp_path, "[project]\n"))
    with pytest.raises(ConfigError, match="cannot be read: No such file"):
        load_outputs(tmp_path / "absent.toml")


def test_flags_override_key_by_key() -> None:
    settings = Settings((Path("a"),), Path("b"), ("C",), {"C": "1"})
    assert settings.override() == settings
    assert settings.override(output=Path("other")) == Settings((Path("a"),), Path("other"), ("C",), {"C": "1"})
    assert settings.override(messages=["D"]) == Settings((Path("a"),), Path("b"), ("D",), {"C": "1"})


def test_other_specs_leave_behind_what_was_said_about_the_old_ones() -> None:
    settings = Settings((Path("a"),), Path("b"), ("C",), {"C": "1"})
    assert settings.override(specs=[Path("x")]) == Settings((Path("x"),), Path("b"))
    assert settings.override(error_codes=Path("e")).error_codes == Path("e")
    with_errors = settings.override(error_codes=Path("e"))
    assert with_errors.override(specs=[Path("x")]).error_codes is None
    assert with_errors.override(specs=[Path("x")], error_codes=Path("f")).error_codes == Path("f")
    assert settings.override(specs=[Path("x")], messages=["D"]) == Settings((Path("x"),), Path("b"), ("D",))


def test_requires_specs_and_output() -> None:
    with pytest.raises(ConfigError, match=r"no specs; pass --specs DIR, write specs under .* or run `messagegen init`"):
        Settings().require_specs()
    with pytest.raises(ConfigError, match="no output folder; pass --output DIR or write output"):
        assert Settings().require_package()


def test_package_name_sees_through_dots(tmp_path: Path) -> None:
    assert package_name(tmp_path / "messages" / "sub" / "..") == "messages"


SEVERAL = """
    [tool.messagegen]
    specs = ["specs"]
    line-length = 88
    [[tool.messagegen.outputs]]
    output = "src/all_messages"
    [[tool.messagegen.outputs]]
    output = "lib/few_messages"
    messages = ["Ping"]
    specs = ["other"]
"""


def test_keys_above_outputs_are_their_defaults(tmp_path: Path) -> None:
    assert load_outputs(write(tmp_path, SEVERAL)) == (
        Settings((tmp_path / "specs",), tmp_path / "src/all_messages", line_length=88),
        Settings((tmp_path / "other",), tmp_path / "lib/few_messages", ("Ping",), line_length=88),
    )


def test_flags_name_one_of_several_outputs(tmp_path: Path) -> None:
    outputs = load_outputs(write(tmp_path, SEVERAL))
    assert choose(outputs) == outputs
    assert choose(outputs, output=tmp_path / "src" / ".." / "lib" / "few_messages")[0].messages == ("Ping",)
    (one,) = choose(outputs, output=tmp_path / "src/all_messages", messages=["Pong"])
    assert (one.specs, one.messages) == ((tmp_path / "specs",), ("Pong",))
    assert choose(outputs, specs=[Path("x")], output=Path("y")) == (Settings((Path("x"),), Path("y")),)
    unclear = r"all_messages, .*few_messages; choose one with --output"
    with pytest.raises(ConfigError, match=unclear):
        choose(outputs, messages=["Pong"])
    with pytest.raises(ConfigError, match=unclear):
        choose(outputs, specs=[Path("x")])
    with pytest.raises(ConfigError, match=unclear):
        choose(outputs, output=Path("y"))
    with pytest.raises(ConfigError, match=unclear):
        choose(outputs, error_codes=Path("e"))


def test_an_output_that_leads_out_through_a_link_is_refused(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    repository = write(tmp_path / "repository", "[tool.messagegen]\noutput = 'src/keys'\n")
    (repository.parent / "src").symlink_to(tmp_path / "home")
    with pytest.raises(
        ConfigError, match=r"output src/keys leads out of the repository; name another path, or pass it with a flag"
    ):
        load_outputs(repository)
    named = write(tmp_path / "repository", "[tool.messagegen]\noutput = '../home/keys'\n")
    with pytest.raises(ConfigError, match=r"output \.\./home/keys leads out of the repository"):
        load_outputs(named)
    (tmp_path / ".git").mkdir()
    assert load_outputs(named)[0].require_package() == "keys"


def test_an_exact_version_is_required_without_a_sign(tmp_path: Path) -> None:
    file = write(tmp_path, f"[tool.messagegen]\nrequired_version = '{BUILD}'\n")
    assert load_outputs(file) == (Settings(),)
