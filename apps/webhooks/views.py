"""The webhook operations: endpoints, their secrets and tests, deliveries and resends, and the feed of events."""

import orjson

from apps.accounts.actors import Actor
from apps.common import errors
from apps.common.ids import is_well_formed
from apps.gateway.client_ip import client_address
from apps.gateway.operations import QueryParameter, RateClass, action, operation
from apps.gateway.pagination import ANY_TEXT, ANY_TEXT_SCHEMA, PAGE_PARAMETERS, page, read_filters, read_limit
from apps.gateway.requests import PartnerRequest
from apps.gateway.responses import Answer
from apps.gateway.settlement import answered_together
from apps.gateway.viewsets import GatewayViewSet
from apps.keys.selectors import key_actor
from apps.webhooks import selectors, serializers
from apps.webhooks.feed import Wanted, read_feed
from apps.webhooks.models import Delivery, DeliveryStatus, Endpoint
from apps.webhooks.serializers import EVENT_TYPES
from apps.webhooks.services.endpoints import create_endpoint, delete_endpoint, rotate_secret, update_endpoint
from apps.webhooks.services.resend import resend
from apps.webhooks.services.send_test import send_test

SCOPE = "webhooks:manage"

DELIVERY_PARAMETERS = (
    *PAGE_PARAMETERS,
    QueryParameter(
        "status",
        {"type": "string", "enum": DeliveryStatus.values},
        "Only deliveries with this status, in capitals or small letters.",
    ),
    QueryParameter(
        "eventType", {"type": "string", "enum": list(EVENT_TYPES)}, "Only deliveries of events of this type."
    ),
    QueryParameter("endpointId", ANY_TEXT_SCHEMA, "Only deliveries to the endpoint with this id, `we_…`."),
)


def endpoint_of(request: PartnerRequest, endpoint_id: str) -> Endpoint:
    if not is_well_formed(endpoint_id):
        raise errors.NotFound
    return selectors.endpoint_of(request.partner.account_id, request.partner.environment, endpoint_id)


def delivery_of(request: PartnerRequest, delivery_id: str) -> Delivery:
    if not is_well_formed(delivery_id):
        raise errors.NotFound
    return selectors.delivery_of(request.partner.account_id, request.partner.environment, delivery_id)


def actor_of(request: PartnerRequest) -> Actor:
    return key_actor(request.partner, client_address(request.http))


def with_secret(endpoint: Endpoint, secret: str, status: int) -> Answer:
    return Answer({**serializers.endpoint_json(endpoint), "secret": secret}, status, secret=True)


