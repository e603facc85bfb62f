"""What is advised, how sure that is, and that predicted bytes are the bytes that new versions really take."""

from __future__ import annotations

import json
import math
import statistics as reference
from random import Random
from typing import Any, get_args

import pytest

from messagegen_arrow.advisor.advice import Advice, FieldAdvice
from messagegen_arrow.advisor.costs import Cost, CostTable, Engine, default_costs, keys_of
from messagegen_arrow.advisor.recommending import recommend
from messagegen_arrow.advisor.specs.patch import load_class, load_table, patch_spec
from messagegen_arrow.advisor.statistics import Statistics
from messagegen_arrow.advisor.trial import run_trial
from tests.arrow.support.advisor_data import SPEC, message, sample_class, spec_of, statistics, table


def advice_on(fields: str, values: list[dict[str, Any]], **options: Any) -> Advice:
    text = spec_of(fields)
    cls = load_class(text)
    messages = [(0, cls.from_json(value, version=0).encode(version=0)) for value in values]
    return recommend(statistics(messages, load_table(text)), **options)


def field(advice: Advice, name: str) -> FieldAdvice:
    return next(one for one in advice.fields if one.name == name)


ONE = '{ "name": "A", "type": "int32", "versions": "0+" }'


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([0, 1, 2], "packed32"),  # both varints take a byte; packed does so for -1, too
        ([-1, 0, 1], "packed32"),
        ([64, 100, 127], "upacked32"),
        ([2**27 - 1] * 3, "fixed32"),  # four bytes in any case
        ([2**30, 2**30 + 1], "fixed32"),
        ([-1, 2**30], "packed32"),
    ],
)
def test_the_shortest_encoding_is_advised(values: list[int], expected: str) -> None:
    advice = advice_on(ONE, [{"a": value} for value in values] * 50)
    assert field(advice, "Small.a").recommended == expected
    assert advice.encodings == ({} if expected == "fixed32" else {("Small", "a"): expected})


def test_pure_python_and_cheap_bytes_advise_against_varints() -> None:
    values = [{"a": 1}] * 50
    assert not advice_on(ONE, values, engine="python").changes
    assert advice_on(ONE, values, engine="python", nanoseconds_per_byte=10_000).changes
    assert not advice_on(ONE, values, nanoseconds_per_byte=0).changes


def test_predicted_bytes_are_the_bytes_of_the_new_version() -> None:
    random = Random(7)
    values = [
        {
            "id": random.randrange(-5, 400),
            "numbers": [random.randrange(-(2**40), 2**40) for _ in range(random.randrange(5))],
            "points": [{"x": random.randrange(300), "y": random.randrange(-5, 9)} for _ in range(random.randrange(4))],
            "mapped": random.randrange(-9, 9),
            "spare": random.choice([-1, 4, 300]),
            "extra": random.choice([{"count": 7, "label": ""}, {"count": 8, "label": ""}, {"count": 7, "label": "x"}]),
            "depth": random.randrange(9),
        }
        for _ in range(200)
    ]
    messages = [(2, message(value, 2)) for value in values]
    advice = recommend(statistics(messages))
    assert advice.changes
    after = load_class(patch_spec(SPEC, advice.encodings).after)
    sizes = [after.decode(data, version=2).size(version=3) for _, data in messages]
    assert advice.family("now").bytes == sum(len(data) for _, data in messages)
    assert advice.family("advised").bytes == sum(sizes)
    assert advice.saving_bytes == sum(len(data) for _, data in messages) - sum(sizes)
    trial = run_trial(SPEC, messages, advice.encodings, rounds=1)
    for row in trial.rows:
        assert row.bytes * len(messages) == pytest.approx(advice.family(row.name).bytes)
        assert row.encode_microseconds > 0 < row.decode_microseconds


def test_the_error_of_a_saving_is_that_of_the_mean_over_messages() -> None:
    random = Random(1)
    arrays = [[random.choice([1, 300, -1])] * random.randrange(9) for _ in range(300)]
    advice = advice_on('{ "name": "A", "type": "[]int32", "versions": "0+" }', [{"a": array} for array in arrays])
    found = field(advice, "Small.a")
    assert found.recommended == "packed32"
    savings = [sum(4 - (1 if value != 300 else 2) for value in array) for array in arrays]
    assert found.saving_per_message == pytest.approx(reference.mean(savings))
    error = 1.96 * reference.stdev(savings) / math.sqrt(len(savings))
    assert found.saving_error == pytest.approx(error)
    assert found.confidence is not None
    assert found.confidence.relative_error == pytest.approx(error / reference.mean(savings))


def test_chance_is_not_advised() -> None:
    arrays = [[1] * 40, [-(2**31)] * 110] + [[]] * 3
    advice = advice_on('{ "name": "A", "type": "[]int32", "versions": "0+" }', [{"a": array} for array in arrays])
    found = field(advice, "Small.a")
    assert found.bytes_in["packed32"] == 40 + 5 * 110 < found.bytes_now
    assert not found.changes


