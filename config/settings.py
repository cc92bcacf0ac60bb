"""All settings, each read from the environment: a safe default or a loud failure.

Every variable is named in `docs/settings.md`. Production mistakes are system checks (`manage.py check --deploy`).
"""

import re
from logging import LogRecord
from pathlib import Path
from urllib.parse import unquote, urlsplit

from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from apps.suppliers.vendors import read_credentials
from config.background import ROUTES, schedule
from config.environment import Environment

env = Environment()
BASE_DIR = Path(__file__).resolve().parent.parent

# --- Django -------------------------------------------------------------------------------------------------
SECRET_KEY = env.str("SECRET_KEY")
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_FALLBACKS", default=[])
# The addresses of QR codes are in travellers' mails: the first key signs, all are valid, also those retired for sessions.
QR_SIGNING_KEYS = env.list("QR_SIGNING_KEYS", default=[SECRET_KEY, *SECRET_KEY_FALLBACKS])
DEBUG = env.bool("DEBUG", default=False)
# Where partners and their customers reach this service, for links in responses. Several defaults follow from it.
PUBLIC_BASE_URL = env.str(
    "PUBLIC_BASE_URL", default=f"http://127.0.0.1:{env.int('PORT', default=8000)}"
).rstrip("/")
_is_https = PUBLIC_BASE_URL.startswith("https://")
_own_hosts = {"127.0.0.1", "localhost", "[::1]", urlsplit(PUBLIC_BASE_URL).hostname or "localhost"}
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=sorted(_own_hosts))
ROOT_URLCONF = "config.urls"
APPEND_SLASH = False
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
LANGUAGE_CODE = "en"
USE_I18N = False
TIME_ZONE = "UTC"
FORMAT_MODULE_PATH = "config.formats"
STATIC_URL = "/static/"
STATIC_ROOT = BASE_DIR / "staticfiles"
STATICFILES_DIRS = [BASE_DIR / "static"]
# Collected, compressed and named by their content, so that browsers keep them for ever; or as they lie in the checkout.
STATIC_FROM_SOURCE = env.bool("STATIC_FROM_SOURCE", default=False)
WHITENOISE_USE_FINDERS = WHITENOISE_AUTOREFRESH = STATIC_FROM_SOURCE
WHITENOISE_ALLOW_ALL_ORIGINS = False
_static_storage = (
    "django.contrib.staticfiles.storage.StaticFilesStorage"
    if STATIC_FROM_SOURCE
    else "whitenoise.storage.CompressedManifestStaticFilesStorage"
)
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": _static_storage},
}

INSTALLED_APPS = [
    "apps.common.apps.BackOfficeConfig",  # django.contrib.admin
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "django_celery_beat",
    "rest_framework",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "csp",
    "django_htmx",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "apps.common.apps.CommonConfig",
    "apps.accounts",
    "apps.keys",
    "apps.gateway",
    "apps.request_log",
    "apps.ledger",
    "apps.suppliers",
    "apps.webhooks",
    "apps.bookings",
    "apps.onboarding",
    "apps.places",
    "apps.hotels",
    "apps.flights",
    "apps.transfers",
    "apps.esim",
    "apps.trips",
    "apps.documents",
    "apps.docs",
    "apps.portal",
]

