"""The command ``kafka-group-offsets``."""
