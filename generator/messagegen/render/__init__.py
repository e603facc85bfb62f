"""Renders operations to text: one text or short function per operation, and templates that place the results."""

from messagegen.render.module import render_message

__all__ = ["render_message"]
