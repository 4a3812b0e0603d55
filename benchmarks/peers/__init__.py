"""Other memories for agents on the same data, in the same run."""