class WebhookEndpointViewSet(GatewayViewSet):
    handle = "The endpoint's id, `we_…`."

    @operation(
        "createWebhookEndpoint",
        scope=SCOPE,
        rate_class=RateClass.BOOKING,
        body=serializers.EndpointBody,
        answer=serializers.EndpointWithSecretAnswer,
        status=201,
        errors=(errors.Conflict,),
    )
    def create(self, request: PartnerRequest) -> Answer:
        """Register a webhook endpoint.

        The response shows the signing secret, which is never shown again. At most 20 per environment.
        """

        def create() -> Answer:
            endpoint, secret = create_endpoint(
                account_id=request.partner.account_id,
                environment=request.partner.environment,
                actor=actor_of(request),
                **request.validated_data,
            )
            return with_secret(endpoint, secret, 201)

        return answered_together(request, create)

    @operation(
        "listWebhookEndpoints",
        scope=SCOPE,
        rate_class=RateClass.READ,
        answer=serializers.EndpointPage,
        query=PAGE_PARAMETERS,
    )
    def list(self, request: PartnerRequest) -> Answer:
        """List webhook endpoints, newest first."""
        rows = selectors.endpoints_of(request.partner.account_id, request.partner.environment)
        return Answer(page(request, rows, serializers.endpoint_json, listing="webhookEndpoints"))

    @operation(
        "getWebhookEndpoint",
        scope=SCOPE,
        rate_class=RateClass.READ,
        answer=serializers.EndpointAnswer,
        errors=(errors.NotFound,),
    )
    def retrieve(self, request: PartnerRequest, endpoint_id: str) -> Answer:
        """Read a webhook endpoint."""
        return Answer(serializers.endpoint_json(endpoint_of(request, endpoint_id)))

    @operation(
        "updateWebhookEndpoint",
        scope=SCOPE,
        rate_class=RateClass.BOOKING,
        body=serializers.EndpointChangeBody,
        answer=serializers.EndpointAnswer,
        errors=(errors.NotFound,),
    )
    def partial_update(self, request: PartnerRequest, endpoint_id: str) -> Answer:
        """Change a webhook endpoint.

        `status: enabled` sends waiting deliveries immediately and clears the count of failures.
        """
        endpoint = update_endpoint(
            endpoint=endpoint_of(request, endpoint_id), actor=actor_of(request), **request.validated_data
        )
        return Answer(serializers.endpoint_json(endpoint))

    @operation(
        "deleteWebhookEndpoint",
        scope=SCOPE,
        rate_class=RateClass.BOOKING,
        answer=None,
        status=204,
        errors=(errors.NotFound,),
    )
    def destroy(self, request: PartnerRequest, endpoint_id: str) -> Answer:
        """Delete a webhook endpoint.

        Its deliveries stay readable; unfinished ones become FAILED.
        """
        delete_endpoint(endpoint=endpoint_of(request, endpoint_id), actor=actor_of(request))
        return Answer(None, 204)

    @action(detail=True, methods=["post"], url_path="rotate-secret")
    @operation(
        "rotateWebhookSecret",
        scope=SCOPE,
        rate_class=RateClass.BOOKING,
        body=serializers.RotateSecretBody,
        answer=serializers.EndpointWithSecretAnswer,
        errors=(errors.NotFound,),
    )
    def rotate_secret(self, request: PartnerRequest, endpoint_id: str) -> Answer:
        """Rotate the signing secret.

        For 24 hours deliveries are signed with both secrets. A second rotation within that time is refused with `safeAfter`,
        unless it is `immediate`.
        """
        endpoint = endpoint_of(request, endpoint_id)

        def rotate() -> Answer:
            rotated, secret = rotate_secret(
                endpoint=endpoint, immediate=request.validated_data["immediate"], actor=actor_of(request)
            )
            return with_secret(rotated, secret, 200)

        return answered_together(request, rotate)

    @action(detail=True, methods=["post"])
    @operation(
        "testWebhookEndpoint",
        scope=SCOPE,
        rate_class=RateClass.BOOKING,
        body=serializers.EmptyBody,
        answer=serializers.DeliveryAnswer,
        status=202,
        errors=(errors.NotFound, errors.Conflict),
    )
    def test(self, request: PartnerRequest, endpoint_id: str) -> Answer:
        """Send a test delivery of type webhook.test."""
        endpoint = endpoint_of(request, endpoint_id)

        def test() -> Answer:
            delivery = send_test(endpoint=endpoint, request_id=request.request_id)
            return Answer(serializers.delivery_json(delivery), 202)

        return answered_together(request, test)


