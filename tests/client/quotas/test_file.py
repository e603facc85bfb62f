from __future__ import annotations

import json
import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from messagegen_client.quotas.entities import QUOTAS, ClientQuotaEntity
from messagegen_client.quotas.file.reading import QuotaFile, QuotaFileError, read_quota_file
from messagegen_client.quotas.file.writing import json_number, json_value, yaml_text
from messagegen_client.quotas.names import QuotaTextError, parse_value

ALICE = ClientQuotaEntity(user="alice", client_id=None)
NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)
ENTITIES = st.dictionaries(NAMES, st.none() | NAMES | st.just(""), min_size=1, max_size=3).map(ClientQuotaEntity)
VALUES = st.floats(allow_nan=False).filter(lambda value: value > -math.inf)

YAML = """
# Comments are fine.
quotas:
  - entity: {user: alice, client-id: null}
    values: {producer_byte_rate: 1000000, request_percentage: 12.5, consumer_byte_rate: null}
  - entity:
      ip: "10.0.0.1"
    values:
      connection_creation_rate: 1e3
scope: [[user], [client-id, user]]
"""


def read(text: str) -> QuotaFile:
    return read_quota_file(text, "quotas.yaml")


def test_entries_and_scope_are_read_from_yaml() -> None:
    file = read(YAML)
    assert file.entries == {
        ALICE: {"producer_byte_rate": 1e6, "request_percentage": 12.5, "consumer_byte_rate": None},
        ClientQuotaEntity(ip="10.0.0.1"): {"connection_creation_rate": 1000.0},
    }
    assert file.scope == {frozenset({"user"}), frozenset({"user", "client-id"}), frozenset({"ip"})}


def problems(text: str) -> list[str]:
    with pytest.raises(QuotaFileError) as caught:
        read(text)
    return list(caught.value.problems)


@given(st.dictionaries(ENTITIES, st.dictionaries(NAMES, VALUES, min_size=1, max_size=3), max_size=5))
@example({ClientQuotaEntity({"null": "1e6", "yes": "no"}): {"1.5": math.inf, "~": 1e300}})
@example(
    {ClientQuotaEntity({"user": name}): {"a": 5e-324} for name in ("\x85\u2028\ufeff", "💥", "\x00\x7f", "a: b # c")}
)
def test_a_written_file_is_read_unchanged(entries: dict[ClientQuotaEntity, dict[str, float]]) -> None:
    assert read(yaml_text(entries)).entries == entries
    assert read(json.dumps(json_value(entries))).entries == entries


def test_nan_and_infinity_are_strings_in_json() -> None:
    assert [json_number(value) for value in (2.0, 2.5, math.nan, math.inf, -math.inf)] == [
        2,
        2.5,
        "NaN",
        "Infinity",
        "-Infinity",
    ]


