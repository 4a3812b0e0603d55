"""The admin's pages about memories, whose they are, and the keys that reach them; importing this registers them."""

from memories.admin import api_keys, dead_letters, key_templates, memories, sessions, subjects, turns

__all__ = ["api_keys", "dead_letters", "key_templates", "memories", "sessions", "subjects", "turns"]
