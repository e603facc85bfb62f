"""The command line of the encoding advisor."""
