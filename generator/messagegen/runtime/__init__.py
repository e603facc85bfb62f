"""The part of messagegen that generated code stands on; copied unchanged beside it, standard library only.

Importing it is cheap: what only errors, JSON and reflection need is loaded on first use.
"""

PLAN_FORMAT = 2
"""The format of plan texts, which generated modules carry: what the reader here and a native engine have to know."""
