"""Travellers as Duffel takes them: who is refused, and the orders of the others."""

import re
from collections.abc import Iterator
from typing import Any

from apps.flights.suppliers.base import FlightOffer, OrderRequest, Passenger
from apps.suppliers.errors import InvalidField, Rejected

GENDERS = {"mr": "m", "ms": "f", "mrs": "f", "miss": "f"}
MOST_LETTERS = 20
# ASCII, Latin-1 and Latin Extended-A but for the ligatures, which no airline's host takes.
NAME = re.compile(r"(?:[A-Za-z '\-]|[À-ſ](?<![×÷ÆæĲĳŒœÞð]))+")


def objections(passengers: tuple[Passenger, ...]) -> Iterator[InvalidField]:
    """What each of them lacks, or has that no airline prints."""
    for place, passenger in enumerate(passengers):
        yield from _about(f"passengers.{place}", passenger)


def _about(path: str, passenger: Passenger) -> Iterator[InvalidField]:
    if passenger.title is None:
        yield InvalidField(f"{path}.title", "is required")
    elif gender_of(passenger) is None:
        yield InvalidField(f"{path}.gender", f"is required with the title {passenger.title}")
    for field, name in (("firstName", passenger.first_name), ("lastName", passenger.last_name)):
        if len(name) > MOST_LETTERS:
            yield InvalidField(f"{path}.{field}", f"must have at most {MOST_LETTERS} characters")
        elif not NAME.fullmatch(name):
            yield InvalidField(
                f"{path}.{field}", "must be written in Latin letters, spaces, hyphens and apostrophes"
            )


def gender_of(passenger: Passenger) -> str | None:
    """As it is given, else as the title tells; a doctor's tells nothing."""
    return passenger.gender or GENDERS.get(passenger.title or "")


def order_body(request: OrderRequest) -> dict[str, Any]:
    """An order of all of them, paid at once from our balance with the very amount that the offer cost when last read."""
    kept = request.offer.supplier_data
    return {
        "type": "instant",
        "selected_offers": [kept["offer_id"]],
        "passengers": bodies(request),
        "payments": [{"type": "balance", "amount": kept["amount"], "currency": kept["currency"]}],
        "metadata": {"reference": request.client_ref},
    }


def bodies(request: OrderRequest) -> list[dict[str, Any]]:
    """In the order of the request, each under the id that the offer has for one of its kind, of a child also for one of its age;
    infants in adults' arms.
    """
    waiting = {kind: request.offer.supplier_data[kind].split() for kind in ("adult", "child", "infant")}
    infant_of = dict(zip(waiting["adult"], waiting["infant"], strict=False))
    ages = dict(zip(waiting["child"], _ages(request.offer), strict=False))
    made = []
    for passenger in request.passengers:
        if not waiting[passenger.type]:
            raise Rejected("the passengers are not those that were searched for")
        age = passenger.age_on(request.offer.slices[-1].departure_at.date())
        fitting = [own_id for own_id in waiting[passenger.type] if ages.get(own_id) == age]
        own_id = (fitting or waiting[passenger.type])[0]
        waiting[passenger.type].remove(own_id)
        made.append(_body(passenger, own_id, infant_of.get(own_id), request))
    return made


def _ages(offer: FlightOffer) -> list[int]:
    """That the children were searched for with, in the order of their ids."""
    return [int(age) for age in offer.supplier_data.get("child_ages", "").split()]


def _body(passenger: Passenger, own_id: str, infant_id: str | None, request: OrderRequest) -> dict[str, Any]:
    body = {
        "id": own_id,
        "title": passenger.title,
        "gender": gender_of(passenger),
        "given_name": passenger.first_name,
        "family_name": passenger.last_name,
        "born_on": passenger.date_of_birth.isoformat(),
        "email": request.email,
        "phone_number": request.phone,
    }
    return {**body, "infant_passenger_id": infant_id} if infant_id else body
