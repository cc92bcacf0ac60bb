"""System checks of the settings: for any deployment, and for production alone (`check --deploy`)."""

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register

from apps.webhooks.deliveries.claim import LEASE
from apps.webhooks.deliveries.send import BATCH_SECONDS


@register()
def attempts_end_within_their_lease(**kwargs: Any) -> list[CheckMessage]:
    """A batch begins its last attempt after BATCH_SECONDS at most. It must end within the lease: then others may send it."""
    allowed, longest = settings.WEBHOOK_TIMEOUT_SECONDS, LEASE.total_seconds() - BATCH_SECONDS
    if allowed < longest:
        return []
    return [
        Error(
            f"WEBHOOK_TIMEOUT_SECONDS must be below {longest:g}: webhooks would be sent twice.",
            hint=f"It is {allowed:g}.",
            id="webhooks.E002",
        )
    ]


@register(Tags.security, deploy=True)
def refuse_local_targets(**kwargs: Any) -> list[CheckMessage]:
    """Webhooks to this host are for development. In production partners could reach into our network."""
    if not settings.WEBHOOK_ALLOW_LOCAL_TARGETS:
        return []
    return [
        Error(
            "WEBHOOK_ALLOW_LOCAL_TARGETS is on: partners could have webhooks sent to this host.",
            hint="Unset it in production.",
            id="webhooks.E001",
        )
    ]
