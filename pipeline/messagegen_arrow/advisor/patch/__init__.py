"""Changes of specs as recommended: needs the package messagegen, which the extra ``specs`` installs."""

from messagegen_arrow.wheels import generator_is_missing

try:
    import messagegen as _  # noqa: F401 - only whether it is installed
except ModuleNotFoundError:
    raise generator_is_missing() from None

from messagegen_arrow.advisor.patch.diffs import diff_of_specs
from messagegen_arrow.advisor.patch.new_version import load_table, patch_spec
from messagegen_arrow.advisor.patch.text import SpecTextError
from messagegen_arrow.advisor.patch.wire_format import FieldEncodings, IncompatibleError

__all__ = ["FieldEncodings", "IncompatibleError", "SpecTextError", "diff_of_specs", "load_table", "patch_spec"]
