"""Other implementations behind the conformance protocol, for ``messagegen verify-vectors -- python -m tests.peers.NAME``."""
