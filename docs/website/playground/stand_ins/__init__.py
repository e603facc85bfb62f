"""Modules of the page in place of packages that have no WebAssembly wheel."""
