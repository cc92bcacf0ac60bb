"""The checks by themselves: what each notes on the call, and what its refusal says to the key's owner."""

from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from apps.accounts import clocks
from apps.accounts.clocks import Place
from apps.common.errors import (
    AccountNotActive,
    AuthenticationRequired,
    GatewayError,
    InvalidApiKey,
    InvalidRequest,
    IpNotAllowed,
    MethodNotAllowed,
    RateLimitExceeded,
    WrongEnvironment,
)
from apps.common.redis import Counter
from apps.gateway import concurrency, rate_limits, steps
from apps.gateway.rate_limits import Window
from apps.gateway.routes import RateClass, Route
from apps.keys import authentication
from tests.gateway.stepped import ADDRESS, FULL, PARTNER, READ, SEARCH, call_of, refused


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str, RateClass]]:
    """Which windows of addresses were counted or looked at."""
    windows: list[tuple[str, str, RateClass]] = []

    def window(how: str) -> Any:
        def noted(address: str, rate_class: RateClass) -> Window:
            windows.append((how, address, rate_class))
            return replace(FULL, used=1, admitted=True)

        return noted

    monkeypatch.setattr(rate_limits, "count_failed_authentication", window("counted"))
    monkeypatch.setattr(rate_limits, "peek_at_address", window("looked at"))
    return windows


@pytest.mark.parametrize(
    ("sent", "why"),
    [
        ({}, "There was no Authorization header."),
        ({"HTTP_AUTHORIZATION": ""}, "There was no Authorization header."),
        ({"HTTP_AUTHORIZATION": "Basic eA=="}, "The Authorization header is not `Bearer <key>`."),
        ({"HTTP_AUTHORIZATION": "Bearer"}, "The Authorization header is not `Bearer <key>`."),
    ],
)
def test_a_call_without_a_key_counts_for_its_address(counted, sent: dict[str, str], why: str):
    call = call_of("POST", **sent)

    assert refused(steps.bearer_key, call, AuthenticationRequired).why == why
    assert counted == [("counted", ADDRESS, RateClass.SEARCH)]
    assert call.window == replace(FULL, used=1, admitted=True)
    assert [step.partition(" ")[0] for step in call.trace] == ["bearer_key"]


def test_an_address_whose_window_is_full_is_refused_for_that(monkeypatch):
    monkeypatch.setattr(rate_limits, "count_failed_authentication", lambda *_: FULL)

    error = refused(steps.bearer_key, call_of(), RateLimitExceeded)

    assert error.why == "In this minute this address, without a valid key, had used all 5 calls of its class."


@pytest.mark.parametrize(
    ("error", "why", "windows"),
    [
        (InvalidApiKey(), InvalidApiKey().why, [("counted", ADDRESS, RateClass.READ)]),
        (InvalidRequest.field("a", "b"), InvalidRequest.field("a", "b").why, []),
        (AccountNotActive("x", status=402), AccountNotActive("x", status=402).why, []),
    ],
)
def test_only_a_key_that_is_none_counts_for_the_address(
    counted, monkeypatch, error: GatewayError, why: str, windows: list[Any]
):
    def refuse(*_: object) -> None:
        raise error

    monkeypatch.setattr(authentication, "authenticate_and_count", refuse)
    found = refused(steps.bearer_key, call_of(HTTP_AUTHORIZATION="Bearer svc"), GatewayError)

    assert (found, found.why, counted) == (error, why, windows)


def test_the_key_is_looked_up_and_counted_at_once(monkeypatch):
    counter = Counter("rate:x", 5, 120, 4_000_000_000)
    asked: list[Any] = []

    def authenticate(secret: str, counter_of: Any) -> Any:
        asked.extend((secret, counter_of(PARTNER)))
        return PARTNER, SimpleNamespace(counter=counter, used=2, admitted=True)

    monkeypatch.setattr(authentication, "authenticate_and_count", authenticate)
    monkeypatch.setattr(rate_limits, "counter_of", lambda partner, rate_class: (partner, rate_class))
    call = call_of("POST", HTTP_AUTHORIZATION="  bearer   svc_test_x ")
    call.partner_found = None

    steps.bearer_key(call)

    assert asked == ["svc_test_x", (PARTNER, SEARCH.rate_class)]
    assert (call.secret, call.partner) == ("svc_test_x", PARTNER)
    assert call.counted == Window(5, 2, 4_000_000_000)
    monkeypatch.setattr(rate_limits, "count_call", pytest.fail)
    monkeypatch.setattr(concurrency, "enter", lambda partner: None)
    steps.rate_limit(call)
    assert call.window == call.counted


def test_from_its_key_on_a_call_has_the_time_of_its_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    ahead = replace(PARTNER, clock_offset=timedelta(days=3))
    monkeypatch.setattr(authentication, "authenticate_and_count", lambda *_: (ahead, None))

    with clocks.working_for("acc_b", "live"):
        steps.bearer_key(call_of(HTTP_AUTHORIZATION="Bearer svc_test_x"))
        assert clocks.here() == Place("acc_a", "test", timedelta(days=3))


