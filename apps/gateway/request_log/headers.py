"""What the log keeps of a call's headers and query: values of a known form, and a digest or nothing of the rest.

A User-Agent and an Idempotency-Key are the caller's own words. They may contain a traveller's name, a mail address or an API key,
which nobody may read in the log for thirty days.
"""

import hashlib
import re
from functools import cache, lru_cache

from django.conf import settings
from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest

from apps.gateway import pagination
from apps.gateway.client_ip import is_address
from apps.gateway.query import MOST_NAMED, ignored_parameters
from apps.gateway.request_log.allow_list import allow_list
from apps.gateway.request_log.redaction import HIDDEN
from apps.gateway.request_log.value_forms import OWN_ID
from apps.gateway.routes import Route

MAX_KEPT = 200
MAX_SENT = 1_024
"""Characters of a header that are looked at."""

SECRET = re.compile(r"svc_(?:live|test)_|whsec_", re.IGNORECASE)

# `acme-booking/1.2`: a product and its version. Anything in brackets, or without a version, is free text.
PRODUCT = re.compile(
    r"[A-Za-z][A-Za-z0-9._-]{0,30}/v?[0-9]{1,5}(?:\.[0-9]{1,6}){0,4}(?:[-+.]?[a-z]{1,6}[0-9]{0,4})?"
)
MAX_PRODUCTS = 5

# Random values say nothing about anybody: UUIDs, hashes, ULIDs, ids like our own.
RANDOM_KEY = re.compile(
    rf"(?i:[0-9a-f]{{8}}(?:-[0-9a-f]{{4}}){{3}}-[0-9a-f]{{12}}|[0-9a-f]{{32}}|[0-9a-f]{{40}}|[0-9a-f]{{64}}|[0-7][0-9a-hjkmnp-tv-z]{{25}})"
    rf"|{OWN_ID}"
)

# `hotelIds[]`, `check_in`, `page.size`: an identifier, not so many digits as a telephone number or a document has.
PARAMETER = re.compile(r"(?!.*[0-9]{5})[A-Za-z_][A-Za-z0-9_.\[\]-]{0,39}")

METHODS = frozenset(
    {
        *("GET", "HEAD", "OPTIONS", "POST", "PATCH", "PUT", "DELETE", "TRACE", "CONNECT"),
        *("PROPFIND", "PROPPATCH", "MKCOL", "COPY", "MOVE", "LOCK", "UNLOCK"),
    }
)
DIGITS = re.compile(r"[0-9]{1,6}")
WITHOUT_MARKS = str.maketrans("", "", "_-[]")


@lru_cache(1_024)
def user_agent_to_log(sent: str) -> str:
    """The products that it names, with their versions; "•••" where it has another form."""
    if not sent.strip():
        return ""
    if SECRET.search(sent):
        return HIDDEN
    named = [word for word in sent.split() if PRODUCT.fullmatch(word)]
    return " ".join(named[:MAX_PRODUCTS])[:MAX_KEPT] or HIDDEN


def key_to_log(sent: str) -> str:
    """An Idempotency-Key as it is where it is random, else its digest, by which the same key is recognised.

    The digest is keyed with SECRET_KEY, so that nobody finds out what was typed by trying.
    """
    if not sent or RANDOM_KEY.fullmatch(sent):
        return sent
    secret = settings.SECRET_KEY.encode()[:64]
    return HIDDEN + hashlib.blake2b(sent.encode(), key=secret, digest_size=8).hexdigest()


def method_to_log(sent: str) -> str:
    return sent if sent in METHODS else HIDDEN


def query_of(request: HttpRequest, route: Route | None) -> str:
    """The parameters that the operation knows, each with its value where that has the parameter's form."""
    if route is None:
        return ""
    known = {parameter.name for parameter in route.query}
    try:
        sent = request.GET.items()
    except SuspiciousOperation:  # more parameters than Django reads, which was the refusal
        return HIDDEN
    pairs = [f"{name}={value if _may_show(name, value) else HIDDEN}" for name, value in sent if name in known]
    return "&".join(pairs)[:255]


def ignored_of(request: HttpRequest, route: Route | None) -> str:
    """The parameters that the operation does not know, without their values.

    A name is shown where it is one of ours but for its case, `_`, `-` and brackets, or a word as programs name parameters.
    Anything else may be a value.
    """
    if route is None:
        return ""
    sent = ignored_parameters(request, route.query)[:MOST_NAMED]
    shown = [name if _plain(name) in _own_names() or _is_word(name) else HIDDEN for name in sent]
    return ", ".join(dict.fromkeys(shown))[:255]


def _is_word(name: str) -> bool:
    return PARAMETER.fullmatch(name) is not None and SECRET.search(name) is None


@cache
def _own_names() -> frozenset[str]:
    return frozenset(_plain(name) for name in allow_list().names)


def _plain(name: str) -> str:
    return name.lower().translate(WITHOUT_MARKS) if len(name) <= MAX_KEPT else name


def _may_show(name: str, value: object) -> bool:
    if not isinstance(value, str):
        return False
    if name in {"limit", "page", "pageSize"}:
        return DIGITS.fullmatch(value) is not None
    if name == "cursor":
        return pagination.is_own_cursor(value)
    has_form = allow_list().forms.get(name)
    if has_form is None:
        return False
    return has_form(value) or (name == "status" and has_form(value.upper()))  # deliveries take it in any case


def address_to_log(sent: str) -> str:
    """`sent` where it is an address, else empty. Behind a misconfigured proxy it may be anything, of any length."""
    return sent if is_address(sent) else ""
