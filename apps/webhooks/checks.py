"""Mistakes that checks refuse: of any deployment, and those that only production must not make (`check --deploy`)."""

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register

from apps.webhooks.services.claim import LEASE
from apps.webhooks.services.lane import LANE_SECONDS


@register()
def attempts_end_within_their_lease(**kwargs: Any) -> list[CheckMessage]:
    """A lane begins its last attempt after LANE_SECONDS at most; beyond its lease another would send the same."""
    allowed, longest = settings.WEBHOOK_TIMEOUT_SECONDS, LEASE.total_seconds() - LANE_SECONDS
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
    """Webhooks to this very host are for development; in production they would be a door into the network."""
    if not settings.WEBHOOK_ALLOW_LOCAL_TARGETS:
        return []
    return [
        Error(
            "WEBHOOK_ALLOW_LOCAL_TARGETS is on: partners could have webhooks sent to this host.",
            hint="Unset it in production.",
            id="webhooks.E001",
        )
    ]
