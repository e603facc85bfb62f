"""The speed of messagegen, compared with other Python libraries for Kafka's protocol and with Apache's Java classes."""
