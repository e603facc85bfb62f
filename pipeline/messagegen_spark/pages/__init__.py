"""HTML pages with charts and tables, without scripts, other files and network."""
