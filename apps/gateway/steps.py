"""The order of checks on a /v1 request: contract §2, steps 4 to 16, one function each, in one list.

Steps 1 to 3 (request id, body size, unknown path) are met in the middleware and the URL resolver; step 17 is the operation.
"""

import re
from collections.abc import Callable
from dataclasses import replace

from django.conf import settings
from django.http.request import RawPostDataException

from apps.common import clock
from apps.gateway import errors, idempotency, json_body, rate_limits, sandbox, search_quota
from apps.gateway.call import Call
from apps.gateway.client_ip import client_address
from apps.gateway.idempotency import StoredAnswer
from apps.gateway.routes import RateClass
from apps.gateway.serializers import validate
from apps.keys import allowed_ips, catalogue

BEARER = re.compile(r"Bearer +([\x21-\x7e]+)", re.IGNORECASE)


def bearer_key(call: Call) -> None:
    """Step 4: who is calling. A failure counts against the address; it never refuses a valid key from there."""
    header = BEARER.fullmatch(call.request.headers.get("Authorization", "").strip())
    try:
        if header is None:
            raise errors.AuthenticationRequired
        call.secret = header[1]
        call.partner_found = catalogue.find(call.secret)
    except errors.GatewayError as error:
        if error.status_code == 401:
            address = client_address(call.request)
            call.window = rate_limits.count_failed_authentication(address, rate_class_of(call))
            rate_limits.refuse_above_limit(call.window, clock.now())
        raise


def environment(call: Call) -> None:
    """Step 5: only where the deployment serves one environment alone."""
    here = settings.GATEWAY_ENVIRONMENT
    if here and here != call.partner.environment:
        # A 401 shows the address's window; this one is no guess at a key, and does not count.
        call.window = rate_limits.peek_at_address(client_address(call.request), rate_class_of(call))
        raise errors.WrongEnvironment(gatewayEnvironment=here, keyEnvironment=call.partner.environment)


def client_ip(call: Call) -> None:
    """Step 6: the key's own address list; refused without an explanation."""
    if not allowed_ips.allows(call.partner.allowed_ips, client_address(call.request)):
        raise errors.IpNotAllowed


def method(call: Call) -> None:
    """Step 7: 405 with Allow, before scopes are looked at."""
    if call.method not in call.routes:
        raise errors.MethodNotAllowed(headers={"Allow": ", ".join(sorted(call.routes))})


def account_status(call: Call) -> None:
    """Step 8: read-only accounts may GET what is not billable, suspended ones nothing."""
    status = call.partner.account_status
    if status == "active":
        return
    if status == "read-only" and call.method == "GET" and not call.route.counts_quota:
        return
    raise errors.AccountNotActive(f"The account is {status}.", status=call.route.inactive_status)


def scope(call: Call) -> None:
    """Step 9: the key's scopes."""
    if call.route.scope not in call.partner.scopes:
        raise errors.InsufficientScope(missingScope=call.route.scope)


def rate_limit(call: Call) -> None:
    """Step 10: the key's minute, by class."""
    call.window = rate_limits.count_call(call.partner, call.route.rate_class)
    rate_limits.refuse_above_limit(call.window, clock.now(call.partner))


def body(call: Call) -> None:
    """Step 11: the content type of a body, then its JSON."""
    if call.method == "GET":
        return
    try:
        raw = call.request.body
    except (RawPostDataException, OSError):
        raise errors.InvalidRequest("The body could not be read to its end.") from None
    if len(raw) > settings.MAX_BODY_BYTES:
        raise errors.PayloadTooLarge
    if raw:
        json_body.refuse_other_types(call.request.headers)
    call.body = json_body.parse(raw)


def idempotency_key(call: Call) -> None:
    """Step 12: every POST carries one."""
    if call.method == "POST":
        idempotency.read_key(call)


def sandbox_trigger(call: Call) -> None:
    """Step 13: an unknown sbx_ value of a test key."""
    call.trigger, call.trigger_ignored = sandbox.read(
        call.request.headers.get(sandbox.HEADER),
        environment=call.partner.environment,
        applicable=call.route.triggers,
    )


def idempotency_claim(call: Call) -> StoredAnswer | None:
    """Step 14: claim the key, or find what it was answered."""
    if call.method != "POST":
        return None
    print_ = idempotency.fingerprint(call.method, call.request.path, call.body)
    claimed = idempotency.claim(call.partner, idempotency.read_key(call), print_)
    if isinstance(claimed, StoredAnswer):
        return claimed
    call.claim = claimed
    if claimed.quota_used is not None:
        limit = search_quota.limit_of(call.partner)
        call.quota = search_quota.Quota(limit, claimed.quota_used, clock.today(call.partner))
    return None


def validation(call: Call) -> None:
    """Step 15: the body's fields."""
    if call.route.body is not None:
        call.data = validate(call.route.body, call.body, partner=call.partner)


def quota(call: Call) -> None:
    """Step 16: one unit of the day's searches, given back if the search fails."""
    if call.route.counts_quota:
        try:
            call.quota = search_quota.take(call.partner)
        except errors.RateLimitExceeded:
            full = search_quota.read(call.partner)
            call.quota = replace(full, used=max(full.used, full.limit))
            raise
        call.billable = True


STEPS: tuple[Callable[[Call], StoredAnswer | None], ...] = (
    bearer_key,
    environment,
    client_ip,
    method,
    account_status,
    scope,
    rate_limit,
    body,
    idempotency_key,
    sandbox_trigger,
    idempotency_claim,
    validation,
    quota,
)


def take(call: Call) -> StoredAnswer | None:
    """Take the steps in order; the first refusal is raised, and a stored answer ends them early."""
    for step in STEPS:
        with call.step(step.__name__):
            stored = step(call)
        if stored is not None:
            return stored
    return None


def rate_class_of(call: Call) -> RateClass:
    """The class of the route being called, or of any route of the path when the method is none of theirs."""
    route = call.routes.get(call.method) or next(iter(call.routes.values()))
    return route.rate_class
