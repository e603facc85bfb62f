"""Tests of the imports that each package is allowed, and of the modules that an import loads."""
