"""The history of commits of groups, from ``__consumer_offsets`` and ``__share_group_state``, and of their lag."""
