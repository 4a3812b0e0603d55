"""Sleep: episodes into facts, playbooks, entities and relations. Nothing calls it: it looks for what is unread."""
