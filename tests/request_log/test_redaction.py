"""What the log keeps of bodies, headers and queries: nothing that names a traveller, and no secret."""

import uuid
from collections.abc import Callable
from typing import Any

import orjson
import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import RequestFactory
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.bookings.flow.call import NO_LONGER_SOLD
from apps.bookings.refusals import as_refusal
from apps.common import errors
from apps.gateway import fields, sandbox
from apps.gateway.middleware import NO_SUCH_PATH
from apps.gateway.operations import Operation, RateClass
from apps.gateway.serializers import Body
from apps.gateway.value_forms import HIDDEN
from apps.keys import secrets
from apps.request_log.models import LoggedCall
from apps.request_log.redaction import (
    MAX_BYTES,
    OMITTED,
    _declared_by,
    allow_list,
    ignored_of,
    key_to_log,
    logged_fields_have_a_form,
    outline,
    redact,
    redact_path,
    redact_refusal,
    user_agent_to_log,
)
from apps.suppliers.errors import NotPossible
from tests.factories.gateway import api_of_new_partner

KEPT, KNOWN_NAMES = allow_list().forms, allow_list().names
WITHOUT_PLACES = KNOWN_NAMES - {"city"}  # the name of a city may be anybody's too
PLANTED = "Quillon"
"""In every planted text: what must be nowhere in what is kept."""
planted = st.one_of(
    st.just(PLANTED),
    st.builds("{} {}".format, st.text(max_size=8), st.just(PLANTED)),
    st.just(f"{PLANTED.lower()}@example.com"),
    st.just(f"must be {PLANTED}"),
    st.just(f"offer_{PLANTED.lower()}00000000000000000000"),
    st.just(f"2027-01-01T{PLANTED}"),
    st.just(f"sbx_{PLANTED.lower()}"),
    st.builds(lambda: f"{secrets.make('live')}{PLANTED}"),
)
names = st.one_of(st.sampled_from(sorted(WITHOUT_PLACES)), planted, st.text(max_size=12))
leaves = st.one_of(planted, planted, st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False))
bodies = st.recursive(
    leaves,
    lambda below: st.lists(below, max_size=5) | st.dictionaries(names, below, max_size=6),
    max_leaves=40,
)
objects = st.dictionaries(names, bodies, max_size=8)


@settings(max_examples=60, deadline=None)
@given(objects)
def test_no_planted_text_survives_and_the_size_is_bounded(body: dict[str, Any]):
    for kept in (redact(body), outline(body)):
        written = orjson.dumps(kept)
        assert PLANTED.lower() not in written.decode().lower()
        assert len(written) <= MAX_BYTES


@pytest.mark.parametrize(
    "value", ["Ada Lovelace", "ada", "Ada", "+351210000000", "4111111111111111", "whsec_AAAA"]
)
def test_no_property_keeps_what_has_none_of_the_forms(value: str):
    assert [name for name in WITHOUT_PLACES if redact({name: value}) != {name: HIDDEN}] == []


@pytest.mark.parametrize(
    ("value", "kept_by"),
    [
        ("1990-12-10", {"departureDate", "returnDate", "checkIn", "checkOut", "date", "from", "to"}),
        (19901210, {name for name in KEPT if name.endswith("Cents")}),
        (351210000000, {name for name in KEPT if name.endswith("Cents")}),
    ],
)
def test_days_and_long_numbers_stay_where_no_traveller_has_any(value: object, kept_by: set[str]):
    assert {name for name in KNOWN_NAMES if redact({name: value}) == {name: value}} == kept_by


def test_what_an_order_is_about_stays_and_who_travels_goes():
    body = {
        "offerId": "offer_01m7ys8kbrkfp18f67gn0xtf7f0b",
        "passengers": [
            {
                "title": "ms",
                "firstName": "Ada",
                "lastName": "Lovelace",
                "dateOfBirth": "1990-12-10",
                "type": "adult",
            }
        ],
        "contact": {"email": "ada@example.com", "phone": "+351210000000"},
        "maxTotalCents": 16707,
        "externalReference": "trip-1",
        "Ada": {"offerId": "offer_01m7ys8kbrkfp18f67gn0xtf7f0b"},
    }
    assert redact(body) == {
        "offerId": "offer_01m7ys8kbrkfp18f67gn0xtf7f0b",
        "passengers": [
            {"title": HIDDEN, "firstName": HIDDEN, "lastName": HIDDEN, "dateOfBirth": HIDDEN, "type": "adult"}
        ],
        "contact": {"email": HIDDEN, "phone": HIDDEN},
        "maxTotalCents": 16707,
        "externalReference": HIDDEN,
        HIDDEN: HIDDEN,
    }


@pytest.mark.parametrize("body", [None, {}, [], "text", 5, b"{}"])
def test_what_is_no_object_is_nothing(body: object):
    assert redact(body) is None


def test_an_outline_has_a_few_properties_in_their_form_or_is_nothing():
    body = {"id": id_of(40), "status": "confirmed", "limits": {"amountCents": 1}}

    assert outline(body) == {"id": id_of(40), "status": "confirmed"}
    assert outline({"id": 7, "totalCents": "Ada", "limits": {"amountCents": 1}}) is None


