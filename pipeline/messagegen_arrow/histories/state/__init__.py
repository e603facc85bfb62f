"""The state of a cluster at a time: the result of all changes of metadata and all commits until then."""
