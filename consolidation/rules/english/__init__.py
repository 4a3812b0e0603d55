"""Rules for English; each file holds one way to say things about oneself."""
