"""The nine eSIM operations, and the QR code's picture."""

import segno
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from apps.bookings.listing import list_parameters, listed
from apps.bookings.models import Booking, Product
from apps.common import errors
from apps.common.validators import COUNTRIES
from apps.esim import plan_pages, presenters, qr, serializers
from apps.esim.plan_pages import plan_page, read_bounds
from apps.esim.selectors import order_of, plan_on_sale, without_top_ups
from apps.esim.services.instructions import read_instructions
from apps.esim.services.order import order_esim
from apps.esim.services.refunds import request_refund
from apps.esim.services.top_up import offered_top_ups, top_up_esim
from apps.esim.services.usage import read_usage
from apps.esim.suppliers.base import PLAN_TYPES, REGIONS
from apps.gateway import sandbox
from apps.gateway.operations import QueryParameter, RateClass, action, operation
from apps.gateway.pagination import read_filters
from apps.gateway.requests import PartnerRequest
from apps.gateway.responses import Answer
from apps.gateway.viewsets import GatewayViewSet

STATUSES = ("pending", "awaiting_approval", "provisioned", "cancelled", "failed")
PLAN_PARAMETERS = (
    QueryParameter(
        "country",
        {"type": "string", "pattern": "^[A-Z]{2}$"},
        "Only plans that work in this country, those of its regions included. ISO 3166-1 alpha-2 code in capitals, such as `PT`; "
        "`XK` is Kosovo.",
    ),
    QueryParameter(
        "region", {"type": "string", "enum": list(REGIONS)}, "Only plans that are sold for this region."
    ),
    QueryParameter(
        "planType",
        {"type": "string", "enum": list(PLAN_TYPES)},
        "Only plans of this kind: an amount of data, data without a limit, or with minutes and messages.",
    ),
    *plan_pages.PARAMETERS,
)

LANGUAGE = QueryParameter(
    "language",
    {"type": "string"},
    "The language of the steps, as a tag such as `de` or `pt-BR`; English by default, and if the supplier does not have the "
    "language; `language` in the response shows which it is.",
    since="1.3",
)


class EsimPlanViewSet(GatewayViewSet):
    handle = "The plan's id, `plan_…`, from the catalogue."

    @operation(
        "listEsimPlans",
        scope="esim:read",
        rate_class=RateClass.READ,
        answer=serializers.EsimPlanPage,
        query=PLAN_PARAMETERS,
        errors=(errors.InvalidRequest,),
    )
    def list(self, request: PartnerRequest) -> Answer:
        """List eSIM plans at your net price.

        From our catalogue; free of charge. Read it by page number, or by cursor like the other lists: with a cursor, plans
        added or removed in the meantime do not shift the pages.
        """
        return Answer(plan_page(request, read_plan_filters(request)))

    @operation(
        "getEsimPlan",
        scope="esim:read",
        rate_class=RateClass.READ,
        answer=serializers.EsimPlanAnswer,
        errors=(errors.NotFound,),
    )
    def retrieve(self, request: PartnerRequest, plan_id: str) -> Answer:
        """Read an eSIM plan."""
        partner = request.partner
        plan = plan_on_sale(partner.environment, plan_id, partner.currency)
        return Answer(presenters.plan_json(plan, partner))


def read_plan_filters(request: PartnerRequest) -> dict[str, str]:
    """The catalogue's filters; 400 for a country, region, kind or order that there is not, and for a number out of bounds."""
    country = request.query_params.get("country")
    if country is not None and country not in COUNTRIES:
        raise errors.InvalidRequest.field("country", "is not an ISO 3166-1 alpha-2 code")
    named = read_filters(request, {"region": tuple(REGIONS), "planType": PLAN_TYPES})
    return {**({} if country is None else {"country": country}), **named, **read_bounds(request)}


def order_answer(booking: Booking) -> Answer:
    return Answer(presenters.order_json(booking))


def new_order_answer(booking: Booking) -> Answer:
    return Answer(presenters.order_json(booking), 201)


