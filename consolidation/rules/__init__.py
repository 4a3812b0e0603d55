"""What is found in a turn without a model: pure functions of its words and of the time it was said."""
