"""The settings of a site that is watched: the judge's, with signs of life five times as often, as its alerts are shortened."""

from tests.judge.settings import *  # noqa: F403
from tests.judge.settings import INSTALLED_APPS, env

INSTALLED_APPS = [*INSTALLED_APPS, "tests.deploy.rehearsal.apps.RehearsalConfig"]
SUPPLIERS_AUTHORITY = env.str("SUPPLIERS_AUTHORITY")
"""The file with the certificate of who vouches for the suppliers' stand-ins."""
HEARTBEAT_SECONDS = 2.0
