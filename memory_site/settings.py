"""Every setting, read from the environment by type; .env.example lists and explains them."""

import os
from datetime import timedelta
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from environs import Env

from memory_site.database import database
from memory_site.look import UNFOLD as UNFOLD  # a setting like those below

env = Env()
BASE_DIR = Path(__file__).resolve().parent.parent
env.read_env(str(BASE_DIR / ".env"), recurse=False)


def required(name: str) -> str:
    """Return a setting that has no default; raise ImproperlyConfigured where it is missing or empty."""
    value: str = env.str(name, default="")
    if not value.strip():
        raise ImproperlyConfigured(
            f"{name} is not set: put it in .env or the environment; .env.example explains every setting, and"
            " `make manage` sets them itself for what `make run` has started."
        )
    return value


def price(value: str, *, of: str) -> Decimal | None:
    """Return a price; None for an empty one, which is not known. Raises ValueError, naming the setting."""
    if not value.strip():
        return None
    try:
        read = Decimal(value.strip())
    except InvalidOperation as error:
        raise ValueError(f"{of}: {value!r} is no number; give the price of a million tokens, such as 0.15") from error
    if not (read.is_finite() and 0 <= read < MOST_A_MILLION):
        raise ValueError(f"{of}: must be 0 to {MOST_A_MILLION}, the price of a million tokens")
    return read


MOST_A_MILLION = 1_000_000
DEBUG = env.bool("DEBUG", default=False)
SECRET_KEY = required("SECRET_KEY")
ENGINE_KEYS = [key.strip() for key in required("ENGINE_KEYS").split(",")]
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1"])

DATABASE_URL = required("DATABASE_URL")
DATABASE_POOL_SIZE = env.int("DATABASE_POOL_SIZE", default=10)
REDIS_URL = env.str("REDIS_URL", default="redis://127.0.0.1:6379/0")
SEARCH_URL = env.str("SEARCH_URL", default=DATABASE_URL)
ISOLATION = env.str("ISOLATION", default="document")
if ISOLATION not in {"document", "index"}:
    raise ValueError("ISOLATION: must be document or index")
EMBEDDER = env.str("EMBEDDER", default="bundled")
EMBEDDER_MODEL = env.str("EMBEDDER_MODEL", default="")
EMBEDDER_DIMENSIONS = env.int("EMBEDDER_DIMENSIONS", default=384)
EMBEDDER_API_KEY = env.str("EMBEDDER_API_KEY", default="")
EMBEDDER_QUERY_PREFIX = env.str("EMBEDDER_QUERY_PREFIX", default="")
EMBEDDER_PASSAGE_PREFIX = env.str("EMBEDDER_PASSAGE_PREFIX", default="")
RERANKER = env.str("RERANKER", default="none")
RERANKER_MODEL = env.str("RERANKER_MODEL", default="")
RERANKER_SHAPE = env.str("RERANKER_SHAPE", default="documents")
if RERANKER_SHAPE not in {"documents", "texts"}:
    raise ValueError("RERANKER_SHAPE: must be documents or texts")
RERANKER_API_KEY = env.str("RERANKER_API_KEY", default="")
if RERANKER == "elasticsearch:":
    raise ValueError("RERANKER: name the inference endpoint behind elasticsearch:")
ELASTICSEARCH_SEMANTIC = env.str("ELASTICSEARCH_SEMANTIC", default="")
ELASTICSEARCH_FUSION = env.str("ELASTICSEARCH_FUSION", default="portable")
if ELASTICSEARCH_FUSION not in {"portable", "native"}:
    raise ValueError("ELASTICSEARCH_FUSION: must be portable or native")
if not SEARCH_URL.startswith(("http://", "https://")):
    for name, asked in (
        ("ELASTICSEARCH_SEMANTIC", bool(ELASTICSEARCH_SEMANTIC)),
        ("ELASTICSEARCH_FUSION", ELASTICSEARCH_FUSION == "native"),
        ("RERANKER", RERANKER.startswith("elasticsearch:")),
    ):
        if asked:
            raise ValueError(f"{name}: asks for something of Elasticsearch's; SEARCH_URL names another engine")
LATE_MODEL = env.str("LATE_MODEL", default="bundled")
SECURE_SSL_REDIRECT = env.bool("SECURE_SSL_REDIRECT", default=False)