MIDDLEWARE = [
    "apps.gateway.middleware.ProbesOfAnyHost",
    "django.middleware.security.SecurityMiddleware",
    "apps.gateway.middleware.CompressionMiddleware",
    "apps.gateway.middleware.GatewayMiddleware",  # answers /v1 itself: what follows is for pages
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "apps.portal.errors.KeepOutOfSearch",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "apps.portal.sign_in.sessions.SessionExpiry",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "apps.portal.sign_in.two_factor.TwoFactorForStaff",
    "apps.portal.staff.visit.StaffVisit",
    "apps.portal.errors.PageForWrongMethod",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

# --- Users --------------------------------------------------------------------------------------------------
AUTH_USER_MODEL = "accounts.User"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 12},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
    {"NAME": "apps.accounts.passwords.NoNames"},
]
# How long the link in an invitation works; it can be sent again from the team's page.
INVITATION_HOURS = env.above_zero(int, "INVITATION_HOURS", default=72)
# --- Signing in to the portal and the back office: django-allauth, with two-factor -----------------------------
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "start"
PORTAL_REQUIRE_TWO_FACTOR = env.bool("PORTAL_REQUIRE_TWO_FACTOR", default=True)
ACCOUNT_ADAPTER = "apps.portal.sign_in.adapter.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_EMAIL_VERIFICATION = "none"  # the invitation went to the address
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
ACCOUNT_EMAIL_NOTIFICATIONS = True  # of a changed password or authenticator
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_LOGOUT_REDIRECT_URL = "account_login"
ACCOUNT_SESSION_REMEMBER = False
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_RATE_LIMITS = {
    "login": "30/m/ip",
    "login_failed": "10/m/ip,5/5m/key,20/h/key",  # the key is the person, for passwords and for codes
    "reset_password": "20/m/ip,5/m/key,20/h/key",  # the key is the e-mail address
    "reset_password_from_key": "20/m/ip",
    "reauthenticate": "10/m/user",
    "change_password": "5/m/user",
}
ACCOUNT_FORMS = {"reset_password": "apps.portal.sign_in.views.ResetPasswordForm"}
PASSWORD_RESET_TIMEOUT = 60 * 60
MFA_ADAPTER = "apps.portal.sign_in.adapter.TwoFactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_WEBAUTHN_USER_VERIFICATION = "required"
MFA_RATE_LIMITS = {"webauthn_login": "30/m/ip"}  # each sign-in is two requests
MFA_FORMS = {
    "add_webauthn": "apps.portal.sign_in.passkeys.AddPasskeyForm",
    "authenticate_webauthn": "apps.portal.sign_in.passkeys.CodeOrPasskeyForm",
    "login_webauthn": "apps.portal.sign_in.passkeys.SignInForm",
    "reauthenticate_webauthn": "apps.portal.sign_in.passkeys.ConfirmForm",
}
MFA_TOTP_ISSUER = "Travel Partner API"
MFA_TOTP_TOLERANCE = 1  # a telephone's clock may be half a minute off
MFA_ALLOW_UNVERIFIED_EMAIL = True
SESSION_ENGINE = "apps.portal.sign_in.sessions"
SESSION_HOURS = env.above_zero(int, "SESSION_HOURS", default=12)
# How long an unused session's row is kept; the cookie ends with the browser.
SESSION_COOKIE_AGE = 60 * max(1, env.int("SESSION_IDLE_MINUTES", default=60))
SESSION_EXPIRE_AT_BROWSER_CLOSE = True
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = env.bool("SECURE_COOKIES", default=not DEBUG)
# A browser takes such a name over https alone, and from this host alone: no neighbour of ours in the domain can set one.
_host_alone = "__Host-" if SESSION_COOKIE_SECURE else ""
SESSION_COOKIE_NAME = f"{_host_alone}sessionid"
CSRF_COOKIE_NAME = f"{_host_alone}csrftoken"
# Without a trusted proxy every request looks like http, and would be redirected for ever.
_is_proxied = bool(env.int("TRUSTED_PROXY_COUNT", default=0) or env.str("CLIENT_ADDRESS_HEADER", default=""))
SECURE_SSL_REDIRECT = env.bool("SECURE_SSL_REDIRECT", default=_is_https and _is_proxied)
SECURE_REDIRECT_EXEMPT = [r"^(health(/ready|/full)?|metrics)$"]  # probes know no name and no https
SECURE_HSTS_SECONDS = env.int("SECURE_HSTS_SECONDS", default=31_536_000 if _is_https else 0)  # a year
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = SECURE_HSTS_SECONDS > 0
CSRF_FAILURE_VIEW = "apps.portal.errors.csrf_failure"
if _is_proxied:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# --- What a page may load: what we serve ourselves. No inline style or script, no other host, no frame. ---
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
    }
}

# --- Mail ------------------------------------------------------------------------------------------------------
vars().update(env.email_url("EMAIL_URL", default="consolemail://"))
EMAIL_TIMEOUT = 10  # a mail server that hangs holds no page for longer
SUPPORT_EMAIL = env.str("SUPPORT_EMAIL", default="").strip()
DEFAULT_FROM_EMAIL = env.str(
    "DEFAULT_FROM_EMAIL", default=f"Travel Partner API <{SUPPORT_EMAIL or 'noreply@localhost'}>"
)

# --- PostgreSQL ---------------------------------------------------------------------------------------------
DATABASES = {
    "default": {
        **env.db_url("DATABASE_URL"),
        "ENGINE": "django.db.backends.postgresql",
        # A connection a request costs ten times what the request's own statements do.
        "CONN_MAX_AGE": env.int("DATABASE_CONN_MAX_AGE", default=600),
        "CONN_HEALTH_CHECKS": True,
    }
}


