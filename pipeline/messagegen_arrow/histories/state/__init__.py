"""The state of a cluster at a time: what the histories of metadata and commits come to by then."""
