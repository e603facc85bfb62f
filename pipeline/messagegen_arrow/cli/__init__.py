"""What command lines have in common: options of the advisor, and how it answers."""
