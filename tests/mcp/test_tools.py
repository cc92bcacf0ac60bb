"""What assistants find, book and cancel. Each call of a tool is one call of /v1."""

from datetime import timedelta
from typing import Any

import pytest

from apps.bookings.models import Booking
from apps.common import clock
from apps.gateway.openapi.serving import document
from apps.keys.models import ApiKey
from apps.keys.scopes import ENFORCED
from apps.ledger.spend_limits import Limits, set_spend_limits
from apps.mcp.tools import TOOLS, Book
from apps.request_log import writer
from apps.request_log.models import LoggedCall
from tests.factories.gateway import api_of_new_partner
from tests.factories.keys import issued_key
from tests.hotels.front_desk import ADA, CONTACT, LISBON, in_days
from tests.mcp.assistant import Assistant
from tests.places.some_places import load_some
from tests.support.api import Api
from tests.support.flight_shop import PASSENGER
from tests.support.threads import all_at_once
from tests.transfers.agency import a_partner

pytestmark = pytest.mark.django_db

GUESTS = {"guests": [ADA], "contact": CONTACT}
LEAD = {"firstName": "Ada", "lastName": "Lovelace", "email": "ada@example.com", "phone": "+351210000000"}
PRODUCTS = ("hotel", "flight", "transfer", "esim")


def goods(assistant: Assistant, product: str) -> tuple[str, dict[str, Any]]:
    """The tool that books something of this product, and its arguments."""
    if product == "hotel":
        hotels = assistant.data("search_hotels", **LISBON)["hotels"]
        rate = next(rate for hotel in hotels for rate in hotel["rates"] if rate["refundable"])
        return "book_hotel", {"rateId": rate["rateId"], **GUESTS}
    if product == "flight":
        found = assistant.data("search_flights", origin="LIS", destination="BER", departureDate=in_days(60))
        offer = found["offers"][0]
        return "book_flight", {"offerId": offer["offerId"], "passengers": [PASSENGER], "contact": CONTACT}
    if product == "transfer":
        ride = {"from": {"type": "IATA", "code": "PMI"}, "to": {"type": "HOTEL", "code": "265"}, "adults": 2}
        found = assistant.data("search_transfers", **ride, outbound=f"{in_days(60)}T14:30:00")
        return "book_transfer", {"quoteId": found["offers"][0]["quoteId"], "leadPassenger": LEAD}
    plans = assistant.data("search_esim_plans", country="PT")["data"]
    return "book_esim", {"planId": plans[0]["id"]}


