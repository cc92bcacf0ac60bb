"""The feed of events: what happened, in an order that never changes."""

import orjson

from apps.common import errors
from apps.gateway.answer import Answer
from apps.gateway.call import Call
from apps.gateway.pagination import ANY_TEXT, ANY_TEXT_SCHEMA, PAGE_PARAMETERS, read_filters, read_limit
from apps.gateway.routes import QueryParameter, RateClass, Route
from apps.gateway.views import GatewayViewSet
from apps.webhooks import serializers
from apps.webhooks.serializers import EVENT_TYPES
from apps.webhooks.services.read_feed import Wanted, read_feed

PARAMETERS = (
    QueryParameter(
        "after",
        {"type": "string", "minLength": 1},
        "The event to go on after: `nextAfter` of the page before, or the `id` of any event. Left out: from the oldest.",
    ),
    *(parameter for parameter in PAGE_PARAMETERS if parameter.name == "limit"),
    QueryParameter(
        "type",
        {"type": "string", "minLength": 1},
        "Only events of these types, with commas between them, such as `booking.confirmed,booking.cancelled`.",
    ),
    QueryParameter(
        "bookingReference",
        ANY_TEXT_SCHEMA,
        "Only events of the booking with this reference, such as `H-7KQ2M9XD`.",
    ),
)


class EventViewSet(GatewayViewSet):
    handle = "The event's id, `evt_…`."

    @Route(
        "listEvents",
        scope="webhooks:manage",
        rate_class=RateClass.READ,
        answer=serializers.EventPage,
        query=PARAMETERS,
        errors=(errors.EventForgotten,),
        since="1.2",
    )
    def list(self, call: Call) -> Answer:
        """Read the feed of events, oldest first.

        All events of the last 30 days, also those that no endpoint asked for. Whoever goes on after `nextAfter` meets each event
        once, in an order that never changes. With a filter a page may have few events or none while `hasMore` is true.
        """
        filters = read_filters(call, {"bookingReference": ANY_TEXT})
        page = read_feed(
            Wanted(
                account_id=call.partner.account_id,
                environment=call.partner.environment,
                after=read_after(call),
                limit=read_limit(call),
                types=read_types(call),
                booking_reference=filters.get("bookingReference"),
            )
        )
        return Answer(
            {
                "data": [orjson.loads(payload) for payload in page.payloads],
                "hasMore": page.has_more,
                "nextAfter": page.next_after,
            }
        )


def read_after(call: Call) -> str | None:
    """The event to go on after; None for the beginning.

    Raises InvalidRequest for an empty text: a reader whose own variable is empty has missed nothing, as 410 would say.
    """
    after = call.request.GET.get("after")
    if after == "":
        raise errors.InvalidRequest.field(
            "after", "must not be empty; leave it out to read from the oldest event"
        )
    return after


def read_types(call: Call) -> list[str] | None:
    """The types that are asked for; None for all. Raises InvalidRequest."""
    text = call.request.GET.get("type")
    if text is None:
        return None
    types = list(dict.fromkeys(text.split(",")))
    if any(name not in EVENT_TYPES for name in types):
        raise errors.InvalidRequest.field(
            "type", f"must be event types with commas between them: {', '.join(EVENT_TYPES)}"
        )
    return types
