"""Settings: values in ``pyproject.toml``, overrides by flags, and errors."""

from __future__ import annotations

from pathlib import Path

import pytest

from messagegen.build import BUILD
from messagegen.config import OUTPUT_KEYS, ConfigError, Settings, choose, find_config, load_outputs, package_name


def write(folder: Path, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "pyproject.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_paths_in_the_table_are_relative_to_the_file(tmp_path: Path) -> None:
    file = write(
        tmp_path,
        """
        [tool.messagegen]
        specs = ["message_specs", "more/One.json"]
        output = "src/kafka_messages"
        messages = ["MetadataRequest"]
        exclude = ["*Record", "RequestHeader"]
        brokers = "3.9..4.0"
        versions = { MetadataRequest = "9-12", FetchRequest = "4+" }
        error_codes = "errors.json"
        license = "MIT OR (Apache-2.0 AND 0BSD)"
        required-version = ">=0.1"
        """,
    )
    (settings,) = load_outputs(file)
    assert settings == Settings(
        specs=(tmp_path / "message_specs", tmp_path / "more/One.json"),
        output=tmp_path / "src/kafka_messages",
        messages=("MetadataRequest",),
        exclude=("*Record", "RequestHeader"),
        brokers=("3.9.2", "4.0.2"),
        versions={"MetadataRequest": "9-12", "FetchRequest": "4+"},
        error_codes=tmp_path / "errors.json",
        licence="MIT OR (Apache-2.0 AND 0BSD)",
    )
    assert settings.require_package() == "kafka_messages"


def test_the_nearest_file_with_the_table_is_found(tmp_path: Path) -> None:
    expected = write(tmp_path, "[tool.messagegen]\n")
    inner = write(tmp_path / "library", "[project]\nname = 'library'\n").parent
    (inner / "src").mkdir()
    assert find_config(inner / "src") == expected
    nearer = write(inner, "[tool.messagegen]\n")
    assert find_config(inner / "src") == nearer


def test_files_without_the_table_are_ignored(tmp_path: Path) -> None:
    write(tmp_path, "[tool.other]\n")
    assert find_config(tmp_path) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("spec = []", r"unknown key spec in \[tool.messagegen\]; did you mean specs\?"),
        (
            "colour = 'x'",
            f"the keys are {', '.join(key.name for key in OUTPUT_KEYS)}",
        ),
        ("specs = 'message_specs'", r'invalid value of specs; write a value such as specs = \["message_specs"\]'),
        ("specs = []", "invalid value of specs"),
        ("specs = [1]", "invalid value of specs"),
        ("specs = ['']", "invalid value of specs"),
        ('specs = ["a\\u0000b"]', "invalid value of specs"),
        ("output = ['x']", "invalid value of output"),
        ("output = ''", "invalid value of output"),
        ('output = "src/a\\u0000b"', "invalid value of output"),
        ("versions = '1-2'", "invalid value of versions"),
        ("exclude = 'A'", r'write a value such as exclude = \["\*Record"\]'),
        ("brokers = ['2.8']", 'invalid value of brokers; write a value such as brokers = "2.8..4.4"'),
        ("brokers = '2.9'", "brokers: unknown release '2.9'; expected one of 2.4.1, .* 4.4.0, or 2.4 for 2.4.1"),
        ("brokers = '2.8..'", "brokers: unknown release ''; expected one of"),
        ("brokers = '4.4..2.8'", "brokers: 4.4 is newer than 2.8; write the older release first"),
        ("versions = { FetchRequest = 4 }", 'write a value such as versions = { MetadataRequest = "9-12" }'),
        ("options = { site = 3 }", "invalid value of options"),
        ("specs = [", "is not TOML"),
        pytest.param(f"specs = {'[' * 5000}", "is not TOML .*recursion", id="deep"),
        ('license = "MIT\\nimport os"', "invalid value of license"),
        pytest.param(f'license = "{"L" * 151}"', "an SPDX expression of at most 150 characters", id="long licence"),
        ('license = "MIT --> <script>"', 'write an SPDX expression of .*, such as "Apache-2.0"'),
        ('license = "MIT */ alert(1)"', 'write an SPDX expression of .*, such as "Apache-2.0"'),
        ("required-version = 1", 'write a value such as required_version = ">=0.1,<0.2"'),
        ("required-version = 'newest'", 'invalid required-version "newest"'),
        (
            "required-version = '99'",
            "required-version is 99, but this is messagegen .*; install a version that matches",
        ),
        ("required-version = '<0.1'", "required-version is <0.1, but this is messagegen"),
        ("outputs = 3", r"invalid value of outputs; .*tables \[\[tool.messagegen.outputs\]\]"),
        ("outputs = []", "invalid value of outputs"),
        ("lint = 3", "invalid value of lint"),
        (
            "outputs = [{ output = 'x', spec = ['x'] }]",
            r"unknown key spec in \[\[tool.messagegen.outputs\]\]; did you",
        ),
        ("outputs = [{ output = 'x', required-version = '1' }]", "unknown key required_version in"),
        ("outputs = [{ output = 'x' }, { output = 'y/../x' }]", "duplicate output folder .*; give each output its own"),
    ],
)
def test_invalid_values_are_refused_with_advice(tmp_path: Path, text: str, expected: str) -> None:
    file = write(tmp_path, f"[tool.messagegen]\n{text}\n")
    with pytest.raises(ConfigError, match=expected) as caught:
        load_outputs(file)
    assert str(caught.value).startswith(str(file))