ENTRY = "quotas:\n- entity: {user: a}\n  values: {a: 1}\n"
EMPTY = ENTRY.replace("a: 1", "")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "quotas.yaml:1: expected a mapping with quotas and scope, not None"),
        ("- a", "quotas.yaml:1: expected a mapping with quotas and scope"),
        ("quota: []", "quotas.yaml:1: quota: unknown key; expected quotas and scope"),
        ("quotas: {}", "quotas.yaml:1: quotas: expected a list, not {}"),
        ("quotas:\n- values: {}", "quotas.yaml:2: quotas[0]: missing key entity"),
        ("quotas:\n- entity: {}\n  values: {}", "quotas.yaml:2: quotas[0].entity: expected at least one entity type"),
        (ENTRY.replace("user: a", "user: "), "quotas.yaml:2: quotas[0].entity.user: missing value; write null"),
        (ENTRY.replace("user: a", "user: 12"), "quotas.yaml:2: quotas[0].entity.user: invalid name 12; put it in"),
        (ENTRY.replace("user: a", "user: 1e6"), "quotas.yaml:2: quotas[0].entity.user: invalid name 1e6"),
        (ENTRY.replace("user: a", "user: 010"), "quotas.yaml:2: quotas[0].entity.user: invalid name 010; put it in"),
        (ENTRY.replace("user: a", "user: no"), "quotas.yaml:2: quotas[0].entity.user: invalid name False"),
        (ENTRY.replace("user: a", "user: 2026-11-01"), "is a timestamp in YAML; put it in quotes"),
        (ENTRY.replace("user: a", '"": a'), "quotas.yaml:2: quotas[0].entity.: expected an entity type that is not"),
        (ENTRY.replace("user: a", "user: a, user: b"), "quotas.yaml:2: quotas[0].entity.user: duplicate key"),
        (ENTRY.replace("a: 1", "a: x"), "quotas.yaml:3: quotas[0].values.a: invalid value 'x'"),
        (ENTRY.replace("a: 1", "a: true"), "quotas.yaml:3: quotas[0].values.a: invalid value True"),
        (ENTRY.replace("a: 1", "a: [1]"), "write a number, Infinity or null"),
        (ENTRY.replace("a: 1", "a: .nan"), "quotas.yaml:3: quotas[0].values.a: .nan sets no limit"),
        (ENTRY.replace("a: 1", "a: -.inf"), "quotas.yaml:3: quotas[0].values.a: -.inf sets no limit"),
        (ENTRY.replace("a: 1", "a: 09"), "quotas.yaml:3: quotas[0].values.a: invalid value '09'"),
        (ENTRY.replace("a: 1", "a: !!int x"), "quotas.yaml:3: quotas[0].values.a: invalid number x"),
        (ENTRY.replace("a: 1", "a: !!python/name:os.system x"), "quotas.yaml:3: quotas[0].values.a: 'x' is a python"),
        (ENTRY.replace("a: 1", "[a]: 1"), "quotas.yaml:3: expected a string as key"),
        (ENTRY.replace("{a: 1}", "&x {a: 1}") + "- entity: {user: b}\n  values: *x", "quotas.yaml:5: aliases"),
        (
            ENTRY + "- entity: {user: b}\n  values: {}\n- entity: {user: a}\n  values: {}",
            "quotas.yaml:6: quotas[2]: duplicate entity {user=a}, first on line 2",
        ),
        (ENTRY + "scope: [[]]", "quotas.yaml:4: scope[0]: invalid combination []"),
        (ENTRY + "---\n" + ENTRY, "quotas.yaml:4: invalid YAML: expected a single document"),
        ("quotas:\n\t- a", "found character that cannot start any token"),
        ("quotas: [\x00]", "quotas.yaml: invalid YAML"),
        ("quotas: [", "invalid YAML"),
        ('{"quotas": [}', "quotas.yaml:1: invalid YAML"),
        ('{"quotas": [], "quotas": []}', "quotas.yaml:1: quotas: duplicate key"),
        ('{"quotas": NaN}', "quotas.yaml:1: quotas: expected a list, not 'NaN'"),
    ],
)
def test_errors_have_line_and_path(text: str, expected: str) -> None:
    assert expected in "\n".join(problems(text))


@pytest.mark.parametrize("text", ["[" * 200_000, '{"a":' * 200_000, "a: " + "{a: " * 200_000, "- " * 50_000])
def test_deep_nesting_is_refused(text: str) -> None:
    assert "nested too deeply" in problems(text)[0]


@pytest.mark.parametrize(
    "number",
    ["010", "1:30", "1:30.5", "1_000", "0x10", "0b1", "+1", "1.", ".5", "1e400", "1e-400", ".INF", "!!int '010'"],
)
def test_numbers_with_ambiguous_yaml_syntax_are_errors(number: str) -> None:
    (problem,) = problems(ENTRY.replace("a: 1", f"request_percentage: {number}"))
    assert problem.startswith("quotas.yaml:3: quotas[0].values.request_percentage: ")
    assert "write for example" in problem or "is too" in problem


@given(st.from_regex(r"[-+.:_0-9eExobinfat]{1,8}", fullmatch=True))
@example("1e400")
@example("Infinity")
def test_files_and_options_read_the_same_numbers(text: str) -> None:
    try:
        wanted: float | None = parse_value(text)
    except QuotaTextError:
        wanted = None
    try:
        found = read(f"quotas:\n- entity: {{user: a}}\n  values:\n    a: {text}\n").entries[
            ClientQuotaEntity(user="a")
        ]["a"]
    except QuotaFileError:
        found = None
    assert found == wanted


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            ENTRY.replace("{a: 1}", "{prodcer_byte_rate: null}"),
            (
                "quotas.yaml:3: quotas[0].values.prodcer_byte_rate: unknown quota 'prodcer_byte_rate'; "
                "did you mean producer_byte_rate?"
            ),
        ),
        (
            ENTRY.replace("{a: 1}", "{nope: null}"),
            (
                "quotas.yaml:3: quotas[0].values.nope: unknown quota 'nope'; "
                f"expected {', '.join(QUOTAS[:-1])} or {QUOTAS[-1]}"
            ),
        ),
        (EMPTY + "scope: [[user], [usr]]", "quotas.yaml:4: scope[1]: unknown entity type 'usr'; did you mean user?"),
        (
            EMPTY + "scope: [[user, ip]]",
            (
                "quotas.yaml:4: scope[0]: invalid combination user and ip; "
                "expected user, client-id, user and client-id, or ip"
            ),
        ),
        (
            ENTRY.replace("user: a", "usr: a").replace("a: 1", "request_percentage: null"),
            "quotas.yaml:2: quotas[0].entity: unknown entity type 'usr'; did you mean user?",
        ),
        (
            ENTRY.replace("user: a", "usr: a").replace("a: 1", ""),
            "quotas.yaml:2: quotas[0].entity: unknown entity type 'usr'; did you mean user?",
        ),
    ],
)
def test_mistakes_that_brokers_would_ignore_are_errors(text: str, expected: str) -> None:
    assert problems(text) == [expected]


