"""A search that is made in passing, and what its answer says of the quota."""

from tests.support.api import Reply

FLIGHTS = {"origin": "LHR", "destination": "JFK", "departureDate": "2027-02-10"}


def quota_of(reply: Reply) -> tuple[int, int, str | None]:
    """Limit, remaining, billable."""
    headers = reply.headers
    limit, remaining = (int(headers[f"X-Search-Quota-{name}"]) for name in ("Limit", "Remaining"))
    return limit, remaining, headers.get("X-Search-Billable")
