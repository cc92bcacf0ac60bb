"""The Celery application. Messages only wake a sweep; the work itself is found in PostgreSQL."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("travel_partner")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
