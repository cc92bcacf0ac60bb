"""The search in the side: paste any id, and land on its page."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from apps.common.environments import Environment
from apps.portal.base_view import PortalView
from apps.portal.find.lookups import Found, Place, find, find_people
from apps.portal.find.pages import KINDS, address_of, kinds_open_to
from apps.portal.find.palette import palette
from apps.portal.find.pasted import LONGEST, Pasted

PASTED_WHOLE = (
    "You pasted a whole secret. It is now in the history of this browser, and may be in logs on its way to us: "
    "rotate the key if anybody else can read them."
)


@dataclass(frozen=True, slots=True)
class Group:
    """What was found of one kind, each with its page."""

    title: str
    rows: list[tuple[Found, str]]


class FindView(PortalView):
    section = "find"

    def get(self, request: HttpRequest) -> HttpResponse:
        text = request.GET.get("q", "")[:LONGEST].strip()
        pasted = Pasted.of(text)
        if pasted.has_whole_secret:
            messages.warning(request, PASTED_WHOLE)
        kinds = kinds_open_to(self.portal)
        found = self.here(pasted, kinds)
        if len(found) == 1:
            return redirect(address_of(self.portal, found[0]))
        elsewhere = {} if found else {"other": self.in_other(pasted, kinds), **self.in_sandbox(pasted, kinds)}
        shown = {
            "find_text": text,
            "groups": self.groups(found),
            "palette": palette(self.portal),
            **elsewhere,
        }
        return self.render("portal/find/index.html", shown)

    def here(self, pasted: Pasted, kinds: frozenset[str]) -> list[Found]:
        """What is found in the chosen environment, and the people of the account."""
        portal = self.portal
        found = find(Place([portal.account_id], portal.environment), pasted, kinds)
        if "member" in kinds:
            found += find_people(portal.account.pk, pasted)
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

    def groups(self, found: Sequence[Found]) -> list[Group]:
        """In the order of KINDS."""
        return [
            Group(kind.title, [(each, address_of(self.portal, each)) for each in found if each.kind == name])
            for name, kind in KINDS.items()
            if any(each.kind == name for each in found)
        ]

    def address_in(self, environment: str) -> str:
        """The same search in `environment`."""
        address = super().address_in(environment)
        text = self.request.GET.get("q", "")[:LONGEST]
        return f"{address}?{urlencode({'q': text})}" if text else address


def is_shown_otherwise(one: Found, found: Sequence[Found]) -> bool:
    """An event is shown by its deliveries, where it has any. The calls of an Idempotency-Key are shown by what became of it."""
    better = {"event": "delivery", "keyed": "call"}.get(one.kind)
    return any(each.kind == better for each in found)


def in_words(found: Sequence[Found]) -> str:
    """`a request`, or `a booking and an Idempotency-Key`; empty for nothing."""
    shown = {each.kind for each in found if not is_shown_otherwise(each, found)}
    return " and ".join(dict.fromkeys(kind.name for name, kind in KINDS.items() if name in shown))