def refund_answer(booking: Booking) -> Answer:
    return Answer(presenters.order_json(booking), 202)


BUYING = (
    errors.InsufficientFunds,
    errors.SpendLimitExceeded,
    errors.PaymentFailed,
    errors.NotFound,
    errors.PriceChanged,
    errors.Conflict,
    errors.OfferExpired,
    errors.UpstreamError,
)
"""What an order and a top-up may be refused with alike."""


class EsimOrderViewSet(GatewayViewSet):
    handle = "The order's id, `eord_…`."

    @operation(
        "createEsimOrder",
        scope="esim:book",
        rate_class=RateClass.BOOKING,
        body=serializers.EsimOrderBody,
        answer=serializers.EsimOrderAnswer,
        status=201,
        also={200: serializers.EsimOrderAnswer},
        triggers=sandbox.AT_ESIM,
        errors=BUYING,
    )
    def create(self, request: PartnerRequest) -> Answer:
        """Order an eSIM.

        Some operators deliver a few seconds later: the order is then `pending` with its funds held, and `esim.provisioned` is
        sent when it is ready. If the externalReference was used before, you get the existing order with 200.
        """
        booking, made_now = order_esim(
            caller=request.caller_answered_by(new_order_answer),
            plan_id=request.validated_data["planId"],
            external_reference=request.validated_data.get("externalReference"),
            trip_reference=request.validated_data.get("tripReference"),
            sold_for_cents=request.validated_data.get("soldForCents"),
            max_total_cents=request.validated_data.get("maxTotalCents"),
        )
        return new_order_answer(booking) if made_now else order_answer(booking)

    @operation(
        "listEsimOrders",
        scope="esim:read",
        after_sale=True,
        rate_class=RateClass.READ,
        answer=serializers.EsimOrderPage,
        query=list_parameters(STATUSES),
    )
    def list(self, request: PartnerRequest) -> Answer:
        """List eSIM orders, newest first."""
        return listed(
            request,
            Product.ESIM,
            presenters.order_json,
            listing="esimOrders",
            statuses=STATUSES,
            among=without_top_ups,
        )

    @operation(
        "getEsimOrder",
        scope="esim:read",
        after_sale=True,
        rate_class=RateClass.READ,
        answer=serializers.EsimOrderAnswer,
        errors=(errors.NotFound,),
    )
    def retrieve(self, request: PartnerRequest, order_id: str) -> Answer:
        """Read an eSIM order, with its top-ups."""
        return Answer(presenters.order_with_top_ups_json(order_of(request.partner, order_id)))

    @action(detail=True, methods=["get"])
    @operation(
        "getEsimUsage",
        scope="esim:read",
        after_sale=True,
        rate_class=RateClass.READ,
        answer=serializers.EsimUsageAnswer,
        triggers=sandbox.AT_SUPPLIER,
        errors=(errors.NotFound, errors.Conflict),
    )
    def usage(self, request: PartnerRequest, order_id: str) -> Answer:
        """Read the live data usage of an eSIM.

        While the supplier is unreachable you get the last known values, with `status` null. An order without a profile gets
        409.
        """
        booking = order_of(request.partner, order_id)
        return Answer(presenters.usage_json(booking, read_usage(caller=request.caller, booking=booking)))

    @action(detail=True, methods=["get"])
    @operation(
        "getEsimInstructions",
        scope="esim:read",
        after_sale=True,
        rate_class=RateClass.READ,
        answer=serializers.EsimInstructionsAnswer,
        triggers=sandbox.AT_SUPPLIER,
        query=(LANGUAGE,),
        errors=(errors.NotFound, errors.Conflict, errors.UpstreamError),
        since="1.2",
    )
    def instructions(self, request: PartnerRequest, order_id: str) -> Answer:
        """Read how to install an eSIM, step by step.

        For iPhones and Android devices, in the supplier's words. They are fetched from the supplier at the first read in a
        language and kept for a week. An order without a profile gets 409.
        """
        order = order_of(request.partner, order_id)
        language = request.query_params.get("language")
        instructions = read_instructions(caller=request.caller, order=order, language=language)
        return Answer(presenters.instructions_json(order, instructions))

    @action(detail=True, methods=["post"], url_path="refund-requests")
    @operation(
        "requestEsimRefund",
        scope="esim:book",
        after_sale=True,
        rate_class=RateClass.BOOKING,
        body=serializers.EsimRefundBody,
        answer=serializers.EsimOrderAnswer,
        status=202,
        triggers=sandbox.AT_REFUND_REQUEST,
        errors=(errors.NotFound, errors.Conflict, errors.UpstreamError),
        since="1.3",
    )
    def request_refund(self, request: PartnerRequest, order_id: str) -> Answer:
        """Request a refund of an unused eSIM.

        The supplier's staff decide within days; the response is the order with `refundRequest`. A granted refund is paid to
        your balance, and `esim.refund_decided` is sent either way. A top-up cannot be refunded by itself. 409: the order is not
        `provisioned`, its data was used, or another request is open.
        """
        order = request_refund(
            caller=request.caller_answered_by(refund_answer),
            order=order_of(request.partner, order_id),
            reason=request.validated_data["reason"],
            notes=request.validated_data.get("notes"),
        )
        return refund_answer(order)


