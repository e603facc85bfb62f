"""The site of the documentation: settings and an extension of Sphinx."""
