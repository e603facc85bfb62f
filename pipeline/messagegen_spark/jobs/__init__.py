"""Jobs over many files: what they read is cut into units, and what they write is whole and there once, also after a crash."""