DATABASES = {"default": database(DATABASE_URL, pool_size=DATABASE_POOL_SIZE)}
INSTALLED_APPS = [
    "unfold.apps.BasicAppConfig",  # before the admin, whose templates it replaces
    "django.contrib.admin.apps.SimpleAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "axes",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "tenants",
    "memories",
    "consolidation",
    "compliance",
    "inspector",
    "memory_site",
]
MIDDLEWARE = [
    "memory_site.metrics.MetricsMiddleware",  # the first: it times all the others
    "django.middleware.security.SecurityMiddleware",
    "memory_site.request_id.RequestIdMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "axes.middleware.AxesMiddleware",
    # The last: the session and the user are read before it opens a scope, and saved after.
    "tenants.admin.tenant_scope.TenantScopeMiddleware",
]
TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.messages.context_processors.messages",
                "django.contrib.auth.context_processors.auth",
            ]
        },
    }
]
STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]  # memory_site.static_files serves these and the packages' own
ROOT_URLCONF = "memory_site.urls"
ASGI_APPLICATION = "memory_site.asgi.application"
APPEND_SLASH = False  # a redirect would drop the body of a POST
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
BODY_MAX_BYTES = 1024 * 1024
BODY_MAX_BYTES_AT = {  # a batch of 500 turns of ordinary length fits
    "/api/v1/turns/batch/": 32 * 1024 * 1024,
    "/api/v1/catalog/": 32 * 1024 * 1024,
}
DATA_UPLOAD_MAX_MEMORY_SIZE = max(BODY_MAX_BYTES, *BODY_MAX_BYTES_AT.values())
USE_TZ = True
TIME_ZONE = "UTC"
USE_I18N = False  # the pages speak English; Chinese would need its translations first
FORMAT_MODULE_PATH = "memory_site.formats"

# The admin's users. They are not tenants' data: what they may see is in Membership.
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",  # first: refuses whoever guesses passwords
    "django.contrib.auth.backends.ModelBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
]
LOGIN_URL = "admin:login"
LOGIN_REDIRECT_URL = "admin:index"
AXES_FAILURE_LIMIT = env.int("LOGIN_FAILURE_LIMIT", default=10)
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]  # by both, or a stranger could lock anyone out
AXES_LOCKOUT_TEMPLATE = "admin/locked_out.html"
AXES_RESET_ON_SUCCESS = True
AXES_DISABLE_ACCESS_LOG = True  # who did what is in the event log
AXES_ENABLE_ADMIN = False
AXES_VERBOSE = False
SESSION_ENGINE = "memory_site.sessions"
SECURE_COOKIES = env.bool("SECURE_COOKIES", default=True)
SESSION_COOKIE_NAME = "__Host-mneme_session" if SECURE_COOKIES else "mneme_session"
SESSION_COOKIE_SECURE = SECURE_COOKIES
SESSION_COOKIE_SAMESITE = "Strict"
SESSION_COOKIE_AGE = 12 * 60 * 60  # seconds; a working day
CSRF_COOKIE_NAME = "__Host-mneme_csrf" if SECURE_COOKIES else "mneme_csrf"
CSRF_COOKIE_SECURE = SECURE_COOKIES
CSRF_COOKIE_SAMESITE = "Strict"
CSRF_COOKIE_HTTPONLY = True  # the forms carry the token
X_FRAME_OPTIONS = "DENY"

# Behind a proxy that ends TLS these hold; without one the local stack serves plain HTTP on loopback.
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SECURE_HSTS_SECONDS = env.int("SECURE_HSTS_SECONDS", default=0)
SILENCED_SYSTEM_CHECKS = [
    "security.W004",  # HSTS is the operator's choice: SECURE_HSTS_SECONDS
    "security.W008",  # TLS redirect is the operator's choice: SECURE_SSL_REDIRECT
]

REST_FRAMEWORK: dict[str, Any] = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["tenants.api.authentication.ApiKeyAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["tenants.permissions.HasAbility"],
    "DEFAULT_PARSER_CLASSES": ["tenants.forms.parser.StrictJSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["tenants.forms.hidden.HidingJSONRenderer"],
    "DEFAULT_METADATA_CLASS": None,  # OPTIONS describes nothing
    "EXCEPTION_HANDLER": "memory_site.errors.handle",
    "UNAUTHENTICATED_USER": None,
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DATETIME_FORMAT": "iso-8601",
}

SPECTACULAR_SETTINGS: dict[str, Any] = {
    "TITLE": "Mneme",
    "DESCRIPTION": "Long-term memory for AI agents. The tenant comes from the key, never from a parameter.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "LICENSE": {"name": "Apache-2.0"},
    "SCHEMA_PATH_PREFIX": "/api/v1/",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PUBLIC": True,
    "SERVE_AUTHENTICATION": [],
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "SWAGGER_UI_DIST": "SIDECAR",  # nothing is fetched from elsewhere
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_NAME_OVERRIDES": {
        "MemoryStatus": "memories.models.memory.Status",
        "JobState": "tenants.models.job.State",
        "RunState": "consolidation.models.run.State",
        "RunReason": "consolidation.models.run.Reason",
        "Verdict": "consolidation.models.decision.Verdict",
        "ReviewKind": "consolidation.models.review_item.ReviewKind",
        "ReviewState": "consolidation.models.review_item.ReviewState",
        "Trust": "memories.trust.CHOICES",
        "TurnTrust": "memories.trust.CHOICES_OF_TURNS",
        "TurnRole": "memories.roles.Role",
        "MemoryType": "backends.search.names.MEMORY_KINDS",
        "SearchedType": "backends.search.names.KINDS",
        "WrittenType": "backends.search.names.WRITTEN_KINDS",
    },
}

