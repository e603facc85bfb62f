"""The command ``messagegen-data state``."""