class WebhookDeliveryViewSet(GatewayViewSet):
    handle = "The delivery's id, `whd_…`."

    @operation(
        "listWebhookDeliveries",
        scope=SCOPE,
        rate_class=RateClass.READ,
        answer=serializers.DeliveryPage,
        query=DELIVERY_PARAMETERS,
    )
    def list(self, request: PartnerRequest) -> Answer:
        """List deliveries, newest first."""
        filters = read_filters(
            request,
            {"status": tuple(DeliveryStatus.values), "eventType": EVENT_TYPES, "endpointId": ANY_TEXT},
            any_case=("status",),
        )
        rows = selectors.deliveries_of(
            request.partner.account_id,
            request.partner.environment,
            selectors.DeliveryQuery(
                status=filters.get("status"),
                event_type=filters.get("eventType"),
                endpoint_id=filters.get("endpointId"),
            ),
        )
        rows = rows.select_related("endpoint").only(*serializers.DELIVERY_COLUMNS)
        return Answer(page(request, rows, serializers.delivery_json, listing="deliveries", filters=filters))

    @operation(
        "getWebhookDelivery",
        scope=SCOPE,
        rate_class=RateClass.READ,
        answer=serializers.DeliveryDetailAnswer,
        errors=(errors.NotFound,),
    )
    def retrieve(self, request: PartnerRequest, delivery_id: str) -> Answer:
        """Read a delivery with its payload and every attempt."""
        delivery = delivery_of(request, delivery_id)
        return Answer(serializers.delivery_detail_json(delivery, selectors.attempts_of(delivery)))

    @action(detail=True, methods=["post"])
    @operation(
        "resendWebhookDelivery",
        scope=SCOPE,
        rate_class=RateClass.BOOKING,
        body=serializers.EmptyBody,
        answer=serializers.DeliveryAnswer,
        status=202,
        errors=(errors.NotFound, errors.Conflict),
    )
    def resend(self, request: PartnerRequest, delivery_id: str) -> Answer:
        """Resend a finished delivery.

        Sends the same payload with a fresh signature. If it fails, the delivery keeps its status.
        """
        delivery = delivery_of(request, delivery_id)
        return answered_together(
            request, lambda: Answer(serializers.delivery_json(resend(delivery=delivery)), 202)
        )


PARAMETERS = (
    QueryParameter(
        "after",
        {"type": "string", "minLength": 1},
        "The event to continue after: `nextAfter` of the page before, or the `id` of any event. Left out: from the oldest.",
    ),
    *(parameter for parameter in PAGE_PARAMETERS if parameter.name == "limit"),
    QueryParameter(
        "type",
        {"type": "string", "minLength": 1},
        "Only events of these types, separated by commas, such as `booking.confirmed,booking.cancelled`.",
    ),
    QueryParameter(
        "bookingReference",
        ANY_TEXT_SCHEMA,
        "Only events of the booking with this reference, such as `H-7KQ2M9XD`.",
    ),
)


class EventViewSet(GatewayViewSet):
    handle = "The event's id, `evt_…`."

    @operation(
        "listEvents",
        scope="webhooks:manage",
        rate_class=RateClass.READ,
        answer=serializers.EventPage,
        query=PARAMETERS,
        errors=(errors.EventForgotten,),
        since="1.2",
    )
    def list(self, request: PartnerRequest) -> Answer:
        """Read the feed of events, oldest first.

        All events of the last 30 days, including those that no endpoint subscribes to. If you always continue after
        `nextAfter`, you read each event once, in an order that never changes. With a filter, a page may have few events or none
        while `hasMore` is true.
        """
        filters = read_filters(request, {"bookingReference": ANY_TEXT})
        page = read_feed(
            Wanted(
                account_id=request.partner.account_id,
                environment=request.partner.environment,
                after=read_after(request),
                limit=read_limit(request),
                types=read_types(request),
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


def read_after(request: PartnerRequest) -> str | None:
    """The event to continue after; None for the beginning.

    Raises InvalidRequest for an empty text: a reader whose own variable is empty has missed nothing, as 410 would say.
    """
    after = request.query_params.get("after")
    if after == "":
        raise errors.InvalidRequest.field(
            "after", "must not be empty; leave it out to read from the oldest event"
        )
    return after


def read_types(request: PartnerRequest) -> list[str] | None:
    """The types that are asked for; None for all. Raises InvalidRequest."""
    text = request.query_params.get("type")
    if text is None:
        return None
    types = list(dict.fromkeys(text.split(",")))
    if any(name not in EVENT_TYPES for name in types):
        raise errors.InvalidRequest.field(
            "type", f"must be event types with commas between them: {', '.join(EVENT_TYPES)}"
        )
    return types
