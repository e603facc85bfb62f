"""The columns of messages: which there are, their Arrow types, decoding and encoding, and text forms."""