CHANNEL_LAYERS: dict[str, Any] = {
    "default": {
        "BACKEND": "channels_redis.core.RedisChannelLayer",
        "CONFIG": {
            # Longer than the 5 s that a receive blocks; a server that hangs is noticed after it.
            "hosts": [{"address": REDIS_URL, "socket_connect_timeout": 0.5, "socket_timeout": 10}],
            "prefix": "mneme",
            "expiry": 10,  # seconds; a nudge nobody took has no worth: who comes back reads Postgres
            "group_expiry": 7_200,  # seconds; listeners join again each hour, dead ones are forgotten
        },
    },
}

ELASTICSEARCH_DSL: dict[str, Any] = {}  # no connection of its own: backends.search speaks to the engine
ELASTICSEARCH_DSL_AUTOSYNC = False
ELASTICSEARCH_DSL_AUTO_REFRESH = False
ELASTICSEARCH_DSL_SIGNAL_PROCESSOR = "django_elasticsearch_dsl.signals.BaseSignalProcessor"

EMBED_IN_REQUEST_MAX_CHARS = env.int("EMBED_IN_REQUEST_MAX_CHARS", default=0)
OVERLAY_MAX_MEMORIES = env.int("OVERLAY_MAX_MEMORIES", default=200)
OVERLAY_MAX_CHARACTERS = env.int("OVERLAY_MAX_CHARACTERS", default=200_000)
SYNC_BACKLOG_MAX = env.int("SYNC_BACKLOG_MAX", default=50_000)
LLM = env.str("LLM", default="")
LLM_MODEL = env.str("LLM_MODEL", default="")
LLM_API_KEY = env.str("LLM_API_KEY", default="")
LLM_PRICE_PROMPT = price(env.str("LLM_PRICE_PROMPT", default=""), of="LLM_PRICE_PROMPT")
LLM_PRICE_COMPLETION = price(env.str("LLM_PRICE_COMPLETION", default=""), of="LLM_PRICE_COMPLETION")
LLM_CURRENCY = env.str("LLM_CURRENCY", default="") or "USD"
if not (LLM_CURRENCY.isascii() and LLM_CURRENCY.isalpha() and len(LLM_CURRENCY) == len("USD")):
    raise ValueError("LLM_CURRENCY: must be a code of three letters, such as USD")
CONSOLIDATE_EVERY_S = env.int("CONSOLIDATE_EVERY_S", default=60)
ERASURES_FILE = env.str("ERASURES_FILE", default=str(BASE_DIR / "var" / "erasures.jsonl"))
METRICS_TOKEN = env.str("METRICS_TOKEN", default="")
METRICS_FOLDER = env.str("METRICS_FOLDER", default="")
if METRICS_FOLDER:
    Path(METRICS_FOLDER).mkdir(parents=True, exist_ok=True)
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = METRICS_FOLDER  # prometheus_client reads it when it is imported
QUOTA_REQUESTS_A_MINUTE = env.int("QUOTA_REQUESTS_A_MINUTE", default=30_000)
QUOTA_TURNS_A_DAY = env.int("QUOTA_TURNS_A_DAY", default=2_000_000)
QUOTA_RECALLS_A_MINUTE = env.int("QUOTA_RECALLS_A_MINUTE", default=12_000)
REFUSED_KEYS_A_MINUTE = env.int("REFUSED_KEYS_A_MINUTE", default=60)
AUDIT_KEY = env.str("AUDIT_KEY", default="")
AUDIT_HEADS_FILE = env.str("AUDIT_HEADS_FILE", default=str(BASE_DIR / "var" / "audit-heads.jsonl"))
RECEIPTS_FOLDER = env.str("RECEIPTS_FOLDER", default=str(BASE_DIR / "var" / "receipts"))
ENGINE_CREDENTIAL_DAYS = env.int("ENGINE_CREDENTIAL_DAYS", default=30)
if not 4 <= ENGINE_CREDENTIAL_DAYS <= 365:
    raise ValueError("ENGINE_CREDENTIAL_DAYS: must be 4 to 365; credentials are renewed three days before their end")

LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": env.str("LOG_LEVEL", default="INFO")},
    "filters": {"one_line": {"()": "memory_site.one_line.OneLine"}},
    "loggers": {
        "httpx": {"level": "WARNING"},
        "elastic_transport": {"level": "WARNING"},
        "django.security.DisallowedHost": {"filters": ["one_line"]},  # anybody can cause it, as often as he likes
    },
}
