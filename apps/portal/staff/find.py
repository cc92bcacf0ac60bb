"""The search of the back office: paste any id, and land on its page, whichever account it is of. Each search is written down."""

from typing import NamedTuple

from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse

from apps.accounts.actors import signed_in
from apps.accounts.models import Account, Look
from apps.accounts.services.look import note_look
from apps.gateway.client_ip import client_address
from apps.portal.find.lookups import Found
from apps.portal.find.pasted import LONGEST, Pasted
from apps.portal.find.views import PASTED_WHOLE
from apps.portal.staff.lookups import find_everywhere


class Kind(NamedTuple):
    title: str
    model: str
    """`app.model`: of its page in the back office, and of the permission to view it."""


KINDS = {
    "account": Kind("Accounts", "accounts.account"),
    "person": Kind("People", "accounts.user"),
    "invitation": Kind("Invitations", "accounts.invitation"),
    "key": Kind("API keys", "keys.apikey"),
    "request": Kind("Requests", "gateway.loggedcall"),
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
    """Its name; empty where it is nobody's."""


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
    """Nobody finds what they could not open."""
    return {name for name, kind in KINDS.items() if request.user.has_perm(kind.model.replace(".", ".view_"))}


def address_of(found: Found) -> str:
    return reverse(f"admin:{KINDS[found.kind].model.replace('.', '_')}_change", args=[found.id])


def groups_of(found: list[Found]) -> list[tuple[str, list[Hit]]]:
    """In the order of KINDS. One query, for the names of the accounts."""
    rows = Account.objects.select_related("sandbox_of").in_bulk({each.account_id for each in found})
    names = {pk: (row.sandbox_of or row).name for pk, row in rows.items()}
    hits = [Hit(each, address_of(each), names.get(each.account_id, "")) for each in found]
    return [
        (kind.title, [hit for hit in hits if hit.found.kind == name])
        for name, kind in KINDS.items()
        if any(hit.found.kind == name for hit in hits)
    ]
