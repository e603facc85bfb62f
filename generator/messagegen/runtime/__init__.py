"""The runtime of generated code; copied unchanged into every output, standard library only.

Importing it is cheap: code for errors, JSON and reflection is loaded on first use.
"""

PLAN_FORMAT = 2
"""The format number of plan texts in generated modules, which this reader and the native engine must support."""
