"""Files of committed offsets: lines of CSV as Kafka's own tool has them, or a document, which also has metadata."""
