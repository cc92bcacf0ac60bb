"""Names, e-mail addresses, countries and airports: each rule in every body that has such a field (contract §7.1)."""

from typing import Any

import pytest

from apps.bookings.serializers import ContactBody
from apps.common.errors import InvalidRequest
from apps.flights.serializers import AddedSliceBody, FlightSearchBody, PassengerBody
from apps.gateway.serializers import Body, validate
from apps.hotels.serializers import DestinationBody, GuestBody, HotelSearchBody
from apps.transfers.serializers import LeadPassengerBody, PlaceBody

NAMED: list[tuple[type[Body], dict[str, Any]]] = [
    (PassengerBody, {"dateOfBirth": "1990-12-10", "type": "adult"}),
    (GuestBody, {"type": "adult"}),
    (LeadPassengerBody, {"email": "ada@example.com", "phone": "+351210000000"}),
]
NAMES = ["firstName", "lastName"]
"""Every body with a traveller's name."""


def faulty(body: type[Body], data: dict[str, Any]) -> list[str]:
    """The fields that a body is rejected for."""
    with pytest.raises(InvalidRequest) as refusal:
        validate(body, data)
    details: Any = refusal.value.extras["details"]
    return [detail["field"] for detail in details]


@pytest.mark.parametrize("field", NAMES)
@pytest.mark.parametrize(("body", "rest"), NAMED)
def test_a_name_may_have_joiners_between_letters(body: type[Body], rest: dict[str, Any], field: str) -> None:
    names = {"firstName": "Ada", "lastName": "Byron", field: " علی\u200cرضا "}
    assert validate(body, {**rest, **names})[field] == "علی\u200cرضا"


@pytest.mark.parametrize("name", ["42", "Ada\u202eByron", "Ada\u200d", "Ada\nByron", "👩\u200d🚀", "A" * 256])
@pytest.mark.parametrize("field", NAMES)
@pytest.mark.parametrize(("body", "rest"), NAMED)
def test_a_name_needs_a_letter_and_nothing_invisible(
    body: type[Body], rest: dict[str, Any], field: str, name: str
) -> None:
    assert faulty(body, {**rest, "firstName": "Ada", "lastName": "Byron", field: name}) == [field]


@pytest.mark.parametrize("email", ["ada@localhost", f"{'a' * 65}@example.com"])
def test_an_email_address_needs_a_host_with_a_dot_and_a_short_local_part(email: str) -> None:
    phone = "+351210000000"
    assert faulty(ContactBody, {"email": email, "phone": phone}) == ["email"]
    lead = {"firstName": "Ada", "lastName": "Byron", "email": email, "phone": phone}
    assert faulty(LeadPassengerBody, lead) == ["email"]
    assert validate(ContactBody, {"email": f"{'a' * 64}@example.com", "phone": phone})


# --- Countries ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("body", "field", "rest"),
    [
        (DestinationBody, "countryCode", {}),
        (HotelSearchBody, "guestNationality", {}),
        (PlaceBody, "country", {"type": "HOTEL", "code": "1"}),
    ],
)
def test_kosovo_is_a_country(body: type[Body], field: str, rest: dict[str, Any]) -> None:
    assert validate(body, {**rest, field: "XK"})[field] == "XK"
    for code in ("XX", "xk", "EU", "UK"):
        assert faulty(body, {**rest, field: code}) == [field]


# --- Airports -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("code", ["TXL", "ISL", "DIA", "QPG", "XXX"])
def test_an_airport_has_to_be_open_to_passengers(code: str) -> None:
    day = "2027-02-03"
    flight = {"origin": code, "destination": "LHR", "departureDate": day}
    assert faulty(FlightSearchBody, flight) == ["origin"]
    assert faulty(AddedSliceBody, {**flight, "origin": "LHR", "destination": code}) == ["destination"]
    assert faulty(PlaceBody, {"type": "IATA", "code": code}) == ["code"]