def test_a_setting_that_is_not_a_table_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"tool\.messagegen is not a table"):
        load_outputs(write(tmp_path, "[tool]\nmessagegen = 3\n"))


def test_a_named_file_must_exist_and_have_the_table(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"has no \[tool.messagegen\] table"):
        load_outputs(write(tmp_path, "[project]\n"))
    with pytest.raises(ConfigError, match="cannot be read: No such file"):
        load_outputs(tmp_path / "absent.toml")


def test_each_flag_overrides_only_its_key() -> None:
    settings = Settings((Path("a"),), Path("b"), ("C",), versions={"C": "1"})
    assert settings.override(Settings()) == settings
    assert settings.override(Settings(output=Path("other"))) == Settings(
        (Path("a"),), Path("other"), ("C",), versions={"C": "1"}
    )
    other = Settings((Path("a"),), Path("b"), ("D",), versions={"C": "1"})
    assert settings.override(Settings(messages=("D",))) == other


def test_the_specs_flag_resets_settings_about_the_configured_specs() -> None:
    settings = Settings((Path("a"),), Path("b"), ("C",), versions={"C": "1"})
    assert settings.override(Settings((Path("x"),))) == Settings((Path("x"),), Path("b"))
    assert settings.override(Settings(error_codes=Path("e"))).error_codes == Path("e")
    with_errors = settings.override(Settings(error_codes=Path("e")))
    assert with_errors.override(Settings((Path("x"),))).error_codes is None
    assert with_errors.override(Settings((Path("x"),), error_codes=Path("f"))).error_codes == Path("f")
    assert settings.override(Settings((Path("x"),), messages=("D",))) == Settings((Path("x"),), Path("b"), ("D",))


def test_missing_specs_and_output_are_errors_with_advice() -> None:
    with pytest.raises(ConfigError, match=r"no specs; pass --specs DIR, write specs under .* or run `messagegen init`"):
        Settings().require_specs()
    with pytest.raises(ConfigError, match="no output folder; pass --output DIR or write output"):
        assert Settings().require_package()


@pytest.mark.parametrize("name", ["kafka-messages", "class", "größe"])
def test_the_name_of_a_package_must_be_an_identifier(name: str) -> None:
    with pytest.raises(ConfigError, match=f'"{name}".*must be an identifier; write a name such as src/'):
        package_name(Path("src", name))
    assert package_name(Path("messages", name, "..")) == "messages"


SEVERAL = """
    [tool.messagegen]
    specs = ["specs"]
    license = "MIT"
    [[tool.messagegen.outputs]]
    output = "src/all_messages"
    [[tool.messagegen.outputs]]
    output = "lib/few_messages"
    messages = ["Ping"]
    specs = ["other"]
"""


def test_keys_of_the_main_table_are_defaults_for_all_outputs(tmp_path: Path) -> None:
    assert load_outputs(write(tmp_path, SEVERAL)) == (
        Settings((tmp_path / "specs",), tmp_path / "src/all_messages", licence="MIT"),
        Settings((tmp_path / "other",), tmp_path / "lib/few_messages", ("Ping",), licence="MIT"),
    )


def test_the_flag_output_selects_one_of_several_outputs(tmp_path: Path) -> None:
    outputs = load_outputs(write(tmp_path, SEVERAL))
    assert choose(outputs, Settings()) == outputs
    assert choose(outputs, Settings(output=tmp_path / "src" / ".." / "lib" / "few_messages"))[0].messages == ("Ping",)
    (one,) = choose(outputs, Settings(output=tmp_path / "src/all_messages", messages=("Pong",)))
    assert (one.specs, one.messages) == ((tmp_path / "specs",), ("Pong",))
    assert choose(outputs, Settings((Path("x"),), Path("y"))) == (Settings((Path("x"),), Path("y")),)
    unclear = r"all_messages, .*few_messages; choose one with --output"
    with pytest.raises(ConfigError, match=unclear):
        choose(outputs, Settings(messages=("Pong",)))
    with pytest.raises(ConfigError, match=unclear):
        choose(outputs, Settings((Path("x"),)))
    with pytest.raises(ConfigError, match=unclear):
        choose(outputs, Settings(output=Path("y")))
    with pytest.raises(ConfigError, match=unclear):
        choose(outputs, Settings(error_codes=Path("e")))


def test_an_output_that_leads_out_of_the_repository_is_refused(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    repository = write(tmp_path / "repository", "[tool.messagegen]\noutput = 'src/keys'\n")
    (repository.parent / "src").symlink_to(tmp_path / "home")
    with pytest.raises(
        ConfigError, match=r"src/keys leads out of the repository; name another path, or pass it with a flag"
    ):
        load_outputs(repository)
    named = write(tmp_path / "repository", "[tool.messagegen]\noutput = '../home/keys'\n")
    with pytest.raises(ConfigError, match=r"\.\./home/keys leads out of the repository"):
        load_outputs(named)
    (tmp_path / ".git").mkdir()
    assert load_outputs(named)[0].require_package() == "keys"


def test_a_version_without_an_operator_is_an_exact_requirement(tmp_path: Path) -> None:
    file = write(tmp_path, f"[tool.messagegen]\nrequired_version = '{BUILD}'\n")
    assert load_outputs(file) == (Settings(),)