def new_top_up_answer(booking: Booking) -> Answer:
    return Answer(presenters.top_up_json(booking), 201)


class EsimTopUpViewSet(GatewayViewSet):
    handle = "The order's id, `eord_…`."

    @operation(
        "listEsimTopUpPlans",
        scope="esim:read",
        rate_class=RateClass.READ,
        answer=serializers.EsimTopUpPlansAnswer,
        triggers=sandbox.AT_SUPPLIER,
        errors=(errors.NotFound, errors.Conflict, errors.UpstreamError),
        since="1.2",
    )
    def list(self, request: PartnerRequest, order_id: str) -> Answer:
        """List the top-up plans of an eSIM at your net price.

        Fetched from the supplier and cached for five minutes. An eSIM that takes no top-ups, or no more, gets 409, and so does
        an order without a profile.
        """
        order = order_of(request.partner, order_id)
        offers = offered_top_ups(caller=request.caller, order=order)
        return Answer(presenters.offers_json(order, offers, request.partner))

    @operation(
        "createEsimTopUp",
        scope="esim:book",
        rate_class=RateClass.BOOKING,
        body=serializers.EsimTopUpBody,
        answer=serializers.EsimTopUpAnswer,
        status=201,
        also={200: serializers.EsimTopUpAnswer},
        triggers=sandbox.AT_ESIM,
        errors=BUYING,
        since="1.2",
    )
    def create(self, request: PartnerRequest, order_id: str) -> Answer:
        """Top up an eSIM.

        Adds a plan to a provisioned eSIM: its data is added to what is left. The top-up is a booking with its own reference;
        the order shows it in `topups`, and lists of orders do not. Only one top-up of an eSIM can be in progress at a time. If
        the externalReference was used before, you get the existing top-up with 200.
        """
        booking, made_now = top_up_esim(
            caller=request.caller_answered_by(new_top_up_answer),
            order=order_of(request.partner, order_id),
            plan_id=request.validated_data["planId"],
            external_reference=request.validated_data.get("externalReference"),
            sold_for_cents=request.validated_data.get("soldForCents"),
            max_total_cents=request.validated_data.get("maxTotalCents"),
        )
        return new_top_up_answer(booking) if made_now else Answer(presenters.top_up_json(booking))


@require_safe
def qr_picture(_request: HttpRequest, token: str) -> HttpResponse:
    """The QR code at an address that an order's answer gave (`apps.esim.qr`)."""
    code = qr.activation_code(token)
    if code is None:
        raise Http404
    try:
        picture = qr.qr_svg(code)
    except segno.DataOverflowError as error:  # longer than any QR code
        raise Http404 from error
    response = HttpResponse(picture, content_type="image/svg+xml")
    response["Cache-Control"] = "private, max-age=86400"
    response["Content-Security-Policy"] = "default-src 'none'"
    return response
