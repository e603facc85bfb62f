"""Operations to text: a text or a short function an operation, and templates that place what they give."""

from messagegen.render.module import render_message

__all__ = ["render_message"]
