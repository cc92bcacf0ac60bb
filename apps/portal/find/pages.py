"""The search: what words and ids lead to, as a page and for the palette that shows the same list."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.safestring import SafeString

from apps.bookings.models import Booking, Product
from apps.bookings.travellers import with_keys
from apps.common.environments import Environment
from apps.portal.base import PortalView
from apps.portal.bookings.facts import days, service_days
from apps.portal.context import PortalContext
from apps.portal.find import words
from apps.portal.find.lookups import EXACT, LONGEST, Found, Pasted, Place, find
from apps.portal.find.words import Choice, may_open, page_address
from apps.portal.navigation import ledger_line_address
from apps.portal.templatetags.portal import pill, status_pill


class Kind(NamedTuple):
    title: str
    name: str
    """The one of this kind, in the middle of a sentence."""
    page: str
    parameter: str = ""
    """What the address calls the id; empty for a page with all of the kind."""


# In the order in which equally good ones are shown.
KINDS = {
    "booking": Kind("Bookings", "a booking", "booking", "booking_id"),
    "request": Kind("Requests", "a request", "request", "request_id"),
    "call": Kind("Idempotency-Keys", "an Idempotency-Key", "call_outcomes"),
    "keyed": Kind("Requests with this Idempotency-Key", "a request", "request", "request_id"),
    "key": Kind("API keys", "an API key", "key", "key_id"),
    "endpoint": Kind("Endpoints", "an endpoint", "endpoint", "endpoint_id"),
    "delivery": Kind("Deliveries", "a delivery", "delivery", "delivery_id"),
    "event": Kind("Events", "an event", "event", "event_id"),
    "recovery": Kind("Recoveries", "a recovery", "recovery", "recovery_id"),
    "exam": Kind("Exams", "an exam", "exam", "exam_id"),
    "ledger": Kind("Ledger", "a ledger line", "ledger"),
    "member": Kind("Team", "a member", "team"),
}
DOCS = "Documentation"
MOST_SHOWN = 8
"""Of each group: what is further down is found by a longer text."""
OF_A_STATUS = frozenset({"booking", "delivery", "endpoint", "recovery", "exam"})


def address_of(portal: PortalContext, found: Found) -> str:
    kind = KINDS[found.kind]
    if kind.parameter:
        return portal.reverse(kind.page, **{kind.parameter: found.id})
    if found.kind == "call":
        return f"{portal.reverse(kind.page)}?{urlencode({'q': found.id})}"
    if found.kind == "ledger":
        return ledger_line_address(portal, found.at, found.id)
    return f"{page_address(kind.page, portal.environment)}#{found.id}"


def kinds_open_to(portal: PortalContext) -> frozenset[str]:
    """The kinds whose page the member's role may see: results that the member may not open are left out."""
    return frozenset(name for name, kind in KINDS.items() if may_open(portal, kind.page, kind.parameter))


PASTED_WHOLE = (
    "You pasted a whole secret. It is now in the history of this browser, and may be in logs on its way to us: "
    "rotate the key if anybody else can read them."
)


@dataclass(frozen=True, slots=True)
class Hit:
    label: str
    address: str
    rank: int
    note: str = ""
    state: SafeString | str = ""
    at: datetime | None = None
    is_id: bool = False


@dataclass(slots=True)
class Group:
    title: str
    hits: list[Hit] = field(default_factory=list)

    @property
    def rank(self) -> int:
        return min(hit.rank for hit in self.hits)


