"""All stages in memory: from spec files to specs, plans, and the text of a package."""