def test_a_key_that_was_not_counted_yet_is_counted_once(monkeypatch):
    monkeypatch.setattr(authentication, "authenticate_and_count", lambda *_: (PARTNER, None))
    monkeypatch.setattr(rate_limits, "count_call", lambda *call: (FULL, call))
    call = call_of(HTTP_AUTHORIZATION="Bearer svc_test_x")
    steps.bearer_key(call)
    assert call.counted is None

    monkeypatch.setattr(rate_limits, "count_call", lambda *_: FULL)
    error = refused(steps.rate_limit, call, RateLimitExceeded)
    assert error.why == "In this minute the key had used all 5 calls of its class."
    assert call.window == FULL


@pytest.mark.parametrize(
    ("method", "changes", "here", "is_counted"),
    [
        ("GET", {}, "", True),
        ("POST", {}, "test", True),
        ("DELETE", {}, "", False),
        ("GET", {}, "live", False),
        ("GET", {"allowed_ips": ("198.51.100.0/24",)}, "", True),
        ("GET", {"allowed_ips": ("203.0.113.0/24",)}, "", False),
        ("GET", {"account_status": "read-only"}, "", True),
        ("POST", {"account_status": "read-only"}, "", False),
        ("GET", {"account_status": "suspended"}, "", False),
        ("GET", {"scopes": frozenset({"flights:search"})}, "", False),
        ("GET", {"environment": "live"}, "", False),  # which nothing is sold to
    ],
)
def test_a_call_that_a_check_will_refuse_is_not_counted(
    settings, method: str, changes: dict[str, Any], here: str, is_counted: bool
):
    settings.GATEWAY_ENVIRONMENT = here
    settings.SUPPLIERS, settings.SIMULATE_LIVE_KEYS = {"flights": {"live": "simulator"}}, False
    partner = replace(PARTNER, **changes)

    found = steps.counter_of(call_of(method), partner)

    assert (found is not None) == is_counted
    if found is not None:
        assert found.limit == settings.RATE_LIMITS["READ" if method == "GET" else "SEARCH"]


@pytest.mark.parametrize(
    ("status", "method", "route", "may"),
    [
        ("active", "GET", READ, True),
        ("active", "POST", SEARCH, True),
        ("read-only", "GET", READ, True),
        ("read-only", "GET", SEARCH, False),
        ("read-only", "POST", READ, False),
        ("suspended", "GET", READ, False),
    ],
)
def test_what_an_account_may_do(status: str, method: str, route: Route, may: bool):
    assert steps.may_call(replace(PARTNER, account_status=status), method, route) is may


@pytest.mark.parametrize(
    ("status", "why"),
    [
        ("read-only", "The account is read-only: it may read what is not billable, and nothing else."),
        ("suspended", "The account is suspended."),
    ],
)
def test_an_account_that_may_not_is_told_its_status(status: str, why: str):
    call = call_of("POST")
    call.partner_found = replace(PARTNER, account_status=status)
    error = refused(steps.account_status, call, AccountNotActive)

    message = f"The account is {status}."
    assert (error.message, error.own_texts, error.why) == (message, {message}, why)
    assert error.status_code == 403
    stopped = call_of()
    stopped.partner_found = replace(PARTNER, account_status="suspended")
    assert refused(steps.account_status, stopped, AccountNotActive).status_code == 402


def test_a_key_of_another_environment_is_told_so_and_counts_for_nobody(settings, counted):
    settings.GATEWAY_ENVIRONMENT = "live"
    call = call_of()
    error = refused(steps.environment, call, WrongEnvironment)

    assert error.why == "The key is a test key; this address serves live keys alone."
    assert error.extras == {"gatewayEnvironment": "live", "keyEnvironment": "test"}
    assert counted == [("looked at", ADDRESS, RateClass.READ)]
    assert call.window == replace(FULL, used=1, admitted=True)


@pytest.mark.parametrize(
    ("address", "seen"),
    [
        (ADDRESS, ADDRESS),
        ("", "an address that could not be read"),
        ("x", "an address that could not be read"),
    ],
)
def test_a_call_from_elsewhere_is_told_to_the_owner_alone(address: str, seen: str):
    call = call_of()
    call.request.META["REMOTE_ADDR"] = address
    call.partner_found = replace(PARTNER, allowed_ips=("203.0.113.0/24", "192.0.2.1"))

    error = refused(steps.client_ip, call, IpNotAllowed)

    assert error.why.startswith(f"The call came from {seen}, which is not in the key's list: 203.0.113.0/24")


def test_a_method_that_the_path_does_not_take_is_told_those_that_it_takes():
    error = refused(steps.method, call_of("DELETE"), MethodNotAllowed)

    assert (error.why, error.headers) == (
        "This path takes GET, HEAD, POST alone.",
        {"Allow": "GET, HEAD, POST"},
    )
    steps.method(call_of("HEAD"))


@pytest.mark.parametrize(("method", "expected"), [("GET", RateClass.READ), ("POST", RateClass.SEARCH)])
def test_the_class_of_a_call_is_that_of_its_operation(method: str, expected: RateClass):
    assert steps.rate_class_of(call_of(method)) is expected
    assert steps.rate_class_of(call_of("DELETE")) is RateClass.READ, "of any operation of the path"
