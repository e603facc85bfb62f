"""The tests of the reader."""
