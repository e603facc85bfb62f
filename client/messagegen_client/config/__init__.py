"""The settings of a client, and the properties files of Kafka's tools."""
