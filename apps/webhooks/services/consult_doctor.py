"""Gathers what the account knows of a pasted delivery and lets the doctor judge. Reads alone; nothing pasted is kept."""

from collections.abc import Collection
from datetime import datetime

from apps.accounts import clocks
from apps.accounts.clocks import NOT_MOVED
from apps.accounts.models import Account
from apps.accounts.selectors.sandboxes import rows_of
from apps.common import clock
from apps.common.encryption import decrypt
from apps.common.environments import Environment
from apps.webhooks.doctor.diagnosis import CaseFile, Diagnosis, Pasted, diagnose, event_id_of
from apps.webhooks.doctor.matching import KnownSecret
from apps.webhooks.models import Attempt, Endpoint, Event
from apps.webhooks.services.rotate_secret import OVERLAP

MOST_ATTEMPTS = 10


def consult_doctor(*, endpoint: Endpoint, pasted: Pasted) -> Diagnosis:
    """The diagnosis of a delivery that came to `endpoint`, or was meant for it.

    Events and secrets are those of the partner alone, of live and of all sandboxes: of another partner's event it is said that
    there is none.
    """
    partner = Account.objects.only("sandbox_of").get(pk=endpoint.account_id).shown_id
    stored_under = list(rows_of(partner).values_list("pk", flat=True))
    event = _event(stored_under, event_id_of(pasted.body, pasted.headers))
    case = CaseFile(
        secrets=_secrets(stored_under, endpoint),
        original=event.payload.encode() if event else None,
        timestamps=_timestamps(endpoint, event) if event else [],
        now=clock.now(),
        overlap=OVERLAP,
        ahead=clocks.place_of(endpoint.account_id, endpoint.environment).clock_offset,
    )
    return diagnose(pasted, case)


def _event(stored_under: Collection[str], event_id: str) -> Event | None:
    return Event.objects.filter(account__in=stored_under, pk=event_id).first()


def _secrets(stored_under: Collection[str], chosen: Endpoint) -> list[KnownSecret]:
    """The current and the previous secrets of the partner's endpoints. Deleted endpoints have none."""
    offsets, found = clocks.offsets_of(stored_under), []
    for endpoint in Endpoint.objects.filter(account__in=stored_under, deleted_at=None):
        of_each: list[tuple[str, datetime | None]] = [(endpoint.secret_encrypted, None)]
        ends = endpoint.previous_secret_expires_at
        if endpoint.previous_secret_encrypted and ends is not None:
            of_test = endpoint.environment == Environment.TEST
            ahead = offsets.get(endpoint.account_id, NOT_MOVED) if of_test else NOT_MOVED
            of_each.append((endpoint.previous_secret_encrypted, ends - ahead))
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
