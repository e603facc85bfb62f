"""A repository with random changes between two runs, and the findings that a check must report."""
