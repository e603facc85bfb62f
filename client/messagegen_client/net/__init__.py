"""The network: sockets, connections, metadata, and requests to a cluster."""
