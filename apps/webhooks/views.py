"""The ten webhook operations: endpoints, their secrets and tests, deliveries and resends."""

from collections.abc import Callable

from django.db import transaction

from apps.accounts.actors import Actor
from apps.common.ids import is_well_formed
from apps.gateway import errors
from apps.gateway.call import Answer, Call
from apps.gateway.client_ip import client_address
from apps.gateway.pagination import ANY_TEXT, PAGE_PARAMETERS, page, read_filters
from apps.gateway.routes import QueryParameter, RateClass, route
from apps.gateway.views import GatewayView
from apps.keys.actors import key_actor
from apps.webhooks import presenters, selectors, serializers
from apps.webhooks.catalogue import SUBSCRIBABLE, TEST
from apps.webhooks.models import Delivery, DeliveryStatus, Endpoint
from apps.webhooks.services.endpoints import create_endpoint, delete_endpoint, update_endpoint
from apps.webhooks.services.resend import resend
from apps.webhooks.services.rotate_secret import rotate_secret
from apps.webhooks.services.send_test import send_test

SCOPE = "webhooks:manage"
EVENT_TYPES = tuple(sorted(SUBSCRIBABLE | {TEST}))


def endpoint_of(call: Call, endpoint_id: str) -> Endpoint:
    if not is_well_formed(endpoint_id):
        raise errors.NotFound
    return selectors.endpoint_of(call.partner.account_id, call.partner.environment, endpoint_id)


def delivery_of(call: Call, delivery_id: str) -> Delivery:
    if not is_well_formed(delivery_id):
        raise errors.NotFound
    return selectors.delivery_of(call.partner.account_id, call.partner.environment, delivery_id)


def actor_of(call: Call) -> Actor:
    return key_actor(call.partner, client_address(call.request))


def answered_together(call: Call, work: Callable[[], Answer]) -> Answer:
    """Do the work and keep its answer in one transaction: a call that dies has done nothing, and a retry does it once."""
    with transaction.atomic():
        answer = work()
        if call.claim is not None:
            call.claim.complete(answer)
    return answer


def with_secret(endpoint: Endpoint, secret: str, status: int) -> Answer:
    return Answer({**presenters.endpoint_json(endpoint), "secret": secret}, status, secret=True)


class Endpoints(GatewayView):
    @route(
        "createWebhookEndpoint",
        SCOPE,
        RateClass.BOOKING,
        serializers.EndpointWithSecretAnswer,
        body=serializers.EndpointBody,
        status=201,
        errors=(errors.Conflict,),
    )
    def post(self, call: Call) -> Answer:
        """Register a webhook endpoint.

        The answer shows its signing secret; nothing shows it again. At most 20 an environment.
        """

        def create() -> Answer:
            endpoint, secret = create_endpoint(
                account_id=call.partner.account_id,
                environment=call.partner.environment,
                actor=actor_of(call),
                **call.data,
            )
            return with_secret(endpoint, secret, 201)

        return answered_together(call, create)

    @route("listWebhookEndpoints", SCOPE, RateClass.READ, serializers.EndpointPage, query=PAGE_PARAMETERS)
    def get(self, call: Call) -> Answer:
        """List webhook endpoints, newest first."""
        rows = selectors.endpoints_of(call.partner.account_id, call.partner.environment)
        return Answer(page(call, rows, presenters.endpoint_json, listing="webhookEndpoints"))


class EndpointView(GatewayView):
    @route("getWebhookEndpoint", SCOPE, RateClass.READ, serializers.EndpointAnswer, errors=(errors.NotFound,))
    def get(self, call: Call, id: str) -> Answer:
        """Read a webhook endpoint."""
        return Answer(presenters.endpoint_json(endpoint_of(call, id)))

    @route(
        "updateWebhookEndpoint",
        SCOPE,
        RateClass.BOOKING,
        serializers.EndpointAnswer,
        body=serializers.EndpointChangeBody,
        errors=(errors.NotFound,),
    )
    def patch(self, call: Call, id: str) -> Answer:
        """Change a webhook endpoint.

        `status: enabled` sends at once what waited, and clears the count of failures.
        """
        endpoint = update_endpoint(endpoint=endpoint_of(call, id), actor=actor_of(call), **call.data)
        return Answer(presenters.endpoint_json(endpoint))

    @route("deleteWebhookEndpoint", SCOPE, RateClass.BOOKING, None, status=204, errors=(errors.NotFound,))
    def delete(self, call: Call, id: str) -> Answer:
        """Delete a webhook endpoint.

        Its deliveries stay readable; unfinished ones end FAILED.
        """
        delete_endpoint(endpoint=endpoint_of(call, id), actor=actor_of(call))
        return Answer(None, 204)