class FindView(PortalView):
    """`?q=` is the text. With `open` the response redirects to the first of what is found, as Enter in the palette opens it;
    with `list` it never redirects.
    """

    section = "find"

    def get(self, request: HttpRequest) -> HttpResponse:
        text = request.GET.get("q", "")[:LONGEST].strip()
        pasted = Pasted.of(text)
        if pasted.has_whole_secret:
            messages.warning(request, PASTED_WHOLE)
        kinds = kinds_open_to(self.portal)
        found = self.here(pasted, kinds)
        groups = self.groups(text, found)
        if text and "list" not in request.GET:
            alone = groups[0].hits if groups and (is_only(groups) or "open" in request.GET) else []
            if alone:
                return redirect(alone[0].address)
        shown: dict[str, object] = {"find_text": text, "groups": groups}
        if all(group.title == DOCS for group in groups):
            shown |= {"other": self.in_other(pasted, kinds), **self.in_sandbox(pasted, kinds)}
        return self.render("portal/find/index.html", shown)

    def here(self, pasted: Pasted, kinds: frozenset[str]) -> list[Found]:
        """What is found in the chosen environment, and the people of the account."""
        portal = self.portal
        place = Place([portal.account_id], portal.environment)
        found = find(place, pasted, kinds, people_of=portal.account.pk)
        return [each for each in found if not is_shown_otherwise(each, found)]

    def in_other(self, pasted: Pasted, kinds: frozenset[str]) -> str:
        """What is found in the environment that is not chosen, in words; empty where nothing is."""
        portal = self.portal
        if portal.is_live:
            place = Place([each.account_id for each in portal.sandboxes], Environment.TEST)
        else:
            place = Place([portal.account.pk], Environment.LIVE)
        return in_words(find(place, pasted, kinds))

    def in_sandbox(self, pasted: Pasted, kinds: frozenset[str]) -> dict[str, object]:
        """What is found in another sandbox than the chosen one, in words, and in which."""
        portal = self.portal
        others = {
            each.account_id: each.name for each in portal.sandboxes if each.account_id != portal.account_id
        }
        if portal.is_live or not others:
            return {}
        found = find(Place([*others], Environment.TEST), pasted, kinds)
        if not found:
            return {}
        first = found[0].account_id
        there = [each for each in found if each.account_id == first]
        return {"in_sandbox": in_words(there), "sandbox_of_it": others[first]}

    def groups(self, text: str, found: Sequence[Found]) -> list[Group]:
        """The groups by their best hit; of equal ones rows come before errors, actions, pages and documentation."""
        portal = self.portal
        if not text:
            everything = ("Actions", words.actions(portal)), ("Go to", words.pages(portal))
            return [
                Group(title, [Hit(named.label, address, 1) for named, address in each])
                for title, each in everything
            ]
        groups = self.groups_of_rows(found)
        for title, choices in (
            ("Errors", words.errors_called(portal, text)),
            ("Actions", words.called(text, words.actions(portal))),
            ("Go to", words.called(text, words.pages(portal))),
            (DOCS, words.docs_called(text)),
        ):
            if choices:
                groups.append(Group(title, [hit_of(choice) for choice in choices[:MOST_SHOWN]]))
        return sorted(groups, key=lambda group: group.rank)

    def groups_of_rows(self, found: Sequence[Found]) -> list[Group]:
        portal, groups = self.portal, {name: Group(kind.title) for name, kind in KINDS.items()}
        booked = services_of(portal, [each.id for each in found if each.kind == "booking"][:MOST_SHOWN])
        for each in found:
            hits = groups[each.kind].hits
            if len(hits) < MOST_SHOWN:
                note = booked.get(each.id, "") if each.kind == "booking" else note_of(each)
                hits.append(
                    Hit(
                        each.label or each.id,
                        address_of(portal, each),
                        each.rank,
                        note,
                        state_of(each),
                        each.at,
                        is_id=each.kind not in ("key", "member"),
                    )
                )
        return [group for group in groups.values() if group.hits]

    def address_in(self, environment: str) -> str:
        """The same search in `environment`."""
        address = super().address_in(environment)
        text = self.request.GET.get("q", "")[:LONGEST]
        return f"{address}?{urlencode({'q': text})}" if text else address


def hit_of(choice: Choice) -> Hit:
    return Hit(choice.label, choice.address, choice.rank, choice.note)


def is_only(groups: Sequence[Group]) -> bool:
    """Whether the first hit is what the text names, and nothing else is. What the documentation has beside it does not count."""
    good = [hit for group in groups for hit in group.hits if group.title != DOCS]
    return len(good) == 1 and good[0].rank == EXACT


def services_of(portal: PortalContext, ids: Sequence[str]) -> dict[str, str]:
    """Of each booking the product and its dates, in one statement: nothing that names a traveller, or a place where one lives."""
    if not ids:
        return {}
    mine = Booking.objects.filter(account_id=portal.account_id, environment=portal.environment, pk__in=ids)
    return {booking.pk: service_in_words(booking) for booking in with_keys(mine)}


def service_in_words(booking: Booking) -> str:
    """`Hotel · 28–30 Dec 2026`."""
    first, last = service_days(booking)
    product = Product(booking.product).label
    return f"{product} · {days(first, last)}" if first and last else product


def note_of(found: Found) -> str:
    """What stands behind the label; nothing where a pill says it."""
    return "" if found.kind in OF_A_STATUS or found.kind in ("request", "keyed") else found.note


def state_of(found: Found) -> SafeString | str:
    if found.kind in OF_A_STATUS:
        return pill(found.note)
    if found.kind in ("request", "keyed"):
        status, _, error_type = found.note.partition(" ")
        return status_pill(int(status), error_type)
    return ""


def is_shown_otherwise(one: Found, found: Sequence[Found]) -> bool:
    """An event is shown by its deliveries, where it has any. The calls of an Idempotency-Key are shown by what became of it."""
    better = {"event": "delivery", "keyed": "call"}.get(one.kind)
    return any(each.kind == better for each in found)


def in_words(found: Sequence[Found]) -> str:
    """`a request`, or `a booking and an Idempotency-Key`; empty for nothing."""
    shown = {each.kind for each in found if not is_shown_otherwise(each, found)}
    return " and ".join(dict.fromkeys(kind.name for name, kind in KINDS.items() if name in shown))
