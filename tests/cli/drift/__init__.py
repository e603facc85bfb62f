"""A repository in which anything happens between two runs, and what a check must report of it."""
