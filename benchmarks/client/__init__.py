"""The client beside Apache's own tools and other Python clients, on a real broker; ``python -m benchmarks.client``."""
