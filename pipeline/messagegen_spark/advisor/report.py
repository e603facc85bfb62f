"""Advice as one page that needs nothing else: no script, no other file, no network."""

from __future__ import annotations

import jinja2

from messagegen.templating import template_loader
from messagegen_spark.advisor.advice import Advice
from messagegen_spark.advisor.charts import families_chart, lengths_chart, savings_chart
from messagegen_spark.advisor.encodings import ENCODINGS
from messagegen_spark.advisor.specs.patch import SpecPatch
from messagegen_spark.advisor.trial import Trial


def report_page(advice: Advice, *, patch: SpecPatch | None = None, trial: Trial | None = None) -> str:
    """HTML with all figures and charts, and with the change of the spec and what was measured, if they are given."""
    environment = jinja2.Environment(
        loader=template_loader("advice"), autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=False
    )
    template = environment.get_template("report.html.j2")
    now = advice.family("now")
    size = now.integer_bytes if now.bytes is None else now.bytes
    sample = advice.statistics.sample
    return template.render(
        advice=advice,
        now=now,
        sample=sample,
        saving_in_all=advice.saving_bytes / sample,
        saved_share=100 * advice.saving_bytes / size if size else 0.0,
        charts=_charts(advice),
        encodings=[name for name in ENCODINGS if any(name in row.bytes_in for row in advice.rows)],
        trial=trial,
        diff=patch.diff if patch is not None else "",
        number=number,
        share=share,
    )


def _charts(advice: Advice) -> dict[str, object]:
    charts: dict[str, object] = {"families": "", "savings": "", "lengths": {}}
    if advice.messages:
        charts["families"] = families_chart(advice)
    if advice.changes:
        charts["savings"] = savings_chart(advice)
    if any(one.count and one.bytes_in for one in advice.fields):
        charts["lengths"] = {form: lengths_chart(advice, form) for form in ("unsigned", "zig-zag")}
    return charts


def number(value: float, digits: int = 0) -> str:
    """A number with commas between thousands."""
    return f"{value:,.{digits}f}"


def share(part: int, whole: int) -> str:
    """A share in per cent; nothing where there is nothing."""
    return f"{100 * part / whole:.1f} %" if part else ""
