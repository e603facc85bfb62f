"""Example adapters, which let the code of other libraries use generated classes. They are tested in tests/adapters."""
