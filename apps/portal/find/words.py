"""What words lead to: pages, actions, error types and the documentation."""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import urlencode

from django.urls import NoReverseMatch, resolve, reverse

from apps.common.errors import GatewayError
from apps.portal.base import PortalView
from apps.portal.context import PortalContext

Documentation = Callable[[str], Sequence[tuple[str, str, str]]]


def nothing(_text: str) -> Sequence[tuple[str, str, str]]:
    return ()


documentation: Documentation = nothing
"""Title, address and group of the pages with such a title. Set by `apps.docs`, which is above this app."""
MOST_PAGES_OF_DOCS = 5
LONGEST = 100


class Choice(NamedTuple):
    """`rank` as that of rows; `note` says more of it."""

    label: str
    address: str
    note: str = ""
    rank: int = 1


class Named(NamedTuple):
    """A page or an action, and further words by which people call it."""

    label: str
    words: str = ""


PAGES = {
    "home": Named("Home", "dashboard overview"),
    "quick_start": Named("Quick start", "first call curl begin"),
    "keys": Named("API keys", "secrets tokens credentials"),
    "requests": Named("Requests", "log logs calls errors failed"),
    "call_outcomes": Named(
        "Check a call", "what happened to my call idempotency key lost response timeout retry"
    ),
    "bookings": Named("Bookings", "orders reservations trips"),
    "approvals": Named("Approvals", "approve decline waiting policy spend limit"),
    "balance": Named("Balance", "wallet funds money top up bank transfer"),
    "ledger": Named("Ledger", "transactions lines money"),
    "statements": Named("Statements", "month accounting invoice csv pdf"),
    "usage": Named("Usage", "search usage searches quota"),
    "webhooks": Named("Webhook endpoints", "webhooks receivers"),
    "events": Named("Webhook events", "webhooks"),
    "event_types": Named("Webhook event catalogue", "webhooks types"),
    "deliveries": Named("Webhook deliveries", "webhooks attempts failed"),
    "doctor": Named(
        "Check a webhook signature", "webhooks tools doctor verify hmac why a signature is refused"
    ),
    "production_access": Named("Go live", "production access live key approval"),
    "notifications": Named("Notifications", "mails alerts slack chat"),
    "team": Named("Team", "members people users roles"),
    "branding": Named("Branding", "logo vouchers documents contact"),
    "limits": Named("Limits", "spend limits approval four eyes rate limits quota"),
    "profile": Named("Profile", "time zone theme name"),
    "audit": Named("Audit", "trail history who"),
}
OF_TEST = {"sandbox": Named("Sandbox", "clock time faults reset triggers")}
ACTIONS = {
    "key_new": Named("Create an API key", "new add make key secret token"),
    "endpoint_new": Named("Add a webhook endpoint", "new create endpoint url webhooks"),
    "team_invite": Named("Invite a member", "add new colleague user person team"),
    "balance_warning": Named("Set the low balance warning", "alert threshold"),
}
ACTIONS_OF_TEST = {
    "sandbox_funds": Named("Add test funds", "top up balance money"),
    "sandbox_open": Named("Open a sandbox", "new create add sandbox"),
}
OF_PERSON = {
    "mfa_index": Named(
        "Security", "two factor authentication 2fa totp recovery codes mfa passkeys sessions devices"
    ),
    "account_change_password": Named("Change password", "security"),
    "mfa_add_webauthn": Named("Add a passkey", "security webauthn fingerprint"),
    "account_logout": Named("Log out", "sign out logout"),
}


def actions(portal: PortalContext) -> list[tuple[Named, str]]:
    """What the person's role may do here, each with its address."""
    named = ACTIONS if portal.is_live else {**ACTIONS, **ACTIONS_OF_TEST}
    return pages_of(portal, named)


def pages(portal: PortalContext) -> list[tuple[Named, str]]:
    """Those that the person's role may open, and the switch to the other environment."""
    other = "test" if portal.is_live else "live"
    return [
        *pages_of(portal, PAGES if portal.is_live else {**PAGES, **OF_TEST}),
        (Named("Documentation", "docs api reference guides help"), "/docs/"),
        *((named, reverse(name)) for name, named in OF_PERSON.items()),
        (Named(f"Switch to {other}", "environment mode"), page_address("home", other)),
    ]


