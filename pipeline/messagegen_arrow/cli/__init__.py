"""What command lines have in common: how the advisor answers."""