MISTAKES = """\
quotas:
- entity: {user: a}
  values: {producer_byte_rate: 0.5, prodcer_byte_rate: 1}
- entity: {user: a}
  values: {connection_creation_rate: 1, request_percentage: 0}
- entity: {user: 5, user: b, usr: c}
  values: {consumer_byte_rate: 1, consumer_byte_rate: x}
- entity: {usr: ""}
  values: {request_percentage: 0.5, consumer_byte_rate: 1.0000001}
"""


@pytest.mark.parametrize(
    ("quota", "problem"),
    [
        ("producer_byte_rate: 0.5", "producer_byte_rate must be a whole number, not 0.5"),
        ("consumer_byte_rate: 1.99", "consumer_byte_rate must be a whole number, not 1.99"),
        (
            "consumer_byte_rate: 1e19",
            "10000000000000000000 is too large; the maximum of consumer_byte_rate is 2**63-1",
        ),
        ("producer_byte_rate: .inf", "Infinity is too large; the maximum of producer_byte_rate is 2**63-1"),
    ],
)
def test_values_that_every_cluster_refuses_are_errors(quota: str, problem: str) -> None:
    expected = problem.replace("2**63-1", str(2**63 - 1))
    assert problems(ENTRY.replace("a: 1", quota)) == [f"quotas.yaml:3: quotas[0].values.{quota[:18]}: {expected}"]
    assert len(problems(ENTRY.replace("a: 1", f"{quota}, prodcer_byte_rate: 1, request_percentage: -1"))) == 3


def test_a_connection_creation_rate_above_int32_is_an_error() -> None:
    (problem,) = problems("quotas: [{entity: {ip: null}, values: {connection_creation_rate: 2147483648}}]")
    assert problem.endswith("2147483648 is too large; the maximum of connection_creation_rate is 2147483647")


@pytest.mark.parametrize(
    "values",
    [
        {"producer_byte_rate": 0.0, "consumer_byte_rate": -1.0},
        {"producer_byte_rate": 2.0**63, "consumer_byte_rate": 1.0000001},
        {"request_percentage": 0.5, "controller_mutation_rate": math.inf},
    ],
)
def test_values_that_some_clusters_accept_are_valid_in_a_file(values: dict[str, float]) -> None:
    """Old brokers accept 0 and negative values, and a file from ``export`` may contain them."""
    assert read(yaml_text({ALICE: values})).entries == {ALICE: values}


def test_all_mistakes_are_reported_at_once() -> None:
    found = [line.partition(" ")[2] for line in problems(MISTAKES)]
    assert found == [
        "quotas[0].values.producer_byte_rate: producer_byte_rate must be a whole number, not 0.5",
        "quotas[0].values.prodcer_byte_rate: unknown quota 'prodcer_byte_rate'; did you mean producer_byte_rate?",
        "quotas[1]: duplicate entity {user=a}, first on line 2",
        "quotas[1].values.connection_creation_rate: connection_creation_rate is a quota of an ip, not of user",
        "quotas[1].values.request_percentage: 0 is not above 0; to remove the quota, write null",
        "quotas[2].entity.user: duplicate key",
        "quotas[2].entity: unknown entity type 'usr'; did you mean user?",
        "quotas[2].values.consumer_byte_rate: duplicate key",
        "quotas[2].values.consumer_byte_rate: invalid value 'x'; write a number, Infinity or null",
        "quotas[3].entity: unknown entity type 'usr'; did you mean user?",
        "quotas[3].entity: empty name of usr; write a name, or null for the default entity",
    ]