def test_a_long_body_is_cut_and_says_so():
    kept = redact({"passengers": [{"type": "adult"}] * 10_000, "offerId": "x"})

    assert kept is not None
    assert kept["passengers"][-1] == OMITTED
    assert len(orjson.dumps(kept)) <= MAX_BYTES


def id_of(length: int) -> str:
    """One of ours, 29 to 45 characters long."""
    return "a" * max(2, length - 37) + "_" + "0" * (length - 1 - max(2, length - 37))


def test_a_path_keeps_names_of_ours_alone():
    assert redact_path("passengers.12.firstName") == "passengers.12.firstName"
    assert redact_path("passengers.0.Ada.31612345678") == "passengers.0.•••.•••"


def test_a_refusal_keeps_its_words_unless_they_quote_what_was_sent():
    details = [
        {"field": "passengers.0.firstName", "message": "is required"},
        {"field": "passengers.0.Ada", "message": "is not a property of this request"},
        {"field": "type", "message": '"Ada" is not a valid choice.'},
    ]
    error = {
        "type": "invalid_request",
        "message": "The request is not valid; see details.",
        "details": details,
    }
    assert redact_refusal({"error": error}, set()) == {
        "error": {
            "type": "invalid_request",
            "message": "The request is not valid; see details.",
            "details": [
                {"field": "passengers.0.firstName", "message": "is required"},
                {"field": HIDDEN, "message": "is not a property of this request"},
                {"field": "type", "message": HIDDEN},
            ],
        }
    }


def kept_of(**error: object) -> object:
    """What is kept of a refusal that nobody said to be in our words."""
    return redact_refusal({"error": error}, set())


def kept_of_raised(refusal: errors.GatewayError) -> object:
    return redact_refusal({"error": {"message": refusal.message, **refusal.extras}}, refusal.own_texts)


@pytest.mark.parametrize(
    "message",
    [
        NO_SUCH_PATH,
        NO_LONGER_SOLD,
        "The account is suspended.",
        "The account is read-only.",
        "The order is cancelled, not ticketed.",
        "More than 60 requests in a minute; wait 12 s.",
        "The daily search quota of 2000 is used up; it resets at midnight UTC.",
        "The secret was rotated less than 24 hours ago; it is safe again after 2026-11-21T12:00:00.123Z.",
        f"Unknown sandbox trigger; there are: {', '.join(sandbox.TRIGGERS)}.",
    ],
)
def test_a_refusal_keeps_what_is_in_our_words_alone(message: str):
    ours = errors.Conflict(message, ours=True)
    assert kept_of_raised(ours) == {"error": {"message": message}}
    for typed in (f"{message} Ada", f"Ada: {message}", message.replace(" ", " Ada ", 1)):
        assert kept_of(message=typed) == {"error": {"message": HIDDEN}}
        assert redact_refusal({"error": {"message": typed}}, ours.own_texts) == {"error": {"message": HIDDEN}}


def test_a_suppliers_own_words_are_never_taken_for_ours():
    refusal = as_refusal(NotPossible("must be asked for by Ada"), quoted_cents=0, currency="EUR")

    assert refusal.message == "must be asked for by Ada"
    assert kept_of_raised(refusal) == {"error": {"message": HIDDEN}}


def test_free_text_cannot_be_logged(monkeypatch: pytest.MonkeyPatch):
    assert logged_fields_have_a_form() == []

    class Given(Body):
        nickname = fields.Text(logged=True)

    with pytest.raises(ImproperlyConfigured, match="nickname"):
        _declared_by({Given})
    monkeypatch.setattr("apps.request_log.redaction._all_bodies", lambda: {Given})
    [message] = logged_fields_have_a_form()
    assert message.id == "request_log.E001"
    assert message.msg.startswith("Given.nickname is declared with logged=True but has no form")


def test_no_list_is_opened_that_holds_what_suppliers_found():
    assert {
        "offers",
        "hotels",
        "quotes",
        "rates",
        "options",
        "data",
        "payload",
    } & allow_list().opened == set()


SEARCH = {"origin": "LHR", "destination": "JFK", "departureDate": "2027-02-10"}
Logged = Callable[[], list[LoggedCall]]


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("acme-booking/1.2 (python 3.12)", "acme-booking/1.2"),
        ("okhttp/5.0.0-alpha2", "okhttp/5.0.0-alpha2"),
        (
            "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36",
            "Mozilla/5.0 AppleWebKit/537.36 Chrome/126.0.0.0 Safari/537.36",
        ),
        ("Ada Lovelace", "•••"),
        ("for ada@example.com curl/8.5.0", "curl/8.5.0"),
        ("booking for Ada/Lovelace", "•••"),
        ("é/1.0", "•••"),
        pytest.param(f"curl/8.5.0 {secrets.make('live')}", "•••", id="a key beside a product"),
        (f"svc_live_{'1' * 38}/1.0", "•••"),
        (" ".join(f"p{number}/1" for number in range(9)), "p0/1 p1/1 p2/1 p3/1 p4/1"),
        ("", ""),
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


def test_an_unknown_parameter_is_named_where_it_is_a_word_or_a_slip_of_ours():
    route = Operation("list", rate_class=RateClass.READ, answer=None)

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
