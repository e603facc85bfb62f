"""Random changes to a repository between two runs, and the findings that a check must report."""