def test_confidence() -> None:
    sure = field(advice_on(ONE, [{"a": 5}] * 1000), "Small.a").confidence
    assert sure is not None
    assert (sure.level, sure.doubts) == ("high", ())
    assert (sure.longer_from, sure.headroom) == (2**27, 2**27 / 5)
    unsure = field(advice_on(ONE, [{"a": 5}] * 99), "Small.a").confidence
    assert unsure is not None
    assert (unsure.level, unsure.doubts) == ("low", ("only 99 messages have it",))
    near = field(advice_on(ONE, [{"a": 2**26}] + [{"a": 5}] * 999), "Small.a").confidence
    assert near is not None
    assert near.level == "medium"
    assert near.doubts == ("from 134,217,728 on, 2.0 times the largest value seen, values take more bytes than now",)
    single = field(advice_on(ONE, [{"a": 5}]), "Small.a").confidence
    assert single is not None
    assert (single.level, single.relative_error) == ("low", None)


def test_versions_that_agree_disagree_and_were_not_seen() -> None:
    small, large = [(0, message({"id": 1}, 0))] * 900, [(1, message({"id": 2**30}, 1))] * 200
    confidence = field(recommend(statistics(small + large)), "Sample.id").confidence
    assert confidence is not None
    assert (confidence.agreeing_versions, confidence.other_versions, confidence.unseen_versions) == ((0,), (1,), (2,))
    assert "in version 1 another encoding would be better" in confidence.doubts


def test_remarks() -> None:
    nothing = field(advice_on(ONE, [{"a": value} for value in [-1] * 50 + [127, 100] * 50]), "Small.a")
    # 127 takes two bytes as 128, and -1 one byte as 0.
    assert "33.3% of the values are -1" in nothing.remarks[0]
    assert "all would take 200 bytes" in nothing.remarks[0]
    advice = recommend(statistics([(0, message({}, 0))] * 2))
    assert field(advice, "Sample.unsigned").remarks == ("uint32 fields can have no encoding",)
    assert field(advice, "Sample.numbers").remarks == ("there are no values of it in the data",)


def test_a_field_is_judged_by_all_its_places() -> None:
    messages = [(2, message({"from": {"x": 1, "y": 0}, "points": [{"x": 200, "y": 0}] * 4}, 2))] * 10
    found = field(recommend(statistics(messages)), "Point.x")
    assert (found.paths, found.count) == (("from.x", "points.x"), 50)


def test_nothing_to_go_by() -> None:
    advice = recommend(Statistics("Sample", table().plan))
    assert (advice.messages, advice.fields, advice.changes) == (0, (), ())
    assert advice.family("advised").bytes == 0


def test_advice_as_json() -> None:
    value = advice_on(ONE, [{"a": 5}] * 10).as_json()
    assert json.loads(json.dumps(value)) == json.loads(json.dumps(value))
    (found,) = value["fields"]
    assert (found["recommended"], found["savingBytes"], found["bytesIn"]["packed32"]) == ("packed32", 30, 10)
    assert found["histograms"]["zig-zag"] == {"1": 10}
    assert "plan" not in value


def test_what_cannot_be_asked() -> None:
    found = statistics([(0, message({}, 0))])
    with pytest.raises(ValueError, match="the engine 'native' were not measured"):
        recommend(found, costs=CostTable({}, {}))
    with pytest.raises(ValueError, match="0 ns or more"):
        recommend(found, nanoseconds_per_byte=-1)
    with pytest.raises(LookupError, match="known families: now, fixed, packed, upacked, advised"):
        recommend(found).family("other")


def test_no_message_fits_the_newest_version() -> None:
    with pytest.raises(ValueError, match="nothing to measure"):
        run_trial(SPEC, [(0, b"\xff")], rounds=1)


class TestCosts:
    @pytest.mark.parametrize("engine", get_args(Engine))
    def test_the_table_is_whole(self, engine: Any) -> None:
        table_ = default_costs()
        assert table_.has(engine)
        assert all(table_.nanoseconds[key].both > 0 for key in keys_of(engine))

    def test_it_can_be_saved(self) -> None:
        text = default_costs().to_json()
        assert CostTable.from_json(text) == default_costs()
        assert CostTable.from_json(text).to_json() == text

    def test_longer_varints_of_pure_python_cost_more(self) -> None:
        costs = [default_costs().nanoseconds["python", "field", "packed64", bytes_].both for bytes_ in (1, 5, 10)]
        assert costs == sorted(costs)

    def test_costs_are_sums_over_values(self) -> None:
        found = statistics([(0, message({"id": 1}, 0)), (0, message({"id": 100}, 0))]).versions[0].fields["id"]
        table_ = default_costs()
        expected = sum((table_.nanoseconds["native", "field", "packed32", bytes_].encode for bytes_ in (1, 2)), 0.0)
        assert table_.of(found, "native", "field", "packed32").encode == pytest.approx(expected)
        assert (Cost(3, 2) - Cost(1, 1)).both == 3

    @pytest.mark.parametrize(
        "text", ["", "[]", "{}", '{"format": 9}', '{"format": 1, "machine": {}, "nanoseconds": 3}']
    )
    def test_text_that_is_none(self, text: str) -> None:
        with pytest.raises(ValueError, match=r".+"):
            CostTable.from_json(text)

    def test_holes_are_found(self) -> None:
        value = json.loads(default_costs().to_json())
        del value["nanoseconds"]["native"]["field"]["packed32"]["3"]
        with pytest.raises(ValueError, match="lacks native field packed32 3"):
            CostTable.from_json(json.dumps(value))


def test_the_made_up_message_is_one() -> None:
    assert range(3) == sample_class().VALID_VERSIONS
