"""What the commands of the client are made of."""