def _socket_of_database() -> dict[str, str]:
    """The host of DATABASE_URL if it is a socket's directory, in libpq's spelling."""
    host = urlsplit(env.str("DATABASE_URL")).netloc.rpartition("@")[2].partition(":")[0]
    return {"HOST": unquote(host)} if host.upper().startswith("%2F") else {}


DATABASES["default"].update(_socket_of_database())
_server_settings = {
    "lock_timeout": env.int("DATABASE_LOCK_TIMEOUT_MS", default=2_000),
    "statement_timeout": env.int("DATABASE_STATEMENT_TIMEOUT_MS", default=10_000),
    "idle_in_transaction_session_timeout": env.int("DATABASE_IDLE_IN_TRANSACTION_TIMEOUT_MS", default=5_000),
    # Pages are in memory or on an SSD. With the default of 4, PostgreSQL scans small tables for every foreign key to them.
    "random_page_cost": 1.1,
}
DATABASES["default"].setdefault("OPTIONS", {}).update(
    {
        "options": " ".join(f"-c {name}={value}" for name, value in _server_settings.items()),
        "connect_timeout": 5,
        # A host that vanishes closes no connection: without these, its callers wait for many minutes.
        "keepalives_idle": 10,
        "keepalives_interval": 3,
        "keepalives_count": 3,
        "tcp_user_timeout": 15_000,
    }
)
# A pooler in transaction mode before pgbouncer 1.21 cannot keep prepared statements, so they can be turned off.
if env.bool("DATABASE_PREPARED_STATEMENTS", default=True):
    DATABASES["default"]["OPTIONS"].update({"server_side_binding": True, "prepare_threshold": 2})

# --- Redis: rate windows, the key cache, Celery's broker. Nothing in it is the only copy of anything. ---
REDIS_URL = env.str("REDIS_URL")
if not REDIS_URL.startswith(("redis://", "rediss://", "unix://")):
    raise ImproperlyConfigured("REDIS_URL must begin with redis://, rediss:// or unix://.")
REDIS_TIMEOUT_SECONDS = env.above_zero(float, "REDIS_TIMEOUT_SECONDS", default=0.05)
REDIS_BREAKER_SECONDS = env.float("REDIS_BREAKER_SECONDS", default=5.0)
CACHES = {
    "default": {
        "BACKEND": "apps.common.cache.SharedCache",
        "KEY_PREFIX": "cache",
        # What a process remembers by itself while Redis is away: a flood from many addresses pushes no count out.
        "OPTIONS": {"MAX_ENTRIES": 20_000},
    }
}

# --- The web server (granian; its options are in the Procfile) -------------------------------------------------
WEB_THREADS = env.above_zero(int, "WEB_THREADS", default=16)  # of each process; one supplier has half of them
# How many calls of one account and environment a process carries out at once; 0: half of its threads, but four at least.
WEB_ACCOUNT_CALLS = env.int("WEB_ACCOUNT_CALLS", default=0)

# --- Celery -------------------------------------------------------------------------------------------------
_broker_url = REDIS_URL
if REDIS_URL.startswith("unix://"):  # in kombu's own words
    _broker_url = re.sub(r"([?&])db=", r"\1virtual_host=", REDIS_URL.replace("unix", "redis+socket", 1))
CELERY_BROKER_URL = env.str("CELERY_BROKER_URL", default=_broker_url)
# A message is a hint: its sender gives up soon if the broker is away, and the sweeps find the work.
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "max_retries": 1,
    "interval_start": 0,
    "interval_max": 0.1,
    "socket_connect_timeout": 1,
    # Redis gives a message that is not confirmed for so long to another worker, and a message is confirmed once its work is
    # done. So this is longer than the longest job, the nightly check of the ledger: six times half an hour.
    "visibility_timeout": 6 * 3_600,
}
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_RESULT_EXPIRES = None  # no results, so no task that deletes them
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_ROUTES = ROUTES
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
# Of the Procfile's `network` line. Suppliers, deliveries and long jobs have a third each (config/celery.py).
NETWORK_THREADS = env.above_zero(int, "NETWORK_THREADS", default=12)
CELERY_DB_REUSE_MAX = 10_000
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BEAT_SCHEDULER = "django_celery_beat.schedulers:DatabaseScheduler"
CELERY_BEAT_MAX_LOOP_INTERVAL = 1  # seconds; some tasks run every second

