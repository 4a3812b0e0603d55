"""What somebody asks of the memory itself, in words."""
