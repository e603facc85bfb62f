"""The command ``kafka-offsets``."""
