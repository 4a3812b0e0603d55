"""Rules for Chinese; each file holds one way to say things about oneself."""
