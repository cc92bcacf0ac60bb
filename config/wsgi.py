"""The WSGI application that the web processes serve."""

import multiprocessing
import os
import signal

from django.core.wsgi import get_wsgi_application

# granian forks its workers with its own signal handlers, and replaces them only once the application is loaded: a worker that
# is stopped before that would miss the signal, serve on, and be killed with what it had not yet written.
if multiprocessing.parent_process() is not None:
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_DFL)

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
handler = get_wsgi_application()

# What each process reads once, before its first call and not during it.
from apps.gateway import openapi  # noqa: E402
from apps.gateway.middleware import with_readable_headers  # noqa: E402
from apps.hotels.suppliers import cities  # noqa: E402
from apps.request_log.redaction import allow_list  # noqa: E402
from apps.suppliers import airports  # noqa: E402

application = with_readable_headers(handler)
openapi.written()
openapi.written("gzip")
allow_list()
cities.featured()
airports.nearest(0, 0)
