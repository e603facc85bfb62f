"""Tests of the code that builds and checks distributions."""
