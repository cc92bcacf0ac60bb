"""The WSGI application that the web processes serve."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
handler = get_wsgi_application()

# What each process reads once, before its first call and not during it.
from apps.gateway import openapi  # noqa: E402
from apps.gateway.middleware import with_readable_headers  # noqa: E402
from apps.hotels.suppliers import cities  # noqa: E402
from apps.request_log.redaction import allow_list  # noqa: E402
from apps.suppliers import airports  # noqa: E402

application = with_readable_headers(handler)
openapi.written_compressed()
allow_list()
cities.featured()
airports.nearest(0, 0)