class EndpointRotateSecret(GatewayView):
    @route(
        "rotateWebhookSecret",
        SCOPE,
        RateClass.BOOKING,
        serializers.EndpointWithSecretAnswer,
        body=serializers.RotateSecretBody,
        errors=(errors.NotFound,),
    )
    def post(self, call: Call, id: str) -> Answer:
        """Rotate the signing secret.

        For 24 hours deliveries are signed with both; a second rotation within them is refused with `safeAfter`, unless it is
        `immediate`.
        """
        endpoint = endpoint_of(call, id)

        def rotate() -> Answer:
            rotated, secret = rotate_secret(
                endpoint=endpoint, immediate=call.data["immediate"], actor=actor_of(call)
            )
            return with_secret(rotated, secret, 200)

        return answered_together(call, rotate)


class EndpointTest(GatewayView):
    @route(
        "testWebhookEndpoint",
        SCOPE,
        RateClass.BOOKING,
        serializers.DeliveryAnswer,
        body=serializers.EmptyBody,
        status=202,
        errors=(errors.NotFound, errors.Conflict),
    )
    def post(self, call: Call, id: str) -> Answer:
        """Send a test delivery of type webhook.test."""
        endpoint = endpoint_of(call, id)

        def test() -> Answer:
            delivery = send_test(endpoint=endpoint, request_id=call.request_id)
            return Answer(presenters.delivery_json(delivery), 202)

        return answered_together(call, test)


class Deliveries(GatewayView):
    @route(
        "listWebhookDeliveries",
        SCOPE,
        RateClass.READ,
        serializers.DeliveryPage,
        query=(
            *PAGE_PARAMETERS,
            QueryParameter("status", {"type": "string", "enum": DeliveryStatus.values}, "In any case"),
            QueryParameter("eventType", {"type": "string", "enum": list(EVENT_TYPES)}),
            QueryParameter("endpointId", {"type": "string", "minLength": 1, "maxLength": 255}),
        ),
    )
    def get(self, call: Call) -> Answer:
        """List deliveries, newest first."""
        filters = read_filters(
            call,
            {"status": tuple(DeliveryStatus.values), "eventType": EVENT_TYPES, "endpointId": ANY_TEXT},
            any_case=("status",),
        )
        rows = selectors.deliveries_of(
            call.partner.account_id,
            call.partner.environment,
            status=filters.get("status"),
            event_type=filters.get("eventType"),
            endpoint_id=filters.get("endpointId"),
        )
        return Answer(page(call, rows, presenters.delivery_json, listing="deliveries", filters=filters))


class DeliveryView(GatewayView):
    @route(
        "getWebhookDelivery",
        SCOPE,
        RateClass.READ,
        serializers.DeliveryDetailAnswer,
        errors=(errors.NotFound,),
    )
    def get(self, call: Call, id: str) -> Answer:
        """Read a delivery with its payload and every attempt."""
        delivery = delivery_of(call, id)
        return Answer(presenters.delivery_detail_json(delivery, selectors.attempts_of(delivery)))


class DeliveryResend(GatewayView):
    @route(
        "resendWebhookDelivery",
        SCOPE,
        RateClass.BOOKING,
        serializers.DeliveryAnswer,
        body=serializers.EmptyBody,
        status=202,
        errors=(errors.NotFound, errors.Conflict),
    )
    def post(self, call: Call, id: str) -> Answer:
        """Send a finished delivery once more.

        The same payload with a fresh signature. Where it fails, the delivery keeps the status it had.
        """
        delivery = delivery_of(call, id)
        return answered_together(
            call, lambda: Answer(presenters.delivery_json(resend(delivery=delivery)), 202)
        )
