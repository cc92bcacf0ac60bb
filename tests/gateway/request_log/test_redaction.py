"""Nothing that names a traveller, and no secret, is left of a body: whatever is planted, wherever."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest
from django.core.exceptions import ImproperlyConfigured
from hypothesis import given, settings
from hypothesis import strategies as st
from rest_framework.serializers import CharField

from apps.bookings.refusals import as_refusal
from apps.bookings.services.perform import NO_LONGER_SOLD
from apps.common import errors
from apps.gateway import fields, sandbox
from apps.gateway.json_body import parse
from apps.gateway.middleware import NO_SUCH_PATH
from apps.gateway.openapi import document
from apps.gateway.request_log import allow_list as allow_list_module
from apps.gateway.request_log.allow_list import AllowList, _declared_by, allow_list
from apps.gateway.request_log.redaction import (
    HIDDEN,
    MAX_BYTES,
    OMITTED,
    outline,
    redact,
    redact_path,
    redact_refusal,
)
from apps.gateway.serializers import Body
from apps.keys import secrets
from apps.suppliers.errors import NotPossible
from tests.support.operations import operations

KEPT, OPENED, KNOWN_NAMES = allow_list().forms, allow_list().opened, allow_list().names

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
names = st.one_of(st.sampled_from(sorted(KNOWN_NAMES)), planted, st.text(max_size=12))
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
    assert [name for name in KNOWN_NAMES if redact({name: value}) != {name: HIDDEN}] == []


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


def test_a_refusal_keeps_its_words_unless_they_quote_what_was_sent():
    details = [
        {"field": "passengers.0.firstName", "message": "This field is required."},
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
                {"field": "passengers.0.firstName", "message": "This field is required."},
                {"field": HIDDEN, "message": "is not a property of this request"},
                {"field": "type", "message": HIDDEN},
            ],
        }
    }


@pytest.mark.parametrize("told", ["Ada", None, 7, ["Ada"]])
def test_a_refusal_of_another_form_keeps_nothing_of_it(told: object):
    assert redact_refusal({"error": told}, set()) == {"error": told if told is None else redacted_as(told)}


def redacted_as(told: object) -> object:
    return [HIDDEN] if isinstance(told, list) else HIDDEN


def kept_of(**error: object) -> object:
    """What is kept of a refusal that nobody said to be in our words."""
    return redact_refusal({"error": error}, set())


def kept_of_raised(refusal: errors.GatewayError) -> object:
    return redact_refusal({"error": {"message": refusal.message, **refusal.extras}}, refusal.own_texts)


@pytest.mark.parametrize("base", ["https://docs.example", "https://docs.example/"])
def test_a_refusal_keeps_the_address_of_its_page_and_no_other(settings, base: str):
    settings.DOCS_BASE_URL = base
    own = errors.NotFound.type
    page = f"https://docs.example/errors/{own}"

    assert kept_of(type=own, docUrl=page) == {"error": {"type": own, "docUrl": page}}
    for other in (
        f"{page}/Ada",
        f"{page}?Ada",
        "https://docs.example/errors/Ada",
        "https://ada.example",
        "",
        7,
    ):
        assert kept_of(docUrl=other) == {"error": {"docUrl": HIDDEN}}


def test_no_address_is_a_page_where_there_are_none(settings):
    settings.DOCS_BASE_URL = ""

    assert kept_of(docUrl="/errors/not_found") == kept_of(docUrl="") == {"error": {"docUrl": HIDDEN}}


@pytest.mark.parametrize(
    "message",
    [
        NO_SUCH_PATH,
        NO_LONGER_SOLD,
        "The account is suspended.",
        "The account is read-only.",
        "The order is cancelled, not ticketed.",
        "More than 60 requests in a minute; wait 12 s.",
        "The daily search quota of 2000 is used up; it starts anew at midnight UTC.",
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


@pytest.mark.parametrize(
    "message",
    [
        *("The account is Ada.", "The booking is Ada.", "The body is Ada.", "must be paid by Ada"),
        *("The request body is not JSON: Ada.", "is asked for by Ada", "This externalReference is Ada."),
    ],
)
def test_a_sentence_that_does_not_say_to_be_ours_is_hidden(message: str):
    assert kept_of_raised(errors.Conflict(message)) == {"error": {"message": HIDDEN}}
    assert kept_of(message=message) == {"error": {"message": HIDDEN}}


def test_a_suppliers_own_words_are_never_taken_for_ours():
    refusal = as_refusal(NotPossible("must be asked for by Ada"), quoted_cents=0, currency="EUR")

    assert refusal.message == "must be asked for by Ada"
    assert kept_of_raised(refusal) == {"error": {"message": HIDDEN}}


@pytest.mark.parametrize(
    "raw",
    [
        *(b'{"Ada"', b'{"Ada":}', b"{Ada:1}", b'{"Ada":1,}', b'{"Ada":1 2}', b'{"Ada":1}{}', b'{"Ada'),
        *(b'{"Ada":"\n"}', rb'{"Ada":"\q"}', rb'{"Ada":"\uZZZZ"}', b'{"Ada":NaN}', b'{"Ada":1e999}', b"[]"),
        *(
            b"\xef\xbb\xbf{}",
            b"\xff",
            b'{"Ada":1,"Ada":2}',
            b'{"Ada":"\\u0000"}',
            b'{"Ada":"\\ud800"}',
            b"[" * 9000,
        ),
    ],
)
def test_what_is_said_of_a_body_is_kept_and_nothing_that_stood_in_it(raw: bytes):
    with pytest.raises(errors.InvalidRequest) as refusal:
        parse(raw)

    kept = orjson.dumps(kept_of_raised(refusal.value)).decode()
    assert (HIDDEN in kept.replace(f'"field":"{HIDDEN}"', ""), "Ada" in kept) == (False, False)


# Said on the portal's pages and in the back office, or to suppliers: never by an operation of /v1.
ELSEWHERE = {
    *("bookings/services/preview.py", "bookings/services/resolve.py"),
    *("gateway/request_log/selectors.py", "webhooks/services/recover.py"),
}


def test_every_constant_message_of_the_api_is_said_to_be_ours():
    """Or the owner of the key would read "•••" in the log; this says where `ours=True` is missing."""
    messages = list(constant_messages())

    assert len(messages) > 20
    assert [(path, message) for path, message, is_ours in messages if not is_ours] == []


def constant_messages() -> Iterator[tuple[str, str, bool]]:
    """Where a refusal is made with a text of the code, the text, and whether it says to be ours."""
    apps = Path(errors.__file__).parents[1]
    known = {error.__name__ for error in errors.GatewayError.__subclasses__()}
    for app in ("gateway", "bookings", "webhooks", "hotels", "flights", "transfers", "esim"):
        for path in sorted((apps / app).rglob("*.py")):
            if str(path.relative_to(apps)) in ELSEWHERE:
                continue
            for node in ast.walk(ast.parse(path.read_text())):
                if not (
                    isinstance(node, ast.Call)
                    and node.args
                    and isinstance(node.args[0], ast.Constant | ast.JoinedStr)
                ):
                    continue
                name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                if name in known:
                    is_ours = any(keyword.arg == "ours" for keyword in node.keywords)
                    yield str(path.relative_to(apps)), ast.unparse(node.args[0]), is_ours


@pytest.mark.parametrize("body", [None, {}, [], "text", 5, b"{}"])
def test_what_is_no_object_is_nothing(body: object):
    assert redact(body) is None


def test_an_outline_has_a_few_properties_in_their_form_or_is_nothing():
    body = {"id": id_of(40), "status": "confirmed", "limits": {"amountCents": 1}}

    assert outline(body) == {"id": id_of(40), "status": "confirmed"}
    assert outline({"id": 7, "limits": {"amountCents": 1}}) is None


def test_a_message_that_is_no_text_is_hidden():
    assert kept_of(message=7) == {"error": {"message": HIDDEN}}


def test_a_long_body_is_cut_and_says_so():
    kept = redact({"passengers": [{"type": "adult"}] * 10_000, "offerId": "x"})

    assert kept is not None
    assert kept["passengers"][-1] == OMITTED
    assert len(orjson.dumps(kept)) <= MAX_BYTES


def id_of(length: int) -> str:
    """One of ours, 29 to 45 characters long."""
    return "a" * max(2, length - 37) + "_" + "0" * (length - 1 - max(2, length - 37))


@pytest.mark.parametrize(("length", "kept"), [(40, 249), (41, 249), (42, 248), (43, 248)])
def test_items_are_kept_as_long_as_4_kib_last(length: int, kept: int):
    """Of them 32 bytes are for the braces around, 16 for each place, and the rest for names and values."""
    found = redact({"id": id_of(length), "rooms": [None] * 300})

    assert found == {"id": id_of(length), "rooms": [None] * kept + [OMITTED]}


@pytest.mark.parametrize(("length", "is_kept"), [(36, True), (37, True), (38, False)])
def test_properties_are_kept_as_long_as_4_kib_last(length: int, is_kept: bool):
    found = redact({"id": id_of(length), "rooms": [None] * 248, "plan": None})

    last = {"plan": None} if is_kept else {OMITTED: True}
    assert found == {"id": id_of(length), "rooms": [None] * 248, **last}


@pytest.mark.parametrize(("length", "is_kept"), [(38, True), (39, True), (40, False)])
def test_a_number_costs_24_bytes(length: int, is_kept: bool):
    found = redact({"id": id_of(length), "rooms": [None] * 245, "adults": 1, "plan": None})

    assert list(found or {}) == ["id", "rooms", "adults", "plan" if is_kept else OMITTED]


def test_a_deep_body_is_hidden_below_its_eighth_level():
    body: dict[str, Any] = {"adults": 1}
    for _ in range(30):
        body = {"add": body}
    text = orjson.dumps(redact(body)).decode()

    assert (text.count("add"), text.count(HIDDEN)) == (9, 1)


def test_a_path_keeps_names_of_ours_alone():
    assert redact_path("passengers.12.firstName") == "passengers.12.firstName"
    assert redact_path("passengers.0.Ada.31612345678") == "passengers.0.•••.•••"


def test_every_closed_set_is_the_documents_own():
    """A word that the API starts to speak is kept only where its field says `logged=True`."""
    judged = {name: KEPT[name] for name in ("cabin", "eventType", "status", "type")}
    missing = [(name, word) for name, word in enums(document()) if name in judged and not judged[name](word)]

    assert missing == []


def enums(schema: Any, name: str = "") -> list[tuple[str, str]]:
    """Every word of every enumeration in the document, with the property that has it."""
    if isinstance(schema, list):
        return [found for item in schema for found in enums(item, name)]
    if not isinstance(schema, dict):
        return []
    own = [(name, word) for word in schema.get("enum", []) if isinstance(word, str)]
    properties = schema.get("properties")
    named = properties if isinstance(properties, dict) else {}
    below = [found for key, item in named.items() for found in enums(item, key)]
    rest = [item for key, item in schema.items() if key not in {"properties", "enum"}]
    return own + below + [found for item in rest for found in enums(item, "")]


def test_every_query_parameter_is_a_name_of_ours():
    parameters = {parameter.name for operation in operations() for parameter in operation.route.query}

    assert len(parameters) > 10
    assert parameters - KNOWN_NAMES == set()


def test_a_field_is_not_kept_unless_it_says_so():
    class Given(Body):
        nickname = fields.Id()
        handle = fields.Id(logged=True)

    found = _declared_by({Given})
    assert (set(found.forms), found.names) == ({"handle"}, {"nickname", "handle"})


def test_free_text_cannot_be_logged():
    class Given(Body):
        nickname = fields.Text(logged=True)

    with pytest.raises(ImproperlyConfigured, match="nickname"):
        _declared_by({Given})


def test_no_list_is_opened_that_holds_what_suppliers_found():
    assert {"offers", "hotels", "quotes", "rates", "options", "data", "payload"} & OPENED == set()


def test_the_allow_list_is_read_of_the_serializers_of_every_app(monkeypatch: pytest.MonkeyPatch):
    """Also in a process that has no URL map, as a worker."""
    imported: list[str] = []
    monkeypatch.setattr(allow_list_module, "import_module", imported.append)
    monkeypatch.setattr(  # the classes of other tests are none of the service's
        allow_list_module, "_declared_by", lambda bodies: AllowList({}, frozenset(), frozenset())
    )
    allow_list.__wrapped__()

    apps = Path(errors.__file__).parents[1]
    assert sorted(imported) == sorted(
        f"apps.{path.parent.name}.serializers" for path in apps.glob("*/serializers.py")
    )
    assert len(imported) > 5


@pytest.mark.parametrize(
    ("path", "is_known"),
    [
        ("rooms", True),
        ("rooms.999.adults", True),
        ("rooms.1000.adults", False),
        ("rooms.0.Ada", False),
        ("rooms.-1", False),
        ("", False),
        (7, False),
        (None, False),
    ],
)
def test_a_path_is_known_by_each_of_its_steps(path: object, is_known: bool):
    assert allow_list().is_known_path(path) is is_known


def test_a_list_of_bodies_is_looked_into_where_it_says_so():
    class Below(Body):
        handle = fields.Id(logged=True)

    class Given(Body):
        opened = Below(many=True, logged=True)  # type: ignore[call-arg]
        closed = Below(many=True)
        one = Below(logged=True)
        plain = CharField()

    found = _declared_by({Given})
    assert found.names == {"opened", "closed", "one", "plain"}
    assert (found.opened, set(found.forms)) == ({"opened", "one"}, set())


def test_the_bodies_below_a_body_are_found_at_every_depth():
    class Base(Body):
        pass

    class Below(Base):
        pass

    class Deeper(Below):
        pass

    assert list(allow_list_module._subclasses(Base)) == [Below, Deeper]
