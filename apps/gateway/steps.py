"""The checks on a /v1 request, contract §2, steps 4 to 16: one function each. `GatewayViewSet.initial` has their order.

A check returns nothing. It notes on the call what it found out, and raises the refusal where there is one.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import NoReturn

from django.conf import settings
from django.http import HttpRequest
from django.http.request import RawPostDataException

from apps.accounts import clocks
from apps.common import clock, errors
from apps.common.environments import Environment
from apps.common.redis import Counter
from apps.gateway import concurrency, idempotency, json_body, rate_limits, sandbox, search_quota
from apps.gateway.call import Call
from apps.gateway.client_ip import address_to_log, client_address
from apps.gateway.idempotency import Asked, StoredAnswer
from apps.gateway.idempotency_key import fingerprint, read_key
from apps.gateway.query import refuse_repeated
from apps.gateway.routes import ANY_SCOPE, RateClass, Route, methods_served
from apps.gateway.serializers import validate
from apps.gateway.trace import timed
from apps.keys import allowed_ips, authentication, offered
from apps.keys.partner import Partner

BEARER = re.compile(r"Bearer +([\x21-\x7e]+)", re.IGNORECASE)

Check = Callable[[Call], None]


def step(check: Check) -> Check:
    """Note in the call's trace that the check was made, what it decided and how long it took."""
    name = check.__name__

    @wraps(check)
    def noted(call: Call) -> None:
        timed(name, check, call, call.trace)

    return noted


@step
def bearer_key(call: Call) -> None:
    """Step 4: who is calling. A failure is counted for the address. It never refuses a valid key from the same address."""
    header = BEARER.fullmatch(call.request.META.get("HTTP_AUTHORIZATION", "").strip())
    try:
        if header is None:
            raise errors.AuthenticationRequired(why=why_no_key(call))
        call.secret = header[1]
        call.partner_found, counted = authentication.authenticate_and_count(
            call.secret, lambda partner: counter_of(call, partner)
        )
        if counted is not None:
            call.counted = rate_limits.counted(counted)
        clocks.enter(clocks.place_of_partner(call.partner))
    except errors.GatewayError as error:
        if error.status_code == 401:
            address = client_address(call.request)
            if isinstance(error, errors.OfAnOwner):
                error.why = f"Whoever calls from {address_to_log(address)} still uses {error.why}."
            call.window = rate_limits.count_failed_authentication(address, rate_class_of(call))
            rate_limits.refuse_above_limit(
                call.window, clock.now(), whose="this address, without a valid key,"
            )
        raise


def why_no_key(call: Call) -> str:
    if call.request.META.get("HTTP_AUTHORIZATION"):
        return "The Authorization header is not `Bearer <key>`."
    return "There was no Authorization header."


def counter_of(call: Call, partner: Partner) -> Counter | None:
    """The counter of step 10 where steps 5 to 9 let the partner's call pass, so that looking the key up counts it as well."""
    route = call.routes.get(call.method)
    passes = (
        route is not None
        and is_served_here(partner)
        and may_call_from(partner, call.request)
        and may_call(partner, call.method, route)
        and is_offered(partner, route)
        and has_scope(partner, route)
    )
    return rate_limits.counter_of(partner, route.rate_class) if route is not None and passes else None


def is_served_here(partner: Partner) -> bool:
    """Whether the deployment serves the key's environment."""
    return settings.GATEWAY_ENVIRONMENT in ("", partner.environment)


def may_call_from(partner: Partner, request: HttpRequest) -> bool:
    """Whether the key may be used from the caller's address."""
    allowed = partner.allowed_ips
    return not allowed or allowed_ips.allows(allowed, client_address(request))


def may_call(partner: Partner, method: str, route: Route) -> bool:
    """Whether the account's status allows the call: a read-only one may GET what is not billable, a suspended one nothing."""
    status = partner.account_status
    return status == "active" or (status == "read-only" and method == "GET" and not route.counts_quota)


def is_offered(partner: Partner, route: Route) -> bool:
    """Whether the operation's product is sold to the key's environment. What was booked before is looked after anyway."""
    return not route.sells or offered.is_sold_to(route.sells, partner.environment)


def has_scope(partner: Partner, route: Route) -> bool:
    """Whether the key opens the operation. A control of the sandbox takes any test key and no live one."""
    if route.sandbox:
        return partner.environment == Environment.TEST
    return route.scope == ANY_SCOPE or route.scope in partner.scopes


@step
def environment(call: Call) -> None:
    """Step 5: the key's environment, checked only where the deployment serves a single one."""
    if not is_served_here(call.partner):
        here = settings.GATEWAY_ENVIRONMENT
        # Every 401 shows the window of the address. This one is not counted, because nobody guesses at a key.
        call.window = rate_limits.peek_at_address(client_address(call.request), rate_class_of(call))
        raise errors.WrongEnvironment(
            why=f"The key is a {call.partner.environment} key; this address serves {here} keys alone.",
            gatewayEnvironment=here,
            keyEnvironment=call.partner.environment,
        )


@step
def client_ip(call: Call) -> None:
    """Step 6: the key's list of addresses. The refusal does not explain itself."""
    if not may_call_from(call.partner, call.request):
        seen = address_to_log(client_address(call.request)) or "an address that could not be read"
        allowed = errors.listed(call.partner.allowed_ips)
        raise errors.IpNotAllowed(
            why=f"The call came from {seen}, which is not in the key's list: {allowed}."
        )


