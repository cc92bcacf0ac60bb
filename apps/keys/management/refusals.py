"""Turns the services' refusals into errors of a command."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.core.management.base import CommandError

from apps.common.errors import GatewayError


@contextmanager
def as_command_errors() -> Iterator[None]:
    """A refusal inside becomes a CommandError that names every wrong field, in one line and without a traceback."""
    try:
        yield
    except GatewayError as refusal:
        details = refusal.extras.get("details")
        lines = (
            [f"{each['field']}: {each['message']}" for each in details] if isinstance(details, list) else []
        )
        raise CommandError(" ".join(lines) or refusal.message) from refusal
