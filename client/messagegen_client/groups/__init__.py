"""Consumer groups: members, committed offsets, lag, and resets."""
