"""The WSGI application that the web processes serve."""

import multiprocessing
import os
import signal

from django.core.wsgi import get_wsgi_application

from apps.gateway.wsgi import with_readable_content_type
from config.embedded.processes import die_with_parent

if multiprocessing.parent_process() is not None:  # one of granian's workers: it must not outlive granian
    die_with_parent(signal.SIGTERM)
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
application = with_readable_content_type(get_wsgi_application())
