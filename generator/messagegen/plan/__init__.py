"""The plan: all decisions about a message, made once between spec and text."""
