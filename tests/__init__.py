"""The tests of messagegen."""
