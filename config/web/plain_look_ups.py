"""What Django looks up with more care than a web process needs: 34 settings in a hotel booking, eleven times the connection."""

import threading
from typing import Any

from django.conf import LazySettings
from django.db import connections


def take_over() -> None:
    """For a process that runs calls in threads alone, once its settings are read."""
    _of_connections()
    _of_settings()


def _of_connections() -> None:
    """Each thread's connection, without asking for an event loop first: where there is none, that raises and catches an error."""
    plain = threading.local()
    for database in connections.all(initialized_only=True):
        setattr(plain, database.alias, database)
    connections._connections = plain  # type: ignore[attr-defined]


def _of_settings() -> None:
    """As of any object. Django's own asks whether what it found stands for a method of the settings' class, which none does."""
    plain: Any = object.__getattribute__
    LazySettings.__getattribute__ = plain  # type: ignore[method-assign]
