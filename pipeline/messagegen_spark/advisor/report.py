"""Advice as one HTML page without scripts, other files and network."""

from __future__ import annotations

from collections.abc import Iterator

from messagegen_arrow.advisor.advice import Advice
from messagegen_arrow.advisor.specs.patch import SpecPatch
from messagegen_arrow.advisor.tables import families_table, fields_table, trial_table, versions_table
from messagegen_arrow.advisor.trial import Trial
from messagegen_arrow.text_tables import number
from messagegen_spark.advisor.charts import families_chart, lengths_chart, savings_chart
from messagegen_spark.pages.page import Chart, Section, html_page


def report_page(advice: Advice, *, patch: SpecPatch | None = None, trial: Trial | None = None) -> str:
    """HTML with all figures and charts, and with the change of the spec and the measured times, if given."""
    return html_page(
        f"Encodings for {advice.message}", _summary(advice), _basis(advice), _sections(advice, patch, trial)
    )


def _summary(advice: Advice) -> str:
    if not advice.messages:
        return "There are no messages, and so no advice."
    if not advice.changes:
        return "No other encoding is worth the change."
    now = advice.family("now")
    whole = now.integer_bytes if now.bytes is None else now.bytes
    fields = f"{len(advice.changes)} field{'s' * (len(advice.changes) > 1)}"
    return (
        f"Version {advice.next_version} with other encodings of {fields} would save "
        f"{number(advice.saving_bytes / advice.messages, 1)} bytes a message "
        f"({number(100 * advice.saving_bytes / whole, 1)} % of {'its integers' if now.bytes is None else 'it'}), "
        f"{number(advice.saving_bytes / advice.statistics.sample)} bytes in all."
    )


def _basis(advice: Advice) -> str:
    sample = advice.statistics.sample
    sampled = f", a sample of {number(100 * sample, 2)} % of the data" if sample < 1 else ""
    malformed = f"; {number(advice.malformed)} more could not be decoded" if advice.malformed else ""
    engine = "the native engine" if advice.engine == "native" else "pure Python"
    machine = f"{advice.machine['processor']}, {advice.machine['python']}"
    return (
        f"From {number(advice.messages)} messages{sampled}{malformed}. An encoding is advised where the bytes that it saves, "
        f"at {number(advice.nanoseconds_per_byte, 1)} ns each, outweigh the time that it takes ({engine}; costs measured on {machine})."
    )


def _sections(advice: Advice, patch: SpecPatch | None, trial: Trial | None) -> Iterator[Section]:
    if advice.messages:
        chart = Chart("bytes a message by encoding of all integers", families_chart(advice))
        yield Section("All integers in one encoding", charts=(chart,), tables=(families_table(advice),))
    if trial is not None:
        yield Section("Measured", (_trial_basis(advice, trial),), tables=(trial_table(trial),))
    if advice.changes:
        yield Section("Savings by field", charts=(Chart("bytes saved a message by field", savings_chart(advice)),))
    if any(one.count and one.bytes_in for one in advice.fields):
        forms = {"unsigned": "unsigned varints (upacked)", "zig-zag": "zig-zag varints (packed)"}
        charts = (
            Chart(f"share of values by length as {name}", lengths_chart(advice, form)) for form, name in forms.items()
        )
        yield Section(
            "Lengths of values", ("As unsigned varints (upacked), and as zig-zag varints (packed).",), tuple(charts)
        )
    if advice.fields:
        yield Section("Fields", tables=(fields_table(advice),))
        yield Section("Fields by version", tables=(versions_table(advice),))
    if patch is not None and patch.diff:
        checked = "All older versions are read and written as before; that was checked against their plans."
        yield Section(f"The spec of version {advice.next_version}", (checked,), diffs=(patch.diff,))


def _trial_basis(advice: Advice, trial: Trial) -> str:
    left_out = (
        f"; {number(trial.left_out)} that version {advice.latest_version} cannot hold are left out"
        if trial.left_out
        else ""
    )
    return (
        f"{number(trial.messages)} messages of the data, written and read with each of these specs by the {trial.engine} engine "
        f"on this machine{left_out}."
    )