# --- Secrets ------------------------------------------------------------------------------------------------
# Fernet keys for what must be read back (signing secrets, stored answers with one): the first encrypts, all decrypt.
FIELD_ENCRYPTION_KEYS = env.fernet_keys("FIELD_ENCRYPTION_KEYS")
# How long after the last service of a booking its travellers are known; accounts may have a time of their own.
TRAVELLER_RETENTION_DAYS = env.int("TRAVELLER_RETENTION_DAYS", default=540)

# --- The gateway (/v1) --------------------------------------------------------------------------------------
GATEWAY_ENVIRONMENT = env.str("GATEWAY_ENVIRONMENT", default="")
if GATEWAY_ENVIRONMENT not in {"", "test", "live"}:
    raise ImproperlyConfigured("GATEWAY_ENVIRONMENT must be test, live or empty.")
TRUSTED_PROXY_COUNT = env.int("TRUSTED_PROXY_COUNT", default=0)
CLIENT_ADDRESS_HEADER = env.str("CLIENT_ADDRESS_HEADER", default="")  # one that the proxy in front overwrites
if not re.fullmatch(r"[A-Za-z0-9-]*", CLIENT_ADDRESS_HEADER):
    raise ImproperlyConfigured("CLIENT_ADDRESS_HEADER is not a header name: letters, digits and hyphens.")
DOCS_BASE_URL = env.str("DOCS_BASE_URL", default=f"{PUBLIC_BASE_URL}/docs" if _is_https else "")
STATUS_URL = env.str("STATUS_URL", default="").strip()
TOP_UP_INSTRUCTIONS = env.str("TOP_UP_INSTRUCTIONS", default="", multiline=True)
TERMS_URL = env.str("TERMS_URL", default="").strip()
MAX_BODY_BYTES = 256 * 1024
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * MAX_BODY_BYTES
# One page takes a file, a logo (its size: apps/accounts/logos.py). No upload is written to a disk.
FILE_UPLOAD_HANDLERS = ["apps.portal.uploads.BoundedUpload"]
DATA_UPLOAD_MAX_NUMBER_FILES = 1
RATE_LIMITS = {"SEARCH": 60, "BOOKING": 30, "READ": 300}  # per key and minute
SEARCH_QUOTA_PER_DAY = 5_000  # per account and environment
KEYS_PER_ACCOUNT = {  # that work at a time
    "live": env.int("LIVE_KEYS_PER_ACCOUNT", default=20),
    "test": env.int("TEST_KEYS_PER_ACCOUNT", default=100),
}
IDEMPOTENCY_LEASE_SECONDS = env.int("IDEMPOTENCY_LEASE_SECONDS", default=45)
IDEMPOTENCY_RETENTION_HOURS = 24
KEY_CATALOGUE_SECONDS = 60
KEY_BYPASS_SECONDS = 120
# What the cache held before Redis was silent for longer is not believed: a change may have gone unheard.
KEY_CATALOGUE_SILENCE_MS = 1_000
# How often a web process reads from PostgreSQL which keys changed, for changes that Redis did not hear of; 0: never.
KEY_POLL_SECONDS = 0.4

# Every /v1 call of the last 30 days, for the partner to look at.
REQUEST_LOG = env.bool("REQUEST_LOG", default=True)
REQUEST_LOG_FLUSH_SECONDS = 0.5  # how often a process writes the records of its calls

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": [],
    "DEFAULT_RENDERER_CLASSES": ["apps.gateway.renderers.OrjsonRenderer"],
    "DEFAULT_PARSER_CLASSES": ["apps.gateway.parsers.StrictJSONParser"],
    "EXCEPTION_HANDLER": "apps.gateway.exceptions.exception_handler",
    "UNAUTHENTICATED_USER": None,
    "DEFAULT_SCHEMA_CLASS": "apps.gateway.openapi.schema.GatewaySchema",
    "NON_FIELD_ERRORS_KEY": "\x00",  # no body has a member of this name: its parser refuses NUL
}

