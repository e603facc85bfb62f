"""Files in YAML or JSON: their values, and where in the text these are."""
