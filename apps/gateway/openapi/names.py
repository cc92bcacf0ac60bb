"""What the components of the OpenAPI document are called. Generators make their classes of these names.

The rule, by the name of the serializer's class:

- A request body, `FlightOrderBody`, is a `FlightOrderRequest`.
- An object inside a request body, `GuestBody`, is a `HotelGuestInput`, so that the answer's `HotelGuest` is another.
- A page of a list, `FlightOrderPage`, is a `FlightOrderList`.
- An answer or an object inside one, `SegmentAnswer`, is a plain noun: `FlightSegment`.
- The noun of the product stands in front where the name does not hold it.

Where the rule gives no good name, the class says its own: `extend_schema_serializer(component_name=…)`. So does what one POST
answers and nothing reads again: `FlightSearchResponse`.
"""

from typing import Any

from rest_framework.serializers import Serializer

from apps.gateway.serializers import Body

NOUNS = {
    "esim": "Esim",
    "flights": "Flight",
    "hotels": "Hotel",
    "transfers": "Transfer",
    "webhooks": "Webhook",
}
"""By the app that the serializer is in."""


def component_name(serializer: type[Serializer[Any]], *, is_request: bool) -> str:
    """The component of a body or an answer, or of an object inside one. `is_request`: it is the whole body of a request."""
    return _own_name(serializer) or _by_rule(serializer, is_request=is_request)


def event_name(event_type: str) -> str:
    """The component of an event's payload: `booking.confirmed` is a `WebhookBookingConfirmed`."""
    words = event_type.replace(".", " ").replace("_", " ").title().split()
    return "".join(words if words[0] == "Webhook" else ["Webhook", *words])


def _own_name(serializer: type[Serializer[Any]]) -> str | None:
    """What the class itself says; a class that extends it is another component."""
    said: str | None = vars(serializer).get("_spectacular_annotation", {}).get("component_name")
    return said


def _by_rule(serializer: type[Serializer[Any]], *, is_request: bool) -> str:
    name = serializer.__name__
    if issubclass(serializer, Body):
        name = name.removesuffix("Body") + ("Request" if is_request else "Input")
    elif name.endswith("Page"):
        name = name.removesuffix("Page") + "List"
    else:
        name = name.removesuffix("Answer")
    noun = NOUNS.get(serializer.__module__.split(".")[1], "")
    return name if noun in name else noun + name
