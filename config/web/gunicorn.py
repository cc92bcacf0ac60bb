"""gunicorn's configuration: `python -m gunicorn --config config/web/gunicorn.py config.wsgi:application`."""

import gc
import os
import resource
from signal import SIGTERM
from typing import Any

from config.embedded.processes import die_with_parent
from config.environment import Environment
from config.web.memory import keep_small

_host, _port = os.environ.get("HOST", "127.0.0.1"), os.environ.get("PORT", "8000")
bind = [f"[{_host}]:{_port}" if ":" in _host else f"{_host}:{_port}"]
backlog = 2048
workers = Environment().above_zero(int, "WEB_WORKERS", default=2)
worker_class = "config.web.worker.EdgeWorker"
preload_app = True  # the processes share what was imported before they were born
timeout = 60  # a process whose main thread does not answer for so long is killed and replaced
graceful_timeout = 35
loglevel = os.environ.get("WEB_LOG_LEVEL", "warning")
control_socket_disable = True
if os.environ.get("LOG_FORMAT") == "json":  # as everything else writes
    logconfig_dict = {
        "formatters": {"generic": {"()": "apps.common.logs.json_lines.JsonLines"}},
        "loggers": {
            "gunicorn.error": {"level": loglevel.upper(), "handlers": ["error_console"], "propagate": False}
        },
    }

OPEN_FILES = 8_192
"""Connections, and what serves them; many systems begin with 1,024."""

_soft, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
if _soft not in (-1, _hard) and _soft < OPEN_FILES:
    resource.setrlimit(resource.RLIMIT_NOFILE, (OPEN_FILES if _hard == -1 else min(OPEN_FILES, _hard), _hard))

keep_small()


def when_ready(_arbiter: Any) -> None:
    """Read before the processes are born what each would read for itself, and let no collection touch what they share."""
    from apps.hotels.suppliers import cities
    from apps.suppliers import airports

    cities.featured()
    airports.nearest(0, 0)
    gc.collect()
    gc.freeze()


def post_fork(_arbiter: Any, _worker: Any) -> None:
    """A web process must not outlive the one that started it."""
    die_with_parent(SIGTERM)
