"""The whole way in memory: spec files to specs, plans, and the text of a package."""
