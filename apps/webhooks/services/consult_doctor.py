"""Gathers what the account knows of a pasted delivery and lets the doctor judge. Reads alone; nothing pasted is kept."""

from apps.common import clock
from apps.common.encryption import decrypt
from apps.webhooks.doctor.diagnosis import CaseFile, Diagnosis, Pasted, diagnose, event_id_of
from apps.webhooks.doctor.matching import KnownSecret
from apps.webhooks.models import Attempt, Endpoint, Event
from apps.webhooks.services.rotate_secret import OVERLAP

MOST_ATTEMPTS = 10


def consult_doctor(*, endpoint: Endpoint, pasted: Pasted) -> Diagnosis:
    """The diagnosis of a delivery that came to `endpoint`, or was meant for it.

    Events and secrets are those of the endpoint's account alone, of both environments: of another account's event it is
    said that there is none.
    """
    event = _event(endpoint, event_id_of(pasted.body, pasted.headers))
    case = CaseFile(
        secrets=_secrets(endpoint),
        original=event.payload.encode() if event else None,
        timestamps=_timestamps(endpoint, event) if event else [],
        now=clock.now(),
        overlap=OVERLAP,
    )
    return diagnose(pasted, case)


def _event(endpoint: Endpoint, event_id: str) -> Event | None:
    if not event_id:
        return None
    return Event.objects.filter(account_id=endpoint.account_id, pk=event_id).first()


def _secrets(chosen: Endpoint) -> list[KnownSecret]:
    """The current and the previous secrets of the account's endpoints. Deleted endpoints have none."""
    found = []
    for endpoint in Endpoint.objects.filter(account_id=chosen.account_id, deleted_at=None):
        of_each = [(endpoint.secret_encrypted, None)]
        if endpoint.previous_secret_encrypted:
            of_each.append((endpoint.previous_secret_encrypted, endpoint.previous_secret_expires_at))
        found += [
            KnownSecret(
                text=decrypt(encrypted),
                endpoint_id=endpoint.pk,
                endpoint_url=endpoint.url.partition("?")[0],
                environment=endpoint.environment,
                is_chosen=endpoint.pk == chosen.pk,
                ended_at=ended_at,
            )
            for encrypted, ended_at in of_each
        ]
    return found


def _timestamps(endpoint: Endpoint, event: Event) -> list[str]:
    """When the event was signed for the endpoint, as its attempts recorded it."""
    attempts = Attempt.objects.filter(delivery__endpoint=endpoint, delivery__event=event)
    newest = attempts.order_by("-number").values_list("request_headers", flat=True)[:MOST_ATTEMPTS]
    return [str(headers["webhook-timestamp"]) for headers in newest if "webhook-timestamp" in headers]
