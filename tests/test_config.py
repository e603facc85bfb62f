"""Settings: what a ``pyproject.toml`` may say, what flags override, and what is refused in which words."""

from __future__ import annotations

from pathlib import Path

import pytest

from messagegen.config import ConfigError, Settings, find_config, load_settings, package_name


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
        """,
    )
    assert load_settings(file) == Settings(
        specs=(tmp_path / "message_specs", tmp_path / "more/One.json"),
        output=tmp_path / "src/kafka_messages",
        messages=("MetadataRequest",),
        versions={"MetadataRequest": "9-12", "FetchRequest": "4+"},
        error_codes=tmp_path / "errors.json",
    )
    assert load_settings(file).require_package() == "kafka_messages"


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
        ("spec = []", r"spec is not a key of \[tool.messagegen\]; did you mean specs\?"),
        ("ouput = 'x'", r"did you mean output\?"),
        ("colour = 'x'", "the keys are specs, output, messages, versions, error_codes"),
        ("specs = 'message_specs'", r'specs must be a list.*write specs = \["message_specs"\]'),
        ("specs = []", "specs must be a list of names, not empty"),
        ("specs = [1]", "specs must be a list"),
        ("specs = ['']", "specs must be a list"),
        ("output = ['x']", "output must be the path of a folder"),
        ("output = ''", "output must be the path of a folder"),
        ("output = 'src/kafka-messages'", r'"kafka-messages".*must be an identifier; write .*src/kafka_messages'),
        ("output = 'src/class'", r"write .*src/class_messages"),
        ("output = 'src/4.3.1'", r"write .*src/messages"),
        ("output = 'src/größe'", "must be an identifier"),
        ("messages = 'FetchRequest'", "messages must be a list"),
        ("versions = '1-2'", "versions must be a table"),
        ("versions = { FetchRequest = 4 }", 'versions.FetchRequest must be a string; write FetchRequest = "2-7"'),
        ("versions = { FetchRequest = '4..5' }", 'versions.FetchRequest: "4..5" is not a version range'),
        ("error_codes = ['x']", 'error_codes must be the path of a file; write error_codes = "'),
        ("error_codes = ''", "error_codes must be the path of a file"),
        ("specs = [", "is not TOML"),
    ],
)
def test_refuses_with_what_to_write_instead(tmp_path: Path, text: str, expected: str) -> None:
    file = write(tmp_path, f"[tool.messagegen]\n{text}\n")
    with pytest.raises(ConfigError, match=expected) as caught:
        load_settings(file)
    assert str(caught.value).startswith(str(file))


def test_refuses_a_table_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"tool\.messagegen is not a table"):
        load_settings(write(tmp_path, "[tool]\nmessagegen = 3\n"))


def test_refuses_a_named_file_without_the_table_or_without_existence(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"has no \[tool.messagegen\] table"):
        load_settings(write(tmp_path, "[project]\n"))
    with pytest.raises(ConfigError, match="cannot be read: No such file"):
        load_settings(tmp_path / "absent.toml")


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
    with pytest.raises(ConfigError, match="no specs; pass --specs DIR or write specs"):
        Settings().require_specs()
    with pytest.raises(ConfigError, match="no output folder; pass --output DIR or write output"):
        assert Settings().require_package()


def test_package_name_sees_through_dots(tmp_path: Path) -> None:
    assert package_name(tmp_path / "messages" / "sub" / "..") == "messages"
