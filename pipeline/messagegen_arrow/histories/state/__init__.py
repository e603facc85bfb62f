"""The state of a cluster at a point in time: the result of all metadata changes and all commits up to then."""
