"""System checks of what whoever runs the service sees of it: `check --deploy`."""

from typing import Any

from django.conf import settings
from django.core import checks
from django.core.checks import CheckMessage, Error, Tags, register

SHORTEST_TOKEN = 16


@register(Tags.security, deploy=True)
def tokens_cannot_be_guessed(**kwargs: Any) -> list[CheckMessage]:
    """What guards /metrics and /health/full is tried as often as anybody likes."""
    return [
        Error(
            f"{name} is shorter than {SHORTEST_TOKEN} characters: it can be guessed.",
            hint="Make one with: openssl rand -hex 24",
            id="gateway.E001",
        )
        for name in ("METRICS_TOKEN", "HEALTH_TOKEN")
        if 0 < len(getattr(settings, name)) < SHORTEST_TOKEN
    ]


@register(Tags.security, deploy=True)
def what_is_counted_is_read(**kwargs: Any) -> list[CheckMessage]:
    if settings.METRICS_TOKEN or not settings.METRICS_DIRECTORY:
        return []
    return [
        checks.Warning(
            "METRICS_DIRECTORY is set and METRICS_TOKEN is not: figures are counted that nobody can read.",
            hint="Set both, or neither.",
            id="gateway.W001",
        )
    ]
