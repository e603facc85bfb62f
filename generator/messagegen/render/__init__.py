"""Plan to text: views with every name spelled out, and templates that place them."""

from messagegen.render.render import render_error_codes, render_message, render_package, runtime_files

__all__ = ["render_error_codes", "render_message", "render_package", "runtime_files"]
