"""The settings for tests and for type checking: waits shortened, secrets made up, else as it runs."""

import os

from config.embedded import prepare_test_environment

if "PYTEST_VERSION" in os.environ:  # a type checker reads these settings too, and needs no servers
    prepare_test_environment()
os.environ.setdefault("DATABASE_URL", "postgres://postgres@localhost/travel_partner")
os.environ.setdefault("REDIS_URL", "redis://localhost:6379/0")
os.environ.setdefault("SECRET_KEY", "tests-only")
os.environ.setdefault("STATIC_FROM_SOURCE", "true")
os.environ.setdefault("FIELD_ENCRYPTION_KEYS", "Wk9fUU5zV0R3bGJmZ2h1dGVzdHNvbmx5a2V5MDAwMDA=")

from config.settings import *  # noqa: F403
from config.settings import DATABASES, INSTALLED_APPS, env

DEBUG = False
INSTALLED_APPS = [*INSTALLED_APPS, "django_migration_linter"]
ALLOWED_HOSTS = ["testserver", "127.0.0.1", "localhost"]
DATABASES["default"]["TEST"] = {"NAME": env.str("TEST_DATABASE_NAME", default="test_travel_partner")}
DATABASES["default"]["CONN_MAX_AGE"] = 0
# A busy machine may stall for seconds, also while a test is in its transaction or a dozen threads wait for one lock; and what a
# test wrote need not outlive a crash of the whole server.
DATABASES["default"]["OPTIONS"]["options"] += (
    " -c statement_timeout=60000 -c lock_timeout=60000 -c idle_in_transaction_session_timeout=60000"
    " -c synchronous_commit=off"
)
REDIS_TIMEOUT_SECONDS = 30.0
KEY_CATALOGUE_SILENCE_MS = 60_000
KEY_POLL_SECONDS = 0  # only where a test says so: its thread has a connection of its own
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
WEBHOOK_ALLOW_LOCAL_TARGETS = True
SIMULATE_LIVE_KEYS = True
DOCS_BASE_URL = ""
SANDBOX_SLOW_SECONDS = 0.05
WEB_ACCOUNT_CALLS = 1_000  # races are one partner with many callers
REQUEST_LOG_FLUSH_SECONDS = 0  # calls are taken down, and written when a test says so
PORTAL_REQUIRE_TWO_FACTOR = True
SUPPLIER_DRIFT_EVERY = 0  # a test of drift says so; no other one's database is written to meanwhile
