"""Changes to endpoints in the account's audit trail."""

from urllib.parse import urlsplit

from apps.accounts.actors import Actor
from apps.accounts.models import AuditAction
from apps.accounts.services.audit import Subject, record
from apps.webhooks.models import Endpoint


def record_change(endpoint: Endpoint, action: AuditAction, actor: Actor, **details: object) -> None:
    record(
        account=endpoint.account_id,
        environment=endpoint.environment,
        action=action,
        actor=actor,
        subject=Subject("endpoint", endpoint.pk, without_query(endpoint.url)),
        details=details,
    )


def without_query(url: str) -> str:
    """`url` without its query, in which receivers put tokens: the trail contains no secret."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
