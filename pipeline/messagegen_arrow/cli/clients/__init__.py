"""The command ``messagegen-data clients``."""
