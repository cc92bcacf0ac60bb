"""The menu at the side of the back office: every list and page that a person may see, in groups by what one works on."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from django.urls import reverse

GROUPS: Mapping[str, Mapping[str, str]] = {
    "Accounts": {
        "accounts.account": "Accounts",
        "portal.livekeyrequest": "Requests for live keys",
        "accounts.invitation": "Invitations",
        "keys.apikey": "API keys",
        "request_log.loggedcall": "Requests",
        "accounts.accountauditentry": "Audit",
    },
    "Bookings": {
        "bookings.booking": "Bookings",
        "bookings.operation": "Operations",
        "hotels.correctionrequest": "Name corrections",
        "esim.refundrequest": "Refund requests",
    },
    "Money": {
        "ledger.wallet": "Wallets",
        "ledger.ledgertransaction": "Ledger",
        "ledger.hold": "Holds",
        "ledger.staffmovement": "Top-ups and adjustments",
        "bookings.settlement": "Settlements",
    },
    "Webhooks": {
        "webhooks.endpoint": "Endpoints",
        "webhooks.delivery": "Deliveries",
        "webhooks.attempt": "Attempts",
        "webhooks.event": "Events",
        "webhooks.recovery": "Recoveries",
    },
    "Suppliers": {
        "staff:suppliers": "Overview",
        "staff:withheld": "Withheld offers",
        "suppliers.supplieralert": "Alerts",
        "suppliers.supplierdrift": "Drift",
        "suppliers.supplierevent": "Events",
        "suppliers.exchangerate": "Exchange rates",
        "esim.plan": "eSIM plans",
    },
    "Staff": {
        "accounts.user": "People",
        "auth.group": "Groups",
        "mfa.authenticator": "Authenticators",
        "accounts.stafflook": "Staff access log",
        "gateway.taskrecord": "Periodic tasks",
        "request_log.lostcalls": "Lost calls",
        "staff:mails": "Mails",
    },
}
"""By model, or by the URL name of a page of our own."""
OTHERS = "Other"
OPEN_AT_FIRST = {"Accounts", "Bookings", "Money"}
"""On a page that is of no group."""
PAGES: Mapping[str, tuple[str, ...]] = {
    "staff:mails": (),
    "staff:suppliers": ("suppliers.view_supplieralert",),
    "staff:withheld": (
        "hotels.view_hotelsearch",
        "flights.view_flightsearch",
        "transfers.view_transfersearch",
        "esim.view_cataloguegap",
    ),
}
"""The permissions of which one opens the page; without any, all of our staff may."""


class Entry(NamedTuple):
    label: str
    address: str
    is_current: bool


class Group(NamedTuple):
    title: str
    entries: list[Entry]
    is_open: bool


def menu_of(person: Any, apps: Iterable[Mapping[str, Any]], path: str) -> list[Group]:
    """`apps` is what Django's admin found that the person may see. A list that no group names is under "Other"."""
    lists = {
        f"{app['app_label']}.{model['object_name'].lower()}": model
        for app in apps
        for model in app["models"]
        if model["admin_url"]
    }
    named = {name for group in GROUPS.values() for name in group}
    addresses = {name: model["admin_url"] for name, model in lists.items()}
    addresses |= {name: reverse(name) for name, rights in PAGES.items() if opens(person, rights)}
    rest = {name: str(model["name"]) for name, model in lists.items() if name not in named}
    groups = {
        title: [
            Entry(label, addresses[name], path.startswith(addresses[name]))
            for name, label in group.items()
            if name in addresses
        ]
        for title, group in {**GROUPS, OTHERS: rest}.items()
    }
    here = {title for title, entries in groups.items() if any(each.is_current for each in entries)}
    opened = here or OPEN_AT_FIRST
    return [Group(title, entries, title in opened) for title, entries in groups.items() if entries]


def opens(person: Any, rights: tuple[str, ...]) -> bool:
    return not rights or any(person.has_perm(each) for each in rights)