@step
def method(call: Call) -> None:
    """Step 7: 405 with Allow, before scopes are checked."""
    if call.method not in call.routes:
        allowed = methods_served(call.routes)
        raise errors.MethodNotAllowed(
            why=f"This path takes {errors.listed(allowed)} alone.", headers={"Allow": ", ".join(allowed)}
        )


@step
def account_status(call: Call) -> None:
    """Step 8: the status of the account."""
    if may_call(call.partner, call.method, call.route):
        return
    status = call.partner.account_status
    message, why = f"The account is {status}.", ""
    if status == "read-only":
        why = "The account is read-only: it may read what is not billable, and nothing else."
    raise errors.AccountNotActive(message, ours=True, why=why or message, status=call.route.inactive_status)


@step
def scope(call: Call) -> None:
    """Step 9: the operation's product is offered, and the key has the scope. No key can have that of another product."""
    if not is_offered(call.partner, call.route):
        product = call.route.sells
        to_nobody = not offered.is_sold(product)
        raise errors.ProductNotOffered(product, "" if to_nobody else call.partner.environment)
    if has_scope(call.partner, call.route):
        return
    if call.route.sandbox:
        refuse_live_key(call)
    else:
        has = errors.listed(sorted(call.partner.scopes))
        raise errors.InsufficientScope(
            why=f"The operation needs the scope {call.route.scope}; the key has {has}.",
            missingScope=call.route.scope,
        )


def refuse_live_key(call: Call) -> NoReturn:
    """Raises WrongEnvironment, as a 403: the address is right, and no live key may move a clock or plant a fault."""
    raise errors.WrongEnvironment(
        "The sandbox takes test keys alone.",
        ours=True,
        status=403,
        why="The controls of the sandbox take test keys alone; the key is a live key.",
        gatewayEnvironment=str(Environment.TEST),
        keyEnvironment=call.partner.environment,
    )


@step
def rate_limit(call: Call) -> None:
    """Step 10: the requests of the key in this minute, by rate class; then the account's calls that run at this moment."""
    call.window = call.counted or rate_limits.count_call(call.partner, call.route.rate_class)
    if not call.window.admitted:
        rate_limits.refuse_above_limit(call.window, clock.now(), whose="the key")
    concurrency.enter(call.partner)
    call.is_counted_as_running = True


@step
def body(call: Call) -> None:
    """Step 11: the content type of the body, then its JSON."""
    if call.method == "GET":
        return
    try:
        raw = call.request.body
    except (RawPostDataException, OSError):
        raise errors.InvalidRequest("The body could not be read to its end.", ours=True) from None
    if len(raw) != int(call.request.META.get("CONTENT_LENGTH") or 0):  # its sender went away
        raise errors.InvalidRequest("The body could not be read to its end.", ours=True)
    if len(raw) > settings.MAX_BODY_BYTES:
        raise errors.PayloadTooLarge.above(settings.MAX_BODY_BYTES)
    if raw:
        json_body.refuse_other_types(call.request.META)
    call.body = json_body.parse(raw)


@step
def idempotency_key(call: Call) -> None:
    """Step 12: every POST carries an Idempotency-Key."""
    if call.method == "POST":
        read_key(call.request)


@step
def sandbox_trigger(call: Call) -> None:
    """Step 13: the sandbox trigger of a test key. An unknown sbx_ value is refused."""
    call.trigger, call.trigger_ignored = sandbox.read(
        call.request.META.get(sandbox.SENT_AS),
        environment=call.partner.environment,
        applicable=call.route.triggers,
    )


@step
def idempotency_claim(call: Call) -> None:
    """Step 14: claim the Idempotency-Key, or find the answer of an earlier call with it (`call.stored`).

    A search that will pass step 15 takes its unit of step 16 in the same statement: a round trip less.
    """
    if call.method != "POST":
        return
    sent = fingerprint(call.method, call.request.path, call.body)
    searches = call.route.counts_quota and refusal_of_body(call) is None
    asked = Asked(call.route.id, call.request_id)
    claimed = idempotency.claim(call.partner, read_key(call.request), sent, searches=searches, asked=asked)
    if isinstance(claimed, StoredAnswer):
        call.stored = claimed
        return
    call.claim, call.quota = claimed, claimed.quota


@step
def validation(call: Call) -> None:
    """Step 15: no query parameter is sent twice, and the body has the fields of its serializer."""
    if refusal := refusal_of_body(call):
        raise refusal


def refusal_of_body(call: Call) -> errors.InvalidRequest | None:
    """What step 15 will say. Found out once, and step 14 may ask ahead."""
    if call.data is None and call.invalid is None:
        try:
            refuse_repeated(call.request, call.route.query)
            body = call.route.body
            call.data = {} if body is None else validate(body, call.body)
        except errors.InvalidRequest as refused:
            call.invalid = refused
    return call.invalid


@step
def quota(call: Call) -> None:
    """Step 16: take one unit of the day's search quota, unless the claim took it. `finish` gives it back if the search fails."""
    if not call.route.counts_quota:
        return
    if call.quota is None or call.quota.unit is None:
        try:
            call.quota = search_quota.take(call.partner, call.claim.lease_until if call.claim else None)
        except errors.RateLimitExceeded:
            full = search_quota.read(call.partner)
            call.quota = replace(full, used=max(full.used, full.limit))
            raise
    call.billable = True


def rate_class_of(call: Call) -> RateClass:
    """The rate class of the operation. For a method that the path does not take: the class of any operation of the path."""
    route = call.routes.get(call.method) or next(iter(call.routes.values()))
    return route.rate_class