def pages_of(portal: PortalContext, named: dict[str, Named]) -> list[tuple[Named, str]]:
    return [
        (named, page_address(page, portal.environment))
        for page, named in named.items()
        if may_open(portal, page)
    ]


def may_open(portal: PortalContext, page: str, parameter: str = "") -> bool:
    return portal.has_role(view_of(page, parameter).allowed_roles)


@lru_cache
def view_of(page: str, parameter: str = "") -> type[PortalView]:
    """The view that answers a GET of the page."""
    match = resolve(page_address(page, "test", parameter))
    view: type[PortalView] = match.func.view_class  # type: ignore[attr-defined]
    return view


def page_address(page: str, environment: str, parameter: str = "") -> str:
    """The page's address. `parameter` gets some value."""
    named = {parameter: "0"} if parameter else {}
    try:
        return reverse(f"portal:{page}", kwargs={"environment": environment, **named})
    except NoReverseMatch:  # a page of the whole account
        return reverse(f"portal:{page}", kwargs=named)


def words_of(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text.lower())


def called(text: str, named: Iterable[tuple[Named, str]]) -> list[Choice]:
    """Those that the text calls, the best first: the label itself, its beginning, its words, words that mean it."""
    asked = words_of(text[:LONGEST])
    fitting = [(fit(asked, each), each.label, address) for each, address in named]
    best = sorted(
        ((rank, label, address) for rank, label, address in fitting if rank), key=lambda one: one[0]
    )
    return [Choice(label, address, rank=-(-rank // 2)) for rank, label, address in best]


def fit(asked: list[str], named: Named) -> int:
    """1 to 4, the best first; 0 for another page. Words may be begun; all must be there."""
    label, more = words_of(named.label), words_of(named.words)
    if not asked or not all(begins(word, [*label, *more]) for word in asked):
        return 0
    if " ".join(label).startswith(" ".join(asked)):
        return 1
    if all(begins(word, label) for word in asked):
        return 2
    return 3 if any(word in label for word in asked) or all(word in more for word in asked) else 4


def begins(word: str, words: list[str]) -> bool:
    return any(each.startswith(word) for each in words)


def errors_called(portal: PortalContext, text: str) -> list[Choice]:
    """Error types by their words or their status, each with its page and with the requests that it refused."""
    asked = words_of(text[:LONGEST])
    kinds = {kind.type: kind.status for kind in GatewayError.__subclasses__()}
    requests = portal.reverse("requests") if may_open(portal, "requests") else ""
    pages, lists = [], []
    for kind, status in sorted(kinds.items()):
        rank = fit_of_error(asked, kind, status)
        if rank < 0:
            continue
        address = reverse("docs:error", args=[kind])
        pages.append(Choice(kind, address, f"{status} · what it means and what to do", rank))
        if requests:
            of_it = f"{requests}?{urlencode({'error_type': kind})}"
            lists.append(Choice(f"Requests refused with {kind}", of_it, f"{status}", rank))
    return sorted([*pages, *lists], key=lambda one: one.rank)


def fit_of_error(asked: list[str], kind: str, status: int) -> int:
    """0 for the whole type and for its status, 1 for its first words, 2 for some of them; -1 for another type."""
    words = kind.split("_")
    if asked == words or asked == [str(status)]:
        return 0
    if not asked or len("".join(asked)) < 3 or not all(begins(word, words) for word in asked):
        return -1
    return 1 if len(asked) > 1 and words[: len(asked)] == asked else 2


def docs_called(text: str) -> list[Choice]:
    """Pages of the documentation by their titles."""
    text = text.lower()
    found = [
        Choice(title, path, group, 1 if group == "Guides" and title.lower().startswith(text) else 3)
        for title, path, group in documentation(text)
    ]
    return sorted(found, key=lambda one: one.rank)[:MOST_PAGES_OF_DOCS]
