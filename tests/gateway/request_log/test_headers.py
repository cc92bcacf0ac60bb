"""A name, a mail address or a key in a header or a filter is not kept, whatever stands around it."""

import uuid
from collections.abc import Callable

import pytest
from django.test import RequestFactory

from apps.gateway.request_log.headers import (
    _may_show,
    address_to_log,
    ignored_of,
    key_to_log,
    method_to_log,
    query_of,
    user_agent_to_log,
)
from apps.gateway.request_log.models import LoggedCall
from apps.gateway.request_log.redaction import HIDDEN
from apps.gateway.routes import QueryParameter, RateClass, Route
from apps.keys import secrets
from tests.factories.gateway import api_of_new_partner
from tests.support.flight_shop import FlightShop

SEARCH = {"origin": "LHR", "destination": "JFK", "departureDate": "2027-02-10"}

Logged = Callable[[], list[LoggedCall]]


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("curl/8.5.0", "curl/8.5.0"),
        ("python-requests/2.32.3", "python-requests/2.32.3"),
        ("acme-booking/1.2 (python 3.12)", "acme-booking/1.2"),
        ("Go-http-client/1.1", "Go-http-client/1.1"),
        ("okhttp/5.0.0-alpha2", "okhttp/5.0.0-alpha2"),
        (
            "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36",
            "Mozilla/5.0 AppleWebKit/537.36 Chrome/126.0.0.0 Safari/537.36",
        ),
        ("Ada Lovelace", "•••"),
        ("for ada@example.com curl/8.5.0", "curl/8.5.0"),
        ("booking for Ada/Lovelace", "•••"),
        ("x/351210000000", "•••"),
        ("Quillon/1.0Quillon", "•••"),
        ("é/1.0", "•••"),
        ("a/1\x00", "•••"),
        pytest.param(f"curl/8.5.0 {secrets.make('live')}", "•••", id="a key beside a product"),
        (f"svc_live_{'1' * 38}/1.0", "•••"),
        (" ".join(f"p{number}/1" for number in range(9)), "p0/1 p1/1 p2/1 p3/1 p4/1"),
        ("  ", ""),
        ("", ""),
        pytest.param(
            " ".join([f"{'p' * 31}/v12345.123456"] * 5),
            " ".join([f"{'p' * 31}/v12345.123456"] * 5)[:200],
            id="longer than its column",
        ),
    ],
)
def test_a_user_agent_is_its_products_and_their_versions(sent: str, kept: str):
    assert user_agent_to_log(sent) == kept


@pytest.mark.parametrize(
    "key",
    [
        str(uuid.UUID(int=2**100)),
        str(uuid.UUID(int=2**100)).upper(),
        uuid.UUID(int=2**100).hex,
        "01JD3M8Q6W9Z5N2B7RXK4T0VCE",
        "idem_01kb2c0000000000000000000a",
        "a1" * 32,
    ],
)
def test_an_idempotency_key_drawn_by_chance_is_kept_as_it_is(key: str):
    assert key_to_log(key) == key


def test_no_idempotency_key_has_no_digest():
    assert key_to_log("") == ""


@pytest.mark.parametrize(
    "key", ["Ada Lovelace 1990", "ada@example.com", "order-2026-11-22", "4111111111111111", "351210000000"]
)
def test_any_other_is_a_digest_that_is_the_same_each_time_and_another_elsewhere(key: str, settings):
    here = key_to_log(key)
    assert here == key_to_log(key) != key_to_log(f"{key}.")
    assert len(here) == 19
    assert here.startswith("•••")

    settings.SECRET_KEY = "another deployment's"
    assert key_to_log(key) != here


def test_the_digest_of_a_key_depends_on_sixty_four_characters_of_the_deployments_secret(settings):
    digests = []
    for secret in ("x" * 63 + "a", "x" * 63 + "b", "x" * 63 + "bc"):
        settings.SECRET_KEY = secret
        digests.append(key_to_log("Ada Lovelace 1990"))

    assert digests[0] != digests[1] == digests[2]


@pytest.mark.parametrize(
    ("method", "kept"), [("GET", "GET"), ("PROPFIND", "PROPFIND"), ("ADALOVELACE", "•••")]
)
def test_a_method_is_one_that_exists(method: str, kept: str):
    assert method_to_log(method) == kept


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("2001:db8::1", "2001:db8::1"),
        ("dead.beef", ""),
        pytest.param("0000:0000:0000:0000:0000:ffff:255.255.255.255", None, id="the longest that there is"),
        ("fe80::1%ada", ""),
        ("Ada", ""),
        ("", ""),
    ],
)
def test_an_address_is_one(sent: str, kept: str | None):
    assert address_to_log(sent) == (sent if kept is None else kept)


@pytest.mark.django_db
def test_filters_keep_what_the_service_itself_has_words_for(logged: Logged):
    api = api_of_new_partner(scopes=["webhooks:manage", "ledger:read"])
    secret = secrets.make("live")
    for query in (
        "status=Lovelace&limit=5",
        "status=delivered",
        "cursor=Ada_Lovelace",
        f"cursor={secret}",
        f"eventType={secret}&endpointId={secret}",
        f"{secret}=1&limit=7",
    ):
        api.get(f"/v1/webhooks/deliveries?{query}")

    assert [call.query for call in logged()] == [
        "status=•••&limit=5",
        "status=delivered",
        "cursor=•••",
        "cursor=•••",
        "eventType=•••&endpointId=•••",
        "limit=7",
    ]


