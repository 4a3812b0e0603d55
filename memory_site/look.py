"""How the admin looks: unfold's settings."""

from typing import Any

UNFOLD: dict[str, Any] = {
    "SITE_TITLE": "Mneme",
    "SITE_HEADER": "Mneme",
    "SITE_SUBHEADER": "tenants.admin.site.tenant_line",
    "SITE_SYMBOL": "neurology",
    "SITE_URL": None,
    "SITE_FAVICONS": [{"rel": "icon", "type": "image/svg+xml", "href": "/static/mneme/icon.svg"}],
    "LOGIN": {"form": "tenants.forms.sign_in.SignInForm"},
    "SHOW_HISTORY": False,  # the history is the event log
    "SHOW_VIEW_ON_SITE": False,
    "DASHBOARD_CALLBACK": "memory_site.dashboard.dashboard",
    "STYLES": ["/static/mneme/admin.css"],
    "SCRIPTS": ["/static/mneme/admin.js"],
    "ACCOUNT": {"navigation": "tenants.admin.site.account_links"},
    "SIDEBAR": {"navigation": "memory_site.navigation.navigation"},
    "COLORS": {
        "primary": {
            "50": "#EEF6FC", "100": "#D9EBF8", "200": "#B5D8F1", "300": "#84BEE8", "400": "#6CB8F5", "500": "#2E86CE",
            "600": "#0A5FA8", "700": "#094F8C", "800": "#0B4170", "900": "#0E365A", "950": "#0A223B",
        }
    },
}  # fmt: skip
