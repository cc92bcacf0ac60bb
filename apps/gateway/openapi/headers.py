"""The headers of answers, each told once: `components.headers` of the document, which its answers refer to by name."""

from typing import Any

from apps.gateway.operations import OPEN, SINCE

INTEGER = {"schema": {"type": "integer"}}

REQUEST_ID = "X-Request-Id"
LIMITS = ("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset")
QUOTA = ("X-Search-Quota-Limit", "X-Search-Quota-Remaining", "X-Search-Quota-Reset", "X-Environment")
BILLABLE = "X-Search-Billable"
REPLAYED = "Idempotent-Replayed"
IGNORED = "X-Ignored-Parameters"
CHALLENGE = "WWW-Authenticate"

HEADERS: dict[str, dict[str, Any]] = {
    REQUEST_ID: {
        "description": "A UUID that names this request. Log it, and tell it to support. A body that is an error has it too.",
        "schema": {"type": "string", "format": "uuid"},
    },
    "X-RateLimit-Limit": {
        "description": "How many requests the key may make a minute in the operation's rate class.",
        **INTEGER,
    },
    "X-RateLimit-Remaining": {"description": "How many of them are left in the running minute.", **INTEGER},
    "X-RateLimit-Reset": {
        "description": "When the next minute's count begins, in Unix seconds.",
        **INTEGER,
    },
    "X-Search-Quota-Limit": {
        "description": "How many billable searches the account may make in this environment in a UTC day.",
        **INTEGER,
    },
    "X-Search-Quota-Remaining": {"description": "How many of them are left today.", **INTEGER},
    "X-Search-Quota-Reset": {
        "description": "When the count begins anew: the next UTC midnight, in Unix seconds.",
        **INTEGER,
    },
    "X-Environment": {
        "description": "The environment of the key that called, and of all that the answer shows.",
        "schema": {"type": "string", OPEN: ["test", "live"]},
    },
    BILLABLE: {
        "description": (
            "Only on operations that count against the search quota: whether this call did. A replay and a failed search do not."
        ),
        "schema": {"type": "string", "enum": ["true", "false"]},
    },
    REPLAYED: {
        "description": "`true` on the stored answer of an earlier call with this Idempotency-Key; else left out.",
        "schema": {"type": "string"},
    },
    CHALLENGE: {
        "description": "How to sign in: `Bearer`, an API key in the `Authorization` header.",
        "schema": {"type": "string"},
    },
    IGNORED: {
        "description": (
            "Query parameters that the operation does not know and has ignored: their names with commas, percent-encoded, "
            "20 at most. Left out where there were none."
        ),
        "schema": {"type": "string"},
        SINCE: "1.2",
    },
    **{
        name: {
            "description": f"On a {methods}: the content type that the body should have had.",
            "schema": {"type": "string"},
            SINCE: "1.2",
        }
        for name, methods in {"Accept": "POST", "Accept-Patch": "PATCH"}.items()
    },
    "Accept-Encoding": {
        "description": "`identity`: send the body without a Content-Encoding. Left out where it had none.",
        "schema": {"type": "string"},
        SINCE: "1.2",
    },
}

OF_A_STATUS = {401: (CHALLENGE,), 415: ("Accept", "Accept-Patch", "Accept-Encoding")}
"""What only refusals of that status carry."""

# Its meaning differs between the statuses. That of a 429 is older than the mark.
RETRY_AFTER: dict[int, dict[str, Any]] = {
    409: {
        "description": "With `idempotency_key_in_progress`: seconds to wait before asking again.",
        **INTEGER,
        SINCE: "1.2",
    },
    429: {"description": "Seconds to wait; left out where the day's search quota is used up.", **INTEGER},
    503: {"description": "Seconds to wait before asking again.", **INTEGER, SINCE: "1.2"},
}


def referred(*names: str) -> dict[str, dict[str, Any]]:
    """The headers of an answer, by reference."""
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


def retry_after(status: int) -> dict[str, dict[str, Any]]:
    return {"Retry-After": RETRY_AFTER[status]} if status in RETRY_AFTER else {}
