"""How fast messagegen is, beside the other Python libraries for Kafka's protocol and Apache's own Java classes."""
