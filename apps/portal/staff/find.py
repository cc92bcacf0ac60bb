"""The back office's search."""

from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

from django.contrib import admin, messages
from django.db.models import F, Q, QuerySet, Value
from django.db.models.functions import Coalesce, Concat, Lower
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse

from apps.accounts.actors import signed_in
from apps.accounts.audit import note_look
from apps.accounts.models import Account, Invitation, Look, Membership, User
from apps.accounts.payment_reference import accounts_with
from apps.bookings.models import Operation
from apps.gateway.client_ip import client_address
from apps.ledger.models import Hold, StaffMovement
from apps.portal.find.lookups import (
    LONGEST,
    Everywhere,
    Found,
    Part,
    Pasted,
    bookings,
    deliveries,
    events,
    keys,
    ledger,
    rows,
    told,
)
from apps.portal.find.pages import PASTED_WHOLE
from apps.request_log.models import LoggedCall
from apps.request_log.redaction import key_to_log
from apps.webhooks.models import Endpoint

EVERYWHERE = Everywhere()
NOBODYS = Value("")
SHORTEST_NAME = 3


def accounts(pasted: Pasted) -> Iterator[Part]:
    """By the id, the payment reference, and the beginning of the name. There are few."""
    named = Q(pk__in=[*pasted.ids_of("acc"), *accounts_with(pasted.word)])
    if len(pasted.word) >= SHORTEST_NAME:
        named |= Q(name__istartswith=pasted.word, sandbox_of=None)
    found = Account.objects.filter(named)
    yield rows("account", found, id="pk", label="name", note="status", account=F("pk"), environment=NOBODYS)


def people(pasted: Pasted) -> Iterator[Part]:
    """By the e-mail address: the person, the accounts that they belong to, and invitations that wait."""
    if not pasted.email:
        return
    persons = User.objects.filter(email__iexact=pasted.email)
    nobodys: dict[str, Any] = {"account": NOBODYS, "environment": NOBODYS}
    yield rows("person", persons, id="pk", label="email", at="date_joined", **nobodys)
    members = Membership.objects.filter(user__email__iexact=pasted.email)
    yield rows("account", members, id="account_id", label="account__name", note="role", environment=NOBODYS)
    invited = Invitation.objects.annotate(by=Lower("email")).filter(
        by=pasted.email.lower(), accepted_at=None, withdrawn_at=None
    )
    yield rows("invitation", invited, id="pk", label="email", note="role", environment=NOBODYS)


def requests(pasted: Pasted) -> Iterator[Part]:
    """By the id; and those that were sent with an Idempotency-Key."""
    if pasted.requests:
        yield logged(LoggedCall.objects.filter(request_id__in=pasted.requests))
    if pasted.word:
        sent = LoggedCall.objects.filter(**EVERYWHERE.condition, idempotency_key=key_to_log(pasted.word))
        yield logged(sent.exclude(idempotency_key=""))


def logged(calls: QuerySet[LoggedCall]) -> Part:
    label = Concat("method", Value(" "), "path")
    account = Coalesce("account_id", NOBODYS)
    return rows("request", calls, id="pk", label=label, note="status", account=account)


def operations(pasted: Pasted) -> Iterator[Part]:
    """By our own reference at the supplier."""
    if pasted.word:
        of: dict[str, Any] = {"account": F("booking__account_id"), "environment": F("booking__environment")}
        found = Operation.objects.filter(client_ref=pasted.word)
        yield rows("operation", found, id="pk", label="client_ref", note="state", **of)


def endpoints(pasted: Pasted) -> Iterator[Part]:
    """Also those that were deleted."""
    if ids := pasted.ids_of("we"):
        yield rows("endpoint", Endpoint.objects.filter(pk__in=ids), id="pk", label="url", note="status")


def money(pasted: Pasted) -> Iterator[Part]:
    """What is held, and what staff moved."""
    of: dict[str, Any] = {"account": F("wallet__account_id"), "environment": F("wallet__environment")}
    if ids := pasted.ids_of("hold"):
        yield rows("hold", Hold.objects.filter(pk__in=ids), id="pk", label="reference", note="status", **of)
    if ids := pasted.ids_of("mov"):
        moved = StaffMovement.objects.filter(pk__in=ids)
        yield rows("movement", moved, id="pk", label="type", note="state", at="proposed_at", **of)


OWN = (accounts, people, requests, operations, endpoints, money)
AS_PARTNERS = (bookings, deliveries, events, keys, ledger)


def find_everywhere(pasted: Pasted, kinds: Collection[str]) -> list[Found]:
    """What the text names, of those kinds, each once. An operation called as its booking is found on the booking's page."""
    parts = [part for look in OWN for part in look(pasted)]
    parts += [part for look in AS_PARTNERS for part in look(EVERYWHERE, pasted)]
    found = [each for each in told(parts) if each.kind in kinds]
    has_booking = any(each.kind == "booking" for each in found)
    return [each for each in found if not (has_booking and each.kind == "operation")]


class Kind(NamedTuple):
    title: str
    model: str
    """`app.model`: of its page in the back office, and of the permission to view it."""


KINDS = {
    "account": Kind("Accounts", "accounts.account"),
    "person": Kind("People", "accounts.user"),
    "invitation": Kind("Invitations", "accounts.invitation"),
    "key": Kind("API keys", "keys.apikey"),
    "request": Kind("Requests", "request_log.loggedcall"),
    "booking": Kind("Bookings", "bookings.booking"),
    "operation": Kind("Operations", "bookings.operation"),
    "ledger": Kind("Ledger lines", "ledger.ledgertransaction"),
    "hold": Kind("Holds", "ledger.hold"),
    "movement": Kind("Top-ups and adjustments", "ledger.staffmovement"),
    "event": Kind("Events", "webhooks.event"),
    "delivery": Kind("Deliveries", "webhooks.delivery"),
    "endpoint": Kind("Endpoints", "webhooks.endpoint"),
}


class Hit(NamedTuple):
    found: Found
    address: str
    account: str


def find_view(request: HttpRequest) -> HttpResponse:
    text = request.GET.get("q", "")[:LONGEST].replace("\x00", "").strip()
    pasted = Pasted.of(text)
    if pasted.has_whole_secret:
        messages.warning(request, PASTED_WHOLE)
    found = find_everywhere(pasted, kinds_open_to(request)) if text else []
    if text:
        person, address = signed_in(request), client_address(request)
        note_look(person=person, look=Look.SEARCHED, what=text, address=address)
    if len(found) == 1:
        return redirect(address_of(found[0]))
    context = {
        **admin.site.each_context(request),
        "title": "Find",
        "find_text": text,
        "groups": groups_of(found),
    }
    return TemplateResponse(request, "admin/find.html", context)


def kinds_open_to(request: HttpRequest) -> set[str]:
    """Results that the user may not open are left out."""
    return {name for name, kind in KINDS.items() if request.user.has_perm(kind.model.replace(".", ".view_"))}


def address_of(found: Found) -> str:
    return reverse(f"admin:{KINDS[found.kind].model.replace('.', '_')}_change", args=[found.id])


def groups_of(found: list[Found]) -> list[tuple[str, list[Hit]]]:
    rows = Account.objects.select_related("sandbox_of").in_bulk({each.account_id for each in found})
    names = {pk: (row.sandbox_of or row).name for pk, row in rows.items()}
    hits = [Hit(each, address_of(each), names.get(each.account_id, "")) for each in found]
    return [
        (kind.title, [hit for hit in hits if hit.found.kind == name])
        for name, kind in KINDS.items()
        if any(hit.found.kind == name for hit in hits)
    ]
