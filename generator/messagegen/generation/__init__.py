"""All stages in memory: from spec files to specs, to plans, and to the text of a package."""