def confirmed(assistant: Assistant, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments with the confirmation of the first call."""
    asked = assistant.data(tool, **arguments)
    assert asked["status"] == "confirmation_required"
    return {**arguments, "confirmationId": asked["confirmationId"]}


def booked(assistant: Assistant, product: str = "hotel") -> dict[str, Any]:
    tool, arguments = goods(assistant, product)
    return assistant.data(tool, **confirmed(assistant, tool, arguments))


# --- Listing ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scopes", "names"),
    [
        (["hotels:search"], {"find_place", "search_hotels", "check_price", "get_outcome"}),
        (["hotels:book"], {"list_bookings", "get_booking", "cancel_booking", "get_outcome"}),
        (
            ["esim:read", "esim:book"],
            {"search_esim_plans", "check_price", "book_esim", "list_bookings", "get_booking", "get_outcome"},
        ),
        (["account:read"], {"get_balance", "get_outcome"}),
        (["webhooks:manage"], {"list_events", "get_outcome"}),
        (sorted(ENFORCED), set(TOOLS)),
    ],
)
def test_a_key_sees_the_tools_that_its_scopes_open(scopes: list[str], names: set[str]) -> None:
    assert set(Assistant(api_of_new_partner(scopes=scopes)).tools()) == names


def test_a_hidden_tool_is_refused_as_its_operation_is() -> None:
    assistant = Assistant(api_of_new_partner(scopes=["account:read"]))
    refusal = assistant.refusal("search_hotels", **LISBON)
    assert (refusal["type"], refusal["missingScope"]) == ("insufficient_scope", "hotels:search")


def test_each_tool_is_described(assistant: Assistant) -> None:
    for name, tool in assistant.tools().items():
        assert tool["title"]
        assert tool["description"]
        assert tool["inputSchema"]["type"] == "object"
        assert "$ref" not in str(tool["inputSchema"])
        assert all(field.get("description") for field in tool["inputSchema"]["properties"].values()), name
        moves_money = name.startswith(("book_", "cancel_"))
        assert tool["annotations"]["readOnlyHint"] is not moves_money
        assert ("confirmationId" in tool["inputSchema"]["properties"]) is (
            moves_money or name == "get_outcome"
        )


def test_arguments_are_those_of_the_operation(assistant: Assistant) -> None:
    schemas = document()["components"]["schemas"]
    tools = assistant.tools()
    for tool in TOOLS.values():
        if isinstance(tool, Book):
            body = next(
                operation["requestBody"]["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
                for path in document()["paths"].values()
                for operation in path.values()
                if isinstance(operation, dict) and operation.get("operationId") == tool.needs[1]
            )
            given = set(tools[tool.name]["inputSchema"]["properties"]) - {"confirmationId"}
            assert given < set(schemas[body]["properties"])
            assert tools[tool.name]["inputSchema"]["required"] == schemas[body]["required"]


# --- Reading ----------------------------------------------------------------------------------------------------------------


def test_reading(assistant: Assistant, catalogue: None) -> None:
    load_some()
    assert assistant.data("find_place", query="Lisbos", types=["city"])["data"][0]["name"] == "Lisbon"
    booking = booked(assistant)
    assert [each["id"] for each in assistant.data("list_bookings", product="hotel")["data"]] == [
        booking["id"]
    ]
    assert assistant.data("get_booking", id=booking["id"])["reference"] == booking["reference"]
    types = [event["type"] for event in assistant.data("list_events")["data"]]
    assert "booking.confirmed" in types
    balance = assistant.call("get_balance")
    assert balance["content"][0]["text"].startswith("99,")
    assert balance["structuredContent"]["environment"] == "test"


@pytest.mark.parametrize("product", PRODUCTS)
def test_a_price_is_checked_and_nothing_is_booked(
    assistant: Assistant, catalogue: None, product: str
) -> None:
    _, arguments = goods(assistant, product)
    result = assistant.call("check_price", id=next(iter(arguments.values())))
    assert "Price: " in result["content"][0]["text"]
    assert not Booking.objects.exists()


def test_a_list_is_shorter_than_that_of_the_operation(assistant: Assistant) -> None:
    hotels = assistant.data("search_hotels", **LISBON)["hotels"]
    assert 0 < len(hotels) <= 5
    assert {"rates", "name", "stars"} <= set(hotels[0])
    assert not {"images", "description"} & set(hotels[0])
    assert all(rate["cancellationSteps"] for hotel in hotels for rate in hotel["rates"])


@pytest.mark.parametrize(
    ("tool", "arguments", "field"),
    [
        ("search_hotels", {"rooms": [{"adults": 0}]}, "rooms.0.adults"),
        ("search_hotels", {"town": "Lisbon"}, "town"),
        ("find_place", {"query": {"name": "Lisbon"}}, "query"),
        ("get_booking", {}, "id"),
        ("book_hotel", {"guests": []}, "rateId"),
        ("book_hotel", {"rateId": "rate_x"}, "contact"),
        ("book_hotel", {"rateId": "rate_x", "maxTotalCents": 1, **GUESTS}, "maxTotalCents"),
        ("book_hotel", {"rateId": "rate_x", "confirmationId": "x", **GUESTS}, "confirmationId"),
        ("book_hotel", {"rateId": "rate_x", "confirmationId": 7, **GUESTS}, "confirmationId"),
    ],
)
def test_wrong_arguments_are_named(
    assistant: Assistant, tool: str, arguments: dict[str, Any], field: str
) -> None:
    refusal = assistant.refusal(tool, **arguments)
    assert refusal["type"] == "invalid_request"
    assert field in [detail["field"] for detail in refusal["details"]]


@pytest.mark.parametrize("tool", ["get_booking", "cancel_booking", "check_price"])
@pytest.mark.parametrize("identifier", ["hbk_unknown", "rate_x/../../account", "hbk_1/cancel", "x", "", "é"])
def test_ids_lead_to_nothing_but_their_record(assistant: Assistant, tool: str, identifier: str) -> None:
    assert assistant.refusal(tool, id=identifier)["type"] in {"not_found", "offer_expired"}


def test_a_tool_call_is_one_logged_call(assistant: Assistant, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "writer", writer.Writer())
    result = assistant.ask("tools/call", name="search_hotels", arguments=LISBON)
    assistant.api.get("/v1/account")
    assert writer.writer.flush()
    call, direct = LoggedCall.objects.order_by("pk")
    assert (call.operation, call.path, call.via) == ("searchHotels", "/v1/hotels/searches", "mcp")
    assert str(call.request_id) == result.headers["X-Request-Id"]
    assert direct.via == ""


def test_the_rate_limit_of_the_key_holds(api: Api) -> None:
    account = ApiKey.objects.get().account
    account.rate_search = 1
    account.save()
    assistant = Assistant(Api(issued_key(account, scopes=["hotels:search"])[1]))
    assistant.data("search_hotels", **LISBON)
    refusal = assistant.refusal("search_hotels", **LISBON)
    assert (refusal["type"], refusal["retryAfter"] > 0) == ("rate_limit_exceeded", True)


# --- Booking ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("product", PRODUCTS)
def test_nothing_is_booked_without_a_confirmation(
    assistant: Assistant, catalogue: None, product: str
) -> None:
    tool, arguments = goods(assistant, product)
    for _ in range(2):
        result = assistant.call(tool, **arguments)
        asked = result["structuredContent"]
        assert asked["status"] == "confirmation_required"
        assert asked["totalCents"] > 0
        assert result["_meta"]["travel-partner/cost"]["cents"] == asked["totalCents"]
        assert "not done yet" in result["content"][0]["text"]
    assert not Booking.objects.exists()


@pytest.mark.parametrize("product", PRODUCTS)
def test_a_confirmed_call_books_once(assistant: Assistant, catalogue: None, product: str) -> None:
    tool, arguments = goods(assistant, product)
    call = confirmed(assistant, tool, arguments)
    first = assistant.data(tool, **call)
    again = assistant.data(tool, **call)
    assert first == again
    assert [booking.pk for booking in Booking.objects.all()] == [first["id"]]


def test_an_assistant_that_starts_over_after_a_lost_answer_books_nothing_twice(assistant: Assistant) -> None:
    tool, arguments = goods(assistant, "hotel")
    first = assistant.data(tool, **confirmed(assistant, tool, arguments))
    asked = assistant.call(tool, **arguments)
    assert "booked already" in asked["content"][0]["text"]
    call = {**arguments, "confirmationId": asked["structuredContent"]["confirmationId"]}
    assert assistant.data(tool, **call) == first
    outcome = assistant.data("get_outcome", confirmationId=call["confirmationId"])
    assert (outcome["state"], outcome["booking"]["id"]) == ("done", first["id"])
    assert Booking.objects.count() == 1


def test_the_same_thing_is_booked_again_under_another_reference(assistant: Assistant) -> None:
    tool, arguments = goods(assistant, "hotel")
    assistant.data(tool, **confirmed(assistant, tool, arguments))
    other = {**arguments, "externalReference": "second"}
    assistant.data(tool, **confirmed(assistant, tool, other))
    assert Booking.objects.count() == 2


def test_what_was_cancelled_is_booked_again_with_the_same_arguments(assistant: Assistant) -> None:
    tool, arguments = goods(assistant, "hotel")
    first = assistant.data(tool, **confirmed(assistant, tool, arguments))
    asked = assistant.data("cancel_booking", id=first["id"])
    assistant.data("cancel_booking", id=first["id"], confirmationId=asked["confirmationId"])
    second = assistant.data(tool, **confirmed(assistant, tool, arguments))
    assert (second["status"], second["id"] != first["id"]) == ("confirmed", True)


def test_a_lost_answer_is_sent_again(assistant: Assistant) -> None:
    tool, arguments = goods(assistant, "hotel")
    call = confirmed(assistant, tool, arguments)
    assert assistant.api.send("PUT", "/sandbox/faults", {"lostAnswerShare": 1}).status == 200
    with pytest.raises(ConnectionAbortedError):
        assistant.ask("tools/call", name=tool, arguments=call)
    assistant.api.send("PUT", "/sandbox/faults", {})
    assert assistant.data(tool, **call)["id"] == Booking.objects.get().pk


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"contact": {**CONTACT, "phone": "+351210000001"}}, "other arguments"),
        ({"externalReference": "x"}, "other arguments"),
    ],
)
def test_a_confirmation_is_for_its_arguments(
    assistant: Assistant, change: dict[str, Any], message: str
) -> None:
    tool, arguments = goods(assistant, "hotel")
    call = {**confirmed(assistant, tool, arguments), **change}
    (detail,) = assistant.refusal(tool, **call)["details"]
    assert (detail["field"], message in detail["message"]) == ("confirmationId", True)
    assert not Booking.objects.exists()


def test_a_confirmation_is_for_its_key_and_its_tool(assistant: Assistant, api: Api, catalogue: None) -> None:
    tool, arguments = goods(assistant, "hotel")
    call = confirmed(assistant, tool, arguments)
    other = Assistant(Api(issued_key(ApiKey.objects.get().account, scopes=sorted(ENFORCED))[1]))
    (detail,) = other.refusal(tool, **call)["details"]
    assert "another API key" in detail["message"]
    forged = {**call, "confirmationId": f"{call['confirmationId'][:-1]}!"}
    (detail,) = assistant.refusal(tool, **forged)["details"]
    assert "not a confirmation" in detail["message"]
    esim, plan = goods(assistant, "esim")
    (detail,) = assistant.refusal(esim, **plan, confirmationId=call["confirmationId"])["details"]
    assert "other arguments" in detail["message"]
    assert not Booking.objects.exists()


@pytest.mark.parametrize("product", ["hotel", "esim"])
def test_a_confirmation_expires_with_its_handle(assistant: Assistant, catalogue: None, product: str) -> None:
    tool, arguments = goods(assistant, product)
    call = confirmed(assistant, tool, arguments)
    assistant.api.post("/sandbox/clock", {"advanceSeconds": 41 * 60})
    assert assistant.refusal(tool, **call)["type"] == "offer_expired"
    assert not Booking.objects.exists()


def test_the_answer_of_a_used_confirmation_outlives_it(assistant: Assistant) -> None:
    tool, arguments = goods(assistant, "hotel")
    call = confirmed(assistant, tool, arguments)
    first = assistant.data(tool, **call)
    assistant.api.post("/sandbox/clock", {"advanceSeconds": 41 * 60})
    assert assistant.data(tool, **call) == first


def test_a_price_that_changed_is_refused_and_asked_for_again(assistant: Assistant) -> None:
    tool, arguments = goods(assistant, "hotel")
    call = confirmed(assistant, tool, arguments)
    assistant.headers["X-Partner-Customer-Ref"] = "sbx_price_changed"
    refusal = assistant.refusal(tool, **call)
    assert refusal["type"] == "price_changed"
    assert refusal["currentTotalCents"] > refusal["previousTotalCents"]
    assert not Booking.objects.filter(status="confirmed").exists()
    del assistant.headers["X-Partner-Customer-Ref"]
    again = confirmed(assistant, tool, arguments)
    assert again["confirmationId"] != call["confirmationId"]
    assert assistant.data(tool, **again)["status"] == "confirmed"


def test_the_spend_limit_of_the_key_holds(assistant: Assistant) -> None:
    set_spend_limits(key=ApiKey.objects.get(), limits=Limits(per_booking_cents=1))
    tool, arguments = goods(assistant, "hotel")
    refusal = assistant.refusal(tool, **confirmed(assistant, tool, arguments))
    assert (refusal["type"], refusal["limit"]) == ("spend_limit_exceeded", "perBooking")
    assert not Booking.objects.filter(status="confirmed").exists()
    set_spend_limits(key=ApiKey.objects.get(), limits=Limits(per_booking_cents=10_000_000))
    assert assistant.data(tool, **confirmed(assistant, tool, arguments))["status"] == "confirmed"


def test_a_booking_above_the_limit_waits_for_approval(assistant: Assistant) -> None:
    set_spend_limits(key=ApiKey.objects.get(), limits=Limits(approval_above_cents=0))
    tool, arguments = goods(assistant, "hotel")
    call = confirmed(assistant, tool, arguments)
    result = assistant.call(tool, **call)
    assert result["structuredContent"]["status"] == "awaiting_approval"
    assert result["content"][0]["text"].startswith("Not booked yet")
    assert assistant.data(tool, **call)["id"] == Booking.objects.get().pk


@pytest.mark.django_db(transaction=True)
def test_identical_confirmed_calls_at_once_book_once(assistant: Assistant) -> None:
    tool, arguments = goods(assistant, "hotel")
    call = confirmed(assistant, tool, arguments)
    results = all_at_once([lambda: Assistant(assistant.api).call(tool, **call)] * 4)
    first = [result["structuredContent"] for result in results if not result.get("isError")]
    others = [result for result in results if result.get("isError")]
    assert first
    assert all(answer == first[0] for answer in first)
    for result in others:
        assert result["structuredContent"]["error"]["type"] == "idempotency_key_in_progress"
        assert "Call this tool again" in result["content"][0]["text"]
    assert assistant.data(tool, **call) == first[0]
    assert Booking.objects.count() == 1


# --- Cancelling -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("product", ["hotel", "flight", "transfer"])
def test_cancelling_is_quoted_first(assistant: Assistant, catalogue: None, product: str) -> None:
    booking = booked(assistant, product)
    asked = assistant.data("cancel_booking", id=booking["id"], reason="changed plans")
    assert asked["status"] == "confirmation_required"
    assert Booking.objects.get().status != "cancelled"
    call = {
        "id": booking["id"],
        "reason": "changed plans",
        "confirmationId": asked["confirmationId"],
    }
    cancelled = assistant.data("cancel_booking", **call)
    assert cancelled["status"] == "cancelled"
    assert cancelled["cancellation"]["penaltyCents"] <= asked["penaltyCents"]
    assert assistant.data("cancel_booking", **call) == cancelled


def test_what_awaits_approval_can_be_cancelled(assistant: Assistant) -> None:
    set_spend_limits(key=ApiKey.objects.get(), limits=Limits(approval_above_cents=0))
    booking = booked(assistant)
    asked = assistant.data("cancel_booking", id=booking["id"])
    assert asked["penaltyCents"] == 0
    call = {"id": booking["id"], "confirmationId": asked["confirmationId"]}
    assert assistant.call("cancel_booking", **call)["content"][0]["text"].startswith("Withdrawn")
    assert Booking.objects.get().status == "failed"


def test_a_newer_quote_voids_a_confirmation(assistant: Assistant) -> None:
    booking = booked(assistant)
    first = assistant.data("cancel_booking", id=booking["id"])
    assistant.data("cancel_booking", id=booking["id"])
    refusal = assistant.refusal("cancel_booking", id=booking["id"], confirmationId=first["confirmationId"])
    assert refusal["type"] == "offer_expired"
    assert Booking.objects.get().status == "confirmed"


def test_a_penalty_that_has_risen_is_refused(assistant: Assistant) -> None:
    booking = booked(assistant)
    asked = assistant.data("cancel_booking", id=booking["id"])
    check_in = clock.today().fromisoformat(booking["checkIn"])
    days = (check_in - clock.today()) - timedelta(days=1)
    assistant.api.post("/sandbox/clock", {"advanceSeconds": int(days.total_seconds())})
    refusal = assistant.refusal("cancel_booking", id=booking["id"], confirmationId=asked["confirmationId"])
    assert refusal["type"] == "offer_expired"


def test_an_esim_is_not_cancelled(assistant: Assistant, catalogue: None) -> None:
    booking = booked(assistant, "esim")
    assert assistant.refusal("cancel_booking", id=booking["id"])["type"] == "conflict"


# --- Clients that can ask their person --------------------------------------------------------------------------------------


def ask_person(api: Api) -> tuple[Assistant, str, dict[str, Any], dict[str, Any]]:
    assistant = Assistant(api, asks_people=True)
    tool, arguments = goods(assistant, "hotel")
    return assistant, tool, arguments, assistant.call(tool, **arguments)


def test_the_person_is_asked_and_agrees(api: Api) -> None:
    assistant, tool, arguments, asked = ask_person(api)
    assert asked["resultType"] == "input_required"
    question = asked["inputRequests"]["confirm"]
    assert question["method"] == "elicitation/create"
    assert "Price: " in question["params"]["message"]
    assert not Booking.objects.exists()

    agreed = {"confirm": {"action": "accept", "content": {"confirm": True}}}
    more = {"requestState": asked["requestState"], "inputResponses": agreed}
    result = assistant.call(tool, more, **arguments)
    assert result["structuredContent"]["status"] == "confirmed"
    assert assistant.call(tool, more, **arguments) == result
    assert Booking.objects.count() == 1


@pytest.mark.parametrize(
    "response",
    [
        {"action": "decline"},
        {"action": "cancel"},
        {"action": "accept"},
        {"action": "accept", "content": {"confirm": False}},
        {"action": "accept", "content": {"confirm": "yes"}},
        {"action": "accept", "content": []},
        "accept",
    ],
)
def test_without_the_persons_agreement_nothing_happens(api: Api, response: Any) -> None:
    assistant, tool, arguments, asked = ask_person(api)
    more = {"requestState": asked["requestState"], "inputResponses": {"confirm": response}}
    result = assistant.call(tool, more, **arguments)
    assert result["structuredContent"] == {"status": "declined"}
    assert not Booking.objects.exists()


def test_without_a_response_the_person_is_asked_again(api: Api) -> None:
    assistant, tool, arguments, asked = ask_person(api)
    again = assistant.call(tool, {"requestState": asked["requestState"]}, **arguments)
    assert again["resultType"] == "input_required"
    assert not Booking.objects.exists()


def test_a_state_that_was_tampered_with_is_refused(api: Api) -> None:
    assistant, tool, arguments, asked = ask_person(api)
    agreed = {"confirm": {"action": "accept", "content": {"confirm": True}}}
    more = {"requestState": asked["requestState"] + "x", "inputResponses": agreed}
    assert assistant.call(tool, more, **arguments)["isError"]
    assert not Booking.objects.exists()


# --- Whatever is sent -------------------------------------------------------------------------------------------------------

ODD = (None, True, -1, 1.5, 10**40, "", "x" * 300, "\u202eé", [], [[]], [None], {}, {"a": {"b": []}})


@pytest.mark.parametrize("tool", sorted(TOOLS))
def test_no_argument_breaks_a_tool(tool: str, catalogue: None) -> None:
    assistant = Assistant(Api(a_partner().test_secret))
    for name in TOOLS[tool].schema["properties"]:
        for value in ODD:
            result = assistant.call(tool, **{name: value})
            if result.get("isError"):
                assert result["structuredContent"]["error"]["type"] != "internal_error", (name, value)


@pytest.mark.parametrize("product", PRODUCTS)
def test_no_argument_breaks_a_booking(assistant: Assistant, catalogue: None, product: str) -> None:
    tool, arguments = goods(assistant, product)
    confirmation = confirmed(assistant, tool, arguments)["confirmationId"]
    for name in {*TOOLS[tool].schema["properties"]} - {"confirmationId"}:
        for value in ODD:
            changed = {**arguments, name: value}
            for call in (changed, {**changed, "confirmationId": confirmation}):
                result = assistant.call(tool, **call)
                if result.get("isError"):
                    assert result["structuredContent"]["error"]["type"] != "internal_error", (name, value)
    assert not Booking.objects.exists()
