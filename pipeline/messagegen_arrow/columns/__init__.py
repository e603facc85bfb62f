"""The columns of messages: names, Arrow types, decoding, encoding, and text formats."""
