"""What the document says of the service as a whole: who answers for it, where it is, how one signs in, what its parts are."""

from typing import Any

from django.conf import settings

SUMMARY = "Hotels, flights, transfers and eSIM data plans through one API"

# Relative, so that the document is the same wherever it is served: clients take the address that they read it from.
SERVERS = [
    {
        "url": "/",
        "description": (
            "The address that this document is served from. Whether a call is a test or moves money is said by its key, not by "
            "the address."
        ),
    }
]

TAGS = [
    {
        "name": "account",
        "description": "The account of the key: status, balance, limits, ledger, searches used",
    },
    {"name": "operations", "description": "What became of a POST, told by its Idempotency-Key"},
    {"name": "hotels", "description": "Search stays, read a rate again, book, read bookings back, cancel"},
    {
        "name": "flights",
        "description": "Search offers, price one again, order tickets, read orders back, change a slice, cancel",
    },
    {"name": "transfers", "description": "Search rides between two places, order, read orders back, cancel"},
    {
        "name": "esim",
        "description": "Read the catalogue of data plans, order a profile, read orders and usage",
    },
    {
        "name": "webhooks",
        "description": "Endpoints that we deliver events to, the deliveries and their attempts, a test, a resend",
    },
    {"name": "events", "description": "All that happened, in an order that never changes"},
    {"name": "ping", "description": "Whether the API answers; needs no key"},
    {"name": "health", "description": "How the service is, for whoever runs it; needs no key"},
]

SECURITY_SCHEMES = {
    "apiKey": {
        "type": "http",
        "scheme": "bearer",
        "description": (
            "An API key of the portal, sent as `Authorization: Bearer <key>`. `svc_test_…` works on test data and books nothing, "
            "`svc_live_…` books and costs money. A key carries scopes; the one that an operation needs stands beside `apiKey` in "
            "its `security`."
        ),
    }
}

LICENSE = {"name": "Proprietary; see the agreement with the owner", "identifier": "LicenseRef-Proprietary"}


def described(info: dict[str, Any]) -> dict[str, Any]:
    """`info`, with who answers for the service. The address and the terms are the deployment's."""
    support, terms = settings.SUPPORT_EMAIL, settings.TERMS_URL
    return {
        "title": info["title"],
        "version": info["version"],
        "summary": SUMMARY,
        "description": info["description"],
        **({"termsOfService": terms} if terms else {}),
        "contact": {"name": "Support", **({"email": support} if support else {})},
        "license": LICENSE,
    }