@pytest.mark.parametrize(
    ("name", "value", "is_kept"),
    [
        ("limit", "5", True),
        ("pageSize", "999999", True),
        ("page", "1000000", False),
        ("limit", [], False),
        ("externalReference", "Ada", False),
        ("status", "ticketed", True),
        ("status", "Ada", False),
        ("status", [], False),
        ("currency", "EUR", True),
        ("currency", "eur", False),
    ],
)
def test_a_parameter_is_kept_where_it_has_its_form(name: str, value: object, is_kept: bool):
    assert _may_show(name, value) is is_kept


@pytest.mark.django_db
def test_a_cursor_of_ours_is_kept(logged: Logged):
    api = api_of_new_partner(scopes=["flights:search", "flights:book"], cents=10_000_000)
    shop = FlightShop(api)
    for _ in range(2):
        shop.ordered()
    cursor = api.get("/v1/flights/orders?limit=1").body["nextCursor"]
    api.get(f"/v1/flights/orders?cursor={cursor}")

    assert logged()[-1].query == f"cursor={cursor}"


@pytest.mark.django_db
def test_a_key_is_nowhere_in_an_entry_wherever_it_was_sent(logged: Logged):
    api = api_of_new_partner()
    for secret in (api.secret, secrets.make("live"), "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"):
        headers = {
            "User_Agent": f"curl/8 {secret}",
            "X_Partner_Customer_Ref": f"sbx_{secret}",
            "X_Forwarded_For": secret,
            "Accept": secret,
            secret: secret,
        }
        api.post(
            f"/v1/flights/orders/{secret}/cancel", {secret: secret, "reason": secret}, key=secret, **headers
        )
        api.get(f"/v1/{secret}?{secret}={secret}", **headers)
        api.get(f"/v1/flights/offers/{secret}?cursor={secret}", **headers)
        api.send(secret.upper()[:16], "/v1/account", **headers)
        api.post("/v1/flights/searches", SEARCH, Content_Type=f"text/{secret.lower()}", **headers)
        api.post("/v1/flights/searches", SEARCH, Content_Type=f"{secret.lower()}/x", **headers)

    assert len(logged()) == 18
    rows = list(LoggedCall.objects.values())
    assert [row for row in rows if "svc_" in str(row).lower() or "whsec_" in str(row).lower()] == []


@pytest.mark.django_db
def test_the_line_of_a_call_holds_no_method_that_somebody_made_up(caplog: pytest.LogCaptureFixture):
    api = api_of_new_partner()
    with caplog.at_level("INFO", logger="apps.gateway.calls"):
        api.client.generic("ADALOVELACE", "/v1/account", headers={"Authorization": f"Bearer {api.secret}"})

    assert "method_not_allowed" in caplog.text
    assert "LOVELACE" not in caplog.text


def test_an_unknown_parameter_is_named_where_it_is_a_word_or_a_slip_of_ours():
    route = Route("list", rate_class=RateClass.READ, answer=None)

    def told(query: str) -> str:
        return ignored_of(RequestFactory().get(f"/v1/boats?{query}"), route)

    assert told("departure_date=x") == "departure_date"
    assert told("starRating=1&children[0].age=2") == "starRating, children[0].age"
    for value in (
        "Ada+Lovelace",
        "ada@x.example",
        "+351210000000",
        "x351210000000",
        "é",
        f"svc_test_{'a' * 20}",
        "x" * 41,
    ):
        assert told(f"departure_date=x&{value}=1") == f"departure_date, {HIDDEN}"
    assert told("") == ""
    assert ignored_of(RequestFactory().get("/v1/boats?departure_date=x"), None) == ""


def test_the_unknown_names_of_a_call_are_kept_up_to_255_characters():
    names = "&".join(f"{'departureDate'[:cut].upper()}{'departureDate'[cut:]}=" for cut in range(13))
    dashed = "&".join(f"departure{'-' * dashes}date=" for dashes in range(1, 8))
    route = Route("list", rate_class=RateClass.READ, answer=None)

    told = ignored_of(RequestFactory().get(f"/v1/boats?{names}&{dashed}"), route)

    assert len(told) == 255


def test_the_known_parameters_of_a_call_are_kept_up_to_255_characters() -> None:
    names = [f"boat{number}" for number in range(100, 130)]
    query = tuple(QueryParameter(name, {}, "") for name in names)
    route = Route("list", rate_class=RateClass.READ, answer=None, query=query)

    told = query_of(RequestFactory().get(f"/v1/boats?{'&'.join(f'{name}=x' for name in names)}"), route)

    assert told == "&".join(f"{name}={HIDDEN}" for name in names)[:255]


def test_a_name_longer_than_any_of_ours_is_no_slip():
    route = Route("list", rate_class=RateClass.READ, answer=None)
    told = [
        ignored_of(RequestFactory().get(f"/v1/boats?departure{'_' * marks}date=x"), route)
        for marks in (200 - 13, 201 - 13)
    ]

    assert told == [f"departure{'_' * 187}date", HIDDEN]