SPECTACULAR_SETTINGS = {
    "TITLE": "Travel Partner API",
    "VERSION": "1.3.0",
    "DESCRIPTION": (
        "Search, price, book, change, cancel and read back hotels, flights, transfers and eSIM data plans. "
        "Amounts are integers in minor units, next to an ISO 4217 currency. Every POST takes an Idempotency-Key."
    ),
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/v1",
    "PREPROCESSING_HOOKS": [
        "apps.gateway.openapi.hooks.without_sandbox",
        "apps.gateway.openapi.hooks.in_order_of_methods",
    ],
    "POSTPROCESSING_HOOKS": [
        "apps.gateway.openapi.hooks.complete",
        "apps.webhooks.openapi.describe_deliveries",
        "apps.gateway.openapi.examples.draw_examples",
        "apps.gateway.openapi.hooks.beside_references",
    ],
    "ENFORCE_NON_BLANK_FIELDS": True,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "COMPONENT_SPLIT_REQUEST": False,
    "SORT_OPERATIONS": False,
}
# What differs in the document of /sandbox.
SPECTACULAR_SANDBOX_SETTINGS = {
    "TITLE": "Travel Partner API: sandbox",
    "DESCRIPTION": (
        "Test only. Controls the test environment of the calling key: move its clock, add funds, inject faults, change what was "
        "booked, reset it. Every call needs a test key of any scope; a live key gets 403 `wrong_environment`. "
        "This API is not part of /v1 and may change between releases."
    ),
    "SCHEMA_PATH_PREFIX": "/sandbox",
    "PREPROCESSING_HOOKS": [
        "apps.gateway.openapi.hooks.only_sandbox",
        "apps.gateway.openapi.hooks.in_order_of_methods",
    ],
    "POSTPROCESSING_HOOKS": [
        "apps.gateway.openapi.hooks.complete_sandbox",
        "apps.gateway.openapi.examples.draw_examples",
        "apps.gateway.openapi.hooks.beside_references",
    ],
}

# --- Bookings and suppliers ---------------------------------------------------------------------------------
OFFER_MINUTES = 20
SEARCH_RECORD_HOURS = 24
SUPPLIER_CALL_SECONDS = env.above_zero(float, "SUPPLIER_CALL_SECONDS", default=25)
# Suppliers take it ill when orders are held and not paid: so many an account and environment may have at a time.
MOST_UNPAID_HOLDS = env.int("MOST_UNPAID_HOLDS", default=10)
SANDBOX_SLOW_SECONDS = env.float("SANDBOX_SLOW_SECONDS", default=8)
OPERATION_LEASE_SECONDS = env.int("OPERATION_LEASE_SECONDS", default=45)
# A supplier's "not found" counts only when given twice: not before the first, and this far apart.
LOOKUP_FIRST_NOT_FOUND_SECONDS = env.int("LOOKUP_FIRST_NOT_FOUND_SECONDS", default=120)
LOOKUP_NOT_FOUND_APART_SECONDS = env.int("LOOKUP_NOT_FOUND_APART_SECONDS", default=60)
LOOKUP_BACKOFF_SECONDS = env.seconds("LOOKUP_BACKOFF_SECONDS", default=[10, 30, 120, 600, 3600])
RECOVERY_SECONDS = env.float("RECOVERY_SECONDS", default=5)
SUPPLIER_NEWS_SECONDS = env.float("SUPPLIER_NEWS_SECONDS", default=3_600)
RECONCILIATION_SECONDS = env.float("RECONCILIATION_SECONDS", default=60)
# How many more workers a run with a backlog asks to join it. It does not wait for them.
SETTLEMENT_HELPERS = env.int("SETTLEMENT_HELPERS", default=7)
SUPPLIER_NEWS_HELPERS = env.int("SUPPLIER_NEWS_HELPERS", default=1)
ESIM_SYNC_SECONDS = env.float("ESIM_SYNC_SECONDS", default=3_600)
# Whether orders have an address that installs an eSIM on Android devices, which Google does not document.
ESIM_ANDROID_LINKS = env.bool("ESIM_ANDROID_LINKS", default=True)
# How often each part of a supplier's list of hotels is asked for what changed, and the countries to list. Empty: all.
HOTEL_CONTENT_SECONDS = env.float("HOTEL_CONTENT_SECONDS", default=3_600)
HOTEL_CONTENT_COUNTRIES = env.list("HOTEL_CONTENT_COUNTRIES", default=[])
# A rate of exchange that staff stored longer ago sells nothing: markets close for five days in a row at most.
EXCHANGE_RATE_MAX_AGE_DAYS = env.above_zero(int, "EXCHANGE_RATE_MAX_AGE_DAYS", default=7)
SUPPLIERS = {
    "hotels": {"live": env.str("HOTELS_SUPPLIER", default="simulator")},
    "flights": {"live": env.str("FLIGHTS_SUPPLIER", default="simulator")},
    "transfers": {"live": env.str("TRANSFERS_SUPPLIER", default="simulator")},
    "esim": {"live": env.str("ESIM_SUPPLIER", default="simulator")},
}
# Live keys get what a real supplier serves, and nothing from the simulator; but for a demonstration, where no money is real.
SIMULATE_LIVE_KEYS = env.bool("SIMULATE_LIVE_KEYS", default=False)
# One answer in so many is compared with what is known of the supplier's answers; 0 compares none.
SUPPLIER_DRIFT_EVERY = env.int("SUPPLIER_DRIFT_EVERY", default=20)
# What each supplier needs to be let in, and where it is reached, as its own `vendor.py` declares it. Read as
# SUPPLIER_CREDENTIALS["duffel"]["access_token"].
SUPPLIER_CREDENTIALS = read_credentials(SUPPLIERS, env)

