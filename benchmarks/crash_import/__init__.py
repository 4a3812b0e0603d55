"""What is acknowledged survives kill -9 of anything, at any moment."""
