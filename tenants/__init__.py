"""Who: tenants, subjects, API keys, engine credentials, Scope and the event log."""
