"""What the search of the site looks through, as a script, for pages in a file system may not fetch anything."""

from __future__ import annotations

import json
from collections.abc import Sequence

from messagegen.outputs.site.catalog import page_of
from messagegen.outputs.site.wire import anchor
from messagegen.plan.ops import MessagePlan


def search_script(plans: Sequence[MessagePlan]) -> str:
    """A script that sets ``searchIndex``: for each message its name, page, kind, API key, text, and its fields.

    A field is its name, its attribute in Python and its id.
    """
    entries = ",\n".join(json.dumps(_entry(plan), separators=(",", ":")) for plan in plans)
    return f"const searchIndex = [\n{entries}\n];\n"


def _entry(plan: MessagePlan) -> list[object]:
    fields = [
        [field.name, field.attribute, anchor(struct, field)] for struct in plan.structs for field in struct.fields
    ]
    return [plan.name, page_of(plan), plan.kind, "" if plan.api_key is None else str(plan.api_key), plan.about, fields]
