"""How the admin writes dates and numbers."""
