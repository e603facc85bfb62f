"""The templates of the site, which escape all that they place, and the files that pages share."""

from __future__ import annotations

from messagegen.templating import environment, template_folder


def rendered(template: str, /, **values: object) -> str:
    """A template with its values in place."""
    return environment("site", autoescape=True).get_template(template).render(values)


def copied(name: str) -> str:
    """A file as it is."""
    return (template_folder() / "site" / name).read_text(encoding="utf-8")
