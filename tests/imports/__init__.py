"""Imports that code may have, and modules that an import loads."""
