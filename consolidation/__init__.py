"""Sleep: episodes into facts, playbooks, entities and relations. It follows the event log; nothing calls it yet."""
