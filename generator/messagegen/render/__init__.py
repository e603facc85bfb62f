"""Operations to text: one short function an operation, and templates that place what they give."""

from messagegen.render.module import render_message
from messagegen.render.package import render_error_codes, render_package, runtime_files

__all__ = ["render_error_codes", "render_message", "render_package", "runtime_files"]
