"""The history of groups' commits and lag, from ``__consumer_offsets`` and ``__share_group_state``."""
