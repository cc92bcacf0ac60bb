"""Production mistakes that `check --deploy` refuses."""

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register


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
