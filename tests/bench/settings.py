"""The settings as they run, with two views to compare with."""

from config.settings import *  # noqa: F403

ROOT_URLCONF = "tests.bench.urls"
LOGGING = {
    "version": 1,
    "disable_existing_loggers": True,
    "handlers": {"nowhere": {"class": "logging.NullHandler"}},
    "root": {"handlers": ["nowhere"]},
}
