"""System checks of metrics and health: `check --deploy`."""

from typing import Any

from django.conf import settings
from django.core import checks
from django.core.checks import CheckMessage, Error, Tags, register

SHORTEST_TOKEN = 16


@register(Tags.security, deploy=True)
def tokens_cannot_be_guessed(**kwargs: Any) -> list[CheckMessage]:
    """Attempts at the tokens of /metrics and /health/full are not limited."""
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
            "METRICS_DIRECTORY is set and METRICS_TOKEN is not: metrics are counted and cannot be read.",
            hint="Set both, or neither.",
            id="gateway.W001",
        )
    ]


@register(Tags.security, deploy=True)
def health_is_not_public(**kwargs: Any) -> list[CheckMessage]:
    if settings.HEALTH_TOKEN:
        return []
    return [
        checks.Warning(
            "HEALTH_TOKEN is empty: anyone can read /health/full.",
            hint="Make one with: openssl rand -hex 24",
            id="gateway.W002",
        )
    ]
