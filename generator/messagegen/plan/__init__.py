"""The plan of a message: all decisions that lie between its spec and the generated text, made once."""
