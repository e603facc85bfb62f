"""The clients in captures or proxies, and whether they work with a release of Kafka."""
