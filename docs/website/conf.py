"""Sphinx settings for the documentation site, which `make docs-site` builds."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

_ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(_ROOT))

project = "messagegen"
language = "en"
extensions = ["myst_parser", "sphinx_copybutton", "docs.website.pages"]
include_patterns = ["*.md", "docs/**.md", "native/README.md", "benchmarks/README.md"]
# Skip folders without pages, so that the build is faster.
exclude_patterns = [
    ".*",
    "build",
    "client",
    "dist",
    "generated",
    "generator",
    "pipeline",
    "templates",
    "testing",
    "tests",
]

# Use the same anchors as GitHub, which shows the same files.
myst_heading_anchors = 6
nitpicky = True
highlight_language = "text"

html_theme = "furo"
html_title = "messagegen"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_theme_options: dict[str, Any] = {
    "top_of_page_buttons": [],
    "light_css_variables": {"color-brand-primary": "#0b5fae", "color-brand-content": "#0b5fae"},
    "dark_css_variables": {"color-brand-primary": "#7cb8f2", "color-brand-content": "#7cb8f2"},
}
pygments_style = "a11y-light"
pygments_dark_style = "a11y-dark"

copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
