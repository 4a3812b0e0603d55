"""The admin's pages about tenants; importing this registers them."""

from tenants.admin import events, memberships, tenants

__all__ = ["events", "memberships", "tenants"]
