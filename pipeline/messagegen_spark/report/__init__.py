"""The page that sums up a run: what was read, what could not be, and what the rows say."""
