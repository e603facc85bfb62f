"""Other libraries for Kafka's protocol, held against the same lines: ``make peers`` writes docs/conformance.md."""
