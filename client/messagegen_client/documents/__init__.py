"""Files in YAML or JSON: their values, and the lines of the values."""
