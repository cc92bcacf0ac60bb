"""The WSGI application that the web processes serve."""

import os
from importlib import import_module

import django

from apps.gateway.handler import Handler
from apps.gateway.wsgi import with_readable_headers

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup(set_prefix=False)
application = with_readable_headers(Handler())
import_module("apps.gateway.openapi").written_compressed()  # now, and not by thirty first requests at once
import_module("apps.gateway.request_log.allow_list").allow_list()
