"""The settings as they run, with views to compare with; portal users by the hundred are opened without a slow hash."""

from config.settings import *  # noqa: F403

ROOT_URLCONF = "tests.bench.urls"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
LOGGING = {
    "version": 1,
    "disable_existing_loggers": True,
    "handlers": {"faults": {"class": "logging.StreamHandler", "level": "ERROR"}},
    "root": {"handlers": ["faults"]},
}