# --- Webhooks -----------------------------------------------------------------------------------------------
WEBHOOK_ALLOW_LOCAL_TARGETS = env.bool("WEBHOOK_ALLOW_LOCAL_TARGETS", default=False)
WEBHOOK_TIMEOUT_SECONDS = env.above_zero(float, "WEBHOOK_TIMEOUT_SECONDS", default=10)
WEBHOOK_SWEEP_SECONDS = env.float("WEBHOOK_SWEEP_SECONDS", default=5)
WEBHOOK_SENDER_THREADS = env.above_zero(int, "WEBHOOK_SENDER_THREADS", default=16)
WEBHOOK_ACCOUNT_THREADS = env.int("WEBHOOK_ACCOUNT_THREADS", default=0)  # 0: three quarters of them

CELERY_BEAT_SCHEDULE = schedule(
    sold={product for product, named in SUPPLIERS.items() if named["live"] != "off"},
    recovery_seconds=RECOVERY_SECONDS,
    settlement_seconds=RECONCILIATION_SECONDS,
    news_seconds=SUPPLIER_NEWS_SECONDS,
    esim_seconds=ESIM_SYNC_SECONDS,
    webhook_seconds=WEBHOOK_SWEEP_SECONDS,
)

# --- Monitoring ---------------------------------------------------------------------------------------------
HEALTH_TOKEN = env.str("HEALTH_TOKEN", default="")
METRICS_TOKEN = env.str("METRICS_TOKEN", default="")
METRICS_DIRECTORY = env.str("METRICS_DIRECTORY", default="")
# Traces: the variables are OpenTelemetry's own, and its SDK reads the others (apps/common/tracing_sdk.py).
_collector = env.str("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", default="") or env.str(
    "OTEL_EXPORTER_OTLP_ENDPOINT", default=""
)
TRACES = (
    bool(_collector)
    and not env.bool("OTEL_SDK_DISABLED", default=False)
    and env.str("OTEL_TRACES_EXPORTER", default="otlp") == "otlp"
)

# --- Logging ------------------------------------------------------------------------------------------------
LOG_FORMAT = env.str("LOG_FORMAT", default="plain")
if LOG_FORMAT not in {"plain", "json"}:
    raise ImproperlyConfigured("LOG_FORMAT must be plain or json.")
LOG_LEVEL = env.str("LOG_LEVEL", default="INFO")
if LOG_LEVEL not in {"DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"}:
    raise ImproperlyConfigured("LOG_LEVEL must be DEBUG, INFO, WARNING, ERROR or CRITICAL.")


def _without_traceback(record: LogRecord) -> bool:
    record.exc_info = None
    return True


LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {
        "without_traceback": {"()": "django.utils.log.CallbackFilter", "callback": _without_traceback},
    },
    "formatters": {
        "plain": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"},
        "json": {"()": "apps.common.logs.JsonLines"},
    },
    "handlers": {
        "console": {"class": "logging.StreamHandler", "formatter": LOG_FORMAT},
        "criticals": {"class": "apps.common.metrics.CountCriticals", "level": "CRITICAL"},
    },
    "root": {"handlers": ["console", "criticals"], "level": LOG_LEVEL},
    "loggers": {
        # Every call has a line of its own (`apps.gateway.calls`); Django's would say 4xx once more.
        "django.request": {"level": "CRITICAL"},
        # Anyone can send an unknown Host header: one line each.
        "django.security.DisallowedHost": {"filters": ["without_traceback"]},
        # The web server's own, in this format once a process has read the settings.
        "_granian": {"handlers": ["console"], "propagate": False},
        # At DEBUG it would write whole addresses of suppliers, and those may hold travellers.
        "urllib3": {"level": "INFO"},
    },
}
