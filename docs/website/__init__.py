"""The documentation site: settings and an extension for Sphinx, and the playground."""
